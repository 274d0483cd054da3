// Package tools owns the tool vocabulary: what a tool is (Spec, Tool), what is
// asked of it (Call), what it is about to do (Action, Subject) and what the
// model is told (Result); the Registry of tools per model family, the schemas
// made from specs, the names of MCP tools, and the ports that tools need.
//
// It does no I/O and decides no permissions: built-in tools are in
// tools/builtin, the permission gate in approval. It imports transcript and
// llm only. agent, approval, prompt and the tools themselves import it.
package tools

import (
	"context"
	"encoding/json"

	"clined/internal/llm"
)

// Kind groups tools by what they may do; policy and fronts go by it.
type Kind string

// The kinds.
const (
	Read    Kind = "read"
	Edit    Kind = "edit"
	Command Kind = "command"
	MCP     Kind = "mcp"
	// Ask puts a question to the user, Control steers the loop (completion,
	// plan); neither touches anything, so neither needs approval.
	Ask     Kind = "ask"
	Control Kind = "control"
)

// Spec describes a tool. It is fixed once registered.
type Spec struct {
	// ID is the classic name, such as "read_file". All MCP tools have the id
	// "use_mcp_tool" and differ by Name.
	ID string
	// Name is what the model calls; equal to ID except for MCP tools.
	Name string
	// Family the spec was written for; Generic serves every family without its own.
	Family llm.Family
	Kind   Kind
	// Description is for the model. {{CWD}} is replaced by the working
	// directory; no other placeholder exists.
	Description string
	Params      []Param
	// Schema replaces Params where a tool brings its own (MCP), as raw bytes.
	Schema json.RawMessage
	// ReadOnly tools change nothing: they may run beside each other and in plan mode.
	ReadOnly bool
	// Unlisted tools may be called but are not among the definitions sent, such
	// as use_mcp_tool where each MCP tool is listed by itself.
	Unlisted bool
	// NoChecklist leaves the task_progress parameter out of the schema.
	NoChecklist bool
	// Requires filters the tool by context; nil means always.
	Requires func(Context) bool
	// Server and Tool are the original names of an MCP tool.
	Server, Tool string
}

// Param is one parameter. Their order is kept on the wire: a path comes before
// the content, so that a preview knows its file first.
type Param struct {
	Name string
	// Type is a JSON Schema type: string, integer, number, boolean, array, object.
	Type        string
	Required    bool
	Description string
	// Aliases are other names that models use for it; they are understood and
	// not advertised.
	Aliases []string
	// JSON says that a string parameter holds JSON text; the bare value is
	// taken as well.
	JSON bool
	// Extra holds further schema fields, such as {"enum":["a","b"]} or {"items":{…}}.
	Extra json.RawMessage
}

// Context is what Spec.Requires and placeholders may depend on.
type Context struct {
	Family llm.Family
	// CWD is the task's working directory; Roots are all workspace folders.
	CWD   string
	Roots []string
	// Subagent is true inside a subagent.
	Subagent bool
	// MCP is true when at least one MCP server is connected.
	MCP bool
	// Images is true when the model sees pictures.
	Images bool
}

// Info is what fronts and the loop must know of a tool before a call runs.
type Info struct {
	Kind Kind
	// ReadOnly calls next to each other in a reply run at the same time.
	ReadOnly bool
	// OwnChecklist is true when the tool's own schema has a parameter named
	// task_progress, which then is not taken away.
	OwnChecklist bool
	// Server and Tool are the original names of an MCP tool.
	Server, Tool string
}

// Tool turns a call into an Action and never acts by itself.
type Tool interface {
	Spec() *Spec
	// Prepare checks the call and works out what it would do, changing
	// nothing. An error is for the model (it may recover): nobody is asked
	// and nothing happens. The action's Run does the work, once allowed.
	Prepare(ctx context.Context, call Call) (*Action, error)
}

// Mode is how the user wants the agent to work.
type Mode string

// Plan explores and proposes, and changes nothing. Act does the work.
const (
	Plan Mode = "plan"
	Act  Mode = "act"
)
