package server

import (
	"context"
	"sync"
	"time"

	"clined/internal/event"
	"clined/internal/protocol"
)

// How deltas are joined: the first of an id goes out at once, further ones at
// most thirty times a second, or when this many bytes have gathered.
const (
	deltaPause = time.Second / 30
	deltaBytes = 4 << 10
)

// stamp is RFC 3339 with milliseconds.
const stamp = "2006-01-02T15:04:05.000Z07:00"

// stream is a task's events on their way to the editor: one order, numbers
// from 1. Emit never waits.
type stream struct {
	s      *server
	taskID string

	mu     sync.Mutex
	seq    int64
	turn   string // the turn that runs or ran last
	closed bool
	// held counts the requests that must be answered first; waiting is what
	// happened meanwhile, released is closed when it is out.
	held     int
	waiting  []turnEvent
	released chan struct{}
	// gathered are deltas that wait, in order; sent tells when the last one of
	// a key went out.
	gathered []turnEvent
	sent     map[string]time.Time
	timer    *time.Timer
}

type turnEvent struct {
	turn string
	e    event.Event
}

func newStream(s *server, taskID string) *stream {
	return &stream{s: s, taskID: taskID, sent: map[string]time.Time{}}
}

// Emit implements agent.Sink. It may also be called beside the agent.
func (st *stream) Emit(turnID string, e event.Event) {
	st.mu.Lock()
	defer st.mu.Unlock()
	if state, ok := e.(event.State); ok && state.State == event.Running {
		st.turn = turnID
	}
	if st.held > 0 {
		st.waiting = append(st.waiting, turnEvent{turnID, e})
		return
	}
	st.emitLocked(turnEvent{turnID, e})
}

// running returns the turn that runs.
func (st *stream) running() string {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.turn
}

// last returns the number of the last event.
func (st *stream) last() int64 {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.seq
}

// hold keeps events back until release was called as often.
func (st *stream) hold() {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.held++; st.held == 1 {
		st.released = make(chan struct{})
	}
}

func (st *stream) release() {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.held--; st.held > 0 {
		return
	}
	for _, te := range st.waiting {
		st.emitLocked(te)
	}
	st.waiting = nil
	close(st.released)
}

// whenReleased waits until nothing is held back.
func (st *stream) whenReleased(ctx context.Context) {
	st.mu.Lock()
	held, released := st.held > 0, st.released
	st.mu.Unlock()
	if !held {
		return
	}
	select {
	case <-released:
	case <-ctx.Done():
	}
}

func (st *stream) emitLocked(te turnEvent) {
	if st.closed {
		return
	}
	key := protocol.DeltaKey(te.e)
	if key == "" {
		// Deltas come before what follows them, a finished item above all.
		st.flushLocked()
		st.sendLocked(te)
		if state, ok := te.e.(event.State); ok && state.State == event.Idle {
			clear(st.sent)
		}
		return
	}
	if st.s.caps.Transcript == nil { // whole messages are enough for this editor
		return
	}
	for i := range st.gathered {
		g := &st.gathered[i]
		merged, ok := protocol.MergeDeltas(g.e, te.e)
		if !ok || g.turn != te.turn {
			continue
		}
		g.e = merged
		if size(merged) >= deltaBytes {
			st.flushLocked()
		}
		return
	}
	if time.Since(st.sent[key]) >= deltaPause || size(te.e) >= deltaBytes {
		st.sendDeltaLocked(te)
		return
	}
	st.gathered = append(st.gathered, te)
	if st.timer == nil {
		st.timer = time.AfterFunc(deltaPause-time.Since(st.sent[key]), st.tick)
	}
}

// tick sends what has gathered.
func (st *stream) tick() {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.timer = nil
	if !st.closed {
		st.flushLocked()
	}
}

func (st *stream) flushLocked() {
	for _, te := range st.gathered {
		st.sendDeltaLocked(te)
	}
	st.gathered = nil
	if st.timer != nil {
		st.timer.Stop()
		st.timer = nil
	}
}

func (st *stream) sendDeltaLocked(te turnEvent) {
	st.sent[protocol.DeltaKey(te.e)] = time.Now()
	st.sendLocked(te)
}

func (st *stream) sendLocked(te turnEvent) {
	st.seq++
	err := st.s.client.TaskEvent(st.s.ctx, &protocol.TaskEventParams{
		TaskID: st.taskID, Seq: st.seq, TurnID: te.turn,
		Ts:    st.s.o.Now().UTC().Format(stamp),
		Event: event.Envelope{Event: te.e},
	})
	if err != nil {
		st.s.log.Debug("event not sent", "task", st.taskID, "seq", st.seq, "err", err)
	}
}

// close sends what has gathered; nothing is sent after it.
func (st *stream) close() {
	st.mu.Lock()
	defer st.mu.Unlock()
	if !st.closed {
		st.flushLocked()
	}
	st.closed = true
}

// size is how much text a delta carries, in bytes.
func size(e event.Event) int {
	switch e := e.(type) {
	case event.MessageDelta:
		return len(e.Text)
	case event.ToolCallDelta:
		return len(e.ArgsText) + len(e.Output)
	}
	return 0
}
