package soak

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"clined/internal/event"
	"clined/internal/protocol"
	"clined/internal/test/fakellm"
)

const (
	// callsEach is how many commands a reply makes, repliesEach how many replies
	// with commands a task has.
	callsEach, repliesEach = 10, 3
	commandDaemons         = 3
)

// TestManyCommands has models run short commands of many kinds, in the sandbox
// where there is one, with several daemons at the same time: none hangs, no byte
// is lost, no file stays open. It tells how long it took from the last thing a
// command did until the editor had its result.
func TestManyCommands(t *testing.T) {
	if testing.Short() {
		t.Logf("this needs the real binary")
		return
	}
	tasks := (10*number(t, "SOAK", 15) + callsEach*repliesEach - 1) / (callsEach * repliesEach)
	p := newPlace(t)
	p.patience(time.Minute + time.Duration(tasks)*hangGuard)
	m := &commander{}
	model := fakellm.Start(t, "")
	model.Decide(m.reply)
	p.settings(map[string]any{"model": "fake-model", "baseUrl": model.URL(), "shell": "bash", "autoApprove": map[string]any{"command": true}})
	p.write(p.ws+"/a.txt", "alpha\n")
	var next atomic.Int64
	var mu sync.Mutex
	var took []time.Duration
	var workers sync.WaitGroup
	for range commandDaemons {
		d := p.start()
		d.must("initialize", handshake(p), nil)
		workers.Go(func() {
			files := 0 // after its first task
			for {
				n := int(next.Add(1))
				if n > tasks || t.Failed() {
					break
				}
				all := d.commands(m, n)
				mu.Lock()
				took = append(took, all...)
				mu.Unlock()
				files = cmp.Or(files, d.openFiles())
			}
			if now := d.fewFiles(files + 5); files > 0 && now > files+5 {
				t.Errorf("%d files are open, %d were", now, files)
			}
			if err := d.quit(); err != nil {
				t.Error(err)
			}
		})
	}
	workers.Wait()
	if slices.Sort(took); len(took) > 0 {
		n := len(took)
		t.Logf("%d commands; from the end of a command to its result in the editor: median %v, p99 %v, longest %v", n, took[n/2], took[n*99/100], took[n-1])
	}
}

// commands plays task n and returns how long each result took.
func (d *daemon) commands(m *commander, n int) (took []time.Duration) {
	t := d.p.t
	var task protocol.TaskNewResult
	if err := d.call("clined/task/new", map[string]any{"prompt": protocol.Text(fmt.Sprintf("Task %d.", n))}, &task); err != nil {
		t.Error(err)
		return nil
	}
	seen, results := 0, map[string]bool{}
	var end event.State
	err := d.editor.Until(d.p.ctx, fmt.Sprintf("the end of task %d", n), func() bool {
		now := time.Now()
		events := d.editor.EventsLocked()
		for _, p := range events[min(seen, len(events)):] {
			switch e := p.Event.Event.(type) {
			case event.ToolCall:
				if e.Name != "execute_command" || e.Output == "" || results[e.ToolCallID] {
					continue
				}
				results[e.ToolCallID] = true
				if late, err := m.check(e, now); err != nil {
					t.Errorf("task %d: %v", n, err)
				} else {
					took = append(took, late)
				}
			case event.State:
				if end = e; e.State == event.Idle && p.TurnID == task.TurnID {
					return true
				}
			}
		}
		seen = len(events)
		return false
	})
	d.editor.ForgetEvents()
	if err != nil || end.StopReason != event.Completed || len(results) != callsEach*repliesEach {
		t.Errorf("task %d ended with %s and %d results: %v", n, jsonOf(end), len(results), err)
	}
	return took
}

// openFiles is how many the daemon has.
func (d *daemon) openFiles() int {
	files, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", d.cmd.Process.Pid))
	return len(files)
}

// fewFiles waits until no more than so many are open: what runs in the background
// has some, for a while.
func (d *daemon) fewFiles(most int) int {
	for deadline := time.Now().Add(hangGuard); ; <-time.After(50 * time.Millisecond) {
		if n := d.openFiles(); n <= most || time.Now().After(deadline) {
			return n
		}
	}
}

// commander is a model that has commands run, each only once.
type commander struct {
	mu    sync.Mutex // guards the rest
	made  int
	wants map[string]want // by call id
}

// want is what comes of a command.
type want struct {
	output string
	exit   int
	// background: something that it started goes on.
	background bool
}

// reply goes on with the task that a request is of.
func (m *commander) reply(req *fakellm.Request) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	replies, name := 0, "?"
	for _, msg := range req.Messages {
		if len(msg.Calls) > 0 {
			replies++
		}
		if _, rest, ok := strings.Cut(msg.Text, "Task "); ok && name == "?" {
			name, _, _ = strings.Cut(rest, ".")
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "reply\nconversation %s\n", name)
	if replies >= repliesEach {
		b.WriteString("call attempt_completion {\"result\":\"Done.\"}\n")
		return b.String()
	}
	for range callsEach {
		id := fmt.Sprintf("call_%d", m.made)
		line, w := short(m.made)
		m.made++
		if m.wants == nil {
			m.wants = map[string]want{}
		}
		m.wants[id] = w
		fmt.Fprintf(&b, "call id=%s execute_command %s\n", id, jsonOf(map[string]any{"command": line}))
	}
	return b.String()
}

// short is the i-th command, which tells the time when it does its last thing.
func short(i int) (line string, w want) {
	kinds := []struct {
		line string
		want
	}{
		{"true", want{}},
		{"echo a; echo b >&2", want{output: "a\nb\n"}},
		{"echo x | cat | cat", want{output: "x\n"}},
		{"i=0; while [ $i -lt 400 ]; do i=$((i+1)); echo line $i; done", want{output: lines(400)}},
		{"printf 'é€'", want{output: "é€"}},
		{"sleep 5 >/dev/null & :", want{background: true}},
		{"sleep 5 &", want{background: true}},
		{": > out.$$; cat a.txt; rm out.$$", want{output: "alpha\n"}},
		{`printf '\r1%%\r100%%\n\033[31mred\033[0m\n'`, want{output: "100%\nred\n"}},
		{"(exit 9); read -t 0.01 x; setsid true", want{}},
	}
	k := kinds[i%len(kinds)]
	k.exit = i % 5
	k.output += fmt.Sprintf("last %d ", i)
	return fmt.Sprintf("%s\nprintf 'last %d '; echo $EPOCHREALTIME; exit %d", k.line, i, k.exit), k.want
}

func lines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintln(&b, "line", i+1)
	}
	return b.String()
}

// check holds a result to what its command does, and returns how long after its
// last thing it came.
func (m *commander) check(e event.ToolCall, now time.Time) (late time.Duration, err error) {
	m.mu.Lock()
	w, ok := m.wants[e.ToolCallID]
	delete(m.wants, e.ToolCallID)
	m.mu.Unlock()
	said, output, _ := strings.Cut(e.Output, "\nOutput:\n")
	exit := "exit code " + strconv.Itoa(w.exit)
	printed, whole := strings.CutPrefix(output, w.output)
	at, bad := strconv.ParseFloat(printed, 64)
	if !ok || !whole || bad != nil || !strings.Contains(said, exit) || strings.Contains(said, "still running") != w.background {
		return 0, fmt.Errorf("the result of %s is %q, want %q with %s, background %t", e.ToolCallID, e.Output, w.output, exit, w.background)
	}
	return now.Sub(time.UnixMicro(int64(at * 1e6))), nil
}
