package console

import (
	"context"
	"slices"
	"strings"

	"clined/internal/event"
	"clined/internal/protocol"
)

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
