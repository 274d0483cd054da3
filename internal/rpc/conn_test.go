package rpc

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// hang guards against a test that would wait for ever.
const hang = 20 * time.Second

// raw is a peer that writes and reads bytes.
type raw struct {
	t  testing.TB
	nc net.Conn
	r  *frameReader
}

func newRaw(t testing.TB, handler Handler, opts Options) (*raw, *Conn) {
	t.Helper()
	a, b := net.Pipe()
	conn := NewConn(t.Context(), b, func(*Conn) Handler { return handler }, opts)
	t.Cleanup(func() { a.Close(); conn.Close() })
	return &raw{t: t, nc: a, r: newFrameReader(a, Header, DefaultMaxMessage, nil)}, conn
}

func (r *raw) write(s string) {
	r.t.Helper()
	if _, err := io.WriteString(r.nc, s); err != nil {
		r.t.Fatal(err)
	}
}

// send writes a body with a header.
func (r *raw) send(format string, args ...any) {
	r.t.Helper()
	body := fmt.Sprintf(format, args...)
	r.write(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body))
}

func (r *raw) read() string {
	r.t.Helper()
	body, err := r.r.next()
	if err != nil {
		r.t.Fatalf("read: %v", err)
	}
	return string(body)
}

func (r *raw) want(want string) {
	r.t.Helper()
	if got := r.read(); got != want {
		r.t.Errorf("got  %s\nwant %s", got, want)
	}
}

func echo(_ context.Context, r *Request) (any, error) {
	switch r.Method {
	case "echo":
		return r.Params, nil
	case "fail":
		return nil, errors.New("it failed")
	case "refuse":
		return nil, Errorf(1001, "no").WithData(map[string]int{"a": 1})
	case "panic":
		panic("oops")
	case "unencodable":
		return func() {}, nil
	}
	return nil, ErrMethodNotFound
}

