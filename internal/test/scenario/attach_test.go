package scenario_test

import (
	"fmt"
	"io"
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
