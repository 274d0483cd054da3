package approval

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"clined/internal/tools"
)

// ledger is an audit log that may be full.
type ledger struct {
	entries []Entry
	err     error
}

func (l *ledger) Record(ctx context.Context, e Entry) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	l.entries = append(l.entries, e)
	return l.err
}

// Every decision is recorded, an allow before the call acts; that it cannot be
// changes no decision.
func TestAuditHoldsEveryDecision(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for name, c := range map[string]struct {
		settings Settings
		subject  tools.Subject
		mode     tools.Mode
		answer   Answer
		err      error
		want     Entry
		runs     bool
	}{
		"settings": {settings: Settings{Read: true}, subject: read(inside("a")), runs: true,
			want: Entry{Verdict: Allow, By: BySettings, Rule: "autoApprove.read"}},
		"a rule": {settings: Settings{Allow: written(t, "ls")}, subject: command("ls"), runs: true,
			want: Entry{Verdict: Allow, By: ByRule, Rule: "permissions.allow `ls`"}},
		"everything": {settings: Settings{Yes: true}, subject: command("rm x"), runs: true,
			want: Entry{Verdict: Allow, By: BySettings, Rule: everything}},
		"a rule denies": {settings: Settings{Deny: written(t, "rm"), Yes: true}, subject: command("rm x"),
			want: Entry{Verdict: Deny, By: ByRule, Rule: "permissions.deny `rm`", Reason: "The user's settings deny commands that start with `rm`."}},
		"plan mode": {settings: Settings{Edit: true}, subject: edit(inside("a")), mode: tools.Plan,
			want: Entry{Verdict: Deny, By: BySettings, Reason: planDenies("files are not edited").Reason}},
		"yes": {subject: command("make"), answer: Answer{Allowed: true, Feedback: "go"}, runs: true,
			want: Entry{Verdict: Allow, By: ByUser, Reason: "`make` runs code that its arguments or input give.", Feedback: "go"}},
		"always": {subject: command("ls -l"), answer: Answer{Allowed: true, Always: true, Offer: 1, Scope: UserScope}, runs: true,
			want: Entry{Verdict: Allow, By: ByUser, Reason: asksFirst, Rule: "exactly `ls -l`", Scope: UserScope}},
		"no": {subject: command("make"), answer: Answer{Feedback: "never"},
			want: Entry{Verdict: Deny, By: ByUser, Reason: "`make` runs code that its arguments or input give.", Feedback: "never"}},
		"nobody": {subject: command("ls"), err: ErrNobody, want: Entry{Verdict: Ask, By: ByNobody, Reason: asksFirst}},
		"lost":   {subject: command("ls"), answer: Answer{Allowed: true}, err: errors.New("lost"), want: Entry{Verdict: Ask, By: ByNobody, Reason: asksFirst}},
		"outside of the sandbox": {settings: Settings{Command: AllCommands}, subject: tools.Subject{Kind: tools.Command, Command: "ls", Unsandboxed: true}, answer: Answer{Allowed: true}, runs: true,
			want: Entry{Verdict: Allow, By: ByUser, Reason: "The command would run outside of the sandbox.", Unsandboxed: true}},
	} {
		for _, full := range []error{nil, errors.New("disk full")} {
			log := &ledger{err: full}
			f := &fake{subject: c.subject, result: tools.Result{Text: "done"}}
			g := NewGate(GateOptions{
				Policy: func() Policy { return Policy{Settings: c.settings} }, Approver: answer(c.answer, c.err), Store: &store{}, Audit: log, TaskID: "task",
				Now: func() time.Time { return now },
			})
			call := tools.Call{ID: "c1", TurnID: "t1", Name: "a_tool", Mode: c.mode, Started: func(context.Context, string) error {
				if len(log.entries) != 1 {
					t.Errorf("%s: it acts before it is on record", name)
				}
				return nil
			}}
			res := g.Run(t.Context(), f, call)
			want := c.want
			want.At, want.TaskID, want.TurnID, want.CallID, want.Kind, want.Title, want.Tool = now, "task", "t1", "c1", c.subject.Kind, "Do it", c.subject.Tool
			want.Command = c.subject.Command
			if want.Tool == "" || c.mode == tools.Plan {
				want.Tool = "a_tool"
			}
			if c.mode == tools.Plan {
				want.Title, want.Command = "a_tool", "" // refused before it was prepared
			}
			if !reflect.DeepEqual(log.entries, []Entry{want}) {
				t.Errorf("%s:\n%+v\nwant\n%+v", name, log.entries, want)
			}
			if (f.ran.Load() == 1) != c.runs || (res.Outcome == tools.OK) != c.runs {
				t.Errorf("%s: ran %d, %+v", name, f.ran.Load(), res)
			}
		}
	}
}

