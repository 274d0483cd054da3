package workspace

// State is what the user sees in the editor, as last pushed. Paths are
// absolute; documents without a file are left out.
type State struct {
	Active      string
	Visible     []string
	Tabs        []Tab
	Terminals   []Terminal
	Selections  []Selection
	Diagnostics []FileDiagnostics
}

// Tab is an open tab, in the editor's order.
type Tab struct {
	Path  string
	Dirty bool
}

// Terminal is a terminal of the editor.
type Terminal struct {
	ID, Name, Cwd string
	Busy          bool
	// Command that runs or ran last, and its newest output.
	Command, Output string
}

// Selection is text the user selected; lines are 1-based.
type Selection struct {
	Path               string
	StartLine, EndLine int
}

// FileDiagnostics are the problems of one file.
type FileDiagnostics struct {
	Path  string
	Items []Diagnostic
}

// Diagnostic is a problem; Line is 1-based, Severity is "error", "warning",
// "information" or "hint".
type Diagnostic struct {
	Line              int
	Severity, Message string
	Source            string
}
