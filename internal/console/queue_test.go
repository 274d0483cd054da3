package console_test

import (
	"context"
	"fmt"

	"clined/internal/event"
	"clined/internal/protocol"
	"clined/internal/rpc"
)

// waitingPrompt is one that was said while a turn ran.
type waitingPrompt struct{ turn, text string }

func (w waitingPrompt) message(status event.Status) event.Message {
	return event.Message{MessageID: "m" + w.turn, Role: "user", Status: status, Content: []event.Content{{Type: "text", Text: w.text}}}
}

// next begins a turn and returns what plays it, and those that wait behind it.
func (s *fakeServer) next(ctx context.Context) (play func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	run := s.turns[0]
	s.turns = s.turns[1:]
	s.begun++
	s.active = true
	var turn context.Context
	turn, s.cancel = context.WithCancel(ctx)
	return func() {
		run(turn, s)
		s.mu.Lock()
		if len(s.queue) == 0 {
			s.mu.Unlock()
			return
		}
		w := s.queue[0]
		s.queue = s.queue[1:]
		s.mu.Unlock()
		further := s.next(ctx)
		s.emitIn(w.turn, w.message(event.Done), event.State{State: event.Running})
		further()
	}
}

// wait lets a prompt wait behind the turn that runs; ok is false when none does.
func (s *fakeServer) wait(ctx context.Context, text string) (res *protocol.TaskPromptResult, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.active {
		return nil, false
	}
	w := waitingPrompt{fmt.Sprintf("u%d", s.begun+len(s.queue)+1), text}
	s.queue = append(s.queue, w)
	rpc.AfterReply(ctx, func() { s.emitIn(w.turn, w.message(event.Pending)) })
	return &protocol.TaskPromptResult{TurnID: w.turn, MessageID: "m" + w.turn}, true
}
