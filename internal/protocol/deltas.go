package protocol

import (
	"fmt"

	"clined/internal/event"
	"clined/internal/rpc"
)

// DeltaKey names what a delta appends to, so that deltas of one key, one after
// the other, may be sent as one. It is "" for every other event.
func DeltaKey(e event.Event) string {
	switch e := e.(type) {
	case event.MessageDelta:
		return fmt.Sprintf("message/%s/%d/%s", e.MessageID, e.PartIndex, e.Kind)
	case event.ToolCallDelta:
		return "toolCall/" + e.ToolCallID
	}
	return ""
}

// MergeDeltas joins two deltas of one key, the older first. ok is false when
// they are not that.
func MergeDeltas(older, newer event.Event) (merged event.Event, ok bool) {
	if key := DeltaKey(older); key == "" || key != DeltaKey(newer) {
		return nil, false
	}
	switch o := older.(type) {
	case event.MessageDelta:
		o.Text += newer.(event.MessageDelta).Text
		return o, true
	case event.ToolCallDelta:
		n := newer.(event.ToolCallDelta)
		o.ArgsText += n.ArgsText
		o.Output += n.Output
		return o, true
	}
	return nil, false
}

// eventNotification lets deltas merge in the queue of a slow connection. The
// merged event keeps the older place and number.
func eventNotification(p *TaskEventParams) rpc.Notification {
	n := rpc.Notification{Method: MethodTaskEvent, Params: p}
	key := DeltaKey(p.Event.Event)
	if key == "" {
		return n
	}
	n.Key, n.Droppable = p.TaskID+"/"+key, true
	n.Merge = func(older, newer any) (any, bool) {
		o, n := older.(*TaskEventParams), newer.(*TaskEventParams)
		e, ok := MergeDeltas(o.Event.Event, n.Event.Event)
		if !ok || o.TurnID != n.TurnID {
			return nil, false
		}
		merged := *o
		merged.Event = event.Envelope{Event: e}
		return &merged, true
	}
	return n
}
