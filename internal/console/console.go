// Package console is the terminal as an editor: it speaks the same protocol as
// any other front, shows a task as it goes, asks for approvals and puts
// questions, and says how it ended.
//
// The answer goes to Out, everything else to Err. It knows the protocol only:
// no agent, no tools, no files. cmd imports it.
package console

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

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
	// In answers approvals and questions, a line each. At its end nobody is there.
	In io.Reader
	// Color uses terminal colours on Err (and on Out when OutTTY).
	Color bool
	// OutTTY is true when Out and Err are the same terminal: an answer that was
	// already streamed there is not printed twice.
	OutTTY bool
	// JSON writes each event as a line to Out instead of the answer.
	JSON bool
	// Interactive goes on with further prompts from In after each turn.
	Interactive bool
}

// Front is one terminal attached to a daemon. It implements protocol.Client.
type Front struct {
	o     Options
	show  *renderer
	input *lines
	// ended gets the last state of each turn.
	ended chan event.State

	mu sync.Mutex // guards the rest
	// taskID of the one task that is shown.
	taskID string
	server protocol.Server
	// unanswered is true once a decision was needed and In had ended.
	unanswered bool
}

// New returns a front; Attach it to a server before Run.
func New(o Options) *Front {
	return &Front{
		o:     o,
		show:  newRenderer(o),
		input: readLines(o.In),
		ended: make(chan event.State, 16),
	}
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

// Run starts a task, shows it to its end, and returns the exit code. With
// Interactive it goes on with what In says until In ends or "/exit". An end of
// ctx cancels the turn.
func (f *Front) Run(ctx context.Context, p protocol.TaskNewParams) int {
	if len(p.Prompt) == 0 { // only in a conversation
		text, ok := f.nextPrompt(ctx)
		if !ok {
			return ExitDone
		}
		p.Prompt = protocol.Text(text)
	}
	res, err := f.server.TaskNew(ctx, &p)
	if err != nil {
		f.show.failure("the task could not be started: "+err.Error(), "")
		return ExitFailed
	}
	f.mu.Lock()
	f.taskID = res.TaskID
	f.mu.Unlock()
	code := f.wait(ctx)
	for f.o.Interactive && ctx.Err() == nil {
		text, ok := f.nextPrompt(ctx)
		if !ok {
			return code
		}
		if err := f.prompt(ctx, text); err != nil {
			f.show.failure(err.Error(), "")
			continue
		}
		code = f.wait(ctx)
	}
	return code
}

// prompt sends a line of a conversation; "/plan" and "/act" change the mode.
func (f *Front) prompt(ctx context.Context, text string) error {
	mode, rest := splitMode(text)
	if mode != "" && rest == "" {
		_, err := f.server.ConfigSet(ctx, &protocol.ConfigSetParams{TaskID: f.task(), ID: "mode", Value: mode})
		if err == nil {
			f.show.note("the mode is now " + mode)
			f.ended <- event.State{State: event.Idle, StopReason: event.Completed}
		}
		return err
	}
	_, err := f.server.TaskPrompt(ctx, &protocol.TaskPromptParams{TaskID: f.task(), Prompt: protocol.Text(rest), Mode: mode})
	return err
}

// wait shows the turn until it ends, cancels it when ctx ends, and returns the
// exit code that fits.
func (f *Front) wait(ctx context.Context) int {
	select {
	case st := <-f.ended:
		return f.code(st)
	case <-ctx.Done():
	}
	f.show.note("stopping…")
	detached := context.WithoutCancel(ctx)
	if _, err := f.server.TaskCancel(detached, &protocol.TaskCancelParams{TaskID: f.task()}); err != nil {
		return ExitCancelled
	}
	<-f.ended
	return ExitCancelled
}

func (f *Front) code(st event.State) int {
	f.mu.Lock()
	unanswered := f.unanswered
	f.mu.Unlock()
	switch {
	case unanswered, st.StopReason == event.NeedsUser:
		return ExitNeedsUser
	case st.StopReason == event.Cancelled:
		return ExitCancelled
	case st.StopReason == event.Failed:
		return ExitFailed
	}
	return ExitDone
}

func (f *Front) task() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.taskID
}

// TaskEvent shows an event.
func (f *Front) TaskEvent(_ context.Context, p *protocol.TaskEventParams) error {
	if f.o.JSON {
		if err := writeJSON(f.o.Out, p); err != nil {
			return err
		}
	} else {
		f.show.event(p.Event.Event)
	}
	if st, ok := p.Event.Event.(event.State); ok && st.State == event.Idle {
		select {
		case f.ended <- st:
		default: // nobody waits for it: more turns ended than were started here
		}
	}
	return nil
}

// ShowMessage and LogMessage print what the daemon says apart from a task.
func (f *Front) ShowMessage(_ context.Context, p *protocol.ShowMessageParams) error {
	f.show.note(p.Message)
	return nil
}

// LogMessage is for editors with a log view; the terminal has none.
func (f *Front) LogMessage(context.Context, *protocol.ShowMessageParams) error { return nil }

// ApplyEdit is never asked of a terminal: it has no buffers.
func (f *Front) ApplyEdit(context.Context, *protocol.ApplyEditParams) (*protocol.ApplyEditResult, error) {
	return &protocol.ApplyEditResult{FailureReason: "a terminal has no buffers"}, nil
}

// Lost tells that the daemon is gone.
func (f *Front) Lost(err error) {
	if err == nil {
		err = errors.New("the connection was closed")
	}
	select {
	case f.ended <- event.State{State: event.Idle, StopReason: event.Failed}:
		f.show.failure(fmt.Sprintf("the daemon is gone: %v", err), "")
	default:
	}
}

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
