//go:build unix

package mcphub_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"clined/internal/test/fakemcp"
)

// B062: however the daemon ends, its servers and their children go too.
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
