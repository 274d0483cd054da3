package console

import (
	"context"
	"sync"
)

// floor decides who hears what is typed: a question goes before the listening
// that goes on while the agent works. The zero value is of use.
type floor struct {
	mu        sync.Mutex // guards the rest
	questions int
	// calm is closed when no question is open any more.
	calm chan struct{}
	// evict calls off who listens; left is closed when they have.
	evict context.CancelFunc
	left  chan struct{}
}

// question takes the floor; nobody listens any more when it returns. done gives
// it back.
func (f *floor) question() (done func()) {
	f.mu.Lock()
	if f.questions++; f.questions == 1 {
		f.calm = make(chan struct{})
	}
	evict, left := f.evict, f.left
	f.mu.Unlock()
	if evict != nil {
		evict()
		<-left
	}
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.questions--; f.questions == 0 {
			close(f.calm)
		}
	}
}

// listen returns the next line that read gives while no question is open. ok is
// false when there is none any more, or ctx has ended.
func (f *floor) listen(ctx context.Context, read func(context.Context) (line, bool)) (s line, ok bool) {
	for ctx.Err() == nil {
		here, cancel := context.WithCancel(ctx)
		left := make(chan struct{})
		f.mu.Lock()
		if f.questions > 0 {
			calm := f.calm
			f.mu.Unlock()
			cancel()
			select {
			case <-calm:
			case <-ctx.Done():
			}
			continue
		}
		f.evict, f.left = cancel, left
		f.mu.Unlock()
		s, ok = read(here)
		over := !ok && here.Err() == nil
		f.mu.Lock()
		f.evict = nil
		f.mu.Unlock()
		cancel()
		close(left)
		if ok || over {
			return s, ok
		}
	}
	return line{}, false
}
