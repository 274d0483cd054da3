package server

import (
	"context"
	"sync"

	"clined/internal/protocol"
	"clined/internal/rpc"
)

// close takes the view away.
func (v *view) close(revert bool) { v.t.s.views.close([]*view{v}, revert) }

// takeBack takes a view away that is not tried again.
func (v *view) takeBack(revert bool) {
	if v.end() {
		v.tellClosed(revert)
	}
}

// tellClosed says that the view is to go, and waits for that, but not for long.
func (v *view) tellClosed(revert bool) {
	v.t.s.views.wait(revert, v.startClosing(revert))
}

// farewell is how far the end of a view is.
type farewell struct {
	// queued is closed when nothing that is told the editor can come before it,
	// answered when it is done.
	queued, answered <-chan struct{}
}

// startClosing says so. It also works at the end of the session, and for a call
// whose context has ended: what the view did to the editor is to be undone.
func (v *view) startClosing(revert bool) farewell {
	s := v.t.s
	queued, answered := make(chan struct{}), make(chan struct{})
	once := sync.OnceFunc(func() { close(queued) })
	s.views.closing.Go(func() {
		defer close(answered)
		defer once()
		ctx := rpc.OnQueued(context.WithoutCancel(s.ctx), once)
		if _, err := request(ctx, v, viewLimit, s.client.DiffClose, &protocol.DiffCloseParams{DiffID: v.id, Revert: revert}); err != nil {
			s.log.Debug("the end of a diff view was not answered", "err", err)
		}
	})
	return farewell{queued, answered}
}
