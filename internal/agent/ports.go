package agent

import (
	"context"
	"fmt"
	"iter"
	"time"

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
	// Checklist is the list as it stands, "" for none.
	Checklist string
	// SinceChecklist counts the requests since the model last wrote it.
	SinceChecklist int
	// ChecklistByUser is true when the user changed it since the last request.
	ChecklistByUser bool
	// ModeChanged is true when the user changed the mode since the last request.
	ModeChanged bool
}

// Journal keeps what was said in a task, and lets one process at a time say
// more. Errors are for the user.
type Journal interface {
	// Begin takes the task for a turn, before anything is told of it. It
	// returns what is stored when the caller does not know it: at first, when
	// another process changed the task meanwhile, and when known is false; else
	// nil. A *TakenError names the process that runs the task. Behind a turn that
	// was not ended it begins the next one, and nobody gets the task in between.
	Begin(ctx context.Context, turnID string, known bool) (*History, error)
	// Claim goes before what is told of a task that is not begun: it fails with a
	// *TakenError while another process runs the task.
	Claim(ctx context.Context) error
	// Append adds a message, and how things stand with it. It is on disk when
	// Append returns, together with all that the Sink was told before.
	Append(ctx context.Context, m transcript.Message, s Standing) error
	// Sync returns when all that the Sink was told is on disk.
	Sync(ctx context.Context) error
	// Rewind takes back a message of the user and all that followed, and has what
	// the user says instead in turnID wait on record: all of it or nothing. It is
	// called between Begin and the first Append. The Sink is told afterwards.
	Rewind(ctx context.Context, messageID, turnID string, instead event.Message) error
	// Waiting returns the prompts that wait on record for that turn, and that no
	// model was told.
	Waiting(ctx context.Context, turnID string) ([]event.Message, error)
	// Abandon gives the task back as it was before Begin.
	Abandon(ctx context.Context) error
	// End gives the task back. One that fails is made up for once it can be written.
	End(ctx context.Context, turnID string, reason event.StopReason) error
}

// TakenError says that another process runs the task.
type TakenError struct {
	PID   int
	Since time.Time
}

func (e *TakenError) Error() string {
	return fmt.Sprintf("the task is being worked on by another clined (process %d, since %s)", e.PID, e.Since.Local().Format("15:04:05"))
}

// Standing is what a task must remember beside its messages.
type Standing struct {
	// Title is made of the first words.
	Title string
	// System text, made at the first request and kept: providers cache the prefix.
	System string
	// Model is the id of the model last asked, to tell of a change.
	Model string
	// ToldMode is the mode the model was last told of, "" before the first
	// environment_details.
	ToldMode tools.Mode
	// Last is the usage of the last request, Total of the whole task; Cost is
	// in US dollars.
	Last, Total transcript.Usage
	Cost        float64
	// Checklist as the model last wrote it; SinceChecklist counts requests since.
	Checklist      string
	SinceChecklist int
}

// History is a task as it was left.
type History struct {
	Messages []transcript.Message
	Standing
	// Interrupted names the turn that began and did not end, "" for none.
	Interrupted string
	// Calls are the calls that have no result in Messages, by id, as fronts saw
	// them last; one that is not here was lost.
	Calls map[string]event.ToolCall
	// Unsent are messages of the user that were accepted and that no model saw.
	Unsent []event.Message
	// UserChecklist is what the user made of the checklist and the model was not
	// told of, "" when they emptied it; nil for nothing.
	UserChecklist *string
	// Damage says what could not be read, "" for nothing.
	Damage string
}

// Sink is told what happens, in order, from one goroutine at a time. Emit must
// not block for longer than a write to memory.
type Sink interface {
	Emit(turnID string, e event.Event)
}

// Previewer shows calls in the editor while the model writes them.
type Previewer interface {
	// Begin returns what shows a call of that tool, nil when nothing does. It is
	// given the arguments so far, each time with more behind them and not
	// necessarily each time there are more; it may take its time until ctx ends.
	Begin(callID, name string) (show func(ctx context.Context, args string))
	// Over is called once a call came to its end, or will never run; after that
	// nothing of it is shown. It comes for every call, shown or not.
	Over(callID string)
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
