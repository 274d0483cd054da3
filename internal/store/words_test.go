package store

import (
	"context"
	"errors"
	"strings"
	"syscall"
	"testing"
)

func TestSalvagedWords(t *testing.T) {
	for want, s := range map[string]salvaged{
		"1 task with 0 messages":                         {tasks: 1},
		"2 tasks with 1 message; 1 task lost messages":   {tasks: 2, messages: 1, short: 1},
		"0 tasks with 3 messages; 2 tasks lost messages": {messages: 3, short: 2},
	} {
		if got := s.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Whatever a second try fails for, the outputs it has deleted are told of.
func TestLostOutputsAreTold(t *testing.T) {
	s := &Store{dir: "/s"}
	for _, c := range []struct {
		err  error
		hint string
	}{
		{s.problem("delete a task", syscall.ENOSPC), "free some space elsewhere and delete it again"},
		{s.problem("delete a task", syscall.EROFS), "writable"},
		{s.problem("delete a task", errors.New("odd")), "delete it again"},
	} {
		p := &Problem{}
		if !errors.As(withoutOutputs(c.err), &p) || !strings.Contains(p.Hint, c.hint) || !strings.HasSuffix(p.Hint, "; its long outputs are gone, all that was said is safe") {
			t.Errorf("%v: %q", c.err, p.Hint)
		}
	}
	if err := withoutOutputs(context.Canceled); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
