package approval

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"clined/internal/tools"
	"clined/internal/transcript"
)

// fake is a tool that counts what happens to it.
type fake struct {
	subject  tools.Subject
	err      error
	result   tools.Result
	prepared atomic.Int32
	ran      atomic.Int32
	decision tools.Decision
}

func (f *fake) Spec() *tools.Spec { return &tools.Spec{Name: "fake", Kind: f.subject.Kind} }

func (f *fake) Prepare(context.Context, tools.Call) (*tools.Action, error) {
	f.prepared.Add(1)
	if f.err != nil {
		return nil, f.err
	}
	return &tools.Action{Title: "Do it", Subject: f.subject, Run: func(_ context.Context, d tools.Decision) tools.Result {
		f.ran.Add(1)
		f.decision = d
		return f.result
	}}, nil
}

type approver func(context.Context, Request) (Answer, error)

func (a approver) Approve(ctx context.Context, r Request) (Answer, error) { return a(ctx, r) }

func never(t *testing.T) approver {
	return func(_ context.Context, r Request) (Answer, error) {
		t.Errorf("asked: %+v", r)
		return Answer{}, ErrNobody
	}
}

func answer(a Answer, err error) approver {
	return func(context.Context, Request) (Answer, error) { return a, err }
}

func gate(a Approver, s Settings) *Gate {
	return NewGate(GateOptions{Policy: func() Policy { return Policy{Settings: s} }, Approver: a})
}

func TestGateRunsWhatIsAllowed(t *testing.T) {
	f := &fake{subject: read(inside("a")), result: tools.Result{Text: "text"}}
	res := gate(never(t), Settings{Read: true}).Run(t.Context(), f, tools.Call{ID: "1", Name: "read_file"})
	want := tools.Result{Text: "text", Title: "Do it", Rule: "autoApprove.read"}
	if !reflect.DeepEqual(res, want) || f.ran.Load() != 1 || f.decision.Rule != "autoApprove.read" {
		t.Errorf("%+v, ran %d, %+v", res, f.ran.Load(), f.decision)
	}
}

func TestGateBadCall(t *testing.T) {
	f := &fake{subject: edit(inside("a")), err: errors.New("no such block")}
	res := gate(never(t), Settings{}).Run(t.Context(), f, tools.Call{})
	if res.Outcome != tools.Failed || res.Text != "no such block" || f.ran.Load() != 0 {
		t.Errorf("%+v", res)
	}
}

func TestGatePlanMode(t *testing.T) {
	g := gate(never(t), Settings{Edit: true, Command: AllCommands, Yes: true})
	f := &fake{subject: edit(inside("a"))}
	res := g.Run(t.Context(), f, tools.Call{Mode: tools.Plan})
	if res.Outcome != tools.Denied || res.Skip || !strings.Contains(res.Text, "plan mode") || f.prepared.Load() != 0 {
		t.Errorf("%+v, prepared %d", res, f.prepared.Load())
	}
	f = &fake{subject: command("touch x")}
	res = g.Run(t.Context(), f, tools.Call{Mode: tools.Plan})
	if res.Outcome != tools.Denied || res.Skip || !strings.Contains(res.Text, "plan mode") || f.ran.Load() != 0 {
		t.Errorf("%+v", res)
	}
}

func TestGateDeniedByRule(t *testing.T) {
	f := &fake{subject: command("rm x")}
	res := gate(never(t), Settings{Deny: rules([][]string{{"rm"}}), Yes: true}).Run(t.Context(), f, tools.Call{})
	if res.Outcome != tools.Denied || res.Skip || res.NeedsUser || !strings.Contains(res.Text, "nothing was done") || !strings.Contains(res.Text, "`rm`") || f.ran.Load() != 0 {
		t.Errorf("%+v", res)
	}
}

