package soak

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"clined/internal/event"
	"clined/internal/protocol"
	"clined/internal/store"
	"clined/internal/test/fakemcp"
	"clined/internal/transcript"
)

// TestLongTask grows one task for thousands of turns. What a prompt and an
// opening cost does not grow with it, and memory only as the transcript does.
func TestLongTask(t *testing.T) {
	if testing.Short() {
		t.Logf("this needs the real binary")
		return
	}
	turns := min(2000, max(100, 2*number(t, "SOAK", 50)))
	p := newPlace(t)
	if turns > 1000 {
		p.patience(30 * time.Minute)
	}
	// fakellm would keep every request whole; this one only measures the newest.
	var newest, calls atomic.Int64
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := io.Copy(io.Discard, r.Body)
		newest.Store(n)
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, longReply, calls.Add(1))
	}))
	t.Cleanup(model.Close)
	p.settings(map[string]any{"model": "fake-model", "baseUrl": model.URL + "/v1"})
	p.write(filepath.Join(p.ws, "a.txt"), "alpha\n")
	d := p.start()
	d.must("initialize", handshake(p), nil)
	var task protocol.TaskNewResult
	d.must("clined/task/new", map[string]any{}, &task)
	var accepts []time.Duration
	early := 0
	var opened time.Duration
	for turn := range turns {
		var acc protocol.TaskPromptResult
		began := time.Now()
		d.must("clined/task/prompt", map[string]any{"taskId": task.TaskID, "prompt": protocol.Text(fmt.Sprintf("Turn %d, please.", turn))}, &acc)
		accepts = append(accepts, time.Since(began))
		d.next(acc.TurnID)
		if turn == turns/10 {
			early, opened = d.memory(), p.opening(task.TaskID)
		}
	}
	late := d.memory()
	again := p.opening(task.TaskID)
	first, last := median(accepts[turns/20:turns/10]), median(accepts[turns-turns/20:])
	t.Logf("%d turns, a request of %d KB in the end; memory %d KB after a tenth, %d KB in the end; a prompt was accepted in %v, then %v; the task was opened in %v, then %v",
		turns, newest.Load()>>10, early, late, first, last, opened, again)
	// The transcript is held once as messages, once in the dialect's form and
	// once as the body; the collector may let as much again gather; and each has
	// some slack as it grows. Ten megabytes are the collector's own pace.
	if bound := early + int(newest.Load()>>10)*12 + 10<<10; late > bound {
		t.Errorf("memory went from %d to %d KB, over %d KB", early, late, bound)
	}
	if last > 3*first+5*time.Millisecond {
		t.Errorf("accepting a prompt went from %v to %v", first, last)
	}
	if again > 3*opened+20*time.Millisecond {
		t.Errorf("opening went from %v to %v", opened, again)
	}
	if err := d.quit(); err != nil {
		t.Error(err)
	}
}

// longReply completes the turn.
const longReply = `data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"Some words about it. ","tool_calls":[{"index":0,"id":"c%d","type":"function","function":{"name":"attempt_completion","arguments":"{\"result\":\"Done, and this is what there is to say.\"}"}}]},"finish_reason":null}]}

data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}

data: {"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":10,"total_tokens":110}}

data: [DONE]

`

// next waits for the end of a turn and forgets the events before it.
func (d *daemon) next(turn string) {
	d.p.t.Helper()
	if end := d.ended(turn); end.StopReason != event.Completed {
		d.p.t.Fatalf("a turn ended with %s", jsonOf(end))
	}
	d.editor.ForgetEvents()
}

// opening measures how long a new process takes to attach to a task: the middle
// of five.
func (p *place) opening(task string) time.Duration {
	p.t.Helper()
	var all []time.Duration
	for range 5 {
		d := p.start()
		d.must("initialize", handshake(p), nil)
		began := time.Now()
		d.must("clined/task/attach", map[string]any{"taskId": task}, nil)
		all = append(all, time.Since(began))
		if err := d.quit(); err != nil {
			p.t.Fatal(err)
		}
	}
	return median(all)
}

func median(all []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[len(sorted)/2]
}

// memory is the resident size of the process, in KB.
func (d *daemon) memory() int {
	d.p.t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", d.cmd.Process.Pid))
	if err != nil {
		d.p.t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	n, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		d.p.t.Fatal(err)
	}
	return n
}

// TestIdle: a daemon with many tasks and servers that has nothing to do does
// nothing.
func TestIdle(t *testing.T) {
	if testing.Short() {
		t.Logf("this needs the real binary")
		return
	}
	rest, tasks := 2*time.Second, 100
	if number(t, "SOAK", 50) >= 1000 {
		rest, tasks = time.Minute, 1000
	}
	p, _ := chat(t)
	st := store.Open(filepath.Join(p.home, "state"), store.Options{})
	for n := range tasks {
		task, err := st.Create(p.ctx, store.New{ID: fmt.Sprintf("task-%d", n), Cwd: p.ws})
		if err != nil {
			t.Fatal(err)
		}
		m := transcript.Message{ID: "m", Role: transcript.User, Parts: []transcript.Part{transcript.TextPart("Do something.")}}
		if _, err := task.Append(p.ctx, m, store.Notes{Title: fmt.Sprint("Task ", n)}); err != nil {
			t.Fatal(err)
		}
		if err := task.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	servers := map[string]any{}
	for n := range 5 {
		servers[fmt.Sprint("fake", n)] = fakemcp.Script{Tools: []fakemcp.Tool{{Name: "echo", Description: "Echo."}}}.Entry(nil)
	}
	p.write(filepath.Join(p.home, "mcp.json"), string(fakemcp.Settings(servers)))
	d := p.start()
	d.must("initialize", handshake(p), nil)
	var list protocol.TaskListResult
	d.must("clined/task/list", map[string]any{}, &list)
	var task protocol.TaskNewResult
	d.must("clined/task/new", map[string]any{"prompt": protocol.Text("Say one.")}, &task)
	d.next(task.TurnID)           // the servers have joined
	<-time.After(2 * time.Second) // for what it does behind an answer
	before := d.worked()
	<-time.After(rest)
	used := d.worked() - before
	t.Logf("%v of work in %v of rest, %d KB of memory, %d tasks", used, rest, d.memory(), tasks)
	// A thousandth, and one run of the collector.
	if limit := rest/1000 + 10*time.Millisecond; used > limit {
		t.Errorf("it worked %v in %v of rest, more than %v", used, rest, limit)
	}
	if n := d.memory(); n > 60<<10 {
		t.Errorf("%d KB are resident", n)
	}
	if err := d.quit(); err != nil {
		t.Error(err)
	}
}

// worked is the time that the threads of a process were on a processor.
func (d *daemon) worked() (sum time.Duration) {
	d.p.t.Helper()
	paths, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", d.cmd.Process.Pid))
	if err != nil || len(paths) == 0 {
		d.p.t.Fatalf("%v, %d threads", err, len(paths))
	}
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		if err != nil {
			continue // the thread has ended
		}
		ns, err := strconv.ParseInt(string(bytes.Fields(raw)[0]), 10, 64)
		if err != nil {
			d.p.t.Fatal(err)
		}
		sum += time.Duration(ns)
	}
	return sum
}
