package sse

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"
)

// pipe returns a reader bound to ctx as a response body is, and its writer.
func pipe(ctx context.Context, i *Idle) (io.Reader, *io.PipeWriter) {
	pr, pw := io.Pipe()
	context.AfterFunc(ctx, func() { _ = pw.CloseWithError(context.Cause(ctx)) })
	return i.Reader(pr), pw
}

// A comment each second keeps a stream with a limit of two seconds alive.
func TestIdleAnyByteCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, idle := WithIdle(t.Context(), 2*time.Second)
		defer idle.Close()
		r, w := pipe(ctx, idle)
		go func() {
			for range 5 {
				time.Sleep(time.Second)
				_, _ = io.WriteString(w, ":")
			}
		}()
		start := time.Now()
		_, err := io.ReadAll(r)
		var cause *IdleError
		if !errors.As(err, &cause) || cause.Limit != 2*time.Second {
			t.Errorf("error %v", err)
		}
		if d := time.Since(start); d != 7*time.Second {
			t.Errorf("ended after %v, want 7s", d)
		}
	})
}

// The time the consumer takes does not count.
func TestIdleSlowConsumer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, idle := WithIdle(t.Context(), 2*time.Second)
		defer idle.Close()
		r, w := pipe(ctx, idle)
		go func() {
			_, _ = io.WriteString(w, "ab")
			_ = w.Close()
		}()
		b := make([]byte, 1)
		for range 2 {
			if _, err := r.Read(b); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Hour)
		}
		if _, err := r.Read(b); err != io.EOF {
			t.Errorf("error %v, want EOF", err)
		}
	})
}

func TestIdleSetLimitAndClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, idle := WithIdle(t.Context(), time.Hour)
		idle.SetLimit(time.Second)
		r, _ := pipe(ctx, idle)
		start := time.Now()
		if _, err := r.Read(make([]byte, 1)); err == nil || time.Since(start) != time.Second {
			t.Errorf("error %v after %v", err, time.Since(start))
		}
		idle.Close()

		ctx, idle = WithIdle(t.Context(), time.Hour)
		idle.Close()
		if ctx.Err() == nil {
			t.Error("the context outlives Close")
		}
	})
}