func TestGateNo(t *testing.T) {
	create := edit(inside("new"))
	create.Edits[0].Op = "create"
	for _, c := range []struct {
		s        tools.Subject
		feedback string
		want     []string
	}{
		{edit(inside("a.go"), inside("b.go")), "use tabs", []string{"denied this edit", "a.go was NOT modified. b.go was NOT modified.", "\n<feedback>\nuse tabs\n</feedback>"}},
		{create, "", []string{"new was NOT created.", "Do not try the same again."}},
		{command("make"), " no ", []string{"was NOT run and nothing was changed", "<feedback>\nno\n</feedback>"}},
		{read(outside("/x")), "", []string{"Nothing was read"}},
		{tools.Subject{Kind: tools.MCP, Server: "s", MCPTool: "t"}, "", []string{"NOT made and nothing was changed"}},
	} {
		f := &fake{subject: c.s}
		img := []transcript.Image{{}}
		res := gate(answer(Answer{Feedback: c.feedback, Always: true, Images: img}, nil), Settings{Read: true}).Run(t.Context(), f, tools.Call{})
		if res.Outcome != tools.Denied || !res.Skip || res.NeedsUser || f.ran.Load() != 0 || len(res.Images) != 1 {
			t.Errorf("%+v", res)
		}
		for _, w := range c.want {
			if !strings.Contains(res.Text, w) {
				t.Errorf("%q is not in %q", w, res.Text)
			}
		}
		if strings.Contains(res.Text, "<feedback>") != (c.feedback != "") {
			t.Errorf("%q", res.Text)
		}
	}
}

func TestGateYes(t *testing.T) {
	f := &fake{subject: edit(inside("a")), result: tools.Result{Text: "Edited."}}
	edited := map[string]string{"/ws/a": "mine"}
	var asked Request
	ask := approver(func(_ context.Context, r Request) (Answer, error) {
		asked = r
		return Answer{Allowed: true, Feedback: "well done", Images: []transcript.Image{{}}, Edited: edited}, nil
	})
	res := gate(ask, Settings{Read: true}).Run(t.Context(), f, tools.Call{ID: "c1", TurnID: "t1", Name: "replace_in_file"})
	if res.Text != "Edited.\n\nThe user approved this and says:\n<feedback>\nwell done\n</feedback>" || res.Rule != "" || len(res.Images) != 1 || f.ran.Load() != 1 {
		t.Errorf("%+v", res)
	}
	if !reflect.DeepEqual(f.decision.Edited, edited) || f.decision.Rule != "" || f.decision.Feedback != "well done" {
		t.Errorf("%+v", f.decision)
	}
	if asked.CallID != "c1" || asked.TurnID != "t1" || asked.Title != "Do it" || asked.Reason == "" || len(asked.Offers) == 0 ||
		!reflect.DeepEqual(asked.Scopes, []Scope{TaskScope}) {
		t.Errorf("%+v", asked)
	}
}

// A missing, lost or unknown answer is never a yes.
func TestGateNoDecision(t *testing.T) {
	for _, err := range []error{ErrNobody, errors.New("connection lost")} {
		f := &fake{subject: edit(inside("a"))}
		res := gate(answer(Answer{Allowed: true, Always: true}, err), Settings{Read: true}).Run(t.Context(), f, tools.Call{})
		if res.Outcome != tools.Denied || !res.NeedsUser || res.Skip || f.ran.Load() != 0 || !strings.Contains(res.Text, "needs the user's approval") {
			t.Errorf("%v: %+v", err, res)
		}
	}
	f := &fake{subject: edit(inside("a"))}
	if res := gate(answer(Answer{}, nil), Settings{Read: true}).Run(t.Context(), f, tools.Call{}); res.Outcome != tools.Denied || f.ran.Load() != 0 {
		t.Errorf("the zero answer: %+v", res)
	}
}

func TestGateCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f := &fake{subject: edit(inside("a"))}
	ask := approver(func(ctx context.Context, _ Request) (Answer, error) {
		cancel()
		<-ctx.Done()
		return Answer{Allowed: true}, nil // too late
	})
	if res := gate(ask, Settings{}).Run(ctx, f, tools.Call{}); res.Outcome != tools.Cancelled || f.ran.Load() != 0 {
		t.Errorf("%+v", res)
	}
	if res := gate(never(t), Settings{Edit: true}).Run(ctx, f, tools.Call{}); res.Outcome != tools.Cancelled || f.ran.Load() != 0 {
		t.Errorf("%+v", res)
	}
}

func TestGateChangedSubject(t *testing.T) {
	f := &fake{subject: edit(inside("a"))}
	ask := approver(func(context.Context, Request) (Answer, error) {
		f.subject.Edits[0].Proposed = "other" // the slice is shared
		return Answer{Allowed: true}, nil
	})
	if res := gate(ask, Settings{}).Run(t.Context(), f, tools.Call{}); res.Outcome != tools.Failed || f.ran.Load() != 0 {
		t.Errorf("%+v", res)
	}
}

type store struct {
	rules          []Rule
	unread, unkept error
}

