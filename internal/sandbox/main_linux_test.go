package sandbox

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"unsafe"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"
)

// The test binary is the child, and a program that commands of tests use: as
// $PROBE with a verb and arguments.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == ChildArg {
		os.Exit(Main(os.Args[2:]))
	}
	if len(os.Args) > 2 && os.Args[1] == probeArg {
		if err := probe(os.Args[2], os.Args[3:]); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	// Else each program that the race detector is in rests a second before its end.
	os.Setenv("GORACE", "atexit_sleep_ms=0")
	goleak.VerifyTestMain(m)
}

// here is the sandbox of this system, tried out once.
var here = sync.OnceValue(func() *Sandbox { return New("") })

const probeArg = "probe"

// probeEnv makes $PROBE this program; the shell splits it.
func probeEnv() string {
	exe, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return "PROBE=" + exe + " " + probeArg
}

func probe(verb string, args []string) error {
	number := func() int {
		n, err := strconv.Atoi(args[0])
		if err != nil {
			panic(err)
		}
		return n
	}
	switch verb {
	case "rename":
		return os.Rename(args[0], args[1])
	case "truncate":
		return os.Truncate(args[0], 0)
	case "change": // without truncating
		f, err := os.OpenFile(args[0], os.O_RDWR, 0)
		if err != nil {
			return err
		}
		_, err = f.WriteString("changed")
		return errors.Join(err, f.Close())
	case "signal":
		return syscall.Kill(number(), 0)
	case "trace":
		return unix.PtraceAttach(number())
	case "read":
		b, err := os.ReadFile(args[0])
		os.Stdout.Write(b)
		return err
	case "parent-death":
		var sig int32
		if err := unix.Prctl(unix.PR_GET_PDEATHSIG, uintptr(unsafe.Pointer(&sig)), 0, 0, 0); err != nil {
			return err
		}
		fmt.Print(sig)
		return nil
	case "terminal":
		fd, err := unix.Open("/dev/ptmx", unix.O_RDWR, 0)
		if err != nil {
			return err
		}
		if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
			return err
		}
		n, err := unix.IoctlGetUint32(fd, unix.TIOCGPTN)
		if err != nil {
			return err
		}
		f, err := os.OpenFile("/dev/pts/"+strconv.Itoa(int(n)), os.O_RDWR|unix.O_NOCTTY, 0)
		if err != nil {
			return err
		}
		_, err = unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
		return err
	case "dial":
		c, err := net.Dial(args[0], args[1])
		if err != nil {
			return err
		}
		_, err = c.Write([]byte("x"))
		return errors.Join(err, c.Close())
	case "talk": // a server and its client
		return talk(args[0], args[1])
	case "resolve":
		_, err := net.LookupHost(args[0])
		return err
	}
	return fmt.Errorf("no verb %q", verb)
}

func talk(network, address string) error {
	l, err := net.Listen(network, address)
	if err != nil {
		return err
	}
	defer l.Close()
	done := make(chan error, 1)
	go func() {
		c, err := l.Accept()
		if err != nil {
			done <- err
			return
		}
		_, err = io.WriteString(c, "hello")
		done <- errors.Join(err, c.Close())
	}()
	c, err := net.Dial(network, l.Addr().String())
	if err != nil {
		return err
	}
	b, err := io.ReadAll(c)
	if err == nil && string(b) != "hello" {
		err = fmt.Errorf("got %q", b)
	}
	return errors.Join(err, c.Close(), <-done)
}

// asNobody makes a command run without the rights of root.
func asNobody(cmd *exec.Cmd) {
	if os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
}

const nobody = 65534
