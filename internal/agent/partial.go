package agent

import (
	"fmt"

	"clined/internal/event"
	"clined/internal/llm"
	"clined/internal/transcript"
)

// partial is an answer on its way: it folds the stream into parts and shows
// each step to fronts.
type partial struct {
	tn    *turn
	id    string
	model llm.Model
	fold  llm.Fold
	// shown maps a part to its index among the parts that fronts see as the
	// message (calls are shown on their own).
	shown map[int]int
}

func newPartial(tn *turn, m llm.Model) *partial {
	return &partial{tn: tn, id: tn.t.c.NewID(), model: m, shown: map[int]int{}}
}

func (p *partial) add(ev llm.Event) {
	at := p.fold.Add(ev)
	if at.Part < 0 {
		return
	}
	switch ev.Kind {
	case llm.TextDelta, llm.ThinkingDelta:
		if at.Opened {
			p.shown[at.Part] = len(p.shown)
		}
		if ev.Text == "" {
			return
		}
		kind := "text"
		if ev.Kind == llm.ThinkingDelta {
			kind = "thought"
		}
		p.tn.emit(event.MessageDelta{MessageID: p.id, PartIndex: p.shown[at.Part], Kind: kind, Text: ev.Text})
	case llm.CallStart:
		p.fold.SetCallID(at.Part, p.tn.callID(ev.ID))
		seen := p.tn.shownCall(p.fold.Call(at.Part))
		seen.Args = "" // still being written
		p.tn.emit(seen)
		p.tn.previews.add(ev, p.fold.Call(at.Part), p.tn.t.options.Mode())
	case llm.CallDelta:
		call := p.fold.Call(at.Part)
		p.tn.emit(event.ToolCallDelta{ToolCallID: call.ID, ArgsText: ev.Text})
		p.tn.previews.add(ev, call, p.tn.t.options.Mode())
	}
}

// show sends the message whole, and each call with its complete arguments.
func (p *partial) show(status event.Status) {
	if len(p.shown) > 0 {
		p.tn.emit(event.Message{MessageID: p.id, Role: "assistant", Content: contents(p.fold.Parts()), Status: status})
	}
	for _, part := range p.fold.Parts() {
		if part.Kind == transcript.CallPart {
			p.tn.emit(p.tn.shownCall(part.Call))
		}
	}
}

func (p *partial) reply() *reply {
	return &reply{
		message: transcript.Message{ID: p.id, Role: transcript.Assistant, Parts: p.fold.Parts()},
		stop:    p.fold.Reason,
		model:   p.model,
	}
}

// callID returns the provider's id, or one of ours when it sent none or one
// that is in use.
func (tn *turn) callID(theirs string) string {
	ids := tn.conv.ids
	id := theirs
	for n := len(ids) + 1; id == "" || ids[id]; n++ {
		id = fmt.Sprintf("call_%d", n)
	}
	ids[id] = true
	return id
}
