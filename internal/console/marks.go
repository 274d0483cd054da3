package console

import "strings"

// beginQuestion makes room for a question: what happens is held back until it
// is over. The caller holds the lock.
func (r *renderer) beginQuestion() {
	r.question = true
	r.endStream()
}

// questionMark waits for an answer.
func (r *renderer) questionMark() { r.mark("  " + r.p.strong("› ")) }

// promptMark waits for a prompt, or for more of it.
func (r *renderer) promptMark(more bool) {
	if more {
		r.mark(r.p.faint("… "))
		return
	}
	r.mark("\n" + r.p.strong("› "))
}

func (r *renderer) mark(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.endStream()
	r.write(r.o.Err, text)
	r.marked = true
}

// read tells that a line was read. A terminal has echoed it and ended the
// line; for any other input that is done here, and for a line that was typed
// early, before the mark stood there.
func (r *renderer) read(line string, early bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.marked {
		return
	}
	if !r.o.InTTY || early {
		r.write(r.o.Err, clean(line)+"\n")
	}
	r.marked, r.open = false, false
}

// typed tells that a line was typed while something was written: the cursor
// stands at the beginning of a line.
func (r *renderer) typed() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.open = false
	if s := r.stream; s != nil {
		r.stream = nil
		if held := strings.TrimSpace(s.flow.rest()); held != "" {
			r.write(r.o.Err, "  "+held)
		}
	}
}

// confirm asks for a yes.
func (r *renderer) confirm(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.beginQuestion()
	r.line(r.p.warn("?") + " " + text)
	r.line("  " + r.p.faint("y yes · anything else no"))
}

// unread tells that no line comes.
func (r *renderer) unread() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.endMark()
}

// endMark leaves the line of a mark that gets no answer.
func (r *renderer) endMark() {
	if r.marked {
		r.marked = false
		r.write(r.o.Err, "\n")
	}
}

// asked ends a question and shows what has happened meanwhile.
func (r *renderer) asked() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.endQuestion()
}

func (r *renderer) endQuestion() {
	if !r.question {
		return
	}
	if r.marked {
		r.endMark()
		r.line(r.p.faint("    (no answer is needed any more)"))
	}
	r.question = false
	held := r.held
	r.held = nil
	for _, h := range held {
		r.apply(h.turn, h.e)
	}
	for _, k := range r.calls { // those that were asked for run now
		if k.asked && k.Status == "in_progress" && k.timer == nil {
			r.running(k)
		}
	}
}
