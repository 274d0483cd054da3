package scenario_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"clined/internal/event"
	"clined/internal/protocol"
	"clined/internal/test/fakemcp"
	"clined/internal/test/scenario"

	"golang.org/x/sys/unix"
)

// endLimit is how long a daemon may live on without its editor.
const endLimit = 10 * time.Second

// atWork is a model whose turn has a command that does not care for SIGTERM, and
// children of it that run away: into sessions of their own, from their parents,
// with nothing in their environment. All sleep for so long that they are found.
func atWork(sleep string) string {
	return strings.ReplaceAll(`
reply
  text Let us wait.
  call execute_command {"command":"trap '' TERM INT; sleep 600 & setsid sleep SLEEP & (setsid env -i sleep SLEEP &); (env -i PATH=\"$PATH\" setsid sh -c 'trap \"\" TERM; (sleep SLEEP &); sleep SLEEP' &); (nohup sleep SLEEP >/dev/null 2>&1 &); echo started; sleep 600","requires_approval":false}
`, "SLEEP", sleep)
}

// runaways is how many sleeps of that length atWork starts.
const runaways = 5

// aSleep is a number of seconds that nobody else sleeps.
func aSleep() string { return fmt.Sprintf("600.%09d", rand.IntN(1e9)) }

// family are the daemon's processes and the runaways.
func family(t *testing.T, pid int, sleep string) (members []string) {
	t.Helper()
	members = descendants(t, pid)
	for _, pid := range scenario.Running(sleep) {
		if f := stat(pid); f != nil {
			members = append(members, pid+" "+f[19])
		}
	}
	return members
}

// TestEndsWithItsEditor: however an editor goes, the daemon and its children
// go too, in time, and the transcript is valid.
func TestEndsWithItsEditor(t *testing.T) {
	if testing.Short() {
		t.Logf("this needs the real binary")
		return
	}
	// The daemon is to get SIGHUP also where the tests run under nohup.
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(hangups) })
	tests := map[string]struct {
		code int
		// goes makes the editor go; it gets the process named by initialize.
		goes func(d *driver, c *child, editor *os.Process) error
		// told is set when the editor still listens and must hear of the end.
		told bool
	}{
		"closes stdin": {code: 1, goes: func(_ *driver, c *child, _ *os.Process) error { return c.WriteCloser.Close() }},
		"closes stdout": {code: 1, goes: func(_ *driver, c *child, _ *os.Process) error {
			c.held = true
			return c.Reader.(*os.File).Close()
		}},
		"is killed while stdin is held open": {code: 1, told: true, goes: func(_ *driver, _ *child, editor *os.Process) error {
			return editor.Kill()
		}},
		"sends SIGTERM": {code: 1, told: true, goes: func(_ *driver, c *child, _ *os.Process) error {
			return c.cmd.Process.Signal(syscall.SIGTERM)
		}},
		"sends SIGHUP": {code: 1, told: true, goes: func(_ *driver, c *child, _ *os.Process) error {
			return c.cmd.Process.Signal(syscall.SIGHUP)
		}},
		"exits without shutdown": {code: 1, goes: func(d *driver, _ *child, _ *os.Process) error { return d.editor.Notify("exit", nil) }},
		"shuts down": {code: 0, told: true, goes: func(d *driver, _ *child, _ *os.Process) error {
			_, err := d.editor.Call(d.ctx, "shutdown", nil)
			return errors.Join(err, d.editor.Notify("exit", nil))
		}},
		"kills the daemon": {code: -1, goes: func(_ *driver, c *child, _ *os.Process) error { return c.cmd.Process.Kill() }},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, sleep := startEditor(t), aSleep()
			d := drive(t, startChild, setting{model: atWork(sleep), mcp: mcpFile(t), processID: p.Pid})
			c := d.daemon.(*child)
			turn := d.prompt("Go.")
			d.until("the command", 0, func(events []protocol.TaskEventParams) bool {
				return strings.Contains(jsonOf(events), `"output":"started`)
			})
			for len(scenario.Running(sleep)) < runaways {
				select {
				case <-time.After(5 * time.Millisecond):
				case <-d.ctx.Done():
					t.Fatal("the command does not start its children")
				}
			}
			family := family(t, c.cmd.Process.Pid, sleep)
			if len(family) < 5+runaways { // reaper, MCP server, shell, two sleeps
				t.Fatalf("the daemon has the children %q", family)
			}
			if err := tt.goes(d, c, p); err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			code := d.exitCode()
			if took := time.Since(start); code != tt.code || took > endLimit {
				t.Errorf("it ended with code %d, want %d, after %v", code, tt.code, took)
			}
			awaitEnds(t, family, endLimit/2)
			if left := scenario.Running(sleep); len(left) > 0 {
				t.Errorf("ran away: %q", left)
			}
			if tt.told {
				if end := d.end(turn); end.StopReason != event.Interrupted {
					t.Errorf("the turn ended with %+v", end)
				}
			}
			if tt.code >= 0 {
				d.journal()
			}
		})
	}
}

