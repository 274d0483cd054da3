package scenario_test

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"clined/internal/event"
	"clined/internal/protocol"
	"clined/internal/rpc"
	"clined/internal/test/fakeeditor"
	"clined/internal/test/scenario"
)

// lively is a turn of which a front sees many things.
const lively = `
reply
  think Let us look around.
  text I look at the files, one by one.
  call read_file {"path":"a.txt"}
  call read_file {"path":"b.txt"}
  call list_files {"path":".","recursive":true,"task_progress":"- [ ] look"}
reply
  text And once more.
  call read_file {"path":"a.txt","task_progress":"- [x] look"}
reply
  call attempt_completion {"result":"done"}
`

// follower is a front that loses the task and finds it again: what it knows is
// what attaches and events told it.
type follower struct {
	*driver
	// cursor is what it has got up to.
	cursor int64
	known  map[string]protocol.TaskEventParams
	// replayed are the numbers that attaches told.
	replayed map[int64]bool
}

func follow(d *driver) *follower {
	return &follower{driver: d, known: map[string]protocol.TaskEventParams{}, replayed: map[int64]bool{}}
}

func (f *follower) learn(p protocol.TaskEventParams) {
	key := event.Key(p.Event.Event, p.TurnID, p.Seq)
	if old, ok := f.known[key]; key != "" && (!ok || old.Seq < p.Seq) {
		f.known[key] = p
	}
}

// attach follows the task from where the follower stands.
func (f *follower) attach() {
	f.Helper()
	var res protocol.TaskAttachResult
	f.call("clined/task/attach", map[string]any{"taskId": f.task, "sinceSeq": f.cursor, "limit": 2000}, &res)
	for _, p := range res.Events {
		if p.Seq <= f.cursor || p.Seq > res.Seq || f.replayed[p.Seq] {
			f.Errorf("event %d (%s) is told when asked since %d, and again: %v; the task stands at %d", p.Seq, p.Event.Event.Type(), f.cursor, f.replayed[p.Seq], res.Seq)
		}
		f.replayed[p.Seq] = true
		f.learn(p)
	}
	f.cursor = max(f.cursor, res.Seq)
}

// live takes what came by itself.
func (f *follower) live() {
	for _, p := range f.editor.Events() {
		f.learn(p)
		f.cursor = max(f.cursor, p.Seq)
	}
}

// compare looks for holes.
func (f *follower) compare(whole []protocol.TaskEventParams) {
	f.Helper()
	for _, p := range whole {
		if got := f.known[event.Key(p.Event.Event, p.TurnID, p.Seq)]; got.Seq != p.Seq {
			f.Errorf("event %d (%s) is known as of number %d", p.Seq, p.Event.Event.Type(), got.Seq)
		}
	}
	var last int64
	for _, p := range f.editor.Events() {
		if p.Seq <= last {
			f.Errorf("event %d came behind %d", p.Seq, last)
		}
		last = p.Seq
	}
}

// elsewhere is an editor on a daemon of its own, with the same state.
func (d *driver) elsewhere() *driver {
	d.Helper()
	other := *d
	other.daemon = startHere(d.T, scenario.Setup{Dir: d.ws, Home: d.home, Log: io.Discard})
	other.editor = fakeeditor.Connect(d.ctx, d.T, other.daemon, rpc.Header)
	d.Cleanup(func() {
		other.editor.Close()
		other.daemon.Wait()
	})
	other.call("initialize", map[string]any{
		"workspaceFolders": []any{map[string]any{"uri": fakeeditor.URI(d.ws), "name": "ws"}},
		"capabilities": map[string]any{"experimental": map[string]any{"clined": map[string]any{
			"caps": map[string]any{"transcript": map[string]any{}},
		}}},
	}, nil)
	return &other
}