// A refusal in plan mode is on record with what it was about.
func TestAuditOfPlanMode(t *testing.T) {
	for _, c := range []struct {
		subject tools.Subject
		args    string
		want    string
		command string
	}{
		{edit(inside("a")), `{"path": "src/a.go", "content": "x"}`, "a_tool src/a.go", ""},
		{edit(inside("a")), `{"absolutePath": "/ws/a.go"}`, "a_tool /ws/a.go", ""},
		{edit(inside("a")), "{\"input\": \"*** Begin Patch\\n*** Update File: a b.go\\n@@\\n-x\\n*** Move to: c\\n*** Add File: d\\n\"}", "a_tool a b.go, d", ""},
		{edit(inside("a")), `{"content": 1, "input": []}`, "a_tool", ""},
		{command("touch x"), `{"command": "touch x"}`, "Do it", "touch x"},
	} {
		log := &ledger{}
		args, err := tools.ParseArgs(c.args)
		if err != nil {
			t.Fatal(err)
		}
		g := NewGate(GateOptions{Policy: func() Policy { return Policy{} }, Approver: never(t), Audit: log})
		g.Run(t.Context(), &fake{subject: c.subject}, tools.Call{Name: "a_tool", Args: args, Mode: tools.Plan})
		if len(log.entries) != 1 || log.entries[0].Title != c.want || log.entries[0].Command != c.command || log.entries[0].Verdict != Deny {
			t.Errorf("%s: %+v", c.args, log.entries)
		}
	}
}

// What needs no permission is no decision.
func TestAuditOfNothing(t *testing.T) {
	log := &ledger{}
	ctx, cancel := context.WithCancel(t.Context())
	g := NewGate(GateOptions{Policy: func() Policy { return Policy{} }, Approver: never(t), Audit: log})
	for _, kind := range []tools.Kind{tools.Ask, tools.Control} {
		g.Run(ctx, &fake{subject: tools.Subject{Kind: kind}}, tools.Call{})
	}
	cancel() // and neither is what was stopped before it began
	g.Run(ctx, &fake{subject: command("ls")}, tools.Call{})
	if len(log.entries) > 0 {
		t.Errorf("%+v", log.entries)
	}
}

// A question without an answer that counts is on record, with why.
func TestAuditOfUnansweredQuestions(t *testing.T) {
	now := time.Unix(9, 0)
	log := &ledger{}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	shown := make(chan struct{})
	ask := func(ctx context.Context, _ Request) (Answer, error) {
		close(shown)
		<-ctx.Done()
		return Answer{}, ctx.Err()
	}
	judging := func() {}
	g := NewGate(GateOptions{Policy: func() Policy { judging(); return Policy{} }, Approver: approver(ask), Audit: log, Now: func() time.Time { return now }})
	first := &fake{subject: command("ls")}
	done := make(chan tools.Result)
	go func() { done <- g.Run(ctx, first, tools.Call{ID: "1"}) }()
	<-shown
	waits, stop := context.WithCancel(t.Context())
	judging = stop // it waits behind the first then
	stopped := &fake{subject: command("make")}
	second := g.Run(waits, stopped, tools.Call{ID: "2"})
	cancel()
	if res := <-done; res.Outcome != tools.Cancelled || second.Outcome != tools.Cancelled || first.ran.Load()+stopped.ran.Load() > 0 {
		t.Errorf("%+v, %+v", res, second)
	}

	changed := &fake{subject: edit(inside("a"))}
	sly := func(context.Context, Request) (Answer, error) {
		changed.subject.Edits[0].Path = inside("b")
		return Answer{Allowed: true, Feedback: "go"}, nil
	}
	g = NewGate(GateOptions{Policy: func() Policy { return Policy{} }, Approver: approver(sly), Audit: log, Now: func() time.Time { return now }})
	if res := g.Run(t.Context(), changed, tools.Call{ID: "3"}); res.Outcome != tools.Failed || changed.ran.Load() > 0 {
		t.Errorf("%+v", res)
	}
	want := []Entry{
		{CallID: "2", Tool: "execute_command", Kind: tools.Command, Command: "make", Reason: "`make` runs code that its arguments or input give.", Unanswered: unasked},
		{CallID: "1", Tool: "execute_command", Kind: tools.Command, Command: "ls", Reason: asksFirst, Unanswered: withdrawn},
		{CallID: "3", Tool: "write_to_file", Kind: tools.Edit, Reason: "Editing files asks first.", Feedback: "go", Unanswered: outdated},
	}
	for i := range want {
		want[i].At, want[i].Title, want[i].Verdict, want[i].By = now, "Do it", Ask, ByNobody
	}
	if !reflect.DeepEqual(log.entries, want) {
		t.Errorf("%+v\nwant\n%+v", log.entries, want)
	}
}

