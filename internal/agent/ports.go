package agent

import (
	"context"
	"iter"

	"clined/internal/event"
	"clined/internal/llm"
	"clined/internal/tools"
	"clined/internal/transcript"
)

// Model answers requests; see llm.Client for what a stream guarantees.
type Model interface {
	Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Event, error]
}

// Models chooses the model for a request: the user may give plan and act mode
// models of their own, and change them while a task lives.
type Models interface {
	// Select returns the model to ask in that mode. An error is for the user.
	Select(mode tools.Mode) (Model, llm.Model, error)
}

// Toolbox is the tools of one task, behind permissions and limits.
type Toolbox interface {
	// Defs returns the tools as the model is told of them, in a stable order.
	// It may wait a moment for MCP servers that are starting.
	Defs(ctx context.Context) []llm.ToolDef
	// Describe returns what fronts show of a call before it runs; ok is false
	// when there is no tool of that name.
	Describe(name string) (info tools.Info, ok bool)
	// Run runs one call to its end. It always gives a result: unknown tools,
	// bad arguments, denials, failures and cancellation are results too.
	Run(ctx context.Context, call tools.Call) tools.Result
}

// Prompter writes what the model is told besides the user's own words.
type Prompter interface {
	// System returns the system text. It is asked for once per task.
	System(ctx context.Context) (string, error)
	// User wraps the user's words for the model; first is true for the first
	// message of a task.
	User(words string, first bool) string
	// Environment returns the environment_details for the request about to be sent.
	Environment(ctx context.Context, e Environment) string
}

// Environment is what the task itself contributes to environment_details.
type Environment struct {
	// First is true for the first request of a task.
	First bool
	Mode  tools.Mode
	// Used is the size of the context after the last request, Window the
	// model's; both in tokens.
	Used, Window int
	// Checklist is the list as the model last wrote it, "" for none.
	Checklist string
	// SinceChecklist counts the requests since it was last written.
	SinceChecklist int
	// ModeChanged is true when the user changed the mode since the last request.
	ModeChanged bool
}

// Journal keeps what the model saw. A message must be on its way to disk when
// Append returns: it is called before the next model call.
type Journal interface {
	Append(ctx context.Context, m transcript.Message) error
}

// Sink is told what happens, in order, from one goroutine at a time. Emit must
// not block for longer than a write to memory.
type Sink interface {
	Emit(turnID string, e event.Event)
}

// Clock is time as the loop needs it.
type Clock interface {
	// Sleep waits for d milliseconds or until ctx ends.
	Sleep(ctx context.Context, ms int64) error
}

// Asker puts the loop's own questions to the user ("go on?").
type Asker interface {
	Ask(ctx context.Context, q tools.Question) (tools.Answer, error)
}