// TestAttachAtAnyMoment: a front that comes and goes while a task works gets each
// thing, in its own process or in another one, and nothing twice.
func TestAttachAtAnyMoment(t *testing.T) {
	const turns = 8
	d := drive(t, startHere, setting{model: strings.Repeat(lively, turns)})
	here := follow(d)
	last := ""
	for n := range turns {
		last = d.prompt(fmt.Sprint("Number ", n))
	}
	there := follow(d.elsewhere())
	for over := false; !over; {
		d.call("clined/task/detach", map[string]any{"taskId": d.task}, nil)
		here.live()
		here.attach()
		there.attach()
		_, over = here.known[event.Key(event.State{State: event.Idle}, last, 0)]
	}
	there.attach()
	here.live()
	var whole protocol.TaskReadResult
	d.call("clined/task/read", map[string]any{"taskId": d.task, "limit": 2000}, &whole)
	if len(whole.Events) < turns*5 {
		t.Errorf("the task has %d events", len(whole.Events))
	}
	here.compare(whole.Events)
	there.compare(whole.Events)
}

// TestPagesOfATask: who reads a task page by page gets each thing once, in order,
// also where its calls were told again and again.
func TestPagesOfATask(t *testing.T) {
	d := drive(t, startHere, setting{model: lively + lively})
	last := ""
	for n := range 2 {
		last = d.prompt(fmt.Sprint("Number ", n))
	}
	d.end(last)
	place := func(p protocol.TaskEventParams) string { return event.Key(p.Event.Event, p.TurnID, p.Seq) }
	var whole protocol.TaskReadResult
	d.call("clined/task/read", map[string]any{"taskId": d.task, "limit": 2000}, &whole)
	for _, limit := range []int{1, 2, 5} {
		var got []string
		var page protocol.TaskAttachResult
		d.call("clined/task/attach", map[string]any{"taskId": d.task, "limit": limit}, &page)
		seen := map[string]bool{}
		for events, more, before := page.Events, page.More, page.Before; ; {
			var keys []string
			for _, p := range events {
				if key := place(p); !seen[key] {
					seen[key] = true
					keys = append(keys, key)
				}
			}
			got = append(keys, got...)
			if !more {
				break
			}
			var older protocol.TaskReadResult
			d.call("clined/task/read", map[string]any{"taskId": d.task, "before": before, "limit": limit}, &older)
			if len(older.Events) > limit || older.More && older.Before >= before {
				t.Fatalf("%d events before %d, more before %d", len(older.Events), before, older.Before)
			}
			events, more, before = older.Events, older.More, older.Before
		}
		once := event.Once()
		var want []string
		for _, p := range whole.Events {
			want = append(want, place(p))
		}
		among := func(key string) bool { return slices.Contains(once, key) }
		got, want = slices.DeleteFunc(got, among), slices.DeleteFunc(want, among)
		if !slices.Equal(got, want) {
			t.Errorf("%d at a time:\ngot  %v\nwant %v", limit, got, want)
		}
	}
}

// TestFollowedFromElsewhere: an editor that follows a task which another process
// runs is told what it does, and of its end, also when that process is killed.
func TestFollowedFromElsewhere(t *testing.T) {
	for name, killed := range map[string]bool{"ends": false, "is killed": true} {
		t.Run(name, func(t *testing.T) {
			d := drive(t, startChild, setting{model: `
reply
  hold first
  call read_file {"path":"a.txt"}
reply
  hold second
  call attempt_completion {"result":"done"}
`})
			turn := d.prompt("Go.")
			d.model.WaitHeld("first")
			there := d.elsewhere()
			var res protocol.TaskAttachResult
			there.call("clined/task/attach", map[string]any{"taskId": d.task}, &res)
			if res.Task.Owner == nil || res.Task.State != string(event.Running) {
				t.Fatalf("%+v", res.Task)
			}
			d.model.Release("first")
			d.model.WaitHeld("second")
			there.until("the call", 0, func(events []protocol.TaskEventParams) bool {
				return slices.ContainsFunc(events, func(p protocol.TaskEventParams) bool {
					c, ok := p.Event.Event.(event.ToolCall)
					return ok && c.Status == event.Done && c.Output != ""
				})
			})
			want := event.Completed
			if killed {
				want = event.Interrupted
				if err := d.daemon.(interface{ Kill() error }).Kill(); err != nil {
					t.Fatal(err)
				}
			}
			d.model.Release("second")
			if end := there.end(turn); end.StopReason != want {
				t.Errorf("%+v", end)
			}
			last := res.Seq
			for _, p := range there.editor.Events() {
				if p.Seq <= last {
					t.Errorf("event %d (%s) came behind %d", p.Seq, p.Event.Event.Type(), last)
				}
				last = p.Seq
			}
		})
	}
}
