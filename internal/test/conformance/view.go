package main

import (
	"slices"
	"strings"

	"clined/internal/event"
	"clined/internal/protocol"
)

// view is what the events of one task leave on a screen.
type view struct {
	taskID string
	// turnID is the newest turn; seq the number of the last event.
	turnID string
	seq    int64
	task   Task
	things []*thing
}

// thing is an item with what updates need.
type thing struct {
	Item
	id    string
	parts []string
}

// take applies an event that came live or was read from the past.
func (v *view) take(p protocol.TaskEventParams) {
	if p.TaskID != v.taskID {
		return
	}
	v.seq = max(v.seq, p.Seq)
	if p.TurnID != "" {
		v.turnID = p.TurnID
	}
	switch e := p.Event.Event.(type) {
	case event.State:
		v.task.Status = string(e.State)
		if e.State == event.Idle {
			v.task.Status = string(e.StopReason)
		}
	case event.Info:
		v.task.Title = e.Title
	case event.Message:
		t := v.thing(e.MessageID, e.Role)
		if e.Role == "user" && e.Status == event.Done { // one that waited stands where it is said
			v.things = append(slices.DeleteFunc(v.things, func(old *thing) bool { return old == t }), t)
		}
		t.parts = nil
		for _, c := range e.Content {
			t.parts = append(t.parts, shown(c.Type, c.Text))
		}
		t.Text, t.Status = strings.Join(t.parts, ""), string(e.Status)
	case event.MessageDelta:
		t := v.thing(e.MessageID, AssistantSaid)
		for len(t.parts) <= e.PartIndex {
			t.parts = append(t.parts, "")
		}
		t.parts[e.PartIndex] += shown(e.Kind, e.Text)
		t.Text, t.Status = strings.Join(t.parts, ""), string(event.InProgress)
	case event.ToolCall:
		t := v.thing(e.ToolCallID, CallCard)
		if e.Title != "" || t.Text == "" {
			t.Text = e.Title
		}
		if t.Text == "" {
			t.Text = e.Name
		}
		t.Status = string(e.Status)
	case event.Notice:
		v.things = append(v.things, &thing{Item: Item{Kind: NoticeShown, Text: e.Text}})
	case event.Rewind:
		if i := v.index(e.MessageID); i >= 0 {
			v.things = v.things[:i]
		}
	}
}

// shown leaves out what is no visible text.
func shown(kind, text string) string {
	if kind != "text" {
		return ""
	}
	return text
}

func (v *view) index(id string) int {
	return slices.IndexFunc(v.things, func(t *thing) bool { return t.id == id })
}

// thing finds the item of an id, or makes it.
func (v *view) thing(id, kind string) *thing {
	if i := v.index(id); i >= 0 {
		return v.things[i]
	}
	t := &thing{Item: Item{Kind: kind}, id: id}
	v.things = append(v.things, t)
	return t
}

// broken takes away what was half said when the daemon went: nobody will finish it.
func (v *view) broken() {
	v.things = slices.DeleteFunc(v.things, func(t *thing) bool {
		return t.Kind == AssistantSaid && t.Status == string(event.InProgress)
	})
}

// items is what of it is shown.
func (v *view) items() []Item {
	var items []Item
	for _, t := range v.things {
		if t.Status != string(event.Discarded) {
			items = append(items, t.Item)
		}
	}
	return items
}

// message finds what the user said by a part of it.
func (v *view) message(part string) (id string, ok bool) {
	i := slices.IndexFunc(v.things, func(t *thing) bool { return t.Kind == UserSaid && strings.Contains(t.Text, part) })
	if i < 0 {
		return "", false
	}
	return v.things[i].id, true
}
