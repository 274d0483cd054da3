package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"

	"github.com/sourcegraph/jsonrpc2"
)

// methodCancel is LSP's cancellation, either way.
const methodCancel = "$/cancelRequest"

// pendingCall is a call that waits. result and err are set before the library
// is told of the response.
type pendingCall struct {
	params json.RawMessage
	result json.RawMessage
	err    *Error
}

// calls are the calls of this side, by id from 1.
type calls struct {
	mu      sync.Mutex
	last    uint64
	pending map[uint64]*pendingCall
}

func (s *calls) add(params json.RawMessage) (uint64, *pendingCall) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	p := &pendingCall{params: params}
	s.pending[s.last] = p
	return s.last, p
}

func (s *calls) remove(id uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.pending, id)
}

// params returns what goes out, once.
func (s *calls) params(id uint64) json.RawMessage {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.pending[id]
	if p == nil {
		return nil
	}
	params := p.params
	p.params = nil
	return params
}

// answered reports whether the response to a call of this side is there.
func (s *calls) answered(id uint64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pending[id] == nil
}

// answer keeps a response for its call; ok is false when nobody waits for it.
func (s *calls) answer(m *message) (id uint64, ok bool) {
	id, err := strconv.ParseUint(string(m.id), 10, 64)
	if err != nil {
		return 0, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.pending[id]
	if p == nil {
		return 0, false
	}
	delete(s.pending, id)
	p.result, p.err = m.result, m.err
	return id, true
}

type queuedKey struct{}

// OnQueued returns a context with which Call tells that its request is queued:
// whatever is sent from then on comes behind it. A call that fails before does not.
func OnQueued(ctx context.Context, told func()) context.Context {
	return context.WithValue(ctx, queuedKey{}, told)
}

// Queued tells who called OnQueued; for stand-ins of a Conn.
func Queued(ctx context.Context) {
	if told, ok := ctx.Value(queuedKey{}).(func()); ok {
		told()
	}
}

// Call asks the peer and decodes its answer into result, unless that is nil.
// Params of nil are left out. It returns an *Error when the peer answered with
// one, ErrClosed when no answer can come. When ctx ends it sends
// `$/cancelRequest`, returns ctx's error and lets a late answer fall.
//
// Inside a request's handler it also does what Release does. In a
// notification's handler it fails: the answer could never be read.
func (c *Conn) Call(ctx context.Context, method string, params, result any) error {
	if inNotification(ctx) {
		return fmt.Errorf("call of %s inside a notification's handler", method)
	}
	Release(ctx)
	raw, err := encodeParams(params)
	if err != nil {
		return err
	}
	<-c.started
	if c.input.Err() != nil {
		return ErrClosed
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	id, p := c.calls.add(raw)
	waiter, err := c.lib.DispatchCall(ctx, method, nil, jsonrpc2.PickID(jsonrpc2.ID{Num: id}))
	if err != nil {
		c.calls.remove(id)
		if errors.Is(err, jsonrpc2.ErrClosed) {
			err = ErrClosed
		}
		return err
	}
	Queued(ctx)
	if err := c.await(ctx, waiter, id); err != nil {
		return err
	}
	if p.err != nil {
		return p.err
	}
	if result == nil || p.result == nil {
		return nil
	}
	return json.Unmarshal(p.result, result)
}

// await waits for the response, the end of ctx or the end of input.
func (c *Conn) await(ctx context.Context, waiter jsonrpc2.Waiter, id uint64) error {
	wait, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(c.input, cancel)()
	err := waiter.Wait(wait, nil)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		// The entry stays until the late answer comes, to tell it from a stray one.
		_ = c.Notify(methodCancel, map[string]uint64{"id": id})
		return ctx.Err()
	case c.calls.answered(id): // the answer came right before the end
		return nil
	}
	return ErrClosed
}

// Notification is a message without an answer.
type Notification struct {
	Method string
	Params any
	// Key, if set, lets it merge with a queued notification of the same method
	// and key once the peer is behind: Merge returns the params that stand for both, or false. Only
	// messages with keys are overtaken that way. Params must not change after
	// Send, for they may be encoded later.
	Key   string
	Merge func(older, newer any) (merged any, ok bool)
	// Droppable ones are dropped when the peer reads too slowly.
	Droppable bool
}

// Notify sends a notification; see Send.
func (c *Conn) Notify(method string, params any) error {
	return c.Send(Notification{Method: method, Params: params})
}

// Send queues a notification and never waits. Messages are written whole, in
// the order they were queued in. ErrClosed says that the connection has ended,
// ErrStalled that it just was given up.
func (c *Conn) Send(n Notification) error {
	raw, err := encodeParams(n.Params)
	if err != nil {
		return err
	}
	it := &item{body: encodeCall(0, n.Method, raw), method: n.Method, droppable: n.Droppable}
	if n.Key != "" && n.Merge != nil {
		it.key, it.value, it.merge = n.Key, n.Params, n.Merge
	}
	return c.out.push(it)
}

func encodeParams(params any) (json.RawMessage, error) {
	if params == nil {
		return nil, nil
	}
	return encode(params)
}
