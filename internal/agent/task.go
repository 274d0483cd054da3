// Package agent owns a task: the conversation, its turns, and the loop that
// asks a model, runs the calls it makes and asks again until the task is done,
// a limit is met or the user stops it.
//
// One goroutine owns a task and is reached through a mailbox; while a turn
// runs, the turn's goroutine owns the conversation. The package never touches
// disk, network, editor or terminal: power comes through the ports in
// ports.go, so any turn can run in a test. It imports vocabulary only. daemon
// and server use it.
package agent

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"

	"clined/internal/event"
	"clined/internal/tools"
	"clined/internal/transcript"
)

// Config is what a task is made of. All ports are required.
type Config struct {
	Models  Models
	Tools   Toolbox
	Prompt  Prompter
	Journal Journal
	Sink    Sink
	Asker   Asker
	Clock   Clock
	// NewID makes ids for turns and messages.
	NewID func() string
	Mode  tools.Mode
	// Options are told to fronts when a prompt changes the mode; nil tells nothing.
	Options func() []event.Option
	// MaxRequests per turn before the user is asked to go on; 0 for no limit.
	MaxRequests int
	// PlainTextEnds takes a reply without a call as the end of the turn for
	// next-gen models, instead of reminding them of the tools.
	PlainTextEnds bool
	Log           *slog.Logger
}

// Prompt is something the user says.
type Prompt struct {
	// Parts are Text and ImagePart parts.
	Parts []transcript.Part
	// Mode, if set, becomes the task's mode together with the prompt.
	Mode tools.Mode
	// Queue lets it wait for the end of a running turn.
	Queue bool
}

// Accepted names the turn that will carry a prompt, and its message.
type Accepted struct{ TurnID, MessageID string }

// Errors of a task's methods.
var (
	// ErrBusy: a turn runs and the prompt was not to be queued.
	ErrBusy = errors.New("the task is busy with another turn")
	// ErrTurnMismatch: the turn to be cancelled is not the one that runs.
	ErrTurnMismatch = errors.New("that turn is not running")
	// ErrClosed: the task was closed.
	ErrClosed = errors.New("the task is closed")
)

// Task is one task. Its methods may be called from any goroutine and return at
// once; what happens is told to the Sink.
type Task struct {
	c       Config
	emit    emitter
	options *options
	mailbox chan func(*owner)
	stop    context.CancelFunc
	done    chan struct{}
}

// owner is the state of the task's goroutine. Nobody else touches it.
type owner struct {
	t       *Task
	ctx     context.Context
	conv    *conversation // the turn's while one runs
	running *runningTurn
	queue   []queued
}

type runningTurn struct {
	id     string
	cancel context.CancelFunc
}

type queued struct {
	Accepted
	prompt Prompt
}

// New starts a task that waits for its first prompt. It ends with ctx or Close.
func New(ctx context.Context, c Config) *Task {
	ctx, stop := context.WithCancel(ctx)
	t := &Task{
		c:       c,
		emit:    emitter{sink: c.Sink},
		options: &options{mode: c.Mode},
		mailbox: make(chan func(*owner)),
		stop:    stop,
		done:    make(chan struct{}),
	}
	if t.options.mode == "" {
		t.options.mode = tools.Act
	}
	go t.own(ctx)
	return t
}

// Close cancels what runs and waits for its end.
func (t *Task) Close() {
	t.stop()
	<-t.done
}

// Prompt gives the task something to do.
func (t *Task) Prompt(p Prompt) (Accepted, error) {
	var acc Accepted
	err := t.tell(func(o *owner) error {
		if o.ctx.Err() != nil {
			return ErrClosed
		}
		if o.running != nil && !p.Queue {
			return ErrBusy
		}
		acc = Accepted{TurnID: t.c.NewID(), MessageID: t.c.NewID()}
		o.accept(queued{Accepted: acc, prompt: p})
		return nil
	})
	return acc, err
}

