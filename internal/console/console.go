// Package console owns the terminal as an editor: it speaks the same protocol
// as any other front, shows a task as it goes, asks for approvals and puts
// questions, and says how it ended.
//
// The answer goes to Out, everything else to Err. What a model, a file or a
// server wrote reaches neither with its control characters. The package knows
// the protocol only: no agent, no tools, no files. cmd imports it.
package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"clined/internal/event"
	"clined/internal/protocol"
)

// Exit codes of `clined run`.
const (
	ExitDone      = 0
	ExitFailed    = 1
	ExitUsage     = 2
	ExitNeedsUser = 3
	ExitCancelled = 130
)

// Options say where a front reads and writes.
type Options struct {
	// Out gets the answer (or the events, with JSON), Err everything else.
	Out, Err io.Writer
	// In answers approvals and questions, a line each. At its end nobody is
	// there. It is read from the first question on, not before; a read that
	// waits then cannot be called off, so where In is not closed its goroutine
	// outlives the front.
	In io.Reader
	// InTTY is true when In is a terminal: it echoes what is typed, and a line
	// typed before an approval was shown does not answer it.
	InTTY bool
	// Color uses terminal colours on Err.
	Color bool
	// OutTTY is true when Out and Err are the same terminal: an answer that was
	// already streamed there is not printed twice.
	OutTTY bool
	// Width is the terminal's, in columns; 0 when it is not known or there is
	// none: then no line is broken.
	Width int
	// JSON writes each event as a line to Out instead of the answer.
	JSON bool
	// Interactive goes on with further prompts from In after each turn, and on a
	// terminal takes prompts while one runs.
	Interactive bool
	// Hide keeps what is typed from being shown until restore; nil where that
	// cannot be done.
	Hide func() (restore func())
	// Size is the terminal's, in columns and rows; nil when there is none. Call
	// Resized when it has changed.
	Size func() (columns, rows int)
	// Resumable says that the task can be gone on with later by clined run.
	Resumable bool
	// Home is the user's folder, which is written ~; "" for none.
	Home string
	// Now is the clock; nil is time.Now.
	Now func() time.Time
}

// ErrLeave as the cause of an ended context says that the terminal goes away:
// what runs is left interrupted, to be resumed, and not cancelled.
var ErrLeave = errors.New("the terminal goes away")

// Front is one terminal attached to a daemon. It implements protocol.Client.
type Front struct {
	protocol.NoWindows
	o     Options
	show  *renderer
	input *lines
	// asking holds a token while nothing is being asked.
	asking chan struct{}
	course *course
	floor  floor
	// draft is a prompt that is not complete; one goroutine at a time reads prompts.
	draft    draft
	hintOnce sync.Once
	// gone ends when the daemon is gone.
	gone context.Context
	lose context.CancelFunc
	// deserted ends when a decision is needed and nobody is there to make it.
	deserted context.Context
	desert   context.CancelFunc
	// numbers of commands; errands are on their way to the daemon.
	numbers *jobNumbers
	errands sync.WaitGroup

	mu sync.Mutex // guards the rest
	// taskID of the one task that is shown; plan is its checklist.
	taskID string
	plan   []event.PlanEntry
	server protocol.Server
	// withdraw ends the question that is open; nil when none is.
	withdraw context.CancelFunc
	// unanswered is true once the turn needed a decision and nobody was there.
	unanswered bool
	// leaving is true once the front hangs up by itself; exiting once the user
	// has said, while a turn ran, that the conversation ends with it.
	leaving, exiting bool
	// ending is the exit code of a task that was begun, once it is known.
	ending *int
	// commands that are more than their calls, by id, until they have exited.
	commands map[string]*watched
	// grants are rules whose call has not begun.
	grants []granted
}

var _ protocol.Client = (*Front)(nil)

