package server

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"clined/internal/agent"
	"clined/internal/approval"
	"clined/internal/event"
	"clined/internal/protocol"
	"clined/internal/tools"
	"clined/internal/workspace"
)

// Backend makes what an editor's session runs on.
type Backend interface {
	// Open is called once, by initialize, and should not take long. ctx is the
	// session's life. An error refuses the editor; its text is for the user.
	Open(ctx context.Context, s SessionSpec) (Session, error)
}

// SessionSpec is what an editor told at its start.
type SessionSpec struct {
	// Roots are the workspace folders as absolute paths; there may be none.
	Roots []string
	// Editor changes open buffers; nil when the editor cannot.
	Editor workspace.Editor
	// Settings is the object `clined` of initializationOptions; nil for none.
	Settings json.RawMessage
	// ProcessID of the editor, 0 when it told none.
	ProcessID int
	// End ends the session as a lost connection does; why is for the log. It
	// returns at once and may be called more than once.
	End func(why string)
	// Untrusted is to be told of each workspace that wants more than it may,
	// whenever the settings were made anew. It returns at once; nil asks nobody.
	Untrusted func(Untrusted)
	// Client names the editor, such as "Neovim 0.12"; "" when it told nothing.
	Client string
}

// Session is what the daemon holds for one editor.
type Session interface {
	// Workspace is the overlay that the server keeps up to date. It is always
	// the same one.
	Workspace() *workspace.Workspace
	// Configure takes the object `clined` of changed settings. An error is for
	// the user. It must not take long.
	Configure(settings json.RawMessage) error
	// Trust keeps that the user trusts a workspace with what the hash stands for.
	Trust(ctx context.Context, root, hash string) error
	// Options and SetOption are the defaults for new tasks.
	Options() []event.Option
	SetOption(id, value string) error
	// NewTask makes a task that waits for its first prompt, or opens one that is
	// stored. ctx is the task's life, not that of the request. An error is for
	// the user.
	NewTask(ctx context.Context, s TaskSpec) (Task, error)
	// History is what is stored of tasks, those of other processes too.
	History() History
	// Accounts are the keys for models.
	Accounts() Accounts
	// Setup finds a model to work with.
	Setup() Setup
	// Rules are the permissions that outlive tasks.
	Rules() Rules
	// Close ends what the session holds; its tasks were closed before.
	Close()
}

// TaskSpec is what a new task is made of.
type TaskSpec struct {
	ID string
	// Cwd and Roots are absolute; Roots is not empty.
	Cwd   string
	Roots []string
	// Mode is "" for the session's default.
	Mode tools.Mode
	// Stored is true for a task that exists; it brings its own Cwd, Roots and Mode.
	Stored bool
	// Sink, Approver and Asker lead to the editor.
	Sink     agent.Sink
	Approver approval.Approver
	Asker    tools.Asker
	// Diffs is the editor's diff view, nil when it has none.
	Diffs tools.Diffs
}

// Task is a task as the server drives it; the methods may be called from any
// goroutine and return at once, but for Close, which cancels and waits.
type Task interface {
	// Prompt and its kin fail with the errors of package agent, or with one for
	// the user when the task cannot be recorded.
	Prompt(p agent.Prompt) (agent.Accepted, error)
	Resume(p agent.Prompt) (agent.Accepted, error)
	Steer(turnID string, p agent.Prompt) (agent.Accepted, error)
	EditMessage(messageID string, p agent.Prompt) (agent.Accepted, error)
	SetChecklist(markdown string) error
	// Cancel fails with agent.ErrTurnMismatch or agent.ErrClosed.
	Cancel(turnID string) error
	// Options returns all options, "mode" among them, in a stable order.
	Options() []event.Option
	// SetOption fails with a sentence for the user when the id is unknown or
	// the value is none of its choices.
	SetOption(id, value string) error
	// Terminals are the commands of the task that run now.
	Terminals() Terminals
	// Record numbers the task's events and keeps them.
	Record() Record
	// Note appends to the Markdown file that shows the task to users of editors
	// that have no view of it, and returns the file's path. It waits for the disk.
	Note(markdown string) (path string, err error)
	Close()
}

