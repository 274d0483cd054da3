package mcphub_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"clined/internal/mcphub"
	"clined/internal/test/fakemcp"
)

// marked returns an env that can be told from that of all other processes.
func marked(t *testing.T) (env map[string]string, marker string) {
	marker = fmt.Sprintf("%s-%d-%d", filepath.Base(t.TempDir()), os.Getpid(), time.Now().UnixNano())
	return map[string]string{"CLINED_TEST_MARK": marker}, marker
}

// running counts the live processes that were started with a marker (Linux).
func running(t *testing.T, marker string) int {
	t.Helper()
	n := 0
	found, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range found {
		environ, err := os.ReadFile(path) // empty for zombies
		if err == nil && bytes.Contains(environ, []byte("CLINED_TEST_MARK="+marker)) {
			n++
		}
	}
	return n
}

// Switching a server off and on leaves exactly one.
func TestSwitchingOffAndOn(t *testing.T) {
	t.Parallel()
	env, marker := marked(t)
	on := fakemcp.Script{Children: 1}.Entry(map[string]any{"env": env})
	off := fakemcp.Script{Children: 1}.Entry(map[string]any{"env": env, "disabled": true})
	h := start(t, mcphub.Options{}, servers{"s": on})
	h.Servers(t.Context())
	for i := range 20 {
		apply(t, h, servers{"s": off})
		if i%4 == 0 {
			untilState(t, h, "s", mcphub.Disabled)
		}
		if i%4 == 1 {
			apply(t, h, nil)
		}
		apply(t, h, servers{"s": on})
		if i%4 == 2 {
			untilState(t, h, "s", mcphub.Connected)
		}
	}
	untilState(t, h, "s", mcphub.Connected)
	until(t, "one server with one child is left", func() bool { return running(t, marker) == 2 })
	apply(t, h, servers{"s": off})
	untilState(t, h, "s", mcphub.Disabled)
	if n := running(t, marker); n != 0 {
		t.Errorf("%d processes are left", n)
	}
}

// The hub's end ends everything in the group, also what does not listen.
func TestCloseLeavesNothing(t *testing.T) {
	t.Parallel()
	env, marker := marked(t)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	behindShell := fakemcp.Script{}.Entry(map[string]any{
		"command": "sh", "args": []string{"-c", "sleep 1000 & trap '' TERM; sleep 1000 & exec " + exe}, "env": env,
	})
	h := start(t, mcphub.Options{}, servers{
		"shell":    behindShell,
		"stubborn": fakemcp.Script{Stubborn: true, Children: 2}.Entry(map[string]any{"env": env}),
		"silent":   fakemcp.Script{SilentUntil: "/nowhere/never", Stubborn: true}.Entry(map[string]any{"env": env}),
	})
	until(t, "all run", func() bool { return running(t, marker) == 7 })
	untilState(t, h, "shell", mcphub.Connected)
	h.Close()
	if n := running(t, marker); n != 0 {
		t.Errorf("%d processes are left", n)
	}
	if _, err := h.CallTool(context.Background(), "shell", "x", nil, nil); err == nil {
		t.Error("a closed hub calls")
	}
}

// However the daemon ends, its servers and their children go too.
func TestDaemonEnds(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, end := range map[string]func(p *os.Process, closeInput func()){
		"input ends": func(_ *os.Process, closeInput func()) { closeInput() },
		"terminated": func(p *os.Process, _ func()) { _ = p.Signal(syscall.SIGTERM) },
		"killed":     func(p *os.Process, _ func()) { _ = p.Kill() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env, marker := marked(t)
			settings := filepath.Join(t.TempDir(), "mcp.json")
			if err := os.WriteFile(settings, fakemcp.Settings(servers{
				"shell":    fakemcp.Script{}.Entry(map[string]any{"command": "sh", "args": []string{"-c", "sleep 1000 & exec " + exe}, "env": env}),
				"stubborn": fakemcp.Script{Stubborn: true, Children: 1}.Entry(map[string]any{"env": env}),
			}), 0o600); err != nil {
				t.Fatal(err)
			}
			daemon := exec.Command(exe)
			daemon.Env = append(os.Environ(), daemonVar+"="+settings, "GORACE=atexit_sleep_ms=0")
			in, err := daemon.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			out, err := daemon.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			daemon.Stderr = os.Stderr
			if err := daemon.Start(); err != nil {
				t.Fatal(err)
			}
			if line, err := bufio.NewReader(out).ReadString('\n'); line != "2 connected\n" {
				t.Fatalf("the daemon said %q, %v", line, err)
			}
			if n := running(t, marker); n != 4 {
				t.Errorf("%d processes run, want 4", n)
			}
			end(daemon.Process, func() { _ = in.Close() })
			_ = daemon.Wait() // it was killed, or not: both are meant
			until(t, "all processes are gone", func() bool { return running(t, marker) == 0 })
		})
	}
}
