package daemon

import (
	"context"
	"errors"

	"clined/internal/event"
	"clined/internal/server"
	"clined/internal/shell"
)

// terminals are the commands of a task. It implements server.Terminals.
type terminals struct{ commands *shell.Manager }

var _ server.Terminals = terminals{}

// errNoInput is the answer for a command that has no terminal of its own.
var errNoInput = errors.New("the command has no terminal of its own")

// List implements server.Terminals.
func (t terminals) List() (list []event.Terminal) {
	for _, j := range t.commands.Jobs() {
		list = append(list, event.Terminal{TerminalID: j.ID, Command: j.Line, Cwd: j.Dir, State: "background", LogFile: j.LogFile})
	}
	return list
}

// Input implements server.Terminals.
func (terminals) Input(string, string) error { return errNoInput }

// Resize implements server.Terminals.
func (terminals) Resize(string, int, int) error { return errNoInput }

// Kill implements server.Terminals.
func (t terminals) Kill(ctx context.Context, id string) error { return t.commands.Stop(ctx, id) }

// Detach implements server.Terminals.
func (terminals) Detach(string) error { return errNoInput }
