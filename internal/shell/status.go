package shell

import (
	"time"
)

// State is where a command is in its life.
type State string

// The states of a command, in their order. Background is left out by one that
// leaves nothing running.
const (
	Active     State = "running"    // its shell runs, and somebody waits for it
	Background State = "background" // it was detached, or its shell has ended but not all it started
	Exited     State = "exited"     // nothing of it is left
)

// Status tells of a command.
type Status struct {
	ID, Line, Dir string
	State         State
	// TTY is true when it has a terminal, so that Input and Resize work.
	TTY bool
	// Detached is true when it was let go on in the background while its shell
	// still ran.
	Detached bool
	Started  time.Time
	// Asks is the line it seems to wait at for input; "" when it does not.
	Asks string
	// Stopped names the process of it, "NAME, process N", that a signal has stopped
	// and nobody lets go on; "" when there is none.
	Stopped string
	// ExitCode is that of its shell once that has ended by itself, before that
	// and otherwise -1; Signal names what ended it.
	ExitCode int
	Signal   string
	// TimedOut and Cancelled tell why it was stopped.
	TimedOut, Cancelled bool
	// LogFile receives the output, "" when it needed none.
	LogFile string
}
