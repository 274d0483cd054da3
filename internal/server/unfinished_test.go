package server

import (
	"strings"
	"testing"
	"testing/synctest"

	"clined/internal/event"
	"clined/internal/protocol"
)

// Who attaches in the middle of an answer is told what it has become, and is
// sent the rest of it.
func TestAttachInTheMiddle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, everything)
		task, id := r.newTask()
		call := func(status event.Status, args string) event.ToolCall {
			return event.ToolCall{ToolCallID: "x", Name: "execute_command", Status: status, Args: args}
		}
		attach := func(since int64) *protocol.TaskAttachResult {
			t.Helper()
			res, err := r.server.TaskAttach(r.ctx(), &protocol.TaskAttachParams{TaskID: id, SinceSeq: since})
			if err != nil {
				t.Fatal(err)
			}
			return res
		}
		// said returns the messages and calls of a page that are not finished.
		said := func(res *protocol.TaskAttachResult) (message, args, output string) {
			t.Helper()
			for i, e := range res.Events {
				if e.Seq > res.Seq || i > 0 && e.Seq == res.Events[i-1].Seq {
					t.Errorf("event %d of %d: seq %d", i, len(res.Events), e.Seq)
				}
				switch e := e.Event.Event.(type) {
				case event.Message:
					if e.Status == event.InProgress {
						var parts []string
						for _, c := range e.Content {
							parts = append(parts, c.Type+":"+c.Text)
						}
						message += e.Role + " " + strings.Join(parts, "|")
					}
				case event.ToolCall:
					args += e.Args
					output += e.Output
				}
			}
			return message, args, output
		}
		emit := func(events ...event.Event) {
			for _, e := range events {
				task.Sink.Emit("turn1", e)
			}
		}
		check := func(since int64, message, args, output string) int64 {
			t.Helper()
			res := attach(since)
			if m, a, o := said(res); m != message || a != args || o != output {
				t.Errorf("since %d: got %q %q %q, want %q %q %q", since, m, a, o, message, args, output)
			}
			return res.Seq
		}

		thought := event.MessageDelta{MessageID: "m", Kind: "thought", Text: "hm"}
		text := func(s string) event.MessageDelta {
			return event.MessageDelta{MessageID: "m", PartIndex: 1, Kind: "text", Text: s}
		}
		emit(thought, text("a"), text("b"))
		seq := check(0, "assistant thought:hm|text:ab", "", "")
		check(seq, "", "", "") // nothing has changed
		emit(text("c"))
		check(seq, "assistant thought:hm|text:abc", "", "")
		// What began later stands behind it, though a record has that already.
		emit(call(event.Pending, ""))
		if events := attach(0).Events; len(events) != 3 || events[1].Event.Type() != "message" || events[2].Event.Type() != "toolCall" {
			t.Errorf("%+v", events)
		}

		whole := event.Message{MessageID: "m", Role: "assistant", Content: []event.Content{{Type: "text", Text: "abc"}}, Status: event.Done}
		emit(call(event.Pending, ""), event.ToolCallDelta{ToolCallID: "x", ArgsText: `{"com`}, whole)
		seq = check(0, "", `{"com`, "")
		emit(call(event.InProgress, `{"command":"make"}`), output("x", "one\n"), output("x", "two\n"))
		check(0, "", `{"command":"make"}`, "one\ntwo\n")
		check(seq, "", `{"command":"make"}`, "one\ntwo\n")
		emit(output("x", strings.Repeat("é", maxLiveOutput)))
		if _, _, o := said(attach(0)); len(o) > maxLiveOutput || strings.Trim(o, "é") != "" {
			t.Errorf("the end of a long output: %d bytes, beginning with %q", len(o), o[:10])
		}
		done := call(event.Done, `{"command":"make"}`)
		done.Output = "all"
		emit(done)
		seq = check(0, "", `{"command":"make"}`, "all")
		check(seq, "", "", "")

		// A command in the background outlives its turn.
		background := event.Terminal{TerminalID: "x", State: "background"}
		printed := func(text string) event.TerminalDelta { return event.TerminalDelta{TerminalID: "x", Text: text} }
		terminal := func(since int64, want string) int64 {
			t.Helper()
			res := attach(since)
			var got []string
			for _, e := range res.Events {
				if e, ok := e.Event.Event.(event.Terminal); ok {
					got = append(got, e.State+" "+e.Asks+":"+e.Output)
				}
			}
			if got := strings.Join(got, "|"); got != want {
				t.Errorf("since %d: got %q, want %q", since, got, want)
			}
			return res.Seq
		}
		emit(background, printed("one\n"), event.State{State: event.Idle}, printed("two\n"))
		seq = terminal(0, "background :one\ntwo\n")
		terminal(seq, "")
		background.Asks = "Name?"
		emit(background, printed("Name?"))
		terminal(seq, "background Name?:one\ntwo\nName?")
		emit(printed(strings.Repeat("x", 3*maxLiveOutput)), printed("end"))
		terminal(0, "background Name?:"+strings.Repeat("x", maxLiveOutput-3)+"end")
		background.State = "exited"
		emit(background)
		terminal(0, "")

		emit(event.MessageDelta{MessageID: "n", Kind: "text", Text: "never whole"}, event.State{State: event.Idle, StopReason: event.Cancelled})
		check(0, "", `{"command":"make"}`, "all")
	})
}
