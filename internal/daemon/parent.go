package daemon

import (
	"context"
	"time"
)

// parentEvery is how often the editor's process is looked at.
const parentEvery = 2 * time.Second

// process is what a look at a process id finds.
type process struct {
	alive bool
	// started tells it from another process that got the same id later; ""
	// where the system does not say.
	started string
}

// awaitEnd returns true when the process of that id has ended, false when ctx
// has. The end of input tells most deaths of an editor sooner; this is for an
// editor that was killed while somebody else holds the pipe open. An editor
// that is not there at all counts as ended, as LSP 3.17 has it (processId).
func awaitEnd(ctx context.Context, pid int, look func(pid int) process) bool {
	first := look(pid)
	tick := time.NewTicker(parentEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-tick.C:
		}
		now := look(pid)
		other := first.started != "" && now.started != "" && now.started != first.started
		if !now.alive || other {
			return true
		}
	}
}
