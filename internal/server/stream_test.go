package server

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"clined/internal/event"
	"clined/internal/protocol"
)

func delta(s string) event.MessageDelta {
	return event.MessageDelta{MessageID: "m", Kind: "text", Text: s}
}

func output(id, s string) event.ToolCallDelta { return event.ToolCallDelta{ToolCallID: id, Output: s} }

// story writes events as "seq:content".
func (r *rig) story() string {
	r.client.mu.Lock()
	defer r.client.mu.Unlock()
	var out []string
	for _, e := range r.client.events {
		body := e.Event.Type()
		switch v := e.Event.Event.(type) {
		case event.MessageDelta:
			body = v.Text
		case event.ToolCallDelta:
			body = v.ToolCallID + ">" + v.Output
		case event.State:
			body = string(v.State)
		}
		out = append(out, fmt.Sprintf("%d:%s", e.Seq, body))
	}
	return strings.Join(out, " ")
}

// The first delta goes out at once, further ones are joined; what follows them
// comes behind them; numbers rise by one.
func TestDeltasAreJoined(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, everything)
		task, _ := r.newTask()
		emit := func(events ...event.Event) {
			for _, e := range events {
				task.Sink.Emit("turn1", e)
			}
		}
		emit(delta("a"), delta("b"), delta("c"), output("x", "1"), output("y", "1"), output("x", "2"))
		synctest.Wait()
		if got := r.story(); got != "1:running 2:a 3:x>1 4:y>1" {
			t.Errorf("at once: %s", got)
		}
		time.Sleep(deltaPause)
		synctest.Wait()
		if got := r.story(); !strings.HasSuffix(got, "4:y>1 5:bc 6:x>2") {
			t.Errorf("after the pause: %s", got)
		}
		time.Sleep(time.Second)
		emit(delta("d"), delta("e"), event.Message{MessageID: "m", Status: event.Done}, delta("f"), event.State{State: event.Idle})
		synctest.Wait()
		if got := r.story(); !strings.HasSuffix(got, "7:d 8:e 9:message 10:f 11:idle") {
			t.Errorf("the completed item: %s", got)
		}
		time.Sleep(time.Second)
		emit(delta("g"), delta(strings.Repeat("h", deltaBytes)))
		synctest.Wait()
		if got := r.story(); !strings.HasSuffix(got, "12:g 13:"+strings.Repeat("h", deltaBytes)) {
			t.Errorf("a large one: %s", got[:80])
		}
		r.conn.Close()
	})
}

// At most thirty a second, all of the text, bounded bytes.
func TestFloodOfDeltas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, everything)
		task, _ := r.newTask()
		var want strings.Builder
		for i := range 5000 { // over ten seconds
			s := fmt.Sprint("token ", i, " ")
			want.WriteString(s)
			task.Sink.Emit("turn1", delta(s))
			time.Sleep(2 * time.Millisecond)
		}
		task.Sink.Emit("turn1", event.State{State: event.Idle})
		synctest.Wait()
		var got strings.Builder
		n := 0
		for _, e := range r.client.events {
			if d, ok := e.Event.Event.(event.MessageDelta); ok {
				got.WriteString(d.Text)
				n++
			}
		}
		if got.String() != want.String() {
			t.Error("the text differs")
		}
		if n > 10*30+2 {
			t.Errorf("%d deltas in ten seconds", n)
		}
		r.conn.Close()
	})
}

// An editor that did not ask for deltas gets whole things only.
func TestNoDeltasUnlessWanted(t *testing.T) {
	r := start(t, bare)
	task, id := r.newTask()
	task.Sink.Emit("turn1", delta("a"))
	task.Sink.Emit("turn1", output("x", "1"))
	task.Sink.Emit("turn1", event.Message{MessageID: "m", Role: "assistant", Content: []event.Content{{Type: "text", Text: "<a>"}}, Status: event.Done})
	r.client.until(t, "the message", func() bool { return len(r.client.events) == 2 })
	e := r.client.events[1]
	if e.Seq != 2 || e.TaskID != id || e.TurnID != "turn1" || e.Ts != "2026-01-02T03:04:05.006Z" || e.Event.Event.(event.Message).Content[0].Text != "<a>" {
		t.Errorf("%+v", e)
	}
}

// Two tasks have numbers of their own.
func TestNumbersPerTask(t *testing.T) {
	r := start(t, everything)
	a, first := r.newTask()
	b, second := r.newTask()
	a.Sink.Emit("", event.Info{Title: "a"})
	b.Sink.Emit("", event.Info{Title: "b"})
	r.client.until(t, "all events", func() bool { return len(r.client.events) == 4 })
	last := map[string]int64{}
	for _, e := range r.client.events {
		if e.Seq != last[e.TaskID]+1 {
			t.Errorf("task %s: %d behind %d", e.TaskID, e.Seq, last[e.TaskID])
		}
		last[e.TaskID] = e.Seq
	}
	if last[first] != 2 || last[second] != 2 {
		t.Errorf("%v", last)
	}
	res, err := r.server.TaskNew(r.ctx(), &protocol.TaskNewParams{})
	if err != nil || res.Seq != 0 {
		t.Errorf("%+v, %v", res, err)
	}
}
