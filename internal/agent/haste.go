package agent

import (
	"context"
	"sync"
	"time"
)

// grace is how long the disk is waited for once the user has cancelled, or the
// task's life is over.
const grace = 2 * time.Second

// errSlowDisk ends a write that somebody waited for long enough.
var errSlowDisk = slowDisk{}

type slowDisk struct{}

func (slowDisk) Error() string { return "the disk did not answer in time" }

func (slowDisk) UserHint() string {
	return "see whether another program keeps the database of the state folder locked, then try again"
}

// lasting returns a context for writing down what ctx ends: it outlives ctx by
// the grace. release frees it.
func lasting(ctx context.Context) (l context.Context, release func()) {
	l, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		timer := time.AfterFunc(grace, func() { cancel(errSlowDisk) })
		context.AfterFunc(l, func() { timer.Stop() })
	})
	return l, func() {
		stop()
		cancel(nil)
	}
}

// haste has the owner's writes end soon when a Cancel waits behind them: one
// grace for all of them together.
type haste struct {
	mu sync.Mutex // guards the rest
	// waiting counts the Cancels under way; timer runs while there are any.
	waiting int
	timer   *time.Timer
	// late is true once the grace is over; cut ends the write under way.
	late bool
	cut  context.CancelCauseFunc
}

// begin tells of a Cancel; end tells that it was served.
func (h *haste) begin() (end func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.waiting++; h.waiting == 1 {
		var timer *time.Timer
		timer = time.AfterFunc(grace, func() {
			h.mu.Lock()
			defer h.mu.Unlock()
			if h.timer != timer {
				return
			}
			h.late = true
			if h.cut != nil {
				h.cut(errSlowDisk)
			}
		})
		h.timer = timer
	}
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.waiting--; h.waiting == 0 {
			h.timer.Stop()
			h.timer, h.late = nil, false
		}
	}
}

// write runs a write with a context that ends with ctx, or in haste. Only the
// owner writes, one thing at a time.
func (h *haste) write(ctx context.Context, f func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	h.mu.Lock()
	h.cut = cancel
	if h.late {
		cancel(errSlowDisk)
	}
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.cut = nil
	}()
	return f(ctx)
}
