package agent

import (
	"fmt"
	"sync"
	"time"

	"clined/internal/event"
	"clined/internal/llm"
)

// When the user is told of a model that has said nothing yet: local servers
// read a long prompt for minutes.
const (
	firstSilence = 15 * time.Second
	nextSilence  = 30 * time.Second
)

// silence tells the user that an answer does not begin.
type silence struct {
	tn      *turn
	attempt int
	began   time.Time
	timer   *time.Timer

	mu sync.Mutex // guards the rest, and the order of what is emitted
	// over: the answer began or ended. shown: the user was told of the wait.
	// alive: the server gave a sign of life.
	over, shown, alive bool
}

// watch begins to watch one request. The caller calls end.
func (tn *turn) watch(attempt int) *silence {
	s := &silence{tn: tn, attempt: attempt, began: time.Now()}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.timer = time.AfterFunc(firstSilence, s.tell)
	return s
}

func (s *silence) tell() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return
	}
	s.shown = true
	reason := "the model has not answered yet"
	if s.alive {
		reason = "the server is at work on the answer"
	}
	waited := time.Since(s.began)
	s.tn.emit(event.State{State: event.Running, Waiting: &event.Waiting{
		Reason: fmt.Sprintf("%s, after %s", reason, waited.Round(time.Second)), WaitedMs: waited.Milliseconds(),
		Attempt: s.attempt, Max: llm.MaxRetries + 1,
	}})
	s.timer.Reset(nextSilence)
}

// heard takes note of an event.
func (s *silence) heard(e llm.Event) {
	if e.Kind != llm.Heartbeat {
		s.end()
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.alive = true
}

// end tells that the wait is over, if the user was told of it.
func (s *silence) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return
	}
	s.over = true
	s.timer.Stop()
	if s.shown {
		s.tn.emit(event.State{State: event.Running})
	}
}
