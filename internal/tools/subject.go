package tools

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Subject is what an action would do, precisely enough to judge it: policy
// reads it and the user is shown it. It does not change once made; its Hash
// binds an approval to it.
type Subject struct {
	Kind Kind `json:"kind"`
	// Tool is the name the model called.
	Tool string `json:"tool"`
	// ReadOnly subjects change nothing.
	ReadOnly bool `json:"readOnly,omitempty"`

	// Paths are the files and folders read or written.
	Paths []Path `json:"paths,omitempty"`
	// Edits are the proposed changes of an edit.
	Edits []FileEdit `json:"edits,omitempty"`

	// Command line and the absolute directory it runs in.
	Command string `json:"command,omitempty"`
	Cwd     string `json:"cwd,omitempty"`
	// WantsApproval is set when the model itself says that a person should
	// look at the command first. It may turn an allow into an ask; leaving it
	// out permits nothing.
	WantsApproval bool `json:"wantsApproval,omitempty"`
	// Interactive is set for a command that gets a terminal which the user types
	// into; Timeout is its own limit in seconds, 0 for the default.
	Interactive bool `json:"interactive,omitempty"`
	Timeout     int  `json:"timeout,omitempty"`
	// Sandbox says in words what holds the command, "" when nothing is to.
	Sandbox string `json:"sandbox,omitempty"`
	// Unsandboxed is set when the command would run outside of the sandbox that
	// holds commands now: a person decides, no rule does.
	Unsandboxed bool `json:"unsandboxed,omitempty"`
	// Refused is why the sandbox probably made the command fail when it ran there,
	// as a sentence: it would run once more.
	Refused string `json:"refused,omitempty"`

	// Server, MCPTool and Args of an MCP call; Trusted is set when the
	// server's settings auto-approve that tool.
	Server  string          `json:"server,omitempty"`
	MCPTool string          `json:"mcpTool,omitempty"`
	Args    json.RawMessage `json:"args,omitempty"`
	Trusted bool            `json:"trusted,omitempty"`
	// SchemaHash identifies the description and schema of the MCP tool, so that
	// a rule for it does not outlive a change of what it claims to do.
	SchemaHash string `json:"schemaHash,omitempty"`
}

// Path is a path of a subject after resolution.
type Path struct {
	// Display is how people and the model see it: relative to its root inside
	// the workspace, else absolute.
	Display string `json:"display"`
	// Abs is the cleaned absolute path, links kept.
	Abs string `json:"abs"`
	// Real is where it leads once links are resolved (the deepest existing
	// ancestor for what does not exist yet). Policy decides on Real.
	Real string `json:"real"`
	// Outside is true when Real is in no workspace folder.
	Outside bool `json:"outside,omitempty"`
	// Protected says why a rule protects it, "" when none does.
	Protected string `json:"protected,omitempty"`
	// Ignored is true when .clineignore hides it from the model.
	Ignored bool `json:"ignored,omitempty"`
}

// FileEdit is the proposed change of one file.
type FileEdit struct {
	Path Path `json:"path"`
	// Op is "create", "modify", "delete" or "rename", which may change the text too.
	Op string `json:"op"`
	// To is the new path of a rename.
	To *Path `json:"to,omitempty"`
	// Base is the text the proposal starts from, Proposed the whole new text.
	Base     string `json:"base"`
	Proposed string `json:"proposed"`
	// Diff is the unified diff from Base to Proposed.
	Diff string `json:"diff"`
}

// Hash identifies the subject; equal subjects have equal hashes.
func (s *Subject) Hash() string {
	b, err := json.Marshal(s)
	if err != nil { // Args that are no JSON: a tool made an impossible subject.
		panic("tools: subject cannot be marshalled: " + err.Error())
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