// Record is where the events of one task are numbered and kept. Its methods
// never wait for a disk.
type Record interface {
	// NextSeq gives the next number, LastSeq the last one given. Numbers never
	// repeat, across processes too; some may be left out.
	NextSeq() int64
	LastSeq() int64
	// Renew has the numbers from here on be behind all that any process gave so far.
	Renew()
	// Gave tells whether this process gave a number.
	Gave(seq int64) bool
	// Record keeps an event for those who come later.
	Record(event.Item)
}

// History reads and changes what is stored of tasks. Its errors are for the
// user; ErrNoTask says that there is none of that id.
type History interface {
	// List is asked with Cwds alone, never with Cwd: absolute and clean.
	List(ctx context.Context, p protocol.TaskListParams) (*protocol.TaskListResult, error)
	Info(ctx context.Context, id string) (protocol.TaskInfo, error)
	// Items returns a page of limit items, the oldest first: of what changed after
	// since (0: all), the newest one, or the one in front of another, whose front
	// is given as before. It has fewer where their events had more than so many bytes
	// together, but one at least. front is 0 for the oldest page. The newest page also has
	// all that a task has once, and how it stands.
	Items(ctx context.Context, id string, since, before int64, limit, bytes int) (items []event.Item, front int64, err error)
	Rename(ctx context.Context, id, title string) error
	SetFavorite(ctx context.Context, id string, on bool) error
	Delete(ctx context.Context, id string) error
	// Export writes a task down as "markdown" or "json".
	Export(ctx context.Context, id, format string, w io.Writer) error
}

// ErrNoTask: no task of that id is stored.
var ErrNoTask = errors.New("there is no such task")

// Accounts are the keys for models, by who is asked with them. Errors are for
// the user and never hold a key.
type Accounts interface {
	Login(ctx context.Context, a protocol.Account, secret string, persist bool) error
	// Logout without persist leaves what outlives the process.
	Logout(ctx context.Context, a protocol.Account, persist bool) error
	Status(ctx context.Context) ([]protocol.AccountStatus, error)
}

// Setup tells whether there is a model to work with, and finds one. Errors are
// for the user.
type Setup interface {
	// Status asks no network.
	Status(ctx context.Context) protocol.SetupStatus
	// Discover asks the servers on this machine, each a second or so at most.
	Discover(ctx context.Context) []protocol.FoundServer
	// Models asks one endpoint. A failure is in the result, and no key is.
	Models(ctx context.Context, p protocol.ModelListParams) *protocol.ModelListResult
	// Demo has the demo's model answer in this session, or no more.
	Demo(ctx context.Context, stop bool) error
}

// Rules are the stored permissions. Errors are for the user; ErrNoRule says that
// there is none of that id.
type Rules interface {
	// List returns those that hold in the session's workspace, or all.
	List(ctx context.Context, all bool) ([]protocol.RuleInfo, error)
	Remove(ctx context.Context, id int64) error
}

// ErrNoRule: no rule of that id is stored.
var ErrNoRule = errors.New("there is no such rule")

// Terminals are commands that run, by the ids of their calls. Errors are for the
// user.
type Terminals interface {
	List() []event.Terminal
	// Input and Resize are for those with a terminal of their own.
	Input(id, text string) error
	Resize(id string, cols, rows int) error
	// Kill waits until no process of the command is left, some seconds at most.
	Kill(ctx context.Context, id string) error
	Detach(id string) error
}

var (
	_ protocol.Server   = (*server)(nil)
	_ workspace.Editor  = (*editor)(nil)
	_ agent.Sink        = (*stream)(nil)
	_ approval.Approver = (*task)(nil)
	_ tools.Asker       = (*task)(nil)
)
