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
	// Checked are the languages whose files something checks for problems, as far
	// as the editor says.
	Checked []string
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

// FileDiagnostics are the problems of one file. Version is that of the document
// they were found in, 0 when nobody said.
type FileDiagnostics struct {
	Path    string
	Version int32
	Items   []Diagnostic
}

// Diagnostic is a problem; Line is 1-based, Severity is "error", "warning",
// "information" or "hint".
type Diagnostic struct {
	Line              int
	Severity, Message string
	Source            string
}
