package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
)

func delta(key, text string) Notification {
	return Notification{Method: "delta", Params: text, Key: key, Droppable: true,
		Merge: func(older, newer any) (any, bool) { return older.(string) + newer.(string), true }}
}

// blocked returns a connection whose writer holds one message that the peer
// does not take yet.
func blocked(t *testing.T, opts Options) (*raw, *Conn) {
	opts.Framing = Header
	p, conn := newRaw(t, echo, opts)
	if err := conn.Notify("first", nil); err != nil {
		t.Fatal(err)
	}
	one := make([]byte, 1)
	if _, err := io.ReadFull(p.nc, one); err != nil { // the writer is at it
		t.Fatal(err)
	}
	p.r = newFrameReader(io.MultiReader(strings.NewReader(string(one)), p.nc), Header, DefaultMaxMessage, nil)
	return p, conn
}

func send(t *testing.T, conn *Conn, ns ...Notification) {
	t.Helper()
	for _, n := range ns {
		if err := conn.Send(n); err != nil {
			t.Fatal(err)
		}
	}
}

// Deltas of one key merge once the peer is behind, never past a message without a key.
func TestCoalescing(t *testing.T) {
	p, conn := blocked(t, Options{QueueBytes: 6400})
	send(t, conn, delta("z", "not yet behind"), delta("z", "so these two"))
	send(t, conn, delta("a", "1"), delta("b", "x"), delta("a", "2"), delta("a", "<3>"),
		Notification{Method: "whole", Params: "12<3>"}, delta("a", "4"), delta("a", "5"))
	p.want(`{"jsonrpc":"2.0","method":"first"}`)
	p.want(`{"jsonrpc":"2.0","method":"delta","params":"not yet behind"}`)
	p.want(`{"jsonrpc":"2.0","method":"delta","params":"so these two"}`)
	for _, want := range []string{`"delta","params":"12<3>"`, `"delta","params":"x"`, `"whole","params":"12<3>"`, `"delta","params":"45"`} {
		p.want(`{"jsonrpc":"2.0","method":` + want + `}`)
	}
}

func TestMergeRefused(t *testing.T) {
	p, conn := blocked(t, Options{QueueBytes: 640})
	n := delta("a", "1")
	n.Merge = func(_, _ any) (any, bool) { return nil, false }
	m := n
	m.Params = "2"
	send(t, conn, n, m)
	p.read()
	p.want(`{"jsonrpc":"2.0","method":"delta","params":"1"}`)
	p.want(`{"jsonrpc":"2.0","method":"delta","params":"2"}`)
}

// Over the soft limit deltas are dropped and everything else is kept.
func TestOverflowDropsDeltasOnly(t *testing.T) {
	p, conn := blocked(t, Options{QueueBytes: 1000})
	text := strings.Repeat("y", 300)
	send(t, conn, delta("a", text), delta("b", text))
	send(t, conn, Notification{Method: "state", Params: strings.Repeat("z", 500)}) // drops both
	send(t, conn, delta("a", text), delta("c", text))                              // the second finds no room
	send(t, conn, Notification{Method: "end"})
	p.read()
	var got []string
	for len(got) == 0 || got[len(got)-1] != "end" {
		var m struct{ Method string }
		if err := json.Unmarshal([]byte(p.read()), &m); err != nil {
			t.Fatal(err)
		}
		got = append(got, m.Method)
	}
	if s := strings.Join(got, " "); s != "state delta end" {
		t.Errorf("written: %s", s)
	}
}

func TestHardLimitGivesUp(t *testing.T) {
	p, conn := blocked(t, Options{QueueBytes: 100})
	big := Notification{Method: "state", Params: strings.Repeat("z", 2000)}
	send(t, conn, big) // alone it may be of any size
	if err := conn.Send(big); !errors.Is(err, ErrStalled) {
		t.Errorf("send: %v", err)
	}
	if err := conn.Wait(); !errors.Is(err, ErrStalled) {
		t.Errorf("wait: %v", err)
	}
	_ = p
}

// What a slow reader gets is bounded, whole and the same text.
func TestFloodToSlowReader(t *testing.T) {
	p, conn := blocked(t, Options{QueueBytes: 1 << 20})
	var want strings.Builder
	for i := range 5000 {
		s := fmt.Sprint(i, " ")
		want.WriteString(s)
		send(t, conn, delta("a", s))
	}
	send(t, conn, Notification{Method: "end"})
	p.read()
	var got strings.Builder
	for n := 0; ; n++ {
		var m struct{ Method, Params string }
		if err := json.Unmarshal([]byte(p.read()), &m); err != nil {
			t.Fatal(err)
		}
		if m.Method == "end" {
			if n > 500 {
				t.Errorf("%d messages", n)
			}
			break
		}
		got.WriteString(m.Params)
	}
	if got.String() != want.String() {
		t.Error("the text differs")
	}
}

func BenchmarkLargeParams(b *testing.B) {
	a, c := net.Pipe()
	server := NewConn(b.Context(), a, func(*Conn) Handler {
		return func(context.Context, *Request) (any, error) { return nil, nil }
	}, Options{})
	client := NewConn(b.Context(), c, func(*Conn) Handler { return echo }, Options{Framing: Header})
	defer server.Close()
	defer client.Close()
	params := map[string]string{"text": strings.Repeat("line of text\n", 5<<20/13)}
	b.SetBytes(5 << 20)
	b.ReportAllocs()
	for b.Loop() {
		if err := client.Call(b.Context(), "change", params, nil); err != nil {
			b.Fatal(err)
		}
	}
}
