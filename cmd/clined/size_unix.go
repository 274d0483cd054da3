//go:build unix

package main

import (
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// onResize calls f when the terminal has another size, until stop, which waits.
func onResize(f func()) (stop func()) {
	came := make(chan os.Signal, 1)
	signal.Notify(came, syscall.SIGWINCH)
	done := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		for {
			select {
			case <-came:
				f()
			case <-done:
				return
			}
		}
	})
	return func() {
		signal.Stop(came)
		close(done)
		watching.Wait()
	}
}