// Cancel stops the running turn, if it is turnID or turnID is "", and drops
// what is queued. When turnID waits in the queue it drops that one only.
// Cancelling an idle task does nothing.
func (t *Task) Cancel(turnID string) error {
	return t.tell(func(o *owner) error {
		i := slices.IndexFunc(o.queue, func(q queued) bool { return q.TurnID == turnID })
		switch {
		case i >= 0:
			t.emit.Emit(turnID, userMessage(o.queue[i], event.Discarded))
			o.queue = slices.Delete(o.queue, i, i+1)
			return nil
		case o.running != nil && turnID != "" && turnID != o.running.id:
			return ErrTurnMismatch
		}
		o.dropQueue()
		if o.running != nil {
			o.running.cancel()
		}
		return nil
	})
}

// Mode returns the current mode.
func (t *Task) Mode() tools.Mode { return t.options.Mode() }

// SetMode changes the mode for all calls and requests from now on.
func (t *Task) SetMode(m tools.Mode) { t.options.SetMode(m) }

// Tell shows something to the user that is not part of a turn.
func (t *Task) Tell(e event.Event) { t.emit.Emit("", e) }

// tell runs f on the owner's goroutine and waits for it.
func (t *Task) tell(f func(*owner) error) error {
	reply := make(chan error, 1)
	select {
	case t.mailbox <- func(o *owner) { reply <- f(o) }:
		return <-reply
	case <-t.done:
		return ErrClosed
	}
}

func (t *Task) own(ctx context.Context) {
	defer close(t.done)
	o := &owner{t: t, ctx: ctx, conv: &conversation{ids: map[string]bool{}}}
	for {
		select {
		case f := <-t.mailbox:
			f(o)
		case <-ctx.Done():
			for o.running != nil { // its context ended with ours
				f := <-t.mailbox
				f(o)
			}
			o.dropQueue()
			return
		}
	}
}

// dropQueue discards the prompts that wait.
func (o *owner) dropQueue() {
	for _, q := range o.queue {
		o.t.emit.Emit(q.TurnID, userMessage(q, event.Discarded))
	}
	o.queue = nil
}

func (o *owner) accept(q queued) {
	if o.running != nil {
		o.queue = append(o.queue, q)
		o.t.emit.Emit(q.TurnID, userMessage(q, event.Pending))
		return
	}
	o.start(q)
}

func (o *owner) start(q queued) {
	ctx, cancel := context.WithCancel(o.ctx)
	o.running = &runningTurn{id: q.TurnID, cancel: cancel}
	if q.prompt.Mode != "" && q.prompt.Mode != o.t.Mode() {
		o.t.SetMode(q.prompt.Mode)
		if o.t.c.Options != nil {
			o.t.emit.Emit(q.TurnID, event.Config{Options: o.t.c.Options()})
		}
	}
	o.t.emit.Emit(q.TurnID, userMessage(q, event.Done))
	o.t.emit.Emit(q.TurnID, event.State{State: event.Running})
	tn := newTurn(o.t, q, o.conv)
	go func() {
		end := tn.runSafely(ctx)
		cancel()
		o.t.mailbox <- func(o *owner) { o.finished(q.TurnID, end) }
	}()
}

func (o *owner) finished(turnID string, end ending) {
	o.running = nil
	o.t.emit.Emit(turnID, event.State{State: event.Idle, StopReason: end.reason, Error: end.failure})
	if len(o.queue) > 0 && o.ctx.Err() == nil {
		next := o.queue[0]
		o.queue = o.queue[1:]
		o.start(next)
	}
}

// emitter lets the owner and a turn emit, one at a time.
type emitter struct {
	mu   sync.Mutex // guards the order of calls to sink
	sink Sink
}

func (e *emitter) Emit(turnID string, ev event.Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.sink.Emit(turnID, ev)
}

// options are what the user may change while a turn runs.
type options struct {
	mu   sync.Mutex // guards mode
	mode tools.Mode
}

func (o *options) Mode() tools.Mode {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.mode
}

func (o *options) SetMode(m tools.Mode) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.mode = m
}

func userMessage(q queued, status event.Status) event.Message {
	return event.Message{MessageID: q.MessageID, Role: "user", Content: contents(q.prompt.Parts), Status: status}
}
