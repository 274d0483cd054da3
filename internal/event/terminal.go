package event

// Terminal is a command that runs apart from the plain flow of its call: it has
// a terminal of its own, seems to wait for input, or goes on in the background.
// Commands that just run and end are told by their tool calls alone. It is not
// kept: who comes later is told of those that still run.
type Terminal struct {
	// TerminalID is the id of the command's tool call.
	TerminalID string `json:"terminalId"`
	Command    string `json:"command"`
	Cwd        string `json:"cwd"`
	// State is "running", "background" or "exited".
	State string `json:"state"`
	// TTY is true when the command has a terminal of its own and can be typed to.
	TTY bool `json:"tty,omitempty"`
	// Asks is the line at which it seems to wait for input.
	Asks string `json:"asks,omitempty"`
	// ExitCode of one that exited by itself; Signal names what ended another.
	ExitCode *int   `json:"exitCode,omitempty"`
	Signal   string `json:"signal,omitempty"`
	// LogFile has all that it printed.
	LogFile string `json:"logFile,omitempty"`
	// Output is the end of what it printed since its call ended, for those who
	// come later; TerminalDelta appends to it.
	Output string `json:"output,omitempty"`
}

// TerminalDelta is output that came after the command's call had ended.
type TerminalDelta struct {
	TerminalID string `json:"terminalId"`
	Text       string `json:"text"`
}

// Type is the variant's name on the wire.
func (Terminal) Type() string { return "terminal" }

// Type is the variant's name on the wire.
func (TerminalDelta) Type() string { return "terminalDelta" }
