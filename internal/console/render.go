package console

import (
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
	// streaming is the message whose text is being written, "" for none.
	streaming string
	// streamed are messages whose text stands on the terminal already.
	streamed map[string]bool
	// thought is true while reasoning is being written.
	thought bool
	// column is 0 at the start of a line.
	column int
	// names of calls by id, and which have shown live output.
	names map[string]event.ToolCall
	live  map[string]bool
}

func newRenderer(o Options) *renderer {
	return &renderer{o: o, p: newPalette(o.Color), streamed: map[string]bool{}, names: map[string]event.ToolCall{}, live: map[string]bool{}}
}

// write puts text on the terminal and knows afterwards whether a line is open.
func (r *renderer) write(w io.Writer, text string) {
	if text == "" {
		return
	}
	fmt.Fprint(w, text)
	r.column = 1
	if strings.HasSuffix(text, "\n") {
		r.column = 0
	}
}

// line writes a whole line of its own.
func (r *renderer) line(text string) {
	r.endStream()
	r.write(r.o.Err, text+"\n")
}

// endStream closes the line that streamed text left open.
func (r *renderer) endStream() {
	if r.column != 0 {
		r.write(r.o.Err, "\n")
	}
	r.streaming, r.thought = "", false
}

func (r *renderer) event(e event.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch e := e.(type) {
	case event.MessageDelta:
		r.delta(e)
	case event.Message:
		r.message(e)
	case event.ToolCall:
		r.call(e)
	case event.ToolCallDelta:
		r.callOutput(e)
	case event.Plan:
		r.plan(e)
	case event.Usage:
		r.usage(e)
	case event.State:
		r.state(e)
	case event.Notice:
		r.notice(e)
	}
}

func (r *renderer) delta(d event.MessageDelta) {
	if r.streaming != d.MessageID {
		r.endStream()
		r.streaming = d.MessageID
		r.write(r.o.Err, "\n"+r.p.mark("●")+" ")
	}
	if thought := d.Kind == "thought"; thought != r.thought {
		r.thought = thought
		if !thought {
			r.write(r.o.Err, "\n")
		}
	}
	text := clean(d.Text)
	if r.thought {
		text = r.p.faint(text)
	} else {
		r.streamed[d.MessageID] = true
	}
	r.write(r.o.Err, text)
}

func (r *renderer) message(m event.Message) {
	if m.Role == "user" {
		if m.Status == event.Pending {
			r.line(r.p.faint("queued: " + oneLine(text(m.Content))))
		}
		return
	}
	switch {
	case m.Status == event.Discarded:
		r.line(r.p.faint("(that answer broke off and is discarded)"))
	case m.Final:
		r.answer(m)
	case !r.streamed[m.MessageID] && text(m.Content) != "":
		r.line("\n" + r.p.mark("●") + " " + clean(text(m.Content)))
	}
}

// answer writes the final message to Out, unless it stands there already.
func (r *renderer) answer(m event.Message) {
	body := clean(text(m.Content))
	if !(r.streamed[m.MessageID] && r.o.OutTTY) && body != "" {
		r.endStream()
		if r.o.OutTTY {
			r.line("")
		}
		r.write(r.o.Out, strings.TrimRight(body, "\n")+"\n")
		r.column = 0
	}
	if m.Command != "" {
		r.line(r.p.faint("to see it, run: ") + clean(m.Command))
	}
}

func (r *renderer) plan(p event.Plan) {
	done := 0
	for _, e := range p.Entries {
		if e.Done {
			done++
		}
	}
	r.line(r.p.faint(fmt.Sprintf("  checklist %d/%d", done, len(p.Entries))))
	for _, e := range p.Entries {
		if e.Done {
			r.line("  " + r.p.good("☑") + " " + r.p.faint(clean(e.Text)))
			continue
		}
		r.line("  ☐ " + clean(e.Text))
	}
}

func (r *renderer) usage(u event.Usage) {
	about := ""
	if u.Estimated {
		about = "about "
	}
	r.line(r.p.faint(fmt.Sprintf("  %s%s of %s tokens of context (%d%%) · task so far: %s in, %s out, %s from cache",
		about, thousands(u.Used), thousands(u.Size), percent(u.Used, u.Size),
		thousands(u.TokensIn+u.CacheWrite), thousands(u.TokensOut), thousands(u.CacheRead))))
}

func (r *renderer) state(s event.State) {
	if w := s.Waiting; w != nil {
		r.line(r.p.warn(fmt.Sprintf("  waiting %s: %s (try %d of %d comes next; Ctrl-C stops)",
			seconds(w.DelayMs), clean(w.Reason), w.Attempt, w.Max)))
	}
	if s.State != event.Idle {
		return
	}
	r.endStream()
	if s.Error != nil {
		r.failed(s.Error.Message, s.Error.Hint)
	} else if s.StopReason == event.Cancelled {
		r.line(r.p.faint("stopped"))
	}
}

func (r *renderer) notice(n event.Notice) {
	r.line(r.p.warn("  " + clean(n.Text)))
	if n.Hint != "" {
		r.line(r.p.faint("  hint: " + clean(n.Hint)))
	}
}

func (r *renderer) failed(message, hint string) {
	r.line(r.p.bad("clined: ") + clean(message))
	if hint != "" {
		r.line(r.p.faint("hint: " + clean(hint)))
	}
}

func (r *renderer) failure(message, hint string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failed(message, hint)
}

func (r *renderer) note(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.line(r.p.faint(clean(text)))
}

func (r *renderer) newline() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.endStream()
}

func (r *renderer) promptMark(more bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.endStream()
	mark := "\n" + r.p.strong("› ")
	if more {
		mark = r.p.faint("… ")
	}
	r.write(r.o.Err, mark)
	r.column = 0 // the answer ends the line
}

func text(content []event.Content) string {
	var out []string
	for _, c := range content {
		if c.Type == "text" && c.Text != "" {
			out = append(out, c.Text)
		}
	}
	return strings.Join(out, "\n\n")
}

// Show prints a line about the run itself, such as which model is used.
func (f *Front) Show(text string) { f.show.note(text) }

var _ protocol.Client = (*Front)(nil)
