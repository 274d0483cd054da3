package console

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"clined/internal/event"
	"clined/internal/protocol"
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

// watched is a command that the front knows of, until it has exited.
type watched struct {
	event.Terminal
	at protocol.TerminalParams
	// unask ends the question that its input is asked for by.
	unask context.CancelFunc
}

// terminal follows a command that is more than its call: it is told how large its
// terminal is shown, and what it asks is put to the user.
func (f *Front) terminal(taskID string, e event.Terminal) {
	at := protocol.TerminalParams{TaskID: taskID, TerminalID: e.TerminalID}
	f.mu.Lock()
	defer f.mu.Unlock()
	w := f.commands[e.TerminalID]
	first := w == nil
	if first {
		w = &watched{at: at, unask: func() {}}
		f.commands[e.TerminalID] = w
	}
	before := w.Terminal
	w.Terminal = e
	if e.State == exitedState {
		delete(f.commands, e.TerminalID)
	} else if first && e.TTY {
		f.spawnLocked(func(ctx context.Context) { f.resize(ctx, at) })
	}
	if f.answers(e) == f.answers(before) && e.Asks == before.Asks {
		return
	}
	w.unask()
	if !f.answers(e) {
		return
	}
	here, cancel := context.WithCancel(context.Background())
	w.unask = cancel
	f.spawnLocked(func(ctx context.Context) {
		defer cancel()
		defer context.AfterFunc(ctx, cancel)()
		f.typeFor(here, at, e)
	})
}

// States of commands.
const (
	runningState    = "running"
	backgroundState = "background"
	exitedState     = "exited"
)

// answers reports whether the next line of the user's is for a command: it has
// stopped the task and waits at its terminal.
func (f *Front) answers(e event.Terminal) bool {
	return f.o.InTTY && e.TTY && e.Asks != "" && e.State == runningState
}

// typeFor gives the next line to a command that waits for it, or lets go of the
// command.
func (f *Front) typeFor(ctx context.Context, p protocol.TerminalParams, e event.Terminal) {
	restore := func() {}
	defer func() { restore() }()
	var typed string
	answered := f.ask(ctx, func() {
		secret := f.o.Hide != nil && asksForSecret(e.Asks)
		if secret { // before it can be answered
			restore = f.o.Hide()
		}
		f.show.commandAsks(f.numbers.of(e.TerminalID), e, secret)
	}, func(line string) bool {
		typed = line
		return true
	})
	if answered != taken {
		return
	}
	var err error
	switch strings.TrimSpace(typed) {
	case "/bg":
		_, err = f.daemon().TerminalDetach(ctx, &p)
	case "/kill":
		_, err = f.daemon().TerminalKill(ctx, &p)
	default:
		_, err = f.daemon().TerminalInput(ctx, &protocol.TerminalInputParams{TerminalParams: p, Text: typed + "\r"})
	}
	if err != nil && ctx.Err() == nil {
		f.fail(err)
	}
}

// secrets are words of prompts whose answers are not shown.
var secrets = []string{"password", "passphrase", "passcode", "pin:", "pin for", "secret", "token", "passwort", "mot de passe", "contraseña", "密码", "口令", "暗証", "パスワード"}

func asksForSecret(line string) bool {
	line = strings.ToLower(line)
	return slices.ContainsFunc(secrets, func(word string) bool { return strings.Contains(line, word) })
}

// margin is what stands before a line of a command's output.
const margin = len("    | ")

// resize tells a command how large its terminal is shown, or all that have one.
func (f *Front) resize(ctx context.Context, list ...protocol.TerminalParams) {
	if f.o.Size == nil {
		return
	}
	columns, rows := f.o.Size()
	if columns <= 0 || rows <= 0 {
		return
	}
	f.show.setWidth(columns)
	for _, p := range list {
		// One that has just ended needs none.
		_, _ = f.daemon().TerminalResize(ctx, &protocol.TerminalResizeParams{
			TerminalParams: p, Cols: max(columns-margin, 20), Rows: rows,
		})
	}
}

// Resized tells that Size has changed.
func (f *Front) Resized() {
	f.mu.Lock()
	defer f.mu.Unlock()
	var list []protocol.TerminalParams
	for _, w := range f.commands {
		if w.TTY {
			list = append(list, w.at)
		}
	}
	f.spawnLocked(func(ctx context.Context) { f.resize(ctx, list...) })
}

// spawn does what takes the daemon's answer apart from its events. It is waited
// for when the front hangs up, and its context ended.
func (f *Front) spawn(do func(ctx context.Context)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.spawnLocked(do)
}

func (f *Front) spawnLocked(do func(ctx context.Context)) {
	if f.server != nil && !f.leaving {
		f.errands.Go(func() { do(f.gone) })
	}
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
	r.outputLine(clean(e.Asks))
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
