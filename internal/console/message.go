package console

import (
	"strings"

	"clined/internal/event"
)

// stream is text that is written as it comes: an answer or a thought.
type stream struct {
	id      string
	thought bool
	flow    flow
}

// delta writes a piece of a message. White space at its beginning is not shown.
func (r *renderer) delta(d event.MessageDelta) {
	thought := d.Kind == "thought"
	text := clean(d.Text)
	if s := r.stream; s == nil || s.id != d.MessageID || s.thought != thought {
		if strings.TrimSpace(text) == "" {
			return
		}
		r.endStream()
		r.beginStream(d.MessageID, thought)
		text = strings.TrimLeft(text, " \t\n")
	}
	if !thought {
		r.shown[d.MessageID] = true
	}
	r.write(r.o.Err, r.painted(r.stream.flow.add(text)))
}

func (r *renderer) beginStream(id string, thought bool) {
	r.stream = &stream{id: id, thought: thought, flow: flow{width: r.o.Width, indent: "  "}}
	switch {
	case thought:
		r.write(r.o.Err, "\n"+r.p.faint("○")+" ")
	case r.shown[id]: // it was broken off by what was typed
		r.write(r.o.Err, "  ")
	default:
		r.write(r.o.Err, "\n"+r.p.mark("●")+" ")
	}
}

func (r *renderer) painted(text string) string {
	if r.stream.thought {
		return r.p.faint(text)
	}
	return text
}

// endStream closes the line that streamed text left open.
func (r *renderer) endStream() {
	if r.stream != nil {
		r.write(r.o.Err, r.painted(r.stream.flow.rest()))
		r.stream = nil
	}
	if r.open {
		r.write(r.o.Err, "\n")
	}
	r.marked = false
}

// userMessage shows words that waited: how they wait, and that they are heard
// now. Others stand on the terminal already.
func (r *renderer) userMessage(turn string, m event.Message, body string) {
	words := clip(oneLine(clean(body)), r.columns()-len("  to be heard: "))
	switch waited := r.waiting[m.MessageID]; {
	case m.Status == event.Pending && turn == r.turn && turn != "":
		r.line(r.p.faint("  to be heard: " + words))
	case m.Status == event.Pending:
		r.line(r.p.faint("  queued: " + words))
	case waited && m.Status == event.Discarded:
		r.line(r.p.faint("  dropped: " + words))
	case waited, r.past.on && m.Status != event.Discarded:
		r.said(m, body)
	}
	r.waiting[m.MessageID] = m.Status == event.Pending
}

// said shows what the user said.
func (r *renderer) said(m event.Message, body string) {
	for _, c := range m.Content {
		if c.Type == "image" {
			body = strings.TrimSpace(body + "\n[image]")
		}
	}
	r.line("\n" + r.p.strong("› "+r.prose(strings.TrimSpace(body), "  ")))
}

func (r *renderer) message(turn string, m event.Message) {
	body := text(m.Content)
	switch {
	case m.Role == "user":
		r.userMessage(turn, m, body)
	case m.Status == event.Discarded:
		r.line(r.p.faint("  (the answer broke off and is discarded)"))
	case m.Final:
		r.answer(m)
	case !r.shown[m.MessageID] && strings.TrimSpace(body) != "":
		r.shown[m.MessageID] = true
		r.line("\n" + r.p.mark("●") + " " + r.prose(strings.TrimSpace(body), "  "))
	default:
		r.endStream()
	}
}

// answer writes the final message to Out, unless it stands there already.
func (r *renderer) answer(m event.Message) {
	r.endStream()
	body := strings.Trim(clean(text(m.Content)), "\n")
	switch {
	case body == "", r.o.OutTTY && r.shown[m.MessageID]:
	case r.o.OutTTY:
		r.write(r.o.Out, "\n"+r.layOut(body, "")+"\n")
	default:
		r.write(r.o.Out, body+"\n")
	}
	r.shown[m.MessageID] = true
	if m.Command != "" {
		r.line(r.p.faint("to see it, run: ") + oneLine(exact(m.Command)))
	}
}

// text is the text of a message without its thoughts.
func text(content []event.Content) string {
	var out []string
	for _, c := range content {
		if c.Type == "text" && c.Text != "" {
			out = append(out, c.Text)
		}
	}
	return strings.Join(out, "\n\n")
}
