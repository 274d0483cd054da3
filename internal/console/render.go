package console

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"

	"clined/internal/event"
	"clined/internal/protocol"
)

// renderer writes a task as text. Its methods may be called from any goroutine.
type renderer struct {
	o Options
	p palette

	mu sync.Mutex // guards the rest, and the order of writes
	// stream is the message that is being written, nil for none.
	stream *stream
	// shown are messages whose text stands on the terminal already.
	shown map[string]bool
	// open is true while the cursor stands behind something on its line.
	open bool
	// calls that have not finished, by id.
	calls map[string]*call
	// terminals are commands that are more than their calls, as they were told
	// last, by id.
	terminals map[string]event.Terminal
	// introduced are those whose input was asked for before.
	introduced map[string]bool
	numbers    *jobNumbers
	// plan as it was shown last.
	plan []event.PlanEntry
	// question is true while something is being asked; marked while its mark
	// waits for an answer. What happens meanwhile is held back.
	question, marked bool
	held             []turnEvent
	// explained is true once the reason for the turn's end was told.
	explained bool
	// turn is the one that runs; waiting are messages that it does not know yet.
	turn    string
	waiting map[string]bool
	// past is true for a task that is over: nothing of it moves any more.
	past past
}

func newRenderer(o Options) *renderer {
	return &renderer{o: o, p: newPalette(o.Color), shown: map[string]bool{}, calls: map[string]*call{}, waiting: map[string]bool{},
		terminals: map[string]event.Terminal{}, introduced: map[string]bool{}, numbers: &jobNumbers{}}
}

// write puts text on the terminal and knows afterwards whether a line is open.
func (r *renderer) write(w io.Writer, text string) {
	if text == "" {
		return
	}
	_, _ = io.WriteString(w, text) // nobody could be told
	r.open = !strings.HasSuffix(text, "\n")
}

// line writes a whole line of its own.
func (r *renderer) line(text string) {
	r.endStream()
	r.write(r.o.Err, text+"\n")
}

// event shows an event, or holds it back while somebody reads a question.
func (r *renderer) event(turn string, e event.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if st, ok := e.(event.State); ok && st.State == event.Idle {
		r.endQuestion()
	}
	if r.question {
		r.held = append(r.held, turnEvent{turn, e})
		return
	}
	r.apply(turn, e)
}

// turnEvent is an event with the turn that it belongs to.
type turnEvent struct {
	turn string
	e    event.Event
}

func (r *renderer) apply(turn string, e event.Event) {
	switch e := e.(type) {
	case event.MessageDelta:
		r.delta(e)
	case event.Message:
		r.message(turn, e)
	case event.ToolCall:
		r.call(e)
	case event.ToolCallDelta:
		r.callDelta(e)
	case event.Plan:
		r.checklist(e)
	case event.Usage:
		r.usage(e)
	case event.State:
		if e.State == event.Running {
			r.turn = turn
		}
		r.state(e)
	case event.Terminal:
		r.terminal(e)
	case aside:
		r.line("  " + r.p.faint(r.prose(string(e), "  ")))
	case event.Notice:
		r.line(r.p.warn("  " + r.prose(e.Text, "  ")))
		r.hint("  ", e.Hint)
	}
}

// json writes an event as it is.
func (r *renderer) json(p *protocol.TaskEventParams) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return WriteJSON(r.o.Out, p)
}

// WriteJSON writes a value as a line of HarmlessJSON.
func WriteJSON(w io.Writer, v any) error {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := io.WriteString(w, HarmlessJSON(b.String()))
	return err
}

// HarmlessJSON is JSON text with characters which steer a terminal escaped: an
// encoder leaves some of them alone.
func HarmlessJSON(text string) string {
	var out strings.Builder
	for _, c := range text {
		if c != '\n' && steers(c) { // outside of strings there is none
			fmt.Fprintf(&out, `\u%04x`, c)
		} else {
			out.WriteRune(c)
		}
	}
	return out.String()
}

