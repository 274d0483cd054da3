package main

import (
	"bytes"
	"net"
	"sync"
	"time"
)

// tap remembers a stream and when each part of it passed, so that delays are
// taken where the bytes cross the border of the process and not where somebody
// has understood them.
type tap struct {
	mu    sync.Mutex // guards the rest
	bytes []byte
	marks []mark
}

// mark says that the bytes up to end had passed at a time.
type mark struct {
	end int
	at  time.Time
}

func (t *tap) pass(at time.Time, p []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.bytes = append(t.bytes, p...)
	t.marks = append(t.marks, mark{len(t.bytes), at})
}

// when returns the time at which the n-th occurrence of token, counted from 1,
// had passed whole.
func (t *tap) when(token string, n int) (at time.Time, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	end := 0
	for range n {
		i := bytes.Index(t.bytes[end:], []byte(token))
		if i < 0 {
			return time.Time{}, false
		}
		end += i + len(token)
	}
	for _, m := range t.marks {
		if m.end >= end {
			return m.at, true
		}
	}
	return time.Time{}, false
}

// tappedListener taps both directions of all its connections.
type tappedListener struct {
	net.Listener
	in, out *tap
}

func (l tappedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return tappedConn{c, l.in, l.out}, nil
}

type tappedConn struct {
	net.Conn
	in, out *tap
}

func (c tappedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 {
		c.in.pass(time.Now(), p[:n])
	}
	return n, err
}

func (c tappedConn) Write(p []byte) (int, error) {
	c.out.pass(time.Now(), p)
	return c.Conn.Write(p)
}
