package server

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"clined/internal/protocol"
)

func TestProblemsTold(t *testing.T) {
	r := start(t, everything)
	tell := func(params, want string) {
		t.Helper()
		r.notify(protocol.MethodEditorDidChangeDiagnostics, params)
		r.settle()
		if got := fmt.Sprintf("%+v", r.backend.ws.State().Diagnostics); got != want {
			t.Errorf("%s", got)
		}
	}
	tell(`{"uri":"file:///w/a%20b.go","version":4,"diagnostics":[{"range":{"start":{"line":4,"character":0},"end":{"line":4,"character":1}},"severity":2,"message":"unused","source":"vet"}]}`,
		"[{Path:/w/a b.go Version:4 Items:[{Line:5 Severity:warning Message:unused Source:vet}]}]")
	tell(`{"uri":"untitled:x","diagnostics":[{"message":"in no file"}]}`,
		"[{Path:/w/a b.go Version:4 Items:[{Line:5 Severity:warning Message:unused Source:vet}]}]")
	tell(`{"uri":"file:///w/a b.go","version":5,"diagnostics":[]}`, "[]")
}

// pullClient is an editor that can be asked for problems.
type pullClient struct {
	protocol.Client
	pull func(ctx context.Context, p *protocol.DiagnosticsPullParams) (*protocol.DiagnosticsPullResult, error)
}

func (c pullClient) DiagnosticsPull(ctx context.Context, p *protocol.DiagnosticsPullParams) (*protocol.DiagnosticsPullResult, error) {
	return c.pull(ctx, p)
}

func TestProblemsAsked(t *testing.T) {
	d, _ := diffTask(t)
	s := d.t.s
	s.workspace.Open("file:///w/my%20a.txt", "plaintext", 1, "x")
	var asked string
	answer := func(res *protocol.DiagnosticsPullResult, err error) {
		s.client = pullClient{pull: func(_ context.Context, p *protocol.DiagnosticsPullParams) (*protocol.DiagnosticsPullResult, error) {
			asked = fmt.Sprintf("%q %d", p.URIs, p.SettleMs)
			return res, err
		}}
	}
	check := func(want string) {
		t.Helper()
		f, known, err := checker{s}.Check(t.Context(), "/w/my a.txt", 300*time.Millisecond)
		if got := fmt.Sprintf("%+v %v %v", f, known, err); got != want {
			t.Errorf("%s", got)
		}
		if asked != `["file:///w/my%20a.txt"] 300` {
			t.Errorf("asked for %s", asked)
		}
	}
	answer(&protocol.DiagnosticsPullResult{Items: []protocol.FileDiagnostics{
		{URI: "file:///w/b.txt", Diagnostics: []protocol.Diagnostic{{Message: "no"}}},
		{URI: "file:///w/my a.txt", Version: 7, Diagnostics: []protocol.Diagnostic{{Message: "yes"}}}}}, nil)
	check("{Path:/w/my a.txt Version:7 Items:[{Line:1 Severity:error Message:yes Source:}]} true <nil>")
	answer(&protocol.DiagnosticsPullResult{}, nil)
	check("{Path: Version:0 Items:[]} false <nil>")
	answer(nil, nil)
	check("{Path: Version:0 Items:[]} false it was answered with null")
	answer(nil, errors.New("no such method"))
	check("{Path: Version:0 Items:[]} false no such method")

	synctest.Test(t, func(t *testing.T) {
		d, _ := diffTask(t)
		d.t.s.client = pullClient{pull: func(ctx context.Context, _ *protocol.DiagnosticsPullParams) (*protocol.DiagnosticsPullResult, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}}
		begin := time.Now()
		if _, _, err := (checker{d.t.s}).Check(t.Context(), "/w/a.txt", time.Second); err == nil || time.Since(begin) != time.Second+pullLimit {
			t.Errorf("after %v: %v", time.Since(begin), err)
		}
	})
}