// TestEditorDiesAtAnyMoment cuts both pipes at a random event.
func TestEditorDiesAtAnyMoment(t *testing.T) {
	if testing.Short() {
		t.Logf("this needs the real binary")
		return
	}
	r := rand.New(rand.NewPCG(7, 7))
	for range 8 {
		after := r.IntN(16)
		t.Run(fmt.Sprintf("after event %d", after), func(t *testing.T) {
			sleep := aSleep()
			d := drive(t, startChild, setting{model: atWork(sleep)})
			c := d.daemon.(*child)
			d.prompt("Go.")
			d.until("the moment", 0, func(events []protocol.TaskEventParams) bool {
				return len(events) >= after || strings.Contains(jsonOf(events), `"output":"started`)
			})
			family := family(t, c.cmd.Process.Pid, sleep)
			if err := errors.Join(c.WriteCloser.Close(), c.Reader.(*os.File).Close()); err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			if code := d.exitCode(); code != 1 || time.Since(start) > endLimit {
				t.Errorf("it ended with code %d after %v", code, time.Since(start))
			}
			awaitEnds(t, family, endLimit/2)
			if left := scenario.Running(sleep); len(left) > 0 {
				t.Errorf("ran away: %q", left)
			}
			d.journal()
			d.model.Dismiss() // it may have died before, or in, the first request
		})
	}
}

// exitCode waits for the end without closing stdin; -1 is a signal. The editor
// reads all before: Wait closes the pipes.
func (d *driver) exitCode() int {
	d.Helper()
	select {
	case <-d.editor.Done():
	case <-d.ctx.Done():
		d.Fatal("the daemon does not end")
	}
	c := d.daemon.(*child)
	c.once.Do(func() {
		_ = c.cmd.Wait() // its error is the code
		c.code = c.cmd.ProcessState.ExitCode()
	})
	return c.code
}

// startEditor starts a process that plays the editor's.
func startEditor(t *testing.T) *os.Process {
	t.Helper()
	cmd := exec.Command("sleep", "600")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return cmd.Process
}

func mcpFile(t *testing.T) string {
	t.Helper()
	entry := fakemcp.Script{Tools: []fakemcp.Tool{{Name: "echo", Description: "Echo."}}}.Entry(nil)
	return jsonOf(map[string]any{"mcpServers": map[string]any{"echo": entry}})
}

func jsonOf(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// descendants returns the processes below pid, each as "pid start-time".
func descendants(t *testing.T, pid int) []string {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	children := map[string][]string{}
	for _, e := range entries {
		if f := stat(e.Name()); f != nil {
			children[f[1]] = append(children[f[1]], e.Name())
		}
	}
	var found []string
	for queue := []string{fmt.Sprint(pid)}; len(queue) > 0; queue = queue[1:] {
		for _, child := range children[queue[0]] {
			queue = append(queue, child)
			if f := stat(child); f != nil {
				found = append(found, child+" "+f[19])
			}
		}
	}
	return found
}

// stat returns the fields of /proc/PID/stat behind the name, nil for none.
func stat(pid string) []string {
	raw, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return nil
	}
	_, rest, ok := strings.Cut(string(raw), ") ")
	if f := strings.Fields(rest); ok && len(f) > 19 {
		return f
	}
	return nil
}

// awaitEnds waits until none of the family lives.
func awaitEnds(t *testing.T, family []string, limit time.Duration) {
	t.Helper()
	deadline := time.Now().Add(limit)
	for {
		alive := left(family)
		if len(alive) == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("left behind: %q", alive)
		}
		word, _, _ := strings.Cut(alive[0], " ")
		pid, err := strconv.Atoi(word)
		if err != nil {
			t.Fatal(err)
		}
		fd, err := unix.PidfdOpen(pid, 0)
		if err != nil {
			continue // it is gone by now
		}
		_, err = unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, int(time.Until(deadline).Milliseconds())+1)
		if err := errors.Join(err, unix.Close(fd)); err != nil && !errors.Is(err, unix.EINTR) {
			t.Fatal(err)
		}
	}
}

// left returns those of the family that live.
func left(family []string) []string {
	var alive []string
	for _, member := range family {
		pid, started, _ := strings.Cut(member, " ")
		if f := stat(pid); f != nil && f[19] == started && f[0] != "Z" {
			alive = append(alive, member)
		}
	}
	return alive
}
