package console

import (
	"context"
	"time"
)

// spawn does what takes the daemon's answer apart from its events. It is waited
// for when the front hangs up, and its context ended.
func (f *Front) spawn(do func(ctx context.Context)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.spawnLocked(do)
}

func (f *Front) spawnLocked(do func(ctx context.Context)) {
	if f.server != nil && !f.leaving {
		f.errands.Go(func() { do(f.gone) })
	}
}

// finishErrands lets what is on its way to the daemon arrive; nothing is asked
// any more.
func (f *Front) finishErrands() {
	f.withdrawn()
	f.mu.Lock()
	for _, w := range f.commands {
		w.unask()
	}
	f.mu.Unlock()
	hangs := time.AfterFunc(farewell, f.lose)
	defer hangs.Stop()
	f.errands.Wait()
	f.lose()
}
