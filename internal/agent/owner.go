package agent

import (
	"context"

	"clined/internal/event"
	"clined/internal/transcript"
)

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
	cancel context.CancelCauseFunc
}

// queued is a prompt on its way to a turn.
type queued struct {
	Accepted
	prompt Prompt
	// resume goes on with what was interrupted; instead names the message of
	// the user that the prompt replaces.
	resume  bool
	instead string
	// took, if set, is told what the prompt became, once it was accepted.
	took *Accepted
}

// told is called once the prompt is accepted.
func (q *queued) told() {
	if q.took != nil {
		*q.took, q.took = q.Accepted, nil
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
			return // what is queued stays on record as waiting
		}
	}
}

// dropQueue discards the prompts that wait.
func (o *owner) dropQueue() {
	for _, q := range append(o.t.options.takeSteering(), o.queue...) {
		o.t.emit.Emit(q.TurnID, userMessage(q, event.Discarded))
	}
	o.queue = nil
}

// accept starts a turn, or lets the prompt wait for the end of the one that runs.
func (o *owner) accept(q queued) error {
	switch {
	case o.running == nil:
		return o.start(q)
	case !q.prompt.Queue:
		return ErrBusy
	case len(o.queue) >= maxQueue:
		return ErrQueueFull
	}
	o.t.emit.Emit(q.TurnID, userMessage(q, event.Pending))
	if err := o.t.c.Journal.Sync(o.ctx); err != nil {
		o.t.emit.Emit(q.TurnID, userMessage(q, event.Discarded))
		return err
	}
	q.told()
	o.queue = append(o.queue, q)
	return nil
}

// steer lets the running turn hear the prompt at its next safe point.
func (o *owner) steer(q queued) error {
	if !o.t.options.room() {
		return ErrQueueFull
	}
	o.t.emit.Emit(q.TurnID, userMessage(q, event.Pending)) // before the turn hears it
	q.told()
	o.t.options.steer(q)
	return o.t.c.Journal.Sync(o.ctx)
}

// start takes the task and begins a turn. The prompt is on disk when it
// returns; after an error nothing was told of it.
func (o *owner) start(q queued) error {
	if err := o.take(q.TurnID); err != nil {
		return err
	}
	if err := o.prepare(&q); err != nil {
		o.giveBack(q.TurnID, event.Cancelled)
		return err
	}
	if m := q.prompt.Mode; m != "" && m != o.t.Mode() {
		o.t.SetMode(m)
		if o.t.c.Options != nil {
			o.t.emit.Emit(q.TurnID, event.Config{Options: o.t.c.Options()})
		}
	}
	if len(q.prompt.Parts) > 0 {
		o.t.emit.Emit(q.TurnID, userMessage(q, event.Done))
	}
	o.t.emit.Emit(q.TurnID, event.State{State: event.Running})
	if err := o.t.c.Journal.Sync(o.ctx); err != nil {
		o.unstarted(q, err)
		return err
	}
	ctx, cancel := context.WithCancelCause(o.ctx)
	o.running = &runningTurn{id: q.TurnID, cancel: cancel}
	tn := newTurn(o.t, q, o.conv)
	go func() {
		end := tn.runSafely(ctx)
		cancel(nil)
		o.t.mailbox <- func(o *owner) { o.finished(q.TurnID, end) }
	}()
	q.told()
	return nil
}

// unstarted ends a turn that could not be recorded. A prompt that was accepted
// before waits for whoever takes the task up, when it is the end of the task's
// life that came in between.
func (o *owner) unstarted(q queued, err error) {
	status, end := event.Discarded, event.State{State: event.Idle, StopReason: event.Failed, Error: journalFailure(err)}
	if q.took == nil && o.ctx.Err() != nil {
		status, end = event.Pending, event.State{State: event.Idle, StopReason: event.Interrupted}
	}
	if len(q.prompt.Parts) > 0 {
		o.t.emit.Emit(q.TurnID, userMessage(q, status))
	}
	o.giveBack(q.TurnID, end.StopReason)
	o.t.emit.Emit(q.TurnID, end)
}

// take makes the task this process's, and learns what it does not know of it.
func (o *owner) take(turnID string) error {
	h, err := o.t.c.Journal.Begin(o.ctx, turnID)
	if err != nil || h == nil {
		return err
	}
	o.conv = restore(h)
	o.forget()
	if h.UserChecklist != "" {
		o.t.options.setChecklist(h.UserChecklist)
	}
	if h.Damage != "" {
		o.t.emit.Emit("", event.Notice{Severity: "warning", Text: h.Damage,
			Hint: "the task goes on with what could be read"})
	}
	return nil
}

func (o *owner) forget() {
	if o.t.c.Forget != nil {
		o.t.c.Forget()
	}
}

// prepare makes the conversation ready for what the prompt is.
func (o *owner) prepare(q *queued) error {
	switch {
	case q.instead != "":
		id := o.conv.rewind(q.instead)
		if id == "" {
			return ErrNoMessage
		}
		if err := o.t.c.Journal.Rewind(o.ctx, id); err != nil {
			o.conv = &conversation{ids: map[string]bool{}} // the journal is asked anew
			return err
		}
		o.forget()
		o.t.emit.Emit(q.TurnID, event.Rewind{MessageID: id})
	case q.resume && o.conv.left == nil && len(q.prompt.Parts) == 0:
		if o.conv.first() {
			return ErrNothing
		}
		q.prompt.Parts = []transcript.Part{transcript.TextPart(goOnWords)}
	}
	return nil
}

// giveBack ends the turn in the journal.
func (o *owner) giveBack(turnID string, reason event.StopReason) {
	if err := o.t.c.Journal.End(context.WithoutCancel(o.ctx), turnID, reason); err != nil {
		o.t.c.Log.Warn("the end of a turn was not recorded", "turn", turnID, "err", err)
	}
}

func (o *owner) finished(turnID string, end ending) {
	o.running = nil
	o.giveBack(turnID, end.reason) // before it is told: who hears of it may look, or go on elsewhere
	o.t.emit.Emit(turnID, event.State{State: event.Idle, StopReason: end.reason, Error: end.failure})
	late := o.t.options.takeSteering() // came too late for a safe point
	for i := range late {
		late[i].TurnID = o.t.c.NewID()
	}
	o.queue = append(late, o.queue...)
	for len(o.queue) > 0 && o.running == nil && o.ctx.Err() == nil {
		next := o.queue[0]
		o.queue = o.queue[1:]
		if err := o.start(next); err != nil && o.ctx.Err() == nil { // else it stays on record as waiting
			o.t.emit.Emit(next.TurnID, userMessage(next, event.Discarded))
			o.t.emit.Emit(next.TurnID, event.State{State: event.Idle, StopReason: event.Failed, Error: journalFailure(err)})
		}
	}
}

func userMessage(q queued, status event.Status) event.Message {
	return event.Message{MessageID: q.MessageID, Role: "user", Content: contents(q.prompt.Parts), Status: status}
}
