package server

import (
	"context"
	"errors"
	"testing"

	"clined/internal/approval"
	"clined/internal/protocol"
	"clined/internal/rpc"
	"clined/internal/tools"
)

// Without a session only a valid answer counts; anything else is nobody.
func TestDirect(t *testing.T) {
	c := &fakeClient{changed: make(chan struct{})}
	d := Direct{Client: c}
	for _, tt := range []struct {
		out   *protocol.ApprovalOutcome
		err   error
		allow bool
		ok    bool
	}{
		{&protocol.ApprovalOutcome{OptionID: "allow_once"}, nil, true, true},
		{&protocol.ApprovalOutcome{OptionID: "reject_once"}, nil, false, true},
		{&protocol.ApprovalOutcome{OptionID: "allow_always"}, nil, false, false}, // not offered
		{nil, nil, false, false},
		{&protocol.ApprovalOutcome{OptionID: "allow_once"}, rpc.ErrClosed, false, false},
	} {
		c.approve = func(context.Context, *protocol.ApprovalRequestParams) (*protocol.ApprovalOutcome, error) {
			return tt.out, tt.err
		}
		a, err := d.Approve(t.Context(), command("c", "ls"))
		if a.Allowed != tt.allow || (err == nil) != tt.ok {
			t.Errorf("%+v: %+v, %v", tt, a, err)
		}
		if tt.out == nil && !errors.Is(err, approval.ErrNobody) {
			t.Errorf("err = %v", err)
		}
	}
	c.ask = func(context.Context, *protocol.AskParams) (*protocol.AskResult, error) {
		return &protocol.AskResult{Action: "accept", Text: "blue"}, nil
	}
	if a, err := d.Ask(t.Context(), tools.Question{Text: "?"}); a.Text != "blue" || err != nil {
		t.Errorf("%+v, %v", a, err)
	}
	c.ask = func(context.Context, *protocol.AskParams) (*protocol.AskResult, error) { return nil, nil }
	if a, err := d.Ask(t.Context(), tools.Question{Text: "?"}); !a.Cancelled || err != nil {
		t.Errorf("%+v, %v", a, err)
	}
}
