package server

import (
	"bytes"
	"cmp"
	"slices"
	"unicode/utf8"

	"clined/internal/event"
)

// unfinished is what messages, calls and commands in the background have become by
// their deltas, which no record has: who attaches in the middle is told so. A stream
// owns it and guards it.
type unfinished struct {
	items []*unfinishedItem
}

// unfinishedItem is one of them, told last by its Seq. Its event is an event.Message,
// event.ToolCall or event.Terminal whose texts stand apart, as they grow: those of
// a message's parts; arguments and output of a call; what a command printed.
type unfinishedItem struct {
	event.Item
	texts [][]byte
}

// The texts of a call.
const (
	argsText = iota
	outputText
)

// maxLiveOutput is how much of an output is told to who comes late, in bytes: its
// end, for the whole comes when a call ends, and is in the log of a command.
const maxLiveOutput = 256 << 10

// delta grows an item. A message begins with its first delta, a call with an
// event of its own.
func (u *unfinished) delta(now event.Item) {
	switch d := now.Event.(type) {
	case event.MessageDelta:
		whole := event.Message{MessageID: d.MessageID, Role: "assistant", Status: event.InProgress}
		key := event.Key(whole, "", 0)
		it := u.find(key)
		if it == nil {
			it = u.begin(key, now)
			it.Event = whole
		}
		m := it.Event.(event.Message)
		for len(m.Content) <= d.PartIndex {
			m.Content = append(m.Content, event.Content{Type: d.Kind})
			it.texts = append(it.texts, nil)
		}
		m.Content[d.PartIndex].Type = d.Kind
		it.Event = m
		it.grow(now, d.PartIndex, d.Text)
	case event.ToolCallDelta:
		if it := u.find(event.Key(event.ToolCall{ToolCallID: d.ToolCallID}, "", 0)); it != nil {
			it.grow(now, argsText, d.ArgsText)
			it.grow(now, outputText, d.Output)
			it.cut(outputText)
		}
	}
}

// whole takes an event that is no delta: it ends its item, or is what the deltas
// that follow are appended to.
func (u *unfinished) whole(now event.Item) {
	switch e := now.Event.(type) {
	case event.Message:
		u.end(event.Key(e, "", 0))
	case event.ToolCall:
		u.call(now, e)
	case event.Terminal:
		if e.State == "exited" {
			u.end(terminalKey(e.TerminalID))
			return
		}
		it := u.find(terminalKey(e.TerminalID))
		if it == nil {
			it = u.begin(terminalKey(e.TerminalID), now)
			it.texts = make([][]byte, 1)
		}
		it.Seq, it.Time, it.Event = now.Seq, now.Time, e
	case event.TerminalDelta:
		if it := u.find(terminalKey(e.TerminalID)); it != nil {
			it.grow(now, 0, e.Text)
			it.cut(0)
		}
	case event.State:
		if e.State == event.Idle { // commands go on in the background
			u.items = slices.DeleteFunc(u.items, func(it *unfinishedItem) bool {
				_, runs := it.Event.(event.Terminal)
				return !runs
			})
		}
	}
}

func (u *unfinished) call(now event.Item, e event.ToolCall) {
	key := event.Key(e, "", 0)
	if e.Status != event.Pending && e.Status != event.InProgress {
		u.end(key)
		return
	}
	it := u.find(key)
	if it == nil {
		it = u.begin(key, now)
		it.texts = make([][]byte, 2)
	}
	it.Seq, it.Time, it.Event = now.Seq, now.Time, e
	for i, text := range []string{argsText: e.Args, outputText: e.Output} {
		if text != "" { // what is left out is unchanged
			it.texts[i] = []byte(text)
		}
	}
}

func (u *unfinished) begin(key string, now event.Item) *unfinishedItem {
	it := &unfinishedItem{Item: now}
	it.Key, it.First = key, now.Seq
	u.items = append(u.items, it)
	return it
}

func (u *unfinished) find(key string) *unfinishedItem {
	if i := slices.IndexFunc(u.items, func(it *unfinishedItem) bool { return it.Key == key }); i >= 0 {
		return u.items[i]
	}
	return nil
}

func (u *unfinished) end(key string) {
	u.items = slices.DeleteFunc(u.items, func(it *unfinishedItem) bool { return it.Key == key })
}

// terminalKey is for commands, of which no record is kept.
func terminalKey(id string) string { return event.Terminal{}.Type() + ":" + id }

func (it *unfinishedItem) grow(now event.Item, text int, by string) {
	if by != "" {
		it.Seq, it.Time, it.texts[text] = now.Seq, now.Time, append(it.texts[text], by...)
	}
}

// cut keeps a text that may be without end from growing on.
func (it *unfinishedItem) cut(text int) {
	if t := it.texts[text]; len(t) > 2*maxLiveOutput {
		it.texts[text] = bytes.Clone(end(t))
	}
}

// end is the end of a text, of whole characters.
func end(text []byte) []byte {
	if len(text) <= maxLiveOutput {
		return text
	}
	text = text[len(text)-maxLiveOutput:]
	for len(text) > 0 && !utf8.RuneStart(text[0]) {
		text = text[1:]
	}
	return text
}

// list returns the items as they stand.
func (u *unfinished) list() []event.Item {
	list := make([]event.Item, len(u.items))
	for i, it := range u.items {
		list[i] = it.Item
		switch e := it.Event.(type) {
		case event.Message:
			e.Content = slices.Clone(e.Content)
			for k := range e.Content {
				e.Content[k].Text = string(it.texts[k])
			}
			list[i].Event = e
		case event.ToolCall:
			e.Args, e.Output = string(it.texts[argsText]), string(end(it.texts[outputText]))
			list[i].Event = e
		case event.Terminal:
			e.Output = string(end(it.texts[0]))
			list[i].Event = e
		}
	}
	return list
}

// withUnfinished puts items as they stand into a page of a task's past, as far as
// they changed after since: in place of what the record has of them, or where they
// began.
func withUnfinished(page, open []event.Item, since int64) []event.Item {
	for _, o := range open {
		i := slices.IndexFunc(page, func(it event.Item) bool { return it.Key == o.Key })
		switch {
		case i >= 0:
			o.First = page[i].First
			page[i] = o
		case o.Seq > since:
			page = append(page, o)
		}
	}
	slices.SortStableFunc(page, func(a, b event.Item) int { return cmp.Compare(a.First, b.First) })
	return page
}
