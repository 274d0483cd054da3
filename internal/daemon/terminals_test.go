package daemon

import (
	"slices"
	"testing"

	"clined/internal/event"
	"clined/internal/shell"
)

// states is a sink that notes the states of terminals.
type states []string

// Emit implements agent.Sink.
func (s *states) Emit(_ string, e event.Event) {
	t := e.(event.Terminal)
	*s = append(*s, t.TerminalID+" "+t.State+" "+t.Asks)
}

// Fronts hear of commands that go their own ways, of each change once, and of the
// end of those that they know.
func TestWatcher(t *testing.T) {
	var told states
	w := &watcher{sink: &told, told: map[string]event.Terminal{}}
	for _, s := range []shell.Status{
		{ID: "plain", State: shell.Active, ExitCode: -1},
		{ID: "plain", State: shell.Exited},
		{ID: "asks", State: shell.Active, ExitCode: -1},
		{ID: "asks", State: shell.Active, ExitCode: -1, Asks: "Name:"},
		{ID: "asks", State: shell.Active, ExitCode: -1, Asks: "Name:"},
		{ID: "asks", State: shell.Active, ExitCode: -1},
		{ID: "asks", State: shell.Exited, ExitCode: 3},
		{ID: "serves", State: shell.Background, ExitCode: -1},
		{ID: "serves", State: shell.Background, ExitCode: -1, Detached: true},
		{ID: "serves", State: shell.Exited, ExitCode: -1, Signal: "killed"},
		{ID: "halts", State: shell.Active, ExitCode: -1, Stopped: "cat, process 7"},
		{ID: "halts", State: shell.Active, ExitCode: -1},
		{ID: "types", State: shell.Active, ExitCode: -1, TTY: true},
		{ID: "types", State: shell.Exited},
	} {
		w.changed(s)
	}
	want := states{
		"asks running Name:", "asks running ", "asks exited ", "serves background ", "serves exited ",
		"halts running (a signal has stopped cat, process 7: kill it, or send it CONT)", "halts running ", "types running ", "types exited ",
	}
	if !slices.Equal(told, want) {
		t.Errorf("told\n%q, want\n%q", told, want)
	}
	w.changed(shell.Status{ID: "halts", State: shell.Exited})
	if len(w.told) > 0 {
		t.Errorf("kept %v", w.told)
	}
}
