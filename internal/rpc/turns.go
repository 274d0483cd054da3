package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"runtime/debug"
	"slices"
	"sync"
	"time"
)

// maxWaiting bounds the requests that wait for their turn.
const maxWaiting = 4096

// turns begins requests in order, each on its own goroutine.
type turns struct {
	c  *Conn
	wg sync.WaitGroup // running handlers

	mu     sync.Mutex
	closed bool
	// queue waits for the turn; held is true while somebody has it.
	queue []*turn
	held  bool
	// inflight are the requests not yet answered, by idKey.
	inflight map[string]*turn
	// active counts queued and running turns; idle, if set, is closed at 0.
	active int
	idle   chan struct{}
}

// turn is a request, or a notification that waits its turn.
type turn struct {
	m      *message
	key    string // "" for a notification
	ctx    context.Context
	cancel context.CancelFunc
	pass   func()   // lets the next one begin; once
	after  []func() // of the handler's goroutine

	// Guarded by turns.mu.
	begun, cancelled bool
}

type turnKey struct{}
type notificationKey struct{}

// Release lets the requests that came after the one whose handler was given
// ctx begin before that handler has returned. It may be called more than once.
func Release(ctx context.Context) {
	if t, ok := ctx.Value(turnKey{}).(*turn); ok {
		t.pass()
	}
}

// AfterReply runs f right after the answer to the request whose handler was
// given ctx was queued, on the handler's goroutine: what f sends comes behind
// the answer. Outside of a request f runs at once.
func AfterReply(ctx context.Context, f func()) {
	t, ok := ctx.Value(turnKey{}).(*turn)
	if !ok {
		f()
		return
	}
	t.after = append(t.after, f)
}

func inNotification(ctx context.Context) bool { return ctx.Value(notificationKey{}) != nil }

func (s *turns) init(c *Conn) {
	s.c = c
	s.inflight = map[string]*turn{}
}

// dispatch takes a message from the read loop.
func (s *turns) dispatch(m *message) {
	switch {
	case m.id != nil:
		s.enqueue(m)
	case m.method == methodCancel:
		s.cancel(m.params)
	case s.c.opts.InTurn(m.method):
		s.enqueue(m)
	default:
		s.notify(m)
	}
}

// notify handles a notification in the read loop.
func (s *turns) notify(m *message) {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return
	}
	s.wg.Add(1)
	s.mu.Unlock()
	defer s.wg.Done()
	ctx := context.WithValue(s.c.ctx, notificationKey{}, true)
	_, err := s.c.handle(ctx, m)
	s.c.logNotification(m, err)
}

func (s *turns) enqueue(m *message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	t := &turn{m: m}
	if m.id != nil {
		t.key = idKey(m.id)
		if s.inflight[t.key] != nil {
			s.c.reply(m.id, nil, Errorf(CodeInvalidRequest, "invalid request: id %s is in use", m.id))
			return
		}
		if len(s.queue) >= maxWaiting {
			s.c.reply(m.id, nil, Errorf(CodeServerCancelled, "too many requests are waiting"))
			return
		}
		s.inflight[t.key] = t
	}
	t.ctx, t.cancel = context.WithCancel(s.c.ctx)
	var once sync.Once
	t.pass = func() {
		once.Do(func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.held = false
			s.nextLocked()
		})
	}
	s.active++
	s.queue = append(s.queue, t)
	s.nextLocked()
}

// nextLocked begins the first of the queue when nobody has the turn.
func (s *turns) nextLocked() {
	if s.held || s.closed || len(s.queue) == 0 {
		return
	}
	t := s.queue[0]
	s.queue[0] = nil
	s.queue = s.queue[1:]
	s.held, t.begun = true, true
	s.wg.Add(1)
	go s.serve(t)
}

// serve runs a turn to its end.
func (s *turns) serve(t *turn) {
	defer s.wg.Done()
	defer t.pass()
	result, err := s.c.handle(context.WithValue(t.ctx, turnKey{}, t), t.m)
	s.mu.Lock()
	cancelled := t.cancelled
	delete(s.inflight, t.key) // before the reply: the peer may use the id again after it
	s.mu.Unlock()
	defer s.ended(t) // after the reply: drain waits for it
	defer func() {
		for _, f := range t.after {
			f()
		}
	}()
	switch {
	case t.m.id == nil:
		s.c.logNotification(t.m, err)
	case err == nil:
		s.c.reply(t.m.id, result, nil)
	case cancelled && errors.Is(err, context.Canceled):
		s.c.reply(t.m.id, nil, Errorf(CodeCancelled, "request cancelled"))
	default:
		s.c.reply(t.m.id, nil, asError(t.m.method, err))
	}
}

func (s *turns) ended(t *turn) {
	t.cancel()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.active--; s.active == 0 && s.idle != nil {
		close(s.idle)
		s.idle = nil
	}
}

// cancel is the peer's `$/cancelRequest`. A request that has not begun is
// answered at once; of one that runs the context ends. Others are no news.
func (s *turns) cancel(params json.RawMessage) {
	var p struct{ ID json.RawMessage }
	if json.Unmarshal(params, &p) != nil {
		return
	}
	s.mu.Lock()
	t := s.inflight[idKey(p.ID)]
	if t == nil {
		s.mu.Unlock()
		return
	}
	t.cancelled = true
	begun := t.begun
	if !begun {
		s.queue = slices.DeleteFunc(s.queue, func(q *turn) bool { return q == t })
		delete(s.inflight, t.key)
	}
	s.mu.Unlock()
	if begun {
		t.cancel()
		return
	}
	s.c.reply(t.m.id, nil, Errorf(CodeCancelled, "request cancelled"))
	s.ended(t)
}

// drain waits until nothing runs or waits, the connection is given up, or limit.
func (s *turns) drain(limit time.Duration) {
	s.mu.Lock()
	if s.active == 0 {
		s.mu.Unlock()
		return
	}
	idle := make(chan struct{})
	s.idle = idle
	s.mu.Unlock()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-idle:
	case <-s.c.stop:
	case <-timer.C:
	}
}

// close begins no more and waits for what runs; the contexts have ended before.
func (s *turns) close() {
	s.mu.Lock()
	s.closed = true
	for _, t := range s.queue {
		t.cancel()
	}
	s.queue = nil
	s.mu.Unlock()
	s.wg.Wait()
}

// handle calls the handler and turns a panic into an error.
func (c *Conn) handle(ctx context.Context, m *message) (result any, err error) {
	defer func() {
		if p := recover(); p != nil {
			c.log.Error("panic in a handler", "method", m.method, "panic", p, "stack", string(debug.Stack()))
			result, err = nil, Errorf(CodeInternalError, "internal error in %s", m.method)
		}
	}()
	return c.handler(ctx, &Request{Method: m.method, Params: m.params, Notification: m.id == nil})
}

func (c *Conn) logNotification(m *message, err error) {
	switch {
	case err == nil:
	case errors.Is(err, ErrMethodNotFound):
		c.log.Debug("unknown notification ignored", "method", m.method)
	default:
		c.log.Warn("notification failed", "method", m.method, "err", err)
	}
}
