package rpc

import (
	"context"
	"errors"
	"net"
	"testing"
)

// The end of the peer ends calls, handlers' contexts and the connection.
func TestHangUp(t *testing.T) {
	begun, ended := make(chan struct{}), make(chan struct{})
	p, conn := newRaw(t, func(ctx context.Context, r *Request) (any, error) {
		close(begun)
		<-ctx.Done()
		close(ended)
		return nil, ctx.Err()
	}, Options{Framing: Header})
	done := make(chan error, 1)
	go func() { done <- conn.Call(guarded(t), "ask", nil, nil) }()
	p.read()
	p.send(`{"id":1,"method":"slow"}`)
	<-begun
	p.nc.Close()
	if err := <-done; !errors.Is(err, ErrClosed) {
		t.Errorf("call: %v", err)
	}
	if err := conn.Wait(); err != nil {
		t.Errorf("wait: %v", err)
	}
	<-ended
	if err := conn.Notify("n", nil); !errors.Is(err, ErrClosed) {
		t.Errorf("notify: %v", err)
	}
	if err := conn.Call(t.Context(), "c", nil, nil); !errors.Is(err, ErrClosed) {
		t.Errorf("call: %v", err)
	}
}

func TestContextEnds(t *testing.T) {
	a, b := net.Pipe()
	defer a.Close()
	ctx, cancel := context.WithCancel(t.Context())
	conn := NewConn(ctx, b, func(*Conn) Handler { return echo }, Options{})
	cancel()
	if err := conn.Wait(); err != nil {
		t.Errorf("err = %v", err)
	}
}
