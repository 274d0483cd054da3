package agent

import (
	"context"
	"errors"
	"sync/atomic"

	"clined/internal/event"
	"clined/internal/transcript"
)

// owner is the state of the task's goroutine. Nobody else touches it.
type owner struct {
	t       *Task
	ctx     context.Context
	conv    *conversation // the turn's while one runs
	running *runningTurn
	// queue waits for the end of the running turn; it is empty while none runs.
	queue []queued
	// known is false when conv is not what the journal holds.
	known bool
}

// runningTurn is a turn whose end is not recorded yet.
type runningTurn struct {
	id     string
	cancel context.CancelCauseFunc
	// recording writes down what is to be known of the turn.
	recording *lasting
	// stops counts how often the user stopped it, and with it what waits for its end.
	stops atomic.Int64
	// The owner's: for how many of these the prompts that wait were discarded, and
	// whether there were any.
	heeded  int64
	dropped bool
}

// stop cancels the turn for the user, and numbers that; any goroutine may call it.
func (r *runningTurn) stop() (nth int64) {
	defer r.cancel(errCancelled)
	return r.stops.Add(1)
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

// waited tells of a prompt that was accepted before its turn came.
func (q *queued) waited() bool { return q.took == nil }

func (t *Task) own(ctx context.Context) {
	defer close(t.done)
	o := &owner{t: t, ctx: ctx, conv: &conversation{ids: map[string]bool{}}, known: true}
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

// sync has all that was told be on disk.
func (o *owner) sync() error { return o.t.haste.write(o.ctx, o.t.c.Journal.Sync) }

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
	if err := o.keep(q); err != nil {
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
	if err := o.keep(q); err != nil {
		return err
	}
	q.told()
	o.t.options.steer(q) // now that it was shown, the turn may hear it
	return nil
}

// keep puts a prompt on record as waiting.
func (o *owner) keep(q queued) error {
	o.t.emit.Emit(q.TurnID, userMessage(q, event.Pending))
	err := o.sync()
	if err != nil {
		o.t.emit.Emit(q.TurnID, userMessage(q, event.Discarded))
	}
	return err
}

// start takes the task and begins a turn. The prompt is on disk when it
// returns; after an error nothing was told of it. A prompt that waited still
// waits then, and the task is not given back.
func (o *owner) start(q queued) error {
	if err := o.take(&q); err != nil {
		return err
	}
	if err := o.prepare(&q); err != nil {
		o.abandon(q)
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
	if err := o.sync(); err != nil && q.instead == "" { // which is on record already
		o.unstarted(q, err)
		return err
	}
	o.run(q)
	q.told()
	return nil
}

// run begins a turn that is on record.
func (o *owner) run(q queued) {
	ctx, cancel := context.WithCancelCause(o.ctx)
	r := &runningTurn{id: q.TurnID, cancel: cancel}
	r.recording = outlive(ctx)
	o.running = r
	o.t.current.Store(r)
	tn := newTurn(o.t, q, o.conv, r.recording)
	go func() {
		end := tn.runSafely(ctx)
		o.t.mailbox <- func(o *owner) { o.finished(r, end) }
	}()
}

// unstarted takes back what was told of a turn that could not be recorded.
func (o *owner) unstarted(q queued, err error) {
	status := event.Discarded
	if q.waited() {
		status = event.Pending
	}
	if len(q.prompt.Parts) > 0 {
		o.t.emit.Emit(q.TurnID, userMessage(q, status))
	}
	if q.waited() {
		return
	}
	o.abandon(q)
	o.t.emit.Emit(q.TurnID, event.State{State: event.Idle, StopReason: event.Failed, Error: journalFailure(err)})
}

// errSaid: what waited is not to be said any more.
var errSaid = errors.New("another process has said what waited")

// take makes the task this process's, and learns what it does not know of it.
func (o *owner) take(q *queued) error {
	var h *History
	err := o.t.haste.write(o.ctx, func(ctx context.Context) (err error) {
		h, err = o.t.c.Journal.Begin(ctx, q.TurnID, o.known)
		return err
	})
	if err != nil || h == nil {
		return err
	}
	o.conv, o.known = restore(h), true
	o.forget()
	o.t.options.checklistIs(h.UserChecklist)
	if h.Damage != "" {
		o.t.emit.Emit("", event.Notice{Severity: "warning", Text: h.Damage,
			Hint: "the task goes on with what could be read; the rest is kept as it is"})
	}
	if q.waited() { // it was another's meanwhile, and what waited is on record as said or unsent
		q.prompt.Parts, q.resume = nil, true
		for _, other := range o.queue {
			o.t.emit.Emit(other.TurnID, event.State{State: event.Idle, StopReason: event.Completed})
		}
		o.queue = nil
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
		err := o.t.haste.write(o.ctx, func(ctx context.Context) error {
			return o.t.c.Journal.Rewind(ctx, id, q.TurnID, userMessage(*q, event.Pending))
		})
		if err != nil {
			o.known = false
			return err
		}
		o.forget()
		o.t.emit.Emit(q.TurnID, event.Rewind{MessageID: id})
	case q.resume && o.conv.left == nil && len(q.prompt.Parts) == 0:
		switch {
		case q.waited():
			return errSaid
		case o.conv.first():
			return ErrNothing
		}
		q.prompt.Parts = []transcript.Part{transcript.TextPart(goOnWords)}
	}
	return nil
}

// abandon leaves the task as it was before the turn.
func (o *owner) abandon(q queued) {
	if o.conv.left != nil { // others may take of it what waits
		o.known = false
	}
	recording := outlive(o.ctx)
	defer recording.free()
	if err := o.record(recording, o.t.c.Journal.Abandon); err != nil {
		o.t.c.Log.Warn("a turn that did not begin is still on record", "turn", q.TurnID, "err", err)
	}
}

// record writes what must be written though its time is over, and in haste when a
// Cancel waits.
func (o *owner) record(l *lasting, f func(context.Context) error) error {
	return l.write(func(ctx context.Context) error { return o.t.haste.write(ctx, f) })
}

// giveBack ends the turn in the journal.
func (o *owner) giveBack(recording *lasting, turnID string, reason event.StopReason) {
	err := o.record(recording, func(ctx context.Context) error { return o.t.c.Journal.End(ctx, turnID, reason) })
	if err == nil {
		return
	}
	o.t.c.Log.Debug("the end of a turn was not recorded", "turn", turnID, "err", err) // the user reads it below
	f := journalFailure(err)
	o.t.emit.Emit(turnID, event.Notice{Severity: "warning", Text: "the end of the turn could not be recorded: " + err.Error(), Hint: f.Hint})
}

// finished is told of the end of a turn.
func (o *owner) finished(r *runningTurn, end ending) {
	defer r.recording.free()
	defer r.cancel(nil)
	if n := r.stops.Load(); n > r.heeded {
		o.heed(r, n)
	}
	late := o.t.options.takeSteering() // came too late for a safe point
	for i := range late {
		late[i].TurnID = o.t.c.NewID()
	}
	o.queue = append(late, o.queue...)
	idle := event.State{State: event.Idle, StopReason: end.reason, Error: end.failure}
	if len(o.queue) > 0 && o.ctx.Err() == nil {
		o.running = nil
		o.t.current.Store(nil)
		o.t.emit.Emit(r.id, idle)
		o.next()
		return
	}
	reason := end.reason
	if len(o.queue) > 0 { // the end of the task's life: there is something to go on with
		reason = event.Interrupted
	}
	o.giveBack(r.recording, r.id, reason) // before it is told: who hears of it may look, or go on elsewhere
	o.running = nil
	o.t.current.Store(nil)
	o.t.emit.Emit(r.id, idle)
}

// next hands the task on to the prompt that waited longest. The task is not given
// back before: whoever got it in between would take what waits for left over.
// Where that fails, all that waits stays on record for whoever goes on.
func (o *owner) next() {
	q := o.queue[0]
	o.queue = o.queue[1:]
	err := o.start(q)
	switch {
	case err == nil:
		return
	case errors.Is(err, errSaid):
		o.t.emit.Emit(q.TurnID, event.State{State: event.Idle, StopReason: event.Completed})
		return
	}
	end := event.State{State: event.Idle, StopReason: event.Interrupted}
	if o.ctx.Err() == nil {
		end.Error = stalled(err)
	}
	waiting := append([]queued{q}, o.queue...)
	o.queue, o.known = nil, false
	if taken := (*TakenError)(nil); !errors.As(err, &taken) {
		recording := outlive(o.ctx)
		defer recording.free()
		o.giveBack(recording, q.TurnID, event.Interrupted)
	}
	for _, w := range waiting {
		o.t.emit.Emit(w.TurnID, end)
	}
}

func userMessage(q queued, status event.Status) event.Message {
	return event.Message{MessageID: q.MessageID, Role: "user", Content: contents(q.prompt.Parts), Status: status}
}
