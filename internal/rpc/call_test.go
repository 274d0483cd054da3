package rpc

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// Exactly one answer, soon; unknown and finished ids are no news.
func TestPeerCancels(t *testing.T) {
	begun := make(chan struct{}, 8)
	p, _ := newRaw(t, func(ctx context.Context, r *Request) (any, error) {
		if r.Method == "quick" {
			return nil, nil
		}
		begun <- struct{}{}
		<-ctx.Done()
		if r.Method == "stubborn" {
			return "done all the same", nil
		}
		return nil, ctx.Err()
	}, Options{})
	cancel := func(id string) { p.send(`{"method":"$/cancelRequest","params":{"id":%s}}`, id) }

	p.send(`{"id":"a","method":"slow"}`)
	<-begun
	p.send(`{"id":2,"method":"waits"}`)
	cancel(`2`) // has not begun
	p.want(`{"jsonrpc":"2.0","id":2,"error":{"code":-32800,"message":"request cancelled"}}`)
	cancel(`"\u0061"`)
	p.want(`{"jsonrpc":"2.0","id":"a","error":{"code":-32800,"message":"request cancelled"}}`)
	p.send(`{"id":3,"method":"stubborn"}`)
	<-begun
	cancel(`3`)
	p.want(`{"jsonrpc":"2.0","id":3,"result":"done all the same"}`)
	cancel(`3`)
	cancel(`"nothing"`)
	p.send(`{"id":4,"method":"quick"}`)
	p.want(`{"jsonrpc":"2.0","id":4,"result":null}`)
}

// The peer sees our cancellation; its late answer is dropped and later calls work.
func TestWeCancel(t *testing.T) {
	begun := make(chan struct{}, 1)
	cancelled := make(chan struct{})
	_, client := pair(t, func(ctx context.Context, r *Request) (any, error) {
		if r.Method == "quick" {
			return "ok", nil
		}
		begun <- struct{}{}
		<-ctx.Done()
		close(cancelled)
		return "late", nil
	}, echo)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-begun; cancel() }()
	if err := client.Call(ctx, "slow", nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
	<-cancelled
	if err := client.Call(ctx, "quick", nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a call with an ended context: %v", err)
	}
	var got string
	if err := client.Call(guarded(t), "quick", nil, &got); err != nil || got != "ok" {
		t.Errorf("got %q, %v", got, err)
	}
}

// Trap 9: our ids begin at 1, and null or foreign responses complete nothing.
// Odd but answerable responses are answers.
func TestOurIDsAndOddAnswers(t *testing.T) {
	p, conn := newRaw(t, echo, Options{Framing: Header})
	call := func() (chan error, *any) {
		done, v := make(chan error, 1), new(any)
		go func() { done <- conn.Call(guarded(t), "ask", map[string]string{"a": "<b>"}, v) }()
		return done, v
	}
	done, v := call()
	p.want(`{"jsonrpc":"2.0","id":1,"method":"ask","params":{"a":"<b>"}}`)
	for _, stray := range []string{`{"id":null,"result":1}`, `{"id":0,"result":1}`, `{"id":"1","result":1}`, `{"id":-1,"result":1}`} {
		p.send("%s", stray)
	}
	p.send(`{"id":1,"result":{"x":2}}`)
	if err := <-done; err != nil || fmt.Sprint(*v) != "map[x:2]" {
		t.Errorf("got %v, %v", *v, err)
	}
	tests := []struct{ answer, err string }{
		{`{"id":%d}`, ""},
		{`{"id":%d,"result":null}`, ""},
		{`{"id":%d,"result":null,"error":null}`, ""},
		{`{"id":%d,"error":{"code":32603,"message":"version"}}`, "version (code 32603)"},
		{`{"id":%d,"error":"plain text"}`, `"plain text" (code -32603)`},
	}
	for i, tt := range tests {
		done, _ := call()
		p.read()
		p.send(tt.answer, i+2)
		err := <-done
		if (err == nil) != (tt.err == "") || err != nil && err.Error() != tt.err {
			t.Errorf("%s: err = %v", tt.answer, err)
		}
	}
}

func TestCallInNotificationFails(t *testing.T) {
	errs := make(chan error, 1)
	var conn *Conn
	p, conn := newRaw(t, func(ctx context.Context, r *Request) (any, error) {
		errs <- conn.Call(ctx, "x", nil, nil)
		return nil, nil
	}, Options{})
	p.send(`{"method":"n"}`)
	if err := <-errs; err == nil || !strings.Contains(err.Error(), "notification") {
		t.Errorf("err = %v", err)
	}
}
