package agent

import (
	"context"
	"errors"
	"slices"

	"clined/internal/event"
)

// dropQueue discards the prompts that wait, and tells whether there were any.
func (o *owner) dropQueue() bool {
	list := append(o.t.options.takeSteering(), o.queue...)
	for _, q := range list {
		o.t.emit.Emit(q.TurnID, userMessage(q, event.Discarded))
	}
	o.queue = nil
	return len(list) > 0
}

// cancel serves a Cancel; r is the turn that it stopped already, as its nth.
func (o *owner) cancel(turnID string, r *runningTurn, nth int64) error {
	i := slices.IndexFunc(o.queue, func(q queued) bool { return q.TurnID == turnID })
	if r != nil && r != o.running && r.heeded < nth { // it had ended already
		r = nil
	}
	switch {
	case i >= 0:
		o.t.emit.Emit(turnID, userMessage(o.queue[i], event.Discarded))
		o.queue = slices.Delete(o.queue, i, i+1)
		return o.sync()
	case r == nil && o.running != nil && turnID != "" && turnID != o.running.id:
		return ErrTurnMismatch
	case r == nil && o.running != nil: // it began meanwhile
		r = o.running
		nth = r.stop()
	}
	switch {
	case r == nil && turnID != "":
		return o.dropLeft(turnID)
	case r == nil:
		return nil
	case r == o.running:
		o.heed(r, nth)
	}
	if !r.dropped {
		return nil
	}
	return o.sync()
}

// dropLeft discards the prompts that wait on record for a turn, as those do that a
// process left which ended. The task is taken meanwhile, so that nobody says them.
func (o *owner) dropLeft(turnID string) error {
	waiting := func() (list []event.Message, err error) {
		err = o.t.haste.write(o.ctx, func(ctx context.Context) error {
			list, err = o.t.c.Journal.Waiting(ctx, turnID)
			return err
		})
		return list, err
	}
	if list, err := waiting(); err != nil || len(list) == 0 {
		return err
	}
	err := o.t.haste.write(o.ctx, func(ctx context.Context) error {
		_, err := o.t.c.Journal.Begin(ctx, o.t.c.NewID(), true)
		return err
	})
	if err != nil {
		return err
	}
	o.known = false // what is left is to be read again
	list, err := waiting()
	for _, m := range list {
		m.Status = event.Discarded
		o.t.emit.Emit(turnID, m)
	}
	recording := outlive(o.ctx)
	defer recording.free()
	return errors.Join(err, o.record(recording, o.t.c.Journal.Abandon))
}

// heed discards what waits for the end of a turn that was stopped for the nth time.
// What comes later may wait again.
func (o *owner) heed(r *runningTurn, nth int64) {
	r.heeded = max(r.heeded, nth)
	r.dropped = o.dropQueue() || r.dropped
}