// Bad messages are answered, the connection lives.
func TestBadMessagesKeepTheConnection(t *testing.T) {
	p, _ := newRaw(t, echo, Options{MaxMessage: 200})
	steps := []struct{ send, want string }{
		{`{"jsonrpc":"2.0","id":1,"method":"echo","params":{"t":"\ud83d"}}`, `{"jsonrpc":"2.0","id":1,"result":{"t":"\ud83d"}}`},
		{`{bad json}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error: invalid character 'b' looking for beginning of object key string"}}`},
		{`{"jsonrpc":"2.0","id":2,"method":"echo","params":["<&>"]}`, `{"jsonrpc":"2.0","id":2,"result":["<&>"]}`},
		{`[{"id":1,"method":"echo"}]`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request: batches are not supported"}}`},
		{`{"id":1.5,"method":"echo"}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request: id must be an integer or a string"}}`},
		{`{"x":1}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request: neither method nor id"}}`},
		{strings.Repeat("x", 300), `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"message of 300 bytes is over the limit of 200"}}`},
		{`{"id":3,"method":"echo"}`, `{"jsonrpc":"2.0","id":3,"result":null}`},
		{`{"id":4,"method":"fail"}`, `{"jsonrpc":"2.0","id":4,"error":{"code":-32603,"message":"it failed"}}`},
		{`{"id":5,"method":"refuse"}`, `{"jsonrpc":"2.0","id":5,"error":{"code":1001,"message":"no","data":{"a":1}}}`},
		{`{"id":6,"method":"panic"}`, `{"jsonrpc":"2.0","id":6,"error":{"code":-32603,"message":"internal error in panic"}}`},
		{`{"id":7,"method":"unencodable"}`, `{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"the result cannot be encoded: json: unsupported type: func()"}}`},
		{`{"id":8,"method":"none"}`, `{"jsonrpc":"2.0","id":8,"error":{"code":-32601,"message":"method not found: none"}}`},
	}
	for _, s := range steps {
		p.send("%s", s.send)
		p.want(s.want)
	}
	// None of these is answered.
	p.send(`{"method":"none"}`)
	p.send(`{"method":"$/whatever"}`)
	p.send(`{"method":"panic"}`)
	p.send(`{"method":"$/cancelRequest","params":{"id":77}}`)
	p.send(`{"method":"$/cancelRequest"}`)
	p.send(`{"id":null,"result":1}`)
	p.send(`{"id":12,"result":1}`)
	p.send(`{"id":"x","error":{"code":1,"message":"m"}}`)
	p.send(`{"id":9,"method":"echo"}`)
	p.want(`{"jsonrpc":"2.0","id":9,"result":null}`)
}

// Trap 9: ids come back as the bytes they were.
func TestIDsAreExact(t *testing.T) {
	p, _ := newRaw(t, echo, Options{})
	for _, id := range []string{`0`, `-1`, `18446744073709551616`, `-9223372036854775809`, `"a\u00e9<"`, `""`, `"7"`, `null`, `9007199254740993`} {
		p.send(`{"id":%s,"method":"echo"}`, id)
		p.want(`{"jsonrpc":"2.0","id":` + id + `,"result":null}`)
	}
}

func TestNewlineFraming(t *testing.T) {
	p, _ := newRaw(t, echo, Options{})
	p.r = newFrameReader(p.nc, Newline, DefaultMaxMessage, nil)
	p.write("\n" + `{"id":1,"method":"echo","params":{"a":` + " \t1}}\r\n")
	p.want(`{"jsonrpc":"2.0","id":1,"result":{"a":1}}`)
	p.write("garbage\n" + `{"id":2,"method":"echo"}` + "\n")
	p.want(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error: invalid character 'g' looking for beginning of value"}}`)
	p.want(`{"jsonrpc":"2.0","id":2,"result":null}`)
}

// What was asked before the end of input is answered: `printf … | server`.
func TestEndOfInputAnswersFirst(t *testing.T) {
	var out bytes.Buffer
	rwc := struct {
		io.Reader
		io.Writer
		io.Closer
	}{strings.NewReader(`{"id":1,"method":"slow"}` + "\n" + `{"id":2,"method":"echo"}`), &out, io.NopCloser(nil)}
	conn := NewConn(t.Context(), rwc, func(c *Conn) Handler {
		return func(ctx context.Context, r *Request) (any, error) {
			if r.Method == "echo" {
				return "second", nil
			}
			// No answer can come: the call must fail instead of waiting.
			<-c.input.Done()
			return fmt.Sprint(c.Call(ctx, "x", nil, nil)), nil
		}
	}, Options{})
	if err := conn.Wait(); err != nil {
		t.Errorf("err = %v", err)
	}
	conn.Close()
	want := `{"jsonrpc":"2.0","id":1,"result":"connection closed"}` + "\n" + `{"jsonrpc":"2.0","id":2,"result":"second"}` + "\n"
	// The slow one releases its turn by calling, so the order is free.
	swapped := `{"jsonrpc":"2.0","id":2,"result":"second"}` + "\n" + `{"jsonrpc":"2.0","id":1,"result":"connection closed"}` + "\n"
	if got := out.String(); got != want && got != swapped {
		t.Errorf("got %s", got)
	}
}

// Requests begin in order, notifications are in force at once; a handler that
// releases its turn lets the next one begin.
func TestOrder(t *testing.T) {
	var mu sync.Mutex
	var log []string
	note := func(s string) { mu.Lock(); log = append(log, s); mu.Unlock() }
	begun, first, second := make(chan struct{}), make(chan struct{}), make(chan struct{})
	p, _ := newRaw(t, func(ctx context.Context, r *Request) (any, error) {
		note(r.Method)
		switch r.Method {
		case "first": // keeps its turn
			close(begun)
			<-first
		case "second":
			Release(ctx)
			Release(ctx)
			<-second
		}
		return nil, nil
	}, Options{InTurn: func(m string) bool { return m == "exit" }})

	p.send(`{"id":1,"method":"first"}`)
	<-begun
	p.send(`{"id":2,"method":"second"}`)
	p.send(`{"id":3,"method":"third"}`)
	p.send(`{"method":"exit"}`)
	p.send(`{"method":"change"}`)
	p.send(`{"id":4,"method":"fourth"}`)
	p.send(`{"id":4,"method":"again"}`) // was read behind "change"
	p.want(`{"jsonrpc":"2.0","id":4,"error":{"code":-32600,"message":"invalid request: id 4 is in use"}}`)
	close(first)
	for _, id := range []int{1, 3, 4} {
		p.want(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":null}`, id))
	}
	close(second)
	p.want(`{"jsonrpc":"2.0","id":2,"result":null}`)
	mu.Lock()
	defer mu.Unlock()
	got := strings.Join(log, " ")
	if got != "first change second third exit fourth" {
		t.Errorf("order: %s", got)
	}
}

// What is sent by AfterReply comes behind the answer.
func TestAfterReply(t *testing.T) {
	var conn *Conn
	p, conn := newRaw(t, func(ctx context.Context, r *Request) (any, error) {
		for i := range 2 {
			AfterReply(ctx, func() { _ = conn.Notify("after", i) })
		}
		return "done", conn.Notify("before", nil)
	}, Options{})
	p.send(`{"id":1,"method":"x"}`)
	p.want(`{"jsonrpc":"2.0","method":"before"}`)
	p.want(`{"jsonrpc":"2.0","id":1,"result":"done"}`)
	p.want(`{"jsonrpc":"2.0","method":"after","params":0}`)
	p.want(`{"jsonrpc":"2.0","method":"after","params":1}`)
	ran := false
	AfterReply(t.Context(), func() { ran = true })
	if !ran {
		t.Error("outside of a request it does not run")
	}
}

// pair connects two real connections.
func pair(t testing.TB, server, client Handler) (toClient, toServer *Conn) {
	t.Helper()
	a, b := net.Pipe()
	toClient = NewConn(t.Context(), a, func(*Conn) Handler { return server }, Options{})
	toServer = NewConn(t.Context(), b, func(*Conn) Handler { return client }, Options{Framing: Header})
	t.Cleanup(func() { toServer.Close(); toClient.Close() })
	return toClient, toServer
}

func guarded(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), hang)
	t.Cleanup(cancel)
	return ctx
}

// A handler calls back while the peer floods notifications; each of
// them is seen, in order, before the answer that was sent after them.
func TestCallBackUnderFlood(t *testing.T) {
	const flood = 1000
	var seen []int
	var client, server *Conn
	server, client = pair(t, func(ctx context.Context, r *Request) (any, error) {
		if r.Notification {
			var n int
			err := json.Unmarshal(r.Params, &n)
			seen = append(seen, n) // notifications run one after the other
			return nil, err
		}
		if r.Method == "plain" {
			return len(seen), nil
		}
		var reply string
		if err := server.Call(ctx, "ask", nil, &reply); err != nil {
			return nil, err
		}
		return fmt.Sprint(reply, " after ", len(seen)), nil
	}, func(ctx context.Context, r *Request) (any, error) {
		for n := range flood {
			if err := client.Notify("n", n); err != nil {
				return nil, err
			}
		}
		return "yes", nil
	})
	var got string
	if err := client.Call(guarded(t), "work", nil, &got); err != nil || got != "yes after 1000" {
		t.Errorf("got %q, %v", got, err)
	}
	for i, n := range seen {
		if i != n {
			t.Fatalf("notification %d came at place %d", n, i)
		}
	}
}

// Close writes what is queued before it closes.
func TestCloseFlushes(t *testing.T) {
	p, conn := newRaw(t, echo, Options{Framing: Header})
	for i := range 3 {
		if err := conn.Notify("n", i); err != nil {
			t.Fatal(err)
		}
	}
	closed := make(chan error, 1)
	go func() { closed <- conn.Close() }()
	for i := range 3 {
		p.want(fmt.Sprintf(`{"jsonrpc":"2.0","method":"n","params":%d}`, i))
	}
	if _, err := p.r.next(); err != io.EOF {
		t.Errorf("after the last message: %v", err)
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
}

// A frame stays whole though its sender's context ends meanwhile.
func TestFramesStayWhole(t *testing.T) {
	p, conn := newRaw(t, echo, Options{Framing: Header})
	big := strings.Repeat("x", 10<<20)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- conn.Call(ctx, "big", big, nil) }()
	r := bufio.NewReader(p.nc)
	if _, err := r.Peek(100); err != nil { // it is being written
		t.Fatal(err)
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
	p.r = newFrameReader(r, Header, DefaultMaxMessage, nil)
	if got := p.read(); !strings.HasSuffix(got, `x"}`) || len(got) < 10<<20 {
		t.Errorf("%d bytes came", len(got))
	}
	p.want(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}`)
}

// A peer that does not read is given up after the stall time, one that reads
// slowly is not.
func TestStall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := net.Pipe()
		conn := NewConn(t.Context(), b, func(*Conn) Handler { return echo }, Options{Framing: Header, Stall: 30 * time.Second})
		if err := conn.Notify("big", strings.Repeat("x", 10*chunk)); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		for range 5 { // slow, but alive
			time.Sleep(20 * time.Second)
			if _, err := io.CopyN(io.Discard, a, chunk); err != nil {
				t.Fatal(err)
			}
		}
		if err := conn.Wait(); !errors.Is(err, ErrStalled) {
			t.Errorf("err = %v", err)
		}
		if took := time.Since(start); took != 130*time.Second {
			t.Errorf("given up after %v", took)
		}
		a.Close()
	})
}
