package llm

import (
	"strings"

	"clined/internal/transcript"
)

// Fold collects the events of one reply. The zero value is ready; it does not
// judge the order of events: what it cannot place it leaves out.
type Fold struct {
	// Usage is the last report, Reason that of the Stop event ("" before it).
	Usage  transcript.Usage
	Reason StopReason

	parts []*foldPart
	calls map[int]*foldPart
}

type foldPart struct {
	kind      transcript.Kind
	text      strings.Builder
	signature string
	call      transcript.Call
}

// Place says what an event did: the part it changed, and whether it opened it.
type Place struct {
	// Part is the index in Parts, -1 for events that change none.
	Part   int
	Opened bool
}

// Add takes the next event.
func (f *Fold) Add(e Event) Place {
	switch e.Kind {
	case TextDelta:
		return f.addText(transcript.Text, e)
	case ThinkingDelta:
		return f.addText(transcript.Thinking, e)
	case CallStart:
		return f.openCall(e)
	case CallDelta:
		p, ok := f.calls[e.Index]
		if !ok {
			return Place{Part: -1}
		}
		p.text.WriteString(e.Text)
		return Place{Part: f.index(p)}
	case UsageReport:
		f.Usage = e.Usage
	case Stop:
		f.Reason = e.Reason
	}
	return Place{Part: -1}
}

func (f *Fold) addText(kind transcript.Kind, e Event) Place {
	n := len(f.parts)
	opened := n == 0 || f.parts[n-1].kind != kind || f.parts[n-1].signature != ""
	if opened {
		if e.Text == "" && e.Signature == "" {
			return Place{Part: -1}
		}
		f.parts = append(f.parts, &foldPart{kind: kind})
		n++
	}
	p := f.parts[n-1]
	p.text.WriteString(e.Text)
	p.signature = e.Signature
	return Place{Part: n - 1, Opened: opened}
}

func (f *Fold) openCall(e Event) Place {
	if f.calls == nil {
		f.calls = map[int]*foldPart{}
	}
	if _, ok := f.calls[e.Index]; ok {
		return Place{Part: -1}
	}
	p := &foldPart{kind: transcript.CallPart, call: transcript.Call{ID: e.ID, Name: e.Name}}
	f.parts = append(f.parts, p)
	f.calls[e.Index] = p
	return Place{Part: len(f.parts) - 1, Opened: true}
}

func (f *Fold) index(p *foldPart) int {
	for i := range f.parts {
		if f.parts[i] == p {
			return i
		}
	}
	return -1
}

// SetCallID gives the call at part an id, for providers that send none or one
// that is in use.
func (f *Fold) SetCallID(part int, id string) { f.parts[part].call.ID = id }

// Call returns the call at part as it stands, nil when that is no call.
func (f *Fold) Call(part int) *transcript.Call {
	p := f.parts[part]
	if p.kind != transcript.CallPart {
		return nil
	}
	c := p.call
	c.Arguments = p.text.String()
	return &c
}

// Parts returns what came so far.
func (f *Fold) Parts() []transcript.Part {
	out := make([]transcript.Part, 0, len(f.parts))
	for i, p := range f.parts {
		if p.kind == transcript.CallPart {
			out = append(out, transcript.Part{Kind: p.kind, Call: f.Call(i)})
			continue
		}
		out = append(out, transcript.Part{Kind: p.kind, Text: p.text.String(), Signature: p.signature})
	}
	return out
}
