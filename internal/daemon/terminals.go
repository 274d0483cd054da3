package daemon

import (
	"context"
	"sync"

	"clined/internal/agent"
	"clined/internal/event"
	"clined/internal/server"
	"clined/internal/shell"
)

// terminals are the commands of a task. It implements server.Terminals.
type terminals struct{ commands *shell.Manager }

var _ server.Terminals = terminals{}

// List implements server.Terminals.
func (t terminals) List() (list []event.Terminal) {
	for _, s := range t.commands.List() {
		list = append(list, terminalEvent(s))
	}
	return list
}

// Input implements server.Terminals.
func (t terminals) Input(id, text string) error { return t.commands.Input(id, []byte(text)) }

// Resize implements server.Terminals.
func (t terminals) Resize(id string, cols, rows int) error { return t.commands.Resize(id, cols, rows) }

// Kill implements server.Terminals.
func (t terminals) Kill(ctx context.Context, id string) error { return t.commands.Kill(ctx, id) }

// Detach implements server.Terminals.
func (t terminals) Detach(id string) error { return t.commands.Detach(id) }

// watcher tells fronts of commands that are more than their calls tell.
type watcher struct {
	sink agent.Sink

	mu   sync.Mutex
	told map[string]event.Terminal // what fronts know, by id
}

// changed tells of a command that has a terminal, waits for input, or is in the
// background, from then on until it has exited.
func (w *watcher) changed(s shell.Status) {
	e := terminalEvent(s)
	w.mu.Lock()
	last, known := w.told[s.ID]
	tell := e != last && (known || s.TTY || e.Asks != "" || s.State == shell.Background)
	if s.State == shell.Exited {
		delete(w.told, s.ID)
	} else if tell {
		w.told[s.ID] = e
	}
	w.mu.Unlock()
	if tell {
		w.sink.Emit("", e)
	}
}

func (w *watcher) output(id, text string) {
	w.sink.Emit("", event.TerminalDelta{TerminalID: id, Text: text})
}

func terminalEvent(s shell.Status) event.Terminal {
	e := event.Terminal{
		TerminalID: s.ID, Command: s.Line, Cwd: s.Dir, State: string(s.State), TTY: s.TTY, Asks: s.Asks,
		Signal: s.Signal, LogFile: s.LogFile,
	}
	if s.Stopped != "" {
		e.Asks = "(a signal has stopped " + s.Stopped + ": kill it, or send it CONT)"
	}
	if s.State == shell.Exited && s.ExitCode >= 0 {
		e.ExitCode = &s.ExitCode
	}
	return e
}
