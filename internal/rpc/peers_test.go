package rpc

import (
	"context"
	"fmt"
	"net"
	"testing"

	lspdev "go.lsp.dev/jsonrpc2"

	"github.com/sourcegraph/jsonrpc2"
)

// nested is a server that calls back before it answers.
func nested(conn **Conn) Handler {
	return func(ctx context.Context, r *Request) (any, error) {
		if r.Method != "outer" {
			return nil, ErrMethodNotFound
		}
		var got string
		if err := (*conn).Call(ctx, "inner", map[string]int{"n": 1}, &got); err != nil {
			return nil, err
		}
		return "outer of " + got, nil
	}
}

func serveNested(t *testing.T) (net.Conn, *Conn) {
	a, b := net.Pipe()
	var conn *Conn
	conn = NewConn(t.Context(), b, func(c *Conn) Handler { conn = c; return nested(&conn) }, Options{})
	return a, conn
}

// The stock connection of sourcegraph/jsonrpc2 with its LSP codec.
func TestStockPeer(t *testing.T) {
	a, server := serveNested(t)
	h := jsonrpc2.HandlerWithError(func(_ context.Context, _ *jsonrpc2.Conn, r *jsonrpc2.Request) (any, error) {
		return fmt.Sprintf("%s#%s", r.Method, r.ID), nil
	})
	peer := jsonrpc2.NewConn(t.Context(), jsonrpc2.NewBufferedStream(a, jsonrpc2.VSCodeObjectCodec{}), h)
	var got string
	if err := peer.Call(guarded(t), "outer", nil, &got); err != nil || got != "outer of inner#1" {
		t.Errorf("got %q, %v", got, err)
	}
	err := peer.Call(guarded(t), "none", nil, nil)
	if e, ok := err.(*jsonrpc2.Error); !ok || e.Code != CodeMethodNotFound {
		t.Errorf("err = %v", err)
	}
	peer.Close()
	if err := server.Wait(); err != nil {
		t.Error(err)
	}
}

// A library of another make, in both framings.
func TestForeignPeer(t *testing.T) {
	for name, framer := range map[string]lspdev.Framer{"header": lspdev.NewStream, "raw": lspdev.NewRawStream} {
		t.Run(name, func(t *testing.T) {
			a, server := serveNested(t)
			nc := net.Conn(a)
			if name == "raw" {
				nc = lines{a} // it sends values without line ends
			}
			peer := lspdev.NewConn(framer(nc))
			peer.Go(t.Context(), func(ctx context.Context, reply lspdev.Replier, r lspdev.Request) error {
				return reply(ctx, r.Method()+" "+string(r.Params()), nil)
			})
			var got string
			if _, err := peer.Call(guarded(t), "outer", nil, &got); err != nil || got != `outer of inner {"n":1}` {
				t.Errorf("got %q, %v", got, err)
			}
			a.Close()
			<-peer.Done()
			if err := server.Wait(); err != nil {
				t.Error(err)
			}
		})
	}
}

// lines ends each write with a line feed.
type lines struct{ net.Conn }

func (l lines) Write(p []byte) (int, error) {
	if _, err := l.Conn.Write(append(p[:len(p):len(p)], '\n')); err != nil {
		return 0, err
	}
	return len(p), nil
}