// retrier is a tool whose result offers to do it again without the sandbox.
type retrier struct {
	fake
	again *fake
}

func (r *retrier) Prepare(ctx context.Context, call tools.Call) (*tools.Action, error) {
	a, _ := r.fake.Prepare(ctx, call)
	run := a.Run
	a.Run = func(ctx context.Context, d tools.Decision) tools.Result {
		res := run(ctx, d)
		next, _ := r.again.Prepare(ctx, call)
		next.Title = "Run it outside of the sandbox"
		res.Retry = next
		return res
	}
	return a, nil
}

func TestRetry(t *testing.T) {
	outside := command("make")
	outside.Unsandboxed = true
	for name, c := range map[string]struct {
		settings Settings
		answer   Answer
		err      error
		ran      int32
		text     []string
		outcome  tools.Outcome
		skip     bool
		by       By
	}{
		"yes":         {settings: Settings{Command: AllCommands}, answer: Answer{Allowed: true, Feedback: "fine"}, ran: 1, text: []string{"second", "<feedback>\nfine"}, by: ByUser},
		"no":          {settings: Settings{Command: AllCommands}, answer: Answer{Feedback: "stay inside"}, text: []string{"first", "Run it outside of the sandbox", "this result stands", "denied this command", "stay inside"}, outcome: tools.Failed, skip: true, by: ByUser},
		"nobody":      {settings: Settings{Command: AllCommands}, err: ErrNobody, text: []string{"first", "this result stands", "nobody could be asked"}, outcome: tools.Failed, by: ByNobody},
		"always asks": {settings: Settings{Command: AllCommands, Allow: written(t, "make")}, err: ErrNobody, text: []string{"first"}, outcome: tools.Failed, by: ByNobody},
		"--yes":       {settings: Settings{Yes: true}, err: errors.New("is not asked"), ran: 1, text: []string{"second"}, by: BySettings},
	} {
		log := &ledger{}
		r := &retrier{fake{subject: command("make"), result: tools.Fail("first")}, &fake{subject: outside, result: tools.Result{Text: "second"}}}
		var asked []Request
		g := NewGate(GateOptions{Policy: func() Policy { return Policy{Settings: c.settings} }, Audit: log,
			Approver: approver(func(_ context.Context, r Request) (Answer, error) { asked = append(asked, r); return c.answer, c.err })})
		started := 0
		res := g.Run(t.Context(), r, tools.Call{ID: "c", TurnID: "t", Started: func(context.Context, string) error { started++; return nil }})
		if res.Outcome != c.outcome || res.Skip != c.skip || res.NeedsUser || res.Retry != nil || r.ran.Load() != 1 || r.again.ran.Load() != c.ran || started != 1 {
			t.Errorf("%s: %+v, ran %d and %d, started %d", name, res, r.ran.Load(), r.again.ran.Load(), started)
		}
		for _, part := range c.text {
			if !strings.Contains(res.Text, part) {
				t.Errorf("%s: %q lacks %q", name, res.Text, part)
			}
		}
		if c.by != BySettings && (len(asked) != 1 || !asked[0].Subject.Unsandboxed || asked[0].CallID != "c" || len(asked[0].Offers) > 0 || asked[0].Title != "Run it outside of the sandbox") {
			t.Errorf("%s: asked %+v", name, asked)
		}
		last := log.entries[len(log.entries)-1]
		if len(log.entries) != 2 || last.By != c.by || !last.Unsandboxed || log.entries[0].Unsandboxed {
			t.Errorf("%s: %+v", name, log.entries)
		}
	}
}

