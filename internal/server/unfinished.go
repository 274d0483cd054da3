package server

import (
	"slices"
	"time"
	"unicode/utf8"

	"clined/internal/event"
	"clined/internal/protocol"
)

// unfinished is what messages and calls have become by their deltas, which no
// record has: who attaches in the middle of an answer is told so. A stream owns
// it and guards it.
type unfinished struct {
	items []unfinishedItem
}

type unfinishedItem struct {
	id    string
	first int64
	turn  string
	at    time.Time
	e     event.Event // event.Message or event.ToolCall
}

// maxLiveOutput is how much of a call's output is told to who comes late, in
// bytes: its end, for the whole comes when the call ends.
const maxLiveOutput = 256 << 10

// delta grows an item. A message begins with its first delta, a call with an
// event of its own.
func (u *unfinished) delta(seq int64, at time.Time, te turnEvent) {
	switch d := te.e.(type) {
	case event.MessageDelta:
		i := u.find(d.MessageID)
		if i < 0 {
			i = len(u.items)
			whole := event.Message{MessageID: d.MessageID, Role: "assistant", Status: event.InProgress}
			u.items = append(u.items, unfinishedItem{d.MessageID, seq, te.turn, at, whole})
		}
		m := u.items[i].e.(event.Message)
		for len(m.Content) <= d.PartIndex {
			m.Content = append(m.Content, event.Content{Type: d.Kind})
		}
		part := &m.Content[d.PartIndex]
		part.Type = d.Kind
		part.Text += d.Text
		u.items[i].e = m
	case event.ToolCallDelta:
		i := u.find(d.ToolCallID)
		if i < 0 {
			return
		}
		call := u.items[i].e.(event.ToolCall)
		call.Args += d.ArgsText
		call.Output = tail(call.Output+d.Output, maxLiveOutput)
		u.items[i].e = call
	}
}

// whole takes an event that is no delta: it ends its item, or is what the
// deltas that follow are appended to.
func (u *unfinished) whole(seq int64, at time.Time, te turnEvent) {
	switch e := te.e.(type) {
	case event.Message:
		u.end(e.MessageID)
	case event.ToolCall:
		i := u.find(e.ToolCallID)
		switch {
		case e.Status != event.Pending && e.Status != event.InProgress:
			u.end(e.ToolCallID)
		case i < 0:
			u.items = append(u.items, unfinishedItem{e.ToolCallID, seq, te.turn, at, e})
		default: // what a field leaves out is unchanged
			old := u.items[i].e.(event.ToolCall)
			if e.Args == "" {
				e.Args = old.Args
			}
			if e.Output == "" {
				e.Output = old.Output
			}
			u.items[i].e = e
		}
	case event.State:
		if e.State == event.Idle {
			u.items = nil
		}
	}
}

// events are the items as an editor that attaches is told of them.
func (u *unfinished) events(taskID string) []protocol.TaskEventParams {
	list := make([]protocol.TaskEventParams, len(u.items))
	for i, it := range u.items {
		e := it.e
		if m, ok := e.(event.Message); ok {
			m.Content = slices.Clone(m.Content) // it grows on
			e = m
		}
		list[i] = *eventParams(taskID, it.first, it.turn, it.at, e)
	}
	return list
}

func (u *unfinished) find(id string) int {
	return slices.IndexFunc(u.items, func(it unfinishedItem) bool { return it.id == id })
}

func (u *unfinished) end(id string) {
	if i := u.find(id); i >= 0 {
		u.items = slices.Delete(u.items, i, i+1)
	}
}

// tail returns the last n bytes of a text at most, whole characters.
func tail(s string, n int) string {
	if len(s) <= n {
		return s
	}
	s = s[len(s)-n:]
	for len(s) > 0 && !utf8.RuneStart(s[0]) {
		s = s[1:]
	}
	return s
}

// withUnfinished puts items as they stand into a page of a task's past: in place
// of what the record has of them, or behind it.
func withUnfinished(past, open []protocol.TaskEventParams) []protocol.TaskEventParams {
	for _, o := range open {
		id := itemID(o)
		i := slices.IndexFunc(past, func(p protocol.TaskEventParams) bool { return itemID(p) == id })
		if i >= 0 {
			past[i].Event = o.Event
		} else {
			past = append(past, o)
		}
	}
	return past
}

func itemID(p protocol.TaskEventParams) string {
	switch e := p.Event.Event.(type) {
	case event.Message:
		return "message/" + e.MessageID
	case event.ToolCall:
		return "toolCall/" + e.ToolCallID
	}
	return ""
}
