package mcphub

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"clined/internal/tools"
)

const (
	// shortestPause between two lists of what a server offers doubles with each
	// list, up to longestPause, as long as the server goes on saying that it changed.
	shortestPause = 50 * time.Millisecond
	longestPause  = 5 * time.Second
)

// stable is how long a server must have been connected for its restarts to count anew.
const stable = time.Minute

// server is one entry of the settings. Its owner goroutine, run, alone starts
// and ends the process, so there is never more than one.
type server struct {
	hub    *Hub
	name   string
	log    *serverLog
	logger *slog.Logger
	// poke wakes the owner after want, gone or restart changed.
	poke chan struct{}

	mu      sync.Mutex
	want    Config    // guarded by mu, as all below
	gone    bool      // removed from the settings
	restart bool      // the user wants it anew
	begun   time.Time // when the owner started, or got other settings
	// settled is closed once that start has succeeded, failed, or needs no
	// waiting for.
	settled chan struct{}
	now     ServerStatus // without Log
	conn    *conn        // while connected
	failed  bool         // since it was last connected
	late    bool         // the user was told that this start is not waited for
}

func newServer(h *Hub, name string, c Config) *server {
	return &server{
		hub: h, name: name, want: c,
		log:     &serverLog{},
		logger:  h.options.Logger.With("mcp", name),
		poke:    make(chan struct{}, 1),
		settled: make(chan struct{}),
		now:     ServerStatus{Name: name, State: Starting, Since: time.Now()},
	}
}

func (s *server) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begun = time.Now()
}

func (s *server) wake() {
	select {
	case s.poke <- struct{}{}:
	default:
	}
}

func (s *server) configure(c Config) {
	s.mu.Lock()
	if !sameConnection(s.want, c) && !s.begun.IsZero() {
		s.begun, s.late = time.Now(), false
		select {
		case <-s.settled:
			s.settled = make(chan struct{})
		default:
		}
	}
	s.want, s.gone = c, false
	s.mu.Unlock()
	s.wake()
}

func (s *server) remove() {
	s.mu.Lock()
	s.gone = true
	s.mu.Unlock()
	s.wake()
}

func (s *server) removed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.gone
}

func (s *server) requestRestart() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.want.Disabled {
		return fmt.Errorf("the MCP server %q is disabled in the settings", s.name)
	}
	s.restart = true
	s.wake()
	return nil
}

// run is the owner.
func (s *server) run(ctx context.Context) {
	failures := 0
	for ctx.Err() == nil {
		c, gone := s.take()
		if gone {
			if s.hub.forget(s) {
				return
			}
			continue
		}
		if state, reason := standing(c); state != "" {
			s.enter(state, reason)
			s.await(ctx, c, nil)
			failures = 0
			continue
		}
		served, err := s.session(ctx, c)
		if err == nil {
			failures = 0
			continue
		}
		if served > stable {
			failures = 0
		}
		pause, again := s.hub.options.Backoff(failures)
		failures++
		if _, hopeless := errors.AsType[settingsError](err); hopeless || !again {
			s.enter(Down, err.Error())
			s.await(ctx, c, nil)
			failures = 0
			continue
		}
		s.enter(Retrying, err.Error())
		if s.await(ctx, c, time.After(pause)) {
			failures = 0
		}
	}
}

// standing tells whether a configuration means not to run, and why.
func standing(c Config) (State, string) {
	switch {
	case c.Disabled:
		return Disabled, ""
	case c.Problem != "":
		return Down, c.Problem
	case c.URL != "":
		return Down, "remote servers are not in this build yet, only those with a \"command\""
	}
	return "", ""
}

// take returns what is wanted now; a wanted restart is about to happen.
func (s *server) take() (c Config, gone bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.restart = false
	return s.want, s.gone
}

// differs tells whether something else is wanted than to go on with c.
func (s *server) differs(c Config) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.gone || s.restart || !sameConnection(s.want, c)
}

// await waits for other wishes than c, or until over, and tells whether there
// are other wishes.
func (s *server) await(ctx context.Context, c Config, over <-chan time.Time) bool {
	for {
		select {
		case <-ctx.Done():
			return true
		case <-over:
			return false
		case <-s.poke:
			if s.differs(c) {
				return true
			}
		}
	}
}

// session connects and serves until the connection ends, which is an error, or
// something else is wanted. It leaves no process behind, and tells how long
// the server was connected.
func (s *server) session(ctx context.Context, c Config) (served time.Duration, err error) {
	s.enter(Starting, "")
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	dialed := make(chan dialResult, 1)
	go func() { dialed <- s.dial(ctx, c) }()
	var d dialResult
	for d.conn == nil {
		select {
		case d = <-dialed:
			switch {
			case ctx.Err() != nil && d.err != nil:
				return 0, nil
			case d.err != nil:
				return 0, d.err
			}
		case <-s.poke:
			if s.differs(c) {
				cancel()
				if d = <-dialed; d.conn != nil {
					d.conn.close()
				}
				return 0, nil
			}
		}
	}
	defer d.conn.close()
	s.connected(c, d)
	defer s.disconnected()
	began := time.Now()
	err = s.serve(ctx, c, d.conn)
	return time.Since(began), err
}

// serve keeps a connection up to date.
func (s *server) serve(ctx context.Context, c Config, k *conn) error {
	ctx, cancel := context.WithCancel(ctx)
	listed := make(chan dialResult, 1)
	listing := false
	defer func() {
		cancel()
		if listing {
			<-listed
		}
	}()
	changed, pause := k.changed, shortestPause
	var rested <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-k.ended:
			return k.reason
		case <-s.poke:
			if s.differs(c) {
				return nil
			}
		case <-changed:
			// One at a time: a further change is seen after this list.
			listing, changed = true, nil
			go func() { listed <- s.list(ctx, k) }()
		case <-rested:
			if changed = k.changed; len(changed) == 0 {
				pause = shortestPause
			}
		case d := <-listed:
			listing = false
			rested = time.After(pause)
			pause = min(2*pause, longestPause)
			if d.err != nil {
				s.logger.Warn("mcp server's new lists cannot be read", "err", d.err)
				continue
			}
			s.connected(c, d)
		}
	}
}

type dialResult struct {
	conn     *conn
	offer    tools.MCPServer
	warnings []string
	err      error
}

func (s *server) dial(ctx context.Context, c Config) dialResult {
	d := &dialer{options: s.hub.options, log: s.log, logger: s.logger}
	k, err := d.dial(ctx, c)
	if err != nil {
		return dialResult{err: err}
	}
	r := s.list(ctx, k)
	if r.err != nil {
		k.close()
		return dialResult{err: r.err}
	}
	return r
}

// list asks for what the server offers.
func (s *server) list(ctx context.Context, k *conn) dialResult {
	limit := s.timeout()
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	offer, warnings, notes, err := k.lists(ctx, s.hub.options.MaxTools)
	for _, note := range notes {
		s.log.add("clined: " + note)
		s.logger.Info("mcp server's tool", "note", note)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("it did not tell within %v what it offers", limit)
	}
	return dialResult{conn: k, offer: offer, warnings: slices.Concat(k.warnings, warnings), err: err}
}

func (s *server) timeout() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.want.Timeout
}
