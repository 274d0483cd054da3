package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/sourcegraph/jsonrpc2"
)

// stream is the Conn as the library sees it: an ObjectStream that yields valid
// messages only, and the handler of these. The library decodes each message
// several times, holds only unsigned ids and escapes HTML; so it is given
// small envelopes, and ids, params and results go past it.
type stream struct{ c *Conn }

var (
	_ jsonrpc2.ObjectStream = stream{}
	_ jsonrpc2.Handler      = stream{}
)

// ReadObject returns the next request, notification or awaited response.
func (s stream) ReadObject(v any) error {
	c := s.c
	for {
		body, err := c.in.next()
		var bad *badFrame
		switch {
		case errors.As(err, &bad):
			c.reply(nil, nil, Errorf(bad.code, "%s", bad.text))
			continue
		case err != nil:
			c.inputEnded(err)
			return err
		}
		m, failure := parse(body)
		switch {
		case failure != nil:
			c.reply(nil, nil, failure)
			continue
		case m.method != "":
			c.current = m
			return json.Unmarshal([]byte(`{"method":"current"}`), v)
		}
		if id, ok := c.calls.answer(m); ok {
			return json.Unmarshal(fmt.Appendf(nil, `{"id":%d,"result":true}`, id), v)
		}
		c.log.Debug("response to nothing ignored", "id", string(m.id))
	}
}

// Handle hands out the message that ReadObject just found.
func (s stream) Handle(context.Context, *jsonrpc2.Conn, *jsonrpc2.Request) {
	m := s.c.current
	s.c.current = nil
	s.c.turns.dispatch(m)
}

// WriteObject queues a call; nothing else is written through the library.
func (s stream) WriteObject(obj any) error {
	envelope, err := json.Marshal(obj)
	if err != nil {
		return err
	}
	var e struct {
		ID     uint64
		Method string
	}
	if err := json.Unmarshal(envelope, &e); err != nil {
		return err
	}
	return s.c.out.push(&item{body: encodeCall(e.ID, e.Method, s.c.calls.params(e.ID))})
}

// Close ends reading, writing and the handlers' contexts.
func (s stream) Close() error {
	s.c.cancel()
	s.c.out.abort()
	return s.c.rwc.Close()
}

// inputEnded lets what was asked before the end of input be answered: no
// response can come any more, so calls fail; handlers get a moment to return.
func (c *Conn) inputEnded(err error) {
	c.endInput()
	c.out.setFraming(Header)
	select {
	case <-c.stop: // it was us
		return
	default:
	}
	c.turns.drain(drainLimit)
	c.out.finish(drainLimit)
	c.giveUp(err)
}
