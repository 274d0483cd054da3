package sse

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"time"
)

// IdleError is the cause of a context that an Idle ended.
type IdleError struct{ Limit time.Duration }

func (e *IdleError) Error() string {
	return fmt.Sprintf("nothing was received for %s", e.Limit)
}

// Idle ends a context when a wait for the other side takes longer than its
// limit. It counts only while something waits: neither a long stream nor a slow
// consumer ends it. There is no limit on the whole.
type Idle struct {
	limit  atomic.Int64
	cancel context.CancelCauseFunc
	timer  *time.Timer
}

// WithIdle returns a context under parent and the Idle that may end it, with an
// IdleError as its cause. The caller calls Close when done.
func WithIdle(parent context.Context, limit time.Duration) (context.Context, *Idle) {
	ctx, cancel := context.WithCancelCause(parent)
	i := &Idle{cancel: cancel}
	i.SetLimit(limit)
	i.timer = time.AfterFunc(limit, func() {
		cancel(&IdleError{Limit: time.Duration(i.limit.Load())})
	})
	i.timer.Stop()
	return ctx, i
}

// SetLimit changes the limit from the next wait on.
func (i *Idle) SetLimit(d time.Duration) { i.limit.Store(int64(d)) }

// Wait runs f, which waits for the other side and must return when the context ends.
func (i *Idle) Wait(f func()) {
	i.timer.Reset(time.Duration(i.limit.Load()))
	defer i.timer.Stop()
	f()
}

// Close frees the timer and ends the context.
func (i *Idle) Close() {
	i.timer.Stop()
	i.cancel(context.Canceled)
}

// Reader returns r with each Read under the limit. Reads of r must return when
// the context ends, as those of an HTTP response body do.
func (i *Idle) Reader(r io.Reader) io.Reader { return &idleReader{i, r} }

type idleReader struct {
	idle *Idle
	r    io.Reader
}

func (r *idleReader) Read(p []byte) (n int, err error) {
	r.idle.Wait(func() { n, err = r.r.Read(p) })
	return n, err
}