// New returns a front; Attach it to a server before Run.
func New(o Options) *Front {
	f := &Front{
		o:        o,
		show:     newRenderer(o),
		commands: map[string]*watched{},
		input:    &lines{r: o.In, typed: o.InTTY, ch: make(chan line, ahead), stop: make(chan struct{})},
		asking:   make(chan struct{}, 1),
		course:   newCourse(),
	}
	f.numbers = f.show.numbers
	f.asking <- struct{}{}
	f.gone, f.lose = context.WithCancel(context.Background())
	f.deserted, f.desert = context.WithCancel(context.Background())
	return f
}

// Capabilities are what this front announces in initialize.
func Capabilities(version string) *protocol.ClinedClient {
	c := &protocol.ClinedClient{Protocol: protocol.ProtocolRange{Min: protocol.Version, Max: protocol.Version}}
	c.Client.Name, c.Client.Version = "clined terminal", version
	c.Caps.Approvals = &protocol.ApprovalCaps{Feedback: &protocol.Empty{}}
	c.Caps.Asks = &protocol.Empty{}
	c.Caps.Transcript = &protocol.Empty{}
	return c
}

// Attach tells the front which daemon it talks to.
func (f *Front) Attach(s protocol.Server) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.server = s
}

// Close lets go of In: what was read ahead is dropped. Hanging up does it, too.
func (f *Front) Close() { f.input.close() }

// Show prints a line about the run itself, such as which model is used.
func (f *Front) Show(text string) { f.show.note(text) }

// TaskEvent shows an event.
func (f *Front) TaskEvent(_ context.Context, p *protocol.TaskEventParams) error {
	if st, ok := p.Event.Event.(event.State); ok && st.State == event.Idle {
		f.withdrawn() // nothing is asked any more
	}
	if f.o.JSON {
		if err := f.show.json(p); err != nil {
			return err
		}
	} else {
		f.show.event(p.TurnID, p.Event.Event)
	}
	switch e := p.Event.Event.(type) {
	case event.Plan:
		f.setPlan(e.Entries)
	case event.Terminal:
		f.terminal(p.TaskID, e)
	case event.ToolCall:
		f.stored(e)
	}
	f.course.note(p.TurnID, p.Event.Event)
	return nil
}

func (f *Front) setPlan(list []event.PlanEntry) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.plan = list
}

func (f *Front) setTask(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.taskID = id
}

// withdrawn ends the question that is open, if one is.
func (f *Front) withdrawn() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.withdraw != nil {
		f.withdraw()
	}
}

// ShowMessage prints what the daemon says apart from a task.
func (f *Front) ShowMessage(_ context.Context, p *protocol.ShowMessageParams) error {
	switch p.Type {
	case protocol.MessageError:
		f.show.failure(p.Message, "")
	case protocol.MessageWarning:
		f.show.warning(p.Message)
	default:
		f.show.note(p.Message)
	}
	return nil
}

// LogMessage is for editors with a log view; the terminal has none.
func (f *Front) LogMessage(context.Context, *protocol.ShowMessageParams) error { return nil }

// ApplyEdit is never asked of a terminal: it has no buffers.
func (f *Front) ApplyEdit(context.Context, *protocol.ApplyEditParams) (*protocol.ApplyEditResult, error) {
	return &protocol.ApplyEditResult{FailureReason: "a terminal has no buffers"}, nil
}

// Lost tells that the daemon is gone. It does nothing once the front has hung
// up by itself.
func (f *Front) Lost(err error) {
	f.mu.Lock()
	leaving := f.leaving
	f.leaving = true
	f.mu.Unlock()
	if leaving {
		return
	}
	f.withdrawn()
	message := "the daemon is gone: the connection was closed"
	if err != nil {
		message = fmt.Sprintf("the daemon is gone: %v", err)
	}
	f.show.end()
	f.show.failure(message, "")
	f.lose()
}

// leaves reports whether the front has hung up by itself.
func (f *Front) leaves() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.leaving
}

func (f *Front) task() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.taskID
}

func (f *Front) daemon() protocol.Server {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.server
}
