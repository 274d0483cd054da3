package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// enterSpaces has the child start in user, mount and network namespaces of its
// own, the latter unless the plan has network. Users and groups keep their
// numbers: all of them for root, so that files belong to whom they belonged;
// others may only name themselves, and see nobody as owner of the rest.
//
// A plan that needs none gets none: ssh refuses settings that belong to nobody.
func enterSpaces(attr *syscall.SysProcAttr, network bool) {
	attr.Cloneflags |= unix.CLONE_NEWUSER | unix.CLONE_NEWNS
	if !network {
		attr.Cloneflags |= unix.CLONE_NEWNET
	}
	// They survive the exec of the child for users other than root.
	attr.AmbientCaps = append(attr.AmbientCaps, unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN)
	uids, err := idsOf("/proc/self/uid_map")
	gids, err2 := idsOf("/proc/self/gid_map")
	if err == nil && err2 == nil && mayMapAll() {
		attr.UidMappings, attr.GidMappings, attr.GidMappingsEnableSetgroups = uids, gids, true
		return
	}
	attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Geteuid(), HostID: os.Geteuid(), Size: 1}}
	attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getegid(), HostID: os.Getegid(), Size: 1}}
}

// mayMapAll: user_namespaces(7), "Defining user and group ID mappings".
func mayMapAll() bool {
	has, err := capabilities()
	need := uint64(1)<<unix.CAP_SETUID | 1<<unix.CAP_SETGID | 1<<unix.CAP_SETFCAP
	return err == nil && has&need == need
}

// idsOf reads which numbers there are in this namespace, and maps each to itself.
func idsOf(file string) (ids []syscall.SysProcIDMap, err error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(b)) {
		f := strings.Fields(line)
		if len(f) != 3 {
			return nil, fmt.Errorf("%s is malformed", file)
		}
		first, err := strconv.Atoi(f[0])
		size, err2 := strconv.Atoi(f[2])
		if err != nil || err2 != nil {
			return nil, fmt.Errorf("%s has numbers too large", file)
		}
		ids = append(ids, syscall.SysProcIDMap{ContainerID: first, HostID: first, Size: size})
	}
	return ids, nil
}

// setSpaces makes the namespaces what the plan wants.
func setSpaces(o order) error {
	if !o.network {
		if err := loopbackUp(); err != nil {
			return fmt.Errorf("loopback interface: %w", err)
		}
	}
	if len(o.keep)+len(o.cover)+len(o.sockets) == 0 {
		return nil
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_SLAVE, ""); err != nil {
		return fmt.Errorf("mounts: %w", err)
	}
	for _, path := range o.pin {
		if err := bind(path); err != nil {
			return fmt.Errorf("fixing %s: %w", path, err)
		}
	}
	for _, path := range o.keep {
		if err := keep(path); err != nil {
			return fmt.Errorf("keeping %s: %w", path, err)
		}
	}
	for _, path := range o.cover {
		if err := cover(path); err != nil {
			return fmt.Errorf("hiding %s: %w", path, err)
		}
	}
	for _, path := range o.sockets {
		// One that went away meanwhile, or is another mount namespace's.
		if err := unix.Mount("/dev/null", path, "", unix.MS_BIND, ""); err != nil && !gone(err) {
			return fmt.Errorf("hiding %s: %w", path, err)
		}
	}
	return reenter()
}

// pinned are the folders between a writable one and what is covered in it, the
// outer ones first. A command that renamed one of them would have what was
// covered uncovered for the next command, under another name.
func pinned(covered, writable []string) (folders []string) {
	for _, path := range covered {
		for at := filepath.Dir(path); withinAny(at, writable) && !slices.Contains(writable, at); at = filepath.Dir(at) {
			folders = append(folders, at)
		}
	}
	slices.Sort(folders)
	return slices.Compact(folders)
}

// reenter makes the working folder what its path means now, not what lies
// below a mount.
func reenter() error {
	dir, err := unix.Getwd()
	if err == nil {
		err = unix.Chdir(dir)
	}
	if err != nil {
		return fmt.Errorf("working folder: %w", err)
	}
	return nil
}

// bind mounts what is at a path there once more: what a mount lies on cannot be
// renamed.
func bind(path string) error {
	if err := unix.Mount(path, path, "", unix.MS_BIND|unix.MS_REC, ""); err != nil && !gone(err) {
		return err
	}
	return nil
}

// keep makes a path and what is beneath it read-only.
func keep(path string) error {
	if _, err := os.Lstat(path); os.IsNotExist(err) {
		return nil
	}
	if err := bind(path); err != nil {
		return err
	}
	return unix.MountSetattr(unix.AT_FDCWD, path, unix.AT_RECURSIVE, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY})
}

func gone(err error) bool {
	return err == unix.ENOENT || err == unix.ENOTDIR || err == unix.EACCES
}

// cover puts an empty folder, or an empty file, over what is there.
func cover(path string) error {
	info, err := os.Stat(path)
	if os.IsNotExist(err) {
		return nil
	}
	if err == nil && !info.IsDir() {
		return unix.Mount("/dev/null", path, "", unix.MS_BIND, "")
	}
	return unix.Mount("tmpfs", path, "tmpfs", unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV, "size=4k,mode=0555")
}

func loopbackUp() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	request, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	request.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, request)
}
