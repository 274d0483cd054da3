package sandbox

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The system calls are made here and not by the Landlock library for Go: that
// confines all threads of a process, for which it brings a wrapper around
// pthread_create into the whole program. The child has one thread that matters,
// the one that becomes the command.

// Access rights of Landlock (landlock(7)).
const (
	rightsRead = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR

	rightsWrite = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_SYM

	// rightsDevice make device nodes, which nobody is granted.
	rightsDevice = unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK

	// rightsFile are those that a rule for a single file may have.
	rightsFile = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE |
		unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV

	// resolveUnix connects to a socket by its path: LANDLOCK_ACCESS_FS_RESOLVE_UNIX
	// since version 9.
	resolveUnix = 1 << 16
)

// Versions of Landlock that brought what is used here.
const (
	abiRefer    = 2
	abiTruncate = 3
	abiIoctl    = 5
	abiScope    = 6
	abiSockets  = 9
)

// landlockABI is the kernel's version of Landlock, 0 for none.
func landlockABI() int {
	v, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(v)
}

// rights are those to write that a version knows of.
func rights(abi int) uint64 {
	r := uint64(rightsWrite)
	if abi >= abiRefer {
		r |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if abi >= abiTruncate {
		r |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if abi >= abiIoctl {
		r |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	return r
}

// ruleset is rules in the making.
type ruleset struct {
	fd      int
	handled uint64
}

// newRuleset makes one. Reading is handled only when something is hidden, so
// that otherwise nothing can be unreadable by mistake.
func newRuleset(o order) (*ruleset, error) {
	handled := rights(o.abi) | rightsDevice
	if len(o.hidden) > 0 {
		handled |= rightsRead
	}
	attr := unix.LandlockRulesetAttr{}
	if o.abi >= abiScope {
		attr.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	}
	if o.abi >= abiSockets && !o.network {
		handled |= resolveUnix
	}
	attr.Handled_access_fs = handled
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr), 0)
	if errno != 0 {
		return nil, fmt.Errorf("landlock_create_ruleset: %w", errno)
	}
	return &ruleset{fd: int(fd), handled: handled}, nil
}

// allow grants rights on a path and what is beneath it. Links are not followed,
// at no place of the path. One that cannot be opened stays without: that is less
// than the plan, never more.
func (r *ruleset) allow(path string, access uint64) error {
	fd, err := openPath(path)
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	return r.allowFD(fd, path, access)
}

func (r *ruleset) allowFD(fd int, path string, access uint64) error {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return nil
	}
	access &= r.handled
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFDIR:
	case unix.S_IFLNK:
		return nil
	default:
		access &= rightsFile
	}
	if access == 0 {
		return nil
	}
	attr := unix.LandlockPathBeneathAttr{Allowed_access: access, Parent_fd: int32(fd)}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(r.fd), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&attr)), 0, 0, 0)
	runtime.KeepAlive(&attr)
	// EBADFD is an inode of the kernel's own, which no rule is needed for.
	if errno != 0 && errno != unix.EBADFD {
		return fmt.Errorf("landlock_add_rule %s: %w", path, errno)
	}
	return nil
}

// openPath opens a path without following links. openat2 came before Landlock,
// but filters of containers may not know it.
func openPath(path string) (int, error) {
	how := unix.OpenHow{Flags: unix.O_PATH | unix.O_CLOEXEC, Resolve: unix.RESOLVE_NO_SYMLINKS}
	fd, err := unix.Openat2(unix.AT_FDCWD, path, &how)
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EPERM) {
		return unix.Open(path, unix.O_PATH|unix.O_CLOEXEC|unix.O_NOFOLLOW, 0)
	}
	return fd, err
}

// allowReading grants reading of everything but the hidden paths: beside each of
// their parents up to the root, what lies there now. Names can be listed
// everywhere. What may be written may be read as it is.
func (r *ruleset) allowReading(hidden, writable []string) error {
	if len(hidden) == 0 {
		return nil
	}
	parents := map[string]bool{}
	for _, path := range hidden {
		for at := path; at != "/"; {
			at = filepath.Dir(at)
			if !withinAny(at, writable) {
				parents[at] = true
			}
		}
	}
	if err := r.allow("/", unix.LANDLOCK_ACCESS_FS_READ_DIR); err != nil {
		return err
	}
	for dir := range parents {
		for _, name := range namesIn(dir) {
			path := filepath.Join(dir, name)
			if parents[path] || withinAny(path, hidden) {
				continue
			}
			if err := r.allow(path, rightsRead); err != nil {
				return err
			}
		}
	}
	return nil
}

// namesIn are the names in a folder, as far as they can be read. It is not
// os.ReadDir since that sets up the runtime's poller, which takes longer than
// all the rest.
func namesIn(dir string) (names []string) {
	fd, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC|unix.O_NOFOLLOW, 0)
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	buf := make([]byte, 32<<10)
	for {
		n, err := unix.ReadDirent(fd, buf)
		if err == unix.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			return names
		}
		_, _, names = unix.ParseDirent(buf[:n], -1, names)
	}
}

// enforce confines this thread for good, and what it starts.
func (r *ruleset) enforce() error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("no_new_privs: %w", err)
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(r.fd), 0, 0); errno != 0 {
		return fmt.Errorf("landlock_restrict_self: %w", errno)
	}
	return unix.Close(r.fd)
}
