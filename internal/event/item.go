package event

import (
	"strconv"
	"time"
)

// Item is an event as it is kept for those who come later: the newest one of a
// thing stands for all before it.
type Item struct {
	// Key names the thing; see Key.
	Key string
	// Seq numbers the event; First is the number by which the thing was first
	// seen, which orders it among others, or that by which a prompt that waited
	// was said. 0 leaves First as it was.
	Seq, First int64
	TurnID     string
	Time       time.Time
	Event      Event
}

// Key names what an event is about, so that a later event of the same key
// replaces it. "" is for events that are not kept: deltas, whose text comes
// again in the whole.
func Key(e Event, turnID string, seq int64) string {
	switch e := e.(type) {
	case Message:
		return "message:" + e.MessageID
	case ToolCall:
		return "toolCall:" + e.ToolCallID
	case State:
		if e.State == Idle {
			return OfEnds + turnID
		}
		return "state"
	case Plan, Usage, Config, Info:
		return e.Type()
	case Notice, Rewind:
		return e.Type() + ":" + strconv.FormatInt(seq, 10)
	}
	return ""
}

// Moves tells of a key whose thing has no place of its own among others: it
// stands where it was last told.
func Moves(e Event) bool {
	switch e.(type) {
	case State, Plan, Usage, Config, Info:
		return true
	}
	return false
}

// Once are the keys of what a task has once. How it stands is either among them
// or the newest end of a turn.
func Once() []string {
	return []string{State{}.Type(), Plan{}.Type(), Usage{}.Type(), Config{}.Type(), Info{}.Type()}
}

// OfEnds begins the keys of the ends of turns.
const OfEnds = "end:"
