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
	"sync"
	"sync/atomic"

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
	// Settings are asked for whenever they matter; nil for none.
	Settings func() Settings
	// Forget, if set, is called when the model no longer knows what the tools
	// and the prompt told it: after a start, or when messages were taken back.
	Forget func()
	// Previewer, if set, shows calls while the model writes them.
	Previewer Previewer
	Log       *slog.Logger
}

// Settings are what the user may change while a task lives.
type Settings struct {
	// MaxRequests of one turn, and MaxCost of the task in US dollars and each
	// time as much again, before the user is asked whether to go on; 0 is no limit.
	MaxRequests int
	MaxCost     float64
	// PlainTextEnds takes a reply without a call as the end of the turn for
	// next-gen models, instead of reminding them of the tools.
	PlainTextEnds bool
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

// maxQueue bounds the prompts that wait.
const maxQueue = 100

// Errors of a task's methods.
var (
	// ErrBusy: a turn runs and the prompt was not to be queued.
	ErrBusy = errors.New("the task is busy with another turn")
	// ErrQueueFull: too many prompts wait already.
	ErrQueueFull = errors.New("100 prompts wait already")
	// ErrTurnMismatch: the turn named is not the one that runs.
	ErrTurnMismatch = errors.New("that turn is not running")
	// ErrClosed: the task was closed.
	ErrClosed = errors.New("the task is closed")
	// ErrNothing: there is nothing to go on with.
	ErrNothing = errors.New("nothing was said in this task yet")
	// ErrNoMessage: no message of the user has that id.
	ErrNoMessage = errors.New("there is no such message of the user")
)

// Why a turn's context ends before the turn: the user stopped it. Any other
// cause is the end of the task's life here, which leaves the turn to be resumed.
var errCancelled = errors.New("cancelled by the user")

// closing reports whether ctx ended with the task's life.
func closing(ctx context.Context) bool {
	return ctx.Err() != nil && !errors.Is(context.Cause(ctx), errCancelled)
}

// Task is one task. Its methods may be called from any goroutine and return
// once the journal has what they bring; what happens is told to the Sink.
type Task struct {
	c       Config
	emit    emitter
	options *options
	mailbox chan func(*owner)
	// current is the running turn, for Cancel: the owner may be waiting for the disk.
	current atomic.Pointer[runningTurn]
	haste   haste
	life    context.Context
	stop    context.CancelFunc
	done    chan struct{}
}

// New starts a task that waits for its first prompt. It ends with ctx or Close.
func New(ctx context.Context, c Config) *Task {
	ctx, stop := context.WithCancel(ctx)
	t := &Task{
		c:       c,
		emit:    emitter{sink: c.Sink},
		options: &options{mode: c.Mode},
		mailbox: make(chan func(*owner)),
		life:    ctx,
		stop:    stop,
		done:    make(chan struct{}),
	}
	if c.Settings == nil {
		t.c.Settings = func() Settings { return Settings{} }
	}
	if t.options.mode == "" {
		t.options.mode = tools.Act
	}
	go t.own(ctx)
	return t
}

// Close ends what runs, so that it can be resumed, and waits for its end.
func (t *Task) Close() {
	t.stop()
	<-t.done
}

// Ended is closed once the task's life is over: its methods fail from then on,
// while what runs comes to its end.
func (t *Task) Ended() <-chan struct{} { return t.life.Done() }

// Prompt gives the task something to do.
func (t *Task) Prompt(p Prompt) (Accepted, error) {
	return t.give(func(o *owner, q queued) error {
		q.prompt = p
		return o.accept(q)
	})
}

// Resume goes on with a turn that was interrupted. Without one it says so to
// the model: go on. p may be empty.
func (t *Task) Resume(p Prompt) (Accepted, error) {
	return t.give(func(o *owner, q queued) error {
		if o.running != nil {
			return ErrBusy
		}
		q.prompt, q.resume = p, true
		return o.start(q)
	})
}

// EditMessage goes back to before a message of the user and says p instead.
func (t *Task) EditMessage(messageID string, p Prompt) (Accepted, error) {
	return t.give(func(o *owner, q queued) error {
		if o.running != nil {
			return ErrBusy
		}
		q.prompt, q.instead = p, messageID
		return o.start(q)
	})
}

// Steer says something to the running turn, at its next safe point. turnID "" is
// any; then a task that is idle takes it as a prompt.
func (t *Task) Steer(turnID string, p Prompt) (Accepted, error) {
	return t.give(func(o *owner, q queued) error {
		q.prompt = p
		switch {
		case o.running == nil && turnID == "":
			return o.start(q)
		case o.running == nil, turnID != "" && turnID != o.running.id:
			return ErrTurnMismatch
		}
		q.TurnID = o.running.id
		return o.steer(q)
	})
}

// give hands a new prompt to the owner.
func (t *Task) give(f func(*owner, queued) error) (acc Accepted, err error) {
	err = t.tell(func(o *owner) error {
		if o.ctx.Err() != nil {
			return ErrClosed
		}
		q := queued{Accepted: Accepted{TurnID: t.c.NewID(), MessageID: t.c.NewID()}, took: &acc}
		return f(o, q)
	})
	return acc, err
}

// Cancel stops the running turn, if it is turnID or turnID is "", and drops
// what is queued, which is on disk when it returns. When turnID waits in the queue
// it drops that one only. Cancelling an idle task does nothing. The turn is stopped
// whatever the disk does, and the disk is waited for no longer than the grace.
func (t *Task) Cancel(turnID string) error {
	defer t.haste.begin()()
	r := t.current.Load()
	if r != nil && turnID != "" && turnID != r.id {
		r = nil
	}
	var nth int64
	if r != nil {
		nth = r.stop()
	}
	return t.tell(func(o *owner) error { return o.cancel(turnID, r, nth) })
}

// SetChecklist replaces the checklist; the model is told at its next request.
func (t *Task) SetChecklist(markdown string) error {
	return t.tell(func(o *owner) error {
		if err := t.haste.write(o.ctx, t.c.Journal.Claim); err != nil {
			return err
		}
		entries := parseChecklist(markdown)
		if len(entries) == 0 {
			markdown = ""
		}
		before := t.emit.Plan()
		t.emit.Emit("", event.Plan{Entries: entries, ByUser: true})
		if err := o.sync(); err != nil {
			t.emit.Emit("", before)
			return err
		}
		t.options.checklistIs(&markdown)
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
	case t.mailbox <- func(o *owner) {
		err := f(o)
		if errors.Is(err, context.Canceled) && o.ctx.Err() != nil { // a write that the end of the task's life cut short
			err = ErrClosed
		}
		reply <- err
	}:
		return <-reply
	case <-t.done:
		return ErrClosed
	}
}

// emitter lets the owner and a turn emit, one at a time.
type emitter struct {
	mu   sync.Mutex // guards plan and the order of calls to sink
	sink Sink
	plan event.Plan // the last one
}

func (e *emitter) Emit(turnID string, ev event.Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if p, ok := ev.(event.Plan); ok {
		e.plan = p
	}
	e.sink.Emit(turnID, ev)
}

// Plan is the checklist as it was last told.
func (e *emitter) Plan() event.Plan {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.plan
}

// options are what the user may change while a turn runs.
type options struct {
	mu   sync.Mutex // guards the rest
	mode tools.Mode
	// checklist is what the user wrote and the model was not told of; nil for none.
	checklist *string
	// steering waits for the running turn's next safe point.
	steering []queued
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

func (o *options) checklistIs(markdown *string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.checklist = markdown
}

func (o *options) takeChecklist() (markdown string, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.checklist == nil {
		return "", false
	}
	markdown, o.checklist = *o.checklist, nil
	return markdown, true
}

// hasChecklist tells of a list that the model was not told of.
func (o *options) hasChecklist() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.checklist != nil
}

// room tells whether another prompt may wait for the turn; only the owner adds.
func (o *options) room() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.steering) < maxQueue
}

func (o *options) steer(q queued) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.steering = append(o.steering, q)
}

func (o *options) takeSteering() []queued {
	o.mu.Lock()
	defer o.mu.Unlock()
	list := o.steering
	o.steering = nil
	return list
}
