package sandbox

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

func TestProcessesOutside(t *testing.T) {
	p := newPlace(t)
	abstract := fmt.Sprintf("@clined-sandbox-test-%d", os.Getpid())
	l, err := net.Listen("unix", abstract)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	me := os.Getpid()
	for _, c := range []struct{ line, says string }{
		{fmt.Sprintf("$PROBE read /proc/%d/environ", me), "permission denied"},
		{fmt.Sprintf("$PROBE read /proc/%d/maps", me), "permission denied"},
		{fmt.Sprintf("$PROBE read /proc/%d/mem", me), "permission denied"},
		{fmt.Sprintf("$PROBE read /proc/%d/root/etc/passwd", me), "permission denied"},
		{fmt.Sprintf("cat /proc/%d/fd/0", me), "ermission denied"},
		{fmt.Sprintf("$PROBE trace %d", me), "operation not permitted"},
		{fmt.Sprintf("$PROBE signal %d", me), "operation not permitted"},
		{"kill -0 $PPID", "ermi"}, // the daemon is the parent
		{fmt.Sprintf("$PROBE dial unix %s", abstract), "operation not permitted"},
	} {
		for _, network := range []bool{true, false} {
			plan := p.plan()
			plan.Network = network
			out, exit := sh(t, plan, c.line)
			if exit == 0 || (!strings.Contains(out, c.says) && (network || !strings.Contains(out, "connection refused"))) {
				t.Errorf("%s, network %t: exit %d: %s", c.line, network, exit, out)
			}
		}
	}
}

// What a program is after it was confined.
func TestPrivileges(t *testing.T) {
	for _, network := range []bool{true, false} {
		p := newPlace(t).plan()
		p.Network = network
		out, exit := sh(t, p, "cat /proc/self/status; id -u; id -g; umask; tr '\\0' ' ' < /proc/$$/cmdline; exit 7")
		if exit != 7 {
			t.Fatalf("exit %d: %s", exit, out)
		}
		want := "CapEff:\t0000000000000000\n"
		if os.Geteuid() == 0 {
			has, err := capabilities()
			if err != nil {
				t.Fatal(err)
			}
			if !network {
				has = keptCapabilities // of its own namespace
			}
			want = fmt.Sprintf("CapEff:\t%016x\n", has&keptCapabilities)
		}
		for _, s := range []string{want, "NoNewPrivs:\t1\n", "CapAmb:\t0000000000000000\n", fmt.Sprintf("\n%d\n%d\n", os.Getuid(), os.Getgid())} {
			if !strings.Contains(out, s) {
				t.Errorf("network %t: no %q in\n%s", network, s, out)
			}
		}
		if files, exit := sh(t, p, "ls /proc/self/fd"); exit != 0 || files != "0\n1\n2\n3\n" { // 3 is what ls reads
			t.Errorf("network %t: open files %q", network, files)
		}
		if strings.Contains(out, ChildArg) {
			t.Errorf("the command sees its order: %s", out)
		}
	}
}

// The process is the same from the fork to the end, and what its owner set
// holds.
func TestSameProcess(t *testing.T) {
	for _, network := range []bool{true, false} {
		p := newPlace(t).plan()
		p.Network = network
		cmd := exec.Command("/bin/sh", "-c", `echo $$; cut -d' ' -f5,6 /proc/$$/stat; read line; sleep 1000 & wait`)
		cmd.Dir = p.Workspace[0]
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
		cmd.Env = append(os.Environ(), "MARK=clined-sandbox-mark")
		stdin, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := here().Wrap(cmd, p); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var pid, group, session int
		if _, err := fmt.Fscan(out, &pid, &group, &session); err != nil || pid != cmd.Process.Pid || group != pid || session != pid {
			t.Errorf("pid %d, group %d, session %d of %d: %v", pid, group, session, cmd.Process.Pid, err)
		}
		// Trees of processes are found by their environment.
		env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
		if err != nil || !strings.Contains(string(env), "MARK=clined-sandbox-mark") {
			t.Errorf("environment %q, %v", env, err)
		}
		stdin.Close()
		if err := syscall.Kill(-pid, syscall.SIGTERM); err != nil {
			t.Error(err)
		}
		cmd.Wait()
		if ws := cmd.ProcessState.Sys().(syscall.WaitStatus); !ws.Signaled() || ws.Signal() != syscall.SIGTERM {
			t.Errorf("network %t: ended by %v", network, ws)
		}
	}
}

func TestParentDeathSignalIsKept(t *testing.T) {
	for _, network := range []bool{true, false} {
		p := newPlace(t).plan()
		p.Network = network
		cmd := exec.Command(os.Args[0], probeArg, "parent-death")
		cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGUSR1}
		if out, exit := start(t, here(), cmd, p); exit != 0 || out != fmt.Sprint(int(syscall.SIGUSR1)) {
			t.Errorf("network %t: exit %d: %s", network, exit, out)
		}
	}
}

func TestTerminal(t *testing.T) {
	for _, network := range []bool{true, false} {
		p := newPlace(t).plan()
		p.Network = network
		master, slave := openTerminal(t)
		cmd := exec.Command("/bin/sh", "-c", "test -t 0 && echo to the terminal > /dev/tty && stty -a > size && stty -echo && tty > name")
		cmd.Dir = p.Workspace[0]
		cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 0}
		if _, err := here().Wrap(cmd, p); err != nil {
			t.Fatal(err)
		}
		err := cmd.Run()
		slave.Close()
		buf := make([]byte, 1000)
		n, _ := master.Read(buf)
		master.Close()
		if err != nil || !strings.Contains(string(buf[:n]), "to the terminal") {
			t.Errorf("network %t: %v: %q", network, err, buf[:n])
		}
		if name := read(t, filepath.Join(cmd.Dir, "name")); !strings.HasPrefix(name, "/dev/pts/") {
			t.Errorf("the terminal is %q", name)
		}
	}
}

func openTerminal(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetUint32(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return master, slave
}
