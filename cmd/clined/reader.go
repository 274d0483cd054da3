package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// readerEvery is how often it is looked whether anybody reads what is written.
const readerEvery = 2 * time.Second

// endWithReader ends ctx when the other end of w is closed. Until stop, which
// waits, a write to a closed pipe fails instead of killing the process by
// SIGPIPE, so that tasks and children end in order. (The signal is caught, not
// ignored: children would inherit that.)
func endWithReader(ctx context.Context, w io.Writer) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	broken := make(chan os.Signal, 1)
	signal.Notify(broken, syscall.SIGPIPE)
	var watching sync.WaitGroup
	if f, ok := w.(*os.File); ok {
		watching.Go(func() {
			defer cancel()
			tick := time.NewTicker(readerEvery)
			defer tick.Stop()
			for !readerGone(f) {
				select {
				case <-ctx.Done():
					return
				case <-tick.C:
				}
			}
		})
	}
	return ctx, func() {
		cancel()
		watching.Wait()
		signal.Stop(broken)
	}
}
