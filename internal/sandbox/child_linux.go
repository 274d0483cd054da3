package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"runtime"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// Main is the child: args are those after ChildArg. It confines the process and
// becomes the command; it returns only the exit code of a failure, which it has
// told on standard error. Nothing else of the program must have run.
func Main(args []string) int {
	runtime.LockOSThread()
	o, argv, err := parseOrder(args)
	if err != nil {
		return failed(err)
	}
	if err := confine(o); err != nil {
		return failed(err)
	}
	if err := closeOthers(); err != nil {
		return failed(err)
	}
	if o.try {
		return 0
	}
	if len(argv) < 2 {
		return failed(errors.New("there is no command"))
	}
	err = syscall.Exec(argv[0], argv[1:], os.Environ())
	fmt.Fprintf(os.Stderr, "clined: %s cannot be run: %v\n", argv[0], err)
	if errors.Is(err, fs.ErrNotExist) {
		return 127 // as shells have it
	}
	return 126
}

// closeOthers has the command inherit its three streams only: what else is open
// is what the program that started the daemon left open, and was never held.
func closeOthers() error {
	err := unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC)
	if err == nil {
		return nil
	}
	// Linux before 5.11 may not know that, nor may filters of containers.
	const open = "/proc/self/fd"
	names := namesIn(open)
	if len(names) == 0 {
		return fmt.Errorf("open files: %w", err)
	}
	for _, name := range names {
		if fd, err := strconv.Atoi(name); err == nil && fd > 2 {
			unix.CloseOnExec(fd)
		}
	}
	return nil
}

func failed(err error) int {
	fmt.Fprintf(os.Stderr, "%s%v\n", setupFailed, err)
	return ExitSetup
}

// confine does all of it or fails. Mounts and interfaces come first, they need
// what is taken away after.
func confine(o order) error {
	if o.abi < 1 {
		return errors.New("no version of Landlock is named")
	}
	if o.spaces {
		if err := setSpaces(o); err != nil {
			return err
		}
	}
	rules, err := newRuleset(o)
	if err != nil {
		return err
	}
	for _, path := range o.writable {
		if err := rules.allow(path, rights(o.abi)|rightsRead); err != nil {
			return err
		}
	}
	for _, name := range namesIn("/dev") {
		path := "/dev/" + name
		if !usualDevice(path) {
			continue
		}
		if err := rules.allowDevice(path, rights(o.abi)|rightsRead); err != nil {
			return err
		}
	}
	if err := rules.allowReading(o.hidden, o.writable); err != nil {
		return err
	}
	if err := rules.enforce(); err != nil {
		return err
	}
	return dropCapabilities()
}

// allowDevice is allow for a path that the system owns: its last link is
// followed, as /dev/ptmx and /dev/shm are links in places.
func (r *ruleset) allowDevice(path string, access uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	return r.allowFD(fd, path, access)
}
