package server

import (
	"context"
	"strings"
	"sync"
	"time"

	"clined/internal/protocol"
	"clined/internal/rpc"
)

// settling is how long a plain LSP client is left alone behind an answer to it.
// eglot waits for an answer by reading until it comes and leaves what it read
// behind it lying until more bytes arrive: a request of ours there would not be
// seen, and nobody would send more. A notification behind the request does not
// help, for it lies there with it; a pause does.
const settling = 150 * time.Millisecond

// wire is the connection as it is used towards the editor. To a plain LSP client
// it lets nothing of ours through: some answer any request with success and null.
type wire struct {
	s    *server
	conn *rpc.Conn

	mu sync.Mutex // guards the rest
	// calm is when the client may be asked again.
	calm time.Time
}

var _ protocol.Conn = (*wire)(nil)

func ours(method string) bool { return strings.HasPrefix(method, "clined/") }

// replies notes that an answer goes out.
func (w *wire) replies() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calm = time.Now().Add(settling)
}

// Call implements protocol.Conn.
func (w *wire) Call(ctx context.Context, method string, params, result any) error {
	if !w.s.native {
		if ours(method) {
			return rpc.ErrMethodNotFound
		}
		rpc.Release(ctx)
		if err := w.settle(ctx); err != nil {
			return err
		}
	}
	return w.conn.Call(ctx, method, params, result)
}

// settle waits until the client may be asked.
func (w *wire) settle(ctx context.Context) error {
	for {
		w.mu.Lock()
		left := time.Until(w.calm)
		w.mu.Unlock()
		if left <= 0 {
			return ctx.Err()
		}
		timer := time.NewTimer(left)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		}
	}
}

// Send implements protocol.Conn.
func (w *wire) Send(n rpc.Notification) error {
	if !w.s.native && ours(n.Method) {
		return nil
	}
	return w.conn.Send(n)
}