func (s *store) Rules(context.Context) ([]Rule, error) { return s.rules, s.unread }
func (s *store) Add(_ context.Context, r Rule) error {
	if s.unkept == nil {
		s.rules = append(s.rules, r)
	}
	return s.unkept
}

// taskStore is a store as one task sees it.
type taskStore struct {
	*store
	own []Rule
}

func (s *taskStore) Rules(context.Context) ([]Rule, error) {
	return append(slices.Clone(s.rules), s.own...), s.unread
}

func (s *taskStore) Add(ctx context.Context, r Rule) error {
	if r.Scope != TaskScope || s.unkept != nil {
		return s.store.Add(ctx, r)
	}
	s.own = append(s.own, r)
	return nil
}

func TestGateAlways(t *testing.T) {
	asked := 0
	var scopes []Scope
	scope := Scope("")
	ask := approver(func(_ context.Context, r Request) (Answer, error) {
		asked++
		scopes = r.Scopes
		return Answer{Allowed: true, Always: true, Scope: scope}, nil
	})
	st := &store{}
	mine := &taskStore{store: st}
	options := GateOptions{Policy: func() Policy { return Policy{} }, Approver: ask, Store: mine}
	run := func(g *Gate, line string) tools.Result {
		return g.Run(t.Context(), &fake{subject: command(line)}, tools.Call{})
	}
	g := NewGate(options)
	run(g, "ls -l")
	if res := run(g, "ls -a"); asked != 1 || res.Rule != "commands that start with `ls` (always, task)" {
		t.Errorf("asked %d, %+v", asked, res)
	}
	if !reflect.DeepEqual(scopes, []Scope{TaskScope, WorkspaceScope, UserScope}) {
		t.Errorf("%v", scopes)
	}
	if run(NewGate(options), "ls"); asked != 1 { // the same task in another process
		t.Error("a task's rule does not outlive its process")
	}
	scope = UserScope
	run(g, "cat a")
	options.Store = &taskStore{store: st}
	other := NewGate(options)
	if res := run(other, "cat b"); asked != 2 || res.Rule != "commands that start with `cat` (always, user)" {
		t.Errorf("asked %d, %+v", asked, res)
	}
	if run(other, "ls"); asked != 3 {
		t.Error("a task's rule holds in another task")
	}
	run(g, "rm x") // may not be offered: an always stores nothing
	if run(g, "rm x"); asked != 5 {
		t.Errorf("asked %d", asked)
	}
	if len(mine.own) != 1 || mine.own[0].Scope != TaskScope || len(st.rules) != 2 || st.rules[0].Scope != UserScope {
		t.Errorf("%+v, %+v", mine.own, st.rules)
	}

	st.unkept = errors.New("disk full")
	run(g, "head a")
	if run(g, "head b"); asked != 6 || len(g.rules) != 1 || g.rules[0].Scope != TaskScope {
		t.Errorf("asked %d, %+v", asked, g.rules)
	}
	scope = "galaxy"
	options.Store = nil
	bare := NewGate(options)
	run(bare, "wc a")
	if run(bare, "wc b"); asked != 7 || bare.rules[0].Scope != TaskScope || !reflect.DeepEqual(scopes, []Scope{TaskScope}) {
		t.Errorf("asked %d, %v", asked, scopes)
	}
}

// People are asked one thing at a time, and what an always allows meanwhile is
// not asked about.
func TestGateOneAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var open, asked atomic.Int32
		reply := make(chan Answer)
		ask := approver(func(context.Context, Request) (Answer, error) {
			if open.Add(1) > 1 {
				t.Error("two questions at once")
			}
			defer open.Add(-1)
			asked.Add(1)
			return <-reply, nil
		})
		g := gate(ask, Settings{})
		f := &fake{subject: read(inside("a"))}
		var wg sync.WaitGroup
		ctx, cancel := context.WithCancel(t.Context())
		var late tools.Result
		for range 3 {
			wg.Go(func() { g.Run(t.Context(), f, tools.Call{}) })
		}
		synctest.Wait()
		wg.Go(func() { late = g.Run(ctx, f, tools.Call{}) })
		synctest.Wait()
		cancel()
		synctest.Wait()
		if late.Outcome != tools.Cancelled {
			t.Errorf("a cancelled wait: %+v", late)
		}
		reply <- Answer{Allowed: true}
		reply <- Answer{Allowed: true, Always: true}
		wg.Wait()
		if asked.Load() != 2 || f.ran.Load() != 3 {
			t.Errorf("asked %d, ran %d", asked.Load(), f.ran.Load())
		}
	})
}
