package console

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"clined/internal/event"
)

// States of commands.
const (
	runningState    = "running"
	backgroundState = "background"
	exitedState     = "exited"
)

// jobNumbers are short names of commands: who types does not write ids.
type jobNumbers struct {
	mu  sync.Mutex // guards ids
	ids []string
}

// of is the number of a command, from 1, the same from its first sight on.
func (n *jobNumbers) of(id string) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	i := slices.Index(n.ids, id)
	if i < 0 {
		i, n.ids = len(n.ids), append(n.ids, id)
	}
	return i + 1
}

// terminal tells what becomes of a command beside its call.
func (r *renderer) terminal(e event.Terminal) {
	before := r.terminals[e.TerminalID]
	r.terminals[e.TerminalID] = e
	background := e.State == backgroundState || e.State == exitedState && before.State == backgroundState
	name := func(room int) string { return r.commandName(r.numbers.of(e.TerminalID), e, room) }
	switch {
	case e.State == exitedState:
		delete(r.terminals, e.TerminalID)
		if background {
			mark, how := r.ended(e)
			r.line("  " + mark + " " + name(len(how)+2) + r.p.faint(": "+how))
		}
		return
	case background && before.State != backgroundState:
		const goesOn = " goes on in the background"
		r.line("  " + r.p.mark("▸") + " " + name(len(goesOn)) + r.p.faint(goesOn))
	}
	if e.Asks != "" && e.Asks != before.Asks && (background || !e.TTY || !r.o.InTTY) {
		r.waits(e)
	}
}

// farewell tells which commands in the background end with the front.
func (r *renderer) farewell() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, id := range slices.SortedFunc(maps.Keys(r.terminals), func(a, b string) int { return r.numbers.of(a) - r.numbers.of(b) }) {
		if e := r.terminals[id]; e.State == backgroundState {
			const ends = " ends now"
			r.line("  " + r.p.warn("–") + " " + r.commandName(r.numbers.of(id), e, len(ends)) + r.p.faint(ends))
		}
	}
	clear(r.terminals)
}

// ended says how a command in the background ended.
func (r *renderer) ended(e event.Terminal) (mark, how string) {
	switch {
	case e.ExitCode != nil && *e.ExitCode == 0:
		return r.p.good("✓"), "exit code 0"
	case e.ExitCode != nil:
		return r.p.bad("✗"), fmt.Sprintf("exit code %d", *e.ExitCode)
	case e.Signal != "":
		return r.p.warn("–"), "ended by a signal (" + oneLine(clean(e.Signal)) + ")"
	}
	return r.p.warn("–"), "ended"
}

// waits tells that a command seems to wait for input, and what can be done.
func (r *renderer) waits(e event.Terminal) {
	if k := r.calls[e.TerminalID]; k != nil {
		k.stop() // it is named here
	}
	n := r.numbers.of(e.TerminalID)
	r.line("  " + r.p.warn("?") + " " + r.commandName(n, e, len(" waits at:")) + " waits at:")
	r.outputLine(oneLine(clean(e.Asks)))
	talks := r.o.Interactive && r.o.InTTY
	hint := "nobody is here to answer; Ctrl-C stops it, or its time limit"
	switch {
	case talks && e.TTY:
		hint = fmt.Sprintf("/type %d WORDS answers, /kill %d ends it", n, n)
	case talks && e.State == runningState:
		hint = "it has no terminal and cannot be typed to; /bg lets it go on, /kill ends it"
	case talks:
		hint = fmt.Sprintf("it has no terminal and cannot be typed to; /kill %d ends it", n)
	case !e.TTY:
		hint = "it has no terminal and cannot be typed to; Ctrl-C stops it, or its time limit"
	}
	r.line("    " + r.p.faint(r.layOut(hint, "    ")))
}

// commandAsks asks for a line for a command.
func (r *renderer) commandAsks(n int, e event.Terminal, secret bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.beginQuestion()
	again := r.introduced[e.TerminalID]
	r.introduced[e.TerminalID] = true
	name := r.commandName(n, e, len(" asks:"))
	if again {
		name = fmt.Sprintf("[%d]", n)
	}
	r.line("  " + r.p.warn("?") + " " + name + " asks:")
	r.folded("", exact(e.Asks), r.p.strong)
	how := "what you type goes to it"
	if secret {
		how += ", and is not shown"
	}
	if !again {
		how += " · /bg lets it go on without · /kill ends it"
	}
	if !again || secret {
		r.line("    " + r.p.faint(r.layOut(how, "    ")))
	}
}

// commandName is a command by its number and its line, with room left behind it.
func (r *renderer) commandName(n int, e event.Terminal, room int) string {
	number := fmt.Sprintf("[%d]", n)
	return number + " " + r.p.strong(clip(oneLine(clean(e.Command)), r.columns()-len("  ▸ ")-len(number)-room))
}

// setWidth is the terminal's from now on, in columns.
func (r *renderer) setWidth(columns int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.o.Width > 0 { // else no line is broken
		r.o.Width = columns
	}
}
