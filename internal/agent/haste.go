package agent

import (
	"context"
	"sync"
	"time"
)

// grace is how long the disk is waited for once the user has cancelled, or the
// task's life is over: time in which nothing is written does not count.
const grace = 2 * time.Second

// errSlowDisk ends a write that somebody waited for long enough.
var errSlowDisk = slowDisk{}

type slowDisk struct{}

func (slowDisk) Error() string { return "the disk did not answer in time" }

func (slowDisk) UserHint() string {
	return "see whether another program keeps the database of the state folder locked, then try again"
}

// lasting is for writing down what a context ends: a write outlives it, and all
// of them together by the grace.
type lasting struct {
	ctx   context.Context // never ends
	haste haste
	// free lets the context go.
	free func() bool
}

func outlive(ctx context.Context) *lasting {
	l := &lasting{ctx: context.WithoutCancel(ctx)}
	l.free = context.AfterFunc(ctx, func() { l.haste.begin() })
	return l
}

func (l *lasting) write(f func(context.Context) error) error { return l.haste.write(l.ctx, f) }

// haste has writes end soon when somebody waits for that, such as a Cancel: one
// grace for all of them together, which is only spent while one is under way.
type haste struct {
	mu sync.Mutex // guards the rest
	// waiting counts who waits.
	waiting int
	// left of the grace, less what was spent since the timer runs, which it does
	// during a write that somebody waits for.
	left  time.Duration
	since time.Time
	timer *time.Timer
	// cut ends the write under way, nil when there is none.
	cut context.CancelCauseFunc
}

// begin tells that somebody waits; end tells that they do not any more.
func (h *haste) begin() (end func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.waiting++; h.waiting == 1 {
		h.left = grace
		h.run()
	}
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.waiting--; h.waiting == 0 {
			h.rest()
		}
	}
}

// write runs a write with a context that ends with ctx, or in haste. One thing
// is written at a time.
func (h *haste) write(ctx context.Context, f func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	h.mu.Lock()
	h.cut = cancel
	h.run()
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.rest()
		h.cut = nil
	}()
	return f(ctx)
}

// run spends the grace if somebody waits for a write. h.mu is held, here and in rest.
func (h *haste) run() {
	switch {
	case h.waiting == 0 || h.cut == nil:
		return
	case h.left <= 0:
		h.cut(errSlowDisk)
		return
	}
	cut := h.cut
	h.since = time.Now()
	h.timer = time.AfterFunc(h.left, func() { cut(errSlowDisk) })
}

// rest keeps what is left of the grace.
func (h *haste) rest() {
	if h.timer == nil {
		return
	}
	h.timer.Stop()
	h.timer = nil
	h.left -= time.Since(h.since)
}
