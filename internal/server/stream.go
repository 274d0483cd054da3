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

// stream is a task's events on their way to the record and to the editor: one
// order, numbers that rise. Emit never waits.
type stream struct {
	s      *server
	taskID string
	// plain, if set, shows the events to an editor that knows none.
	plain *plainView

	mu     sync.Mutex
	record Record
	turn   string // the turn that runs or ran last
	active bool   // a turn runs
	// queued are the messages of the user that wait for their turn.
	queued map[string]bool
	closed bool
	// detached: the editor does not follow the task.
	detached bool
	// from is the last number that the editor was told of otherwise, last the
	// highest that it knows of.
	from, last int64
	others     others
	// held counts the requests that must be answered first; waiting is what
	// happened meanwhile, released is closed when it is out. early is what
	// happened before there was a record to number it.
	held     int
	waiting  []*protocol.TaskEventParams
	early    []turnEvent
	released chan struct{}
	// gathered are deltas that wait, in order; sent tells when the last one of
	// a key went out.
	gathered []turnEvent
	sent     map[string]time.Time
	// begun holds the number by which a message was first seen, while it streams.
	begun map[string]int64
	timer *time.Timer
	// open is what has not ended, for those who attach meanwhile.
	open unfinished
}

type turnEvent struct {
	turn string
	e    event.Event
}

func newStream(s *server, taskID string) *stream {
	return &stream{s: s, taskID: taskID, sent: map[string]time.Time{}, begun: map[string]int64{}, queued: map[string]bool{}}
}

// keepIn gives the stream its record; what happened before follows.
func (st *stream) keepIn(r Record) {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.record = r
	st.others.upTo = r.LastSeq()
	for _, te := range st.early {
		st.emitLocked(te)
	}
	st.early = nil
}

// Emit implements agent.Sink. It may also be called beside the agent.
func (st *stream) Emit(turnID string, e event.Event) {
	st.mu.Lock()
	defer st.mu.Unlock()
	if state, ok := e.(event.State); ok {
		st.active = state.State != event.Idle
		if state.State == event.Running {
			st.turn = turnID
		}
	}
	if m, ok := e.(event.Message); ok && m.Role == "user" {
		if delete(st.queued, m.MessageID); m.Status == event.Pending {
			st.queued[m.MessageID] = true
		}
	}
	if st.record == nil {
		st.early = append(st.early, turnEvent{turnID, e})
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

// busy reports whether a turn runs.
func (st *stream) busy() bool {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.active
}

// goesOn reports whether a turn runs, or will without anybody's doing.
func (st *stream) goesOn() bool {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.active || len(st.queued) > 0
}

// attach lets the editor follow the task from here on; it returns the number
// of the last event so far, and what has not ended by then.
func (st *stream) attach() (last int64, open []event.Item) {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.flushLocked()
	st.detached, st.from = false, st.record.LastSeq()
	st.last, st.others.upTo = max(st.last, st.from), st.from
	return st.from, st.open.list()
}

// detach ends that.
func (st *stream) detach() {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.detached = true
}

// hold keeps events back from the editor until release was called as often.
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
	for _, p := range st.waiting {
		st.sendLocked(p)
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
		st.wholeLocked(te)
		if state, ok := te.e.(event.State); ok && state.State == event.Idle {
			clear(st.sent)
			clear(st.begun)
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
		st.deltaLocked(te)
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
		st.deltaLocked(te)
	}
	st.gathered = nil
	if st.timer != nil {
		st.timer.Stop()
		st.timer = nil
	}
}

// deltaLocked sends a delta. It is not recorded: its text comes again in the whole.
func (st *stream) deltaLocked(te turnEvent) {
	st.sent[protocol.DeltaKey(te.e)] = time.Now()
	seq, now := st.nextLocked(), st.s.o.Now()
	if d, ok := te.e.(event.MessageDelta); ok && st.begun[d.MessageID] == 0 {
		st.begun[d.MessageID] = seq
	}
	st.open.delta(event.Item{Seq: seq, TurnID: te.turn, Time: now, Event: te.e})
	st.outLocked(seq, now, te)
}

// wholeLocked numbers, records and sends an event that is no delta.
func (st *stream) wholeLocked(te turnEvent) {
	seq, now := st.nextLocked(), st.s.o.Now()
	item := event.Item{Key: event.Key(te.e, te.turn, seq), Seq: seq, TurnID: te.turn, Time: now, Event: te.e}
	st.open.whole(item)
	if item.Key != "" {
		if event.Moves(te.e) {
			item.First = seq
		}
		if m, ok := te.e.(event.Message); ok {
			item.First = st.begun[m.MessageID]
			delete(st.begun, m.MessageID)
		}
		st.record.Record(item)
	}
	st.outLocked(seq, now, te)
}

// nextLocked gives a number behind all that the editor knows of: another process
// may be ahead of the numbers that are reserved here.
func (st *stream) nextLocked() int64 {
	seq := st.record.NextSeq()
	if seq > st.last {
		return seq
	}
	st.record.Renew()
	if seq = st.record.NextSeq(); seq <= st.last {
		st.last = 0 // a number that is damaged, and no reason to renew on and on
	}
	return seq
}

func (st *stream) outLocked(seq int64, now time.Time, te turnEvent) {
	p := eventParams(st.taskID, seq, te.turn, now, te.e)
	if st.held > 0 {
		st.waiting = append(st.waiting, p)
		return
	}
	st.sendLocked(p)
}

func eventParams(taskID string, seq int64, turnID string, at time.Time, e event.Event) *protocol.TaskEventParams {
	return &protocol.TaskEventParams{
		TaskID: taskID, Seq: seq, TurnID: turnID, Ts: at.UTC().Format(stamp), Event: event.Envelope{Event: e},
	}
}

func (st *stream) sendLocked(p *protocol.TaskEventParams) {
	if st.detached || p.Seq <= st.from {
		return
	}
	st.last = max(st.last, p.Seq)
	if st.plain != nil {
		st.plain.tell(p.TurnID, p.Event.Event)
		return
	}
	if err := st.s.client.TaskEvent(st.s.ctx, p); err != nil {
		st.s.log.Debug("event not sent", "task", st.taskID, "seq", p.Seq, "err", err)
	}
}

// close sends what has gathered; nothing is sent after it.
func (st *stream) close() {
	st.mu.Lock()
	if !st.closed && st.record != nil {
		st.flushLocked()
	}
	st.closed = true
	st.mu.Unlock()
	if st.plain != nil {
		st.plain.close()
	}
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
