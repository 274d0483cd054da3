package protocol

import (
	"testing"

	"clined/internal/event"
)

func TestDeltas(t *testing.T) {
	text := func(part int, s string) event.Event {
		return event.MessageDelta{MessageID: "m", PartIndex: part, Kind: "text", Text: s}
	}
	if got, ok := MergeDeltas(text(0, "a"), text(0, "b")); !ok || got != text(0, "ab") {
		t.Errorf("got %v, %v", got, ok)
	}
	if got, ok := MergeDeltas(event.ToolCallDelta{ToolCallID: "c", Output: "a"}, event.ToolCallDelta{ToolCallID: "c", ArgsText: "x", Output: "b"}); !ok ||
		got != (event.ToolCallDelta{ToolCallID: "c", ArgsText: "x", Output: "ab"}) {
		t.Errorf("got %v, %v", got, ok)
	}
	for _, pair := range [][2]event.Event{
		{text(0, "a"), text(1, "b")},
		{text(0, "a"), event.MessageDelta{MessageID: "m", Kind: "thought", Text: "b"}},
		{event.ToolCallDelta{ToolCallID: "c"}, event.ToolCallDelta{ToolCallID: "d"}},
		{event.Info{}, event.Info{}},
	} {
		if _, ok := MergeDeltas(pair[0], pair[1]); ok {
			t.Errorf("%v and %v merged", pair[0], pair[1])
		}
	}
	for _, e := range event.All() {
		_, delta := map[string]bool{"messageDelta": true, "toolCallDelta": true}[e.Type()]
		if (DeltaKey(e) != "") != delta {
			t.Errorf("%s: key %q", e.Type(), DeltaKey(e))
		}
	}
}

// A merged notification keeps the older number and leaves its parts alone.
func TestEventNotificationMerge(t *testing.T) {
	at := func(seq int64, turn, s string) *TaskEventParams {
		return &TaskEventParams{TaskID: "t", Seq: seq, TurnID: turn, Event: event.Envelope{Event: event.MessageDelta{MessageID: "m", Kind: "text", Text: s}}}
	}
	older, newer := at(4, "x", "a"), at(7, "x", "b")
	n := eventNotification(older)
	if n.Key == "" || n.Key != eventNotification(newer).Key || !n.Droppable {
		t.Errorf("%+v", n)
	}
	v, ok := n.Merge(older, newer)
	merged := v.(*TaskEventParams)
	if !ok || merged.Seq != 4 || merged.Event.Event.(event.MessageDelta).Text != "ab" || older.Event.Event.(event.MessageDelta).Text != "a" {
		t.Errorf("%+v, %v", merged, ok)
	}
	if _, ok := n.Merge(older, at(8, "y", "b")); ok {
		t.Error("deltas of two turns merged")
	}
	if n := eventNotification(&TaskEventParams{TaskID: "t", Event: event.Envelope{Event: event.State{}}}); n.Key != "" || n.Droppable {
		t.Errorf("a state may be lost: %+v", n)
	}
}