// A retry is refused by a rule that denies, and is offered once.
func TestRetryRefusedOrRepeated(t *testing.T) {
	denied := command("make")
	denied.Unsandboxed = true
	r := &retrier{fake{subject: read(inside("a")), result: tools.Result{Text: "first"}}, &fake{subject: denied}}
	res := gate(never(t), Settings{Read: true, Deny: written(t, "make"), Yes: true}).Run(t.Context(), r, tools.Call{})
	if res.Outcome != tools.OK || !strings.Contains(res.Text, "first\n\n") || !strings.Contains(res.Text, "deny commands that start with `make`") || r.again.ran.Load() != 0 || res.Skip {
		t.Errorf("%+v", res)
	}
	loop := &retrier{fake: fake{subject: read(inside("a"))}, again: &fake{subject: read(inside("a"))}}
	loop.again.result.Retry = &tools.Action{}
	if res := gate(never(t), Settings{Read: true}).Run(t.Context(), loop, tools.Call{}); res.Retry != nil || loop.again.ran.Load() != 1 {
		t.Errorf("%+v", res)
	}
}

// Rules that cannot be read may deny: nothing runs unasked.
func TestUnreadRules(t *testing.T) {
	st := &store{unread: errors.New("disk broken")}
	for _, s := range []tools.Subject{read(inside("a")), command("ls"), edit(inside("a"))} {
		f := &fake{subject: s}
		var asked []Request
		g := NewGate(GateOptions{Store: st, Policy: func() Policy {
			return Policy{Settings: Settings{Read: true, Edit: true, Command: AllCommands}}
		}, Approver: approver(func(_ context.Context, r Request) (Answer, error) {
			asked = append(asked, r)
			return Answer{Allowed: true}, nil
		})})
		if res := g.Run(t.Context(), f, tools.Call{}); res.Outcome != tools.OK || len(asked) != 1 || !strings.Contains(asked[0].Reason, "rules cannot be read") || len(asked[0].Offers) > 0 {
			t.Errorf("%+v, asked %+v", res, asked)
		}
	}
	yes := Policy{Settings: Settings{Yes: true}, Unread: true}
	if j := yes.Judge(command("ls"), tools.Act); j.Verdict != Deny || !strings.Contains(j.Reason, "rules cannot be read") {
		t.Errorf("%+v", j)
	}
	if j := yes.Judge(tools.Subject{Kind: tools.Control}, tools.Act); j.Verdict != Allow {
		t.Errorf("%+v", j)
	}
}

func TestWrongOfferIsNoRule(t *testing.T) {
	for _, n := range []int{-1, 2, 99} {
		st := &store{}
		g := NewGate(GateOptions{Policy: func() Policy { return Policy{} }, Approver: answer(Answer{Allowed: true, Always: true, Offer: n}, nil), Store: st})
		f := &fake{subject: command("ls")}
		if g.Run(t.Context(), f, tools.Call{}); f.ran.Load() != 1 || len(st.rules)+len(g.rules) > 0 {
			t.Errorf("offer %d: ran %d, %v", n, f.ran.Load(), st.rules)
		}
	}
	now, st := time.Unix(9, 0), &store{}
	g := NewGate(GateOptions{Policy: func() Policy { return Policy{} }, Approver: answer(Answer{Allowed: true, Always: true, Offer: 1}, nil), Now: func() time.Time { return now }, Store: st})
	g.Run(t.Context(), &fake{subject: command("ls -a; make test")}, tools.Call{})
	want := Rule{Scope: TaskScope, Kind: tools.Command, Exact: [][]string{{"ls", "-a"}, {"make", "test"}}, Created: now}
	if !reflect.DeepEqual(st.rules, []Rule{want}) || st.rules[0].verdict() != Allow {
		t.Errorf("%+v", st.rules)
	}
}
