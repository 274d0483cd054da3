package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

// Request is what a Handler is given.
type Request struct {
	Method string
	// Params as they came; nil when there were none.
	Params json.RawMessage
	// Notification is true when no answer is sent.
	Notification bool
}

// Handler handles what the peer sends. For a request it returns the result
// (encoded as JSON, nil as null) or an error: an *Error as it is, any other as
// -32603 with its text; for a notification only ErrMethodNotFound and the log
// matter. A panic is logged and answered with -32603.
//
// ctx ends when the peer cancels the request or the connection ends.
type Handler func(ctx context.Context, r *Request) (any, error)

// Options of a connection. The zero value is good.
type Options struct {
	// Framing; default: Sniff.
	Framing Framing
	// MaxMessage in bytes; default: DefaultMaxMessage. A larger one is skipped
	// and answered with an error.
	MaxMessage int
	// QueueBytes may wait to be written before droppable messages are dropped;
	// default 8 MiB. At sixteen times as much the peer is given up.
	QueueBytes int
	// Stall is how long the peer may refuse to read before it is given up;
	// default 30 s.
	Stall time.Duration
	// InTurn names notifications that wait their turn behind the requests
	// before them, instead of being handled at once. Nil: none.
	InTurn func(method string) bool
	// Log for maintainers; default: none.
	Log *slog.Logger
}

// drainLimit bounds the wait for running handlers when the input has ended,
// and for the queue to be written when a connection closes.
const drainLimit = 2 * time.Second

// Conn is one connection; both sides may call and be called.
type Conn struct {
	opts    Options
	log     *slog.Logger
	rwc     io.ReadWriteCloser
	handler Handler
	lib     *jsonrpc2.Conn
	started chan struct{} // closed when lib is set

	in  *frameReader
	out *queue
	// current is the message that ReadObject found for Handle; both run on
	// the read loop.
	current *message

	ctx    context.Context // of handlers
	cancel context.CancelFunc
	// input ends when no more responses can come.
	input    context.Context
	endInput context.CancelFunc

	calls calls
	turns turns

	stopOnce sync.Once
	stop     chan struct{} // closed to end the connection
	done     chan struct{}
	errMu    sync.Mutex
	err      error
}

// NewConn starts a connection on rwc, which it owns. bind makes the handler;
// it may keep the Conn, and send notifications on it, but not call. The end of
// ctx closes the connection.
func NewConn(ctx context.Context, rwc io.ReadWriteCloser, bind func(*Conn) Handler, opts Options) *Conn {
	opts = opts.withDefaults()
	c := &Conn{opts: opts, log: opts.Log, rwc: rwc, started: make(chan struct{}),
		stop: make(chan struct{}), done: make(chan struct{})}
	c.ctx, c.cancel = context.WithCancel(ctx)
	c.input, c.endInput = context.WithCancel(c.ctx)
	c.calls.pending = map[uint64]*pendingCall{}
	c.turns.init(c)
	c.out = newQueue(opts.QueueBytes, opts.Stall, c.giveUp)
	c.in = newFrameReader(rwc, opts.Framing, opts.MaxMessage, c.out.setFraming)
	if opts.Framing != Sniff {
		c.out.setFraming(opts.Framing)
	}
	c.handler = bind(c)
	c.lib = jsonrpc2.NewConn(context.WithoutCancel(ctx), stream{c}, stream{c}, jsonrpc2.SetLogger(silent{}))
	close(c.started)
	go c.out.run(rwc)
	go c.reap()
	return c
}

func (o Options) withDefaults() Options {
	if o.MaxMessage <= 0 {
		o.MaxMessage = DefaultMaxMessage
	}
	if o.QueueBytes <= 0 {
		o.QueueBytes = 8 << 20
	}
	if o.Stall <= 0 {
		o.Stall = 30 * time.Second
	}
	if o.InTurn == nil {
		o.InTurn = func(string) bool { return false }
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// Close writes what is queued (for at most two seconds), closes the stream and
// waits for the handlers to return. It must not be called from a handler.
func (c *Conn) Close() error {
	c.out.setFraming(Header)
	c.out.finish(drainLimit)
	c.giveUp(nil)
	<-c.done
	return c.Err()
}

// Done is closed when the connection has ended and all handlers have returned.
// (A read or write that the stream's Close could not wake is not waited for.)
func (c *Conn) Done() <-chan struct{} { return c.done }

// Wait waits for the end and tells its reason, as Err does.
func (c *Conn) Wait() error {
	<-c.done
	return c.Err()
}

// Err tells why the connection ended: nil when either side closed it.
func (c *Conn) Err() error {
	c.errMu.Lock()
	defer c.errMu.Unlock()
	return c.err
}

// giveUp makes the connection end; it does not wait. The first reason counts.
func (c *Conn) giveUp(err error) {
	c.stopOnce.Do(func() {
		c.errMu.Lock()
		if err != nil && !isHangUp(err) {
			c.err = err
		}
		c.errMu.Unlock()
		close(c.stop)
	})
}

// reap is the one place where a connection ends.
func (c *Conn) reap() {
	select {
	case <-c.stop:
	case <-c.lib.DisconnectNotify():
	case <-c.ctx.Done():
		c.out.setFraming(Header)
		c.out.finish(drainLimit)
	}
	c.giveUp(nil)
	_ = c.lib.Close() // closes the stream, unless the read loop just did
	c.turns.close()
	close(c.done)
}

// reply queues a response.
func (c *Conn) reply(id json.RawMessage, result any, failure *Error) {
	if err := c.out.push(&item{body: encodeReply(id, result, failure)}); err != nil {
		c.log.Debug("response not sent", "err", err)
	}
}

// isHangUp tells the ordinary ends of a stream.
func isHangUp(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.ErrClosedPipe) ||
		errors.Is(err, os.ErrClosed) || errors.Is(err, ErrClosed)
}

// silent is the library's logger: what it would tell is no news to us.
type silent struct{}

func (silent) Printf(string, ...any) {}
