package server

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"clined/internal/agent"
	"clined/internal/event"
	"clined/internal/protocol"
)

// elsewhere is another process at work in a task that the editor follows.
type elsewhere struct {
	*rig
	history *fakeHistory
	record  *fakeRecord
	id      string
}

func watched(t *testing.T) *elsewhere {
	t.Helper()
	w := &elsewhere{rig: start(t, everything), id: "theirs"}
	w.history = &w.backend.history
	w.record = w.history.record(w.id)
	w.record.theirs = map[int64]bool{}
	return w
}

func (w *elsewhere) runs(on bool) {
	w.history.mu.Lock()
	defer w.history.mu.Unlock()
	if w.history.owners = map[string]*protocol.TaskOwner{}; on {
		w.history.owners[w.id] = &protocol.TaskOwner{PID: 1}
	}
}

// does records what the other process tells in its own session.
func (w *elsewhere) does(turn string, e event.Event) {
	seq := w.record.NextSeq()
	w.record.mu.Lock()
	w.record.theirs[seq] = true
	w.record.mu.Unlock()
	w.record.Record(event.Item{Key: event.Key(e, turn, seq), Seq: seq, TurnID: turn, Event: e})
}

func (w *elsewhere) attach() {
	w.t.Helper()
	if _, err := w.server.TaskAttach(w.ctx(), &protocol.TaskAttachParams{TaskID: w.id}); err != nil {
		w.t.Fatal(err)
	}
}

// task is the task as this session opened it last.
func (w *elsewhere) task() *fakeTask {
	w.backend.mu.Lock()
	n := len(w.backend.tasks)
	w.backend.mu.Unlock()
	return w.backend.task(w.t, n-1)
}

// news is what the editor was told since it was asked last.
func (w *elsewhere) news() string {
	time.Sleep(watchEvery + time.Millisecond)
	synctest.Wait()
	defer func() {
		w.client.mu.Lock()
		defer w.client.mu.Unlock()
		w.client.events = nil
	}()
	return w.story()
}

func (w *elsewhere) check(what, want string) {
	w.t.Helper()
	if got := w.news(); got != want {
		w.t.Errorf("%s: got %q, want %q", what, got, want)
	}
}

// The store is read as long as an editor follows a task that another process runs.
func TestWatchingAnotherProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := watched(t)
		call := func(status event.Status) event.ToolCall { return event.ToolCall{ToolCallID: "c", Status: status} }
		w.runs(true)
		w.does("theirs", event.State{State: event.Running})
		w.does("theirs", call(event.Pending))
		w.attach()
		w.check("nothing happened", "")
		w.does("theirs", call(event.Done))
		w.does("theirs", event.Notice{Text: "x"})
		w.check("it goes on", "3:toolCall 4:notice")
		w.task().Sink.Emit("", event.Info{Title: "ours"})
		w.check("ours comes once", "5:info")
		w.does("theirs", event.Plan{})
		if _, err := w.server.TaskDetach(w.ctx(), &protocol.TaskDetachParams{TaskID: w.id}); err != nil {
			t.Fatal(err)
		}
		w.check("nobody follows", "")
		w.attach()
		w.does("theirs", event.Usage{})
		w.check("followed again", "7:usage")
		w.runs(false)
		w.does("theirs", event.State{State: event.Idle, StopReason: event.Completed})
		w.check("its end", "8:idle")
		w.check("once", "")
		w.does("theirs", event.Notice{Text: "late"})
		w.check("not watched any more", "")
	})
}

// The end of a turn of which there is no record is told all the same.
func TestWatchingAProcessThatDies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := watched(t)
		w.runs(true)
		w.does("theirs", event.State{State: event.Running})
		w.attach()
		w.does("theirs", event.Notice{Text: "x"})
		w.runs(false)
		w.check("the last of it", "2:notice")
		w.check("its end", "3:idle")
		w.check("once", "")
	})
}

// However much another process does between two looks, nothing is left out.
func TestWatchingMuch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := watched(t)
		w.runs(true)
		w.does("theirs", event.State{State: event.Running})
		w.attach()
		const many = 2*maxEvents + 10
		for range many {
			w.does("theirs", event.Notice{Text: "x"})
		}
		var told []string
		for range 4 {
			told = append(told, strings.Fields(w.news())...)
		}
		if len(told) != many || told[0] != "2:notice" || told[many-1] != fmt.Sprint(many+1, ":notice") {
			t.Errorf("%d were told, from %s to %s", len(told), told[0], told[len(told)-1])
		}
	})
}

// A number that is not behind what the editor knows is told under one that is.
func TestNumbersOfOthersRise(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := watched(t)
		w.runs(true)
		w.does("theirs", event.State{State: event.Running})
		w.attach()
		seq := w.record.NextSeq()
		w.record.mu.Lock()
		w.record.theirs[seq] = true
		w.record.mu.Unlock()
		w.task().Sink.Emit("", event.Info{Title: "ours"})
		w.record.Record(event.Item{Key: "notice:2", Seq: seq, TurnID: "theirs", Event: event.Notice{Text: "theirs"}})
		w.check("in order", "3:info 4:notice")
		w.check("once", "")
	})
}

// A prompt that is refused because another process is at work shows what it does.
func TestWatchingBehindARefusal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := watched(t)
		w.attach()
		w.runs(true)
		w.does("theirs", event.State{State: event.Running})
		w.check("not known", "")
		w.task().fail = &agent.TakenError{PID: 1}
		w.refused(protocol.MethodTaskPrompt, `{"taskId":"`+w.id+`","prompt":[{"type":"text","text":"x"}]}`, protocol.CodeTaskBusy,
			"the task is being worked on by another clined (process 1, since 00:00:00)")
		w.check("known", "1:running")
	})
}