// checklist shows the whole list when it is new, and what was ticked when
// nothing else has changed.
func (r *renderer) checklist(p event.Plan) {
	before, done := r.plan, 0
	r.plan = p.Entries
	for _, e := range p.Entries {
		if e.Done {
			done++
		}
	}
	same := len(before) == len(p.Entries)
	for i := 0; same && i < len(before); i++ {
		same = before[i].Text == p.Entries[i].Text && (p.Entries[i].Done || !before[i].Done)
	}
	if !same && len(p.Entries) > 0 {
		r.line(r.p.faint(fmt.Sprintf("  checklist, %d of %d done", done, len(p.Entries))))
	}
	for i, e := range p.Entries {
		switch text := r.prose(e.Text, "    "); {
		case same && before[i].Done == e.Done:
		case e.Done:
			r.line("  " + r.p.good("☑") + " " + r.p.faint(text))
		default:
			r.line("  ☐ " + text)
		}
	}
}

func (r *renderer) usage(u event.Usage) {
	context := thousands(u.Used)
	if u.Estimated {
		context = "~" + context
	}
	if u.Size > 0 {
		context += fmt.Sprintf(" of %s (%d%%)", thousands(u.Size), u.Used*100/u.Size)
	}
	text := fmt.Sprintf("  context %s · in %s · out %s · cached %s", context,
		thousands(u.TokensIn+u.CacheWrite), thousands(u.TokensOut), thousands(u.CacheRead))
	if cost := price(u.Cost); cost != "" {
		text += " · " + cost
	}
	r.line(r.p.faint(r.layOut(text, "  ")))
}

func (r *renderer) state(s event.State) {
	if w := s.Waiting; w != nil && w.DelayMs == 0 {
		r.line(r.p.warn("  " + r.prose(w.Reason+" (Ctrl-C stops)", "  ")))
	} else if w != nil {
		r.line(r.p.warn("  " + r.prose(fmt.Sprintf("waiting %s before try %d of %d: %s (Ctrl-C stops)",
			seconds(w.DelayMs), w.Attempt, w.Max, w.Reason), "  ")))
	}
	if s.State != event.Idle {
		return
	}
	r.endStream()
	r.dropCalls()
	switch {
	case r.explained:
		r.explained = false
	case s.Error != nil:
		r.failed(s.Error.Message, s.Error.Hint)
	case s.StopReason == event.Cancelled:
		r.line(r.p.faint("stopped"))
	case s.StopReason == event.Interrupted:
		r.line(r.p.faint("interrupted"))
	}
}

// prose is text of others for a line of ours, broken at the width; indent
// stands before all lines but the first.
func (r *renderer) prose(s, indent string) string { return r.layOut(clean(s), indent) }

func (r *renderer) layOut(s, indent string) string {
	f := flow{width: r.o.Width, indent: indent}
	return f.add(s) + f.rest()
}

func (r *renderer) hint(indent, hint string) {
	if hint != "" {
		r.line(r.p.faint(r.prose(indent+"hint: "+hint, indent)))
	}
}

func (r *renderer) failed(message, hint string) {
	const name = "clined:"
	text := r.prose(name+" "+message, "")
	r.line(r.p.bad(name) + strings.TrimPrefix(text, name))
	r.hint("", hint)
}

func (r *renderer) failure(message, hint string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failed(message, hint)
}

// explain tells why the turn is about to end; its end is not explained again.
func (r *renderer) explain(message, hint string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.explained = true
	r.failed(message, hint)
}

func (r *renderer) warning(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.line(r.p.warn(r.prose(text, "")))
}

func (r *renderer) note(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	body := strings.TrimLeft(text, "\n")
	r.line(strings.Repeat("\n", len(text)-len(body)) + r.p.faint(r.prose(body, "")))
}

// end leaves nothing open behind a front that shows no more.
func (r *renderer) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.endQuestion()
	r.endStream()
	r.dropCalls()
}
