package approval

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"clined/internal/tools"
)

// Gate runs the tools of one task behind the policy and the user. It may be
// used from several goroutines; people are asked one thing at a time.
type Gate struct {
	o GateOptions
	// asking holds a token while nobody is being asked.
	asking chan struct{}

	mu    sync.Mutex
	rules []Rule // of scope task
}

// GateOptions is what a Gate is made of. Policy and Approver must be given.
type GateOptions struct {
	// Policy returns the settings as they are now; rules of the task and of
	// Store are added to its own.
	Policy   func() Policy
	Approver Approver
	// Store keeps rules of wider scopes; without one only the task's is offered.
	Store RuleStore
	// Audit, if set, is told of every decision about the task TaskID.
	Audit  Audit
	TaskID string
	// Now is the clock; nil is the wall clock.
	Now func() time.Time
	Log *slog.Logger
}

var _ tools.Runner = (*Gate)(nil)

// NewGate returns the gate of a task.
func NewGate(o GateOptions) *Gate {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	g := &Gate{o: o, asking: make(chan struct{}, 1)}
	g.asking <- struct{}{}
	return g
}

// decision is what is being decided: an action and the call it is for.
type decision struct {
	action  *tools.Action
	subject tools.Subject
	call    tools.Call
}

// Run implements tools.Runner: it prepares a call, and runs it once and only
// after it was allowed.
func (g *Gate) Run(ctx context.Context, t tools.Tool, call tools.Call) tools.Result {
	if t.Spec().Kind == tools.Edit && call.Mode == tools.Plan {
		return g.refusedUnprepared(ctx, call)
	}
	if ctx.Err() != nil {
		return cancelled()
	}
	action, err := t.Prepare(ctx, call)
	switch {
	case err != nil && ctx.Err() != nil:
		return cancelled()
	case err != nil:
		return tools.Fail(err.Error())
	}
	res := g.decide(ctx, decisionOn(action, call))
	if res.Title == "" {
		res.Title = action.Title
	}
	if res.Retry != nil {
		res = g.retry(ctx, res, call)
	}
	return res
}

func decisionOn(action *tools.Action, call tools.Call) decision {
	d := decision{action, action.Subject, call}
	if d.subject.Tool == "" {
		d.subject.Tool = call.Name
	}
	return d
}

// refusedUnprepared refuses an edit in plan mode: preparing may open views.
func (g *Gate) refusedUnprepared(ctx context.Context, call tools.Call) tools.Result {
	d := decisionOn(&tools.Action{Title: strings.TrimSpace(call.Name + " " + strings.Join(givenPaths(call.Args), ", ")), Subject: tools.Subject{Kind: tools.Edit}}, call)
	j := Policy{}.Judge(d.subject, tools.Plan)
	g.record(ctx, d, Entry{Verdict: Deny, By: j.By, Reason: j.Reason})
	return deniedByRule(j)
}

// patched finds the files that a patch names.
var patched = lazy(`(?m)^\*\*\* (?:Add|Update|Delete) File: (.+)$`)

// givenPaths are the paths that the arguments of an edit name, as they are given.
func givenPaths(a tools.Args) (paths []string) {
	for _, key := range []string{"path", "absolutePath"} {
		paths = append(paths, a.String(key))
	}
	for _, file := range patched().FindAllStringSubmatch(a.String("input"), -1) {
		paths = append(paths, strings.TrimSpace(file[1]))
	}
	return appendNew(nil, slices.DeleteFunc(paths, func(p string) bool { return p == "" }))
}

// decide judges, asks if need be, and runs.
func (g *Gate) decide(ctx context.Context, d decision) tools.Result {
	j, err := g.judge(ctx, d)
	if err != nil {
		return cancelled()
	}
	if j.Verdict == Ask {
		select { // one question at a time
		case <-g.asking:
		case <-ctx.Done():
			g.record(ctx, d, Entry{Verdict: Ask, By: ByNobody, Reason: j.Reason, Unanswered: unasked})
			return cancelled()
		}
		defer func() { g.asking <- struct{}{} }()
		// The answer before may have allowed this one too.
		if j, err = g.judge(ctx, d); err != nil {
			return cancelled()
		}
	}
	switch j.Verdict {
	case Allow:
		g.record(ctx, d, Entry{Verdict: Allow, By: j.By, Rule: j.Rule})
		return run(ctx, d, tools.Decision{Rule: j.Rule})
	case Ask:
		return g.ask(ctx, d, j)
	}
	g.record(ctx, d, Entry{Verdict: Deny, By: j.By, Rule: j.Rule, Reason: j.Reason})
	return deniedByRule(j)
}

func run(ctx context.Context, d decision, by tools.Decision) tools.Result {
	if ctx.Err() != nil {
		return cancelled()
	}
	if d.call.Started != nil {
		switch err := d.call.Started(ctx, d.action.Title); {
		case err != nil && ctx.Err() != nil:
			return cancelled()
		case err != nil:
			return tools.Fail("The call was not made: " + err.Error())
		}
	}
	res := d.action.Run(ctx, by)
	if res.Rule == "" {
		res.Rule = by.Rule
	}
	return res
}

func (g *Gate) judge(ctx context.Context, d decision) (Judgement, error) {
	p, err := g.policy(ctx)
	if err != nil {
		return Judgement{}, err
	}
	return p.Judge(d.subject, d.call.Mode), nil
}

// asksAnyway reports whether an action is asked about even where the settings allow
// all of its kind. It is judged anew: what a policy may look at is bounded.
func (g *Gate) asksAnyway(ctx context.Context, d decision) bool {
	p, err := g.policy(ctx)
	return err == nil && p.allowing(d.subject.Kind).Judge(d.subject, d.call.Mode).Verdict != Allow
}

// policy returns the policy with all rules that hold now.
func (g *Gate) policy(ctx context.Context) (Policy, error) {
	p := g.o.Policy()
	g.mu.Lock()
	p.Rules = append(slices.Clone(p.Rules), g.rules...)
	g.mu.Unlock()
	if g.o.Store != nil {
		rules, err := g.o.Store.Rules(ctx)
		switch {
		case ctx.Err() != nil:
			return Policy{}, ctx.Err()
		case err != nil: // a rule that denies may be among them
			g.o.Log.Warn("stored rules cannot be read", "err", err)
			p.Unread = true
		}
		p.Rules = append(p.Rules, rules...)
	}
	return p, nil
}

// ask puts the action to a person. The answer counts for the subject as it was
// shown, and for nothing else.
func (g *Gate) ask(ctx context.Context, d decision, j Judgement) tools.Result {
	shown := d.subject.Hash()
	r := Request{
		TurnID: d.call.TurnID, CallID: d.call.ID, Title: d.action.Title, Reason: j.Reason, Subject: d.subject,
		Parts: j.Parts, Offers: j.Offers, Anyway: g.asksAnyway(ctx, d),
	}
	if len(j.Offers) > 0 {
		r.Scopes = []Scope{TaskScope}
		if g.o.Store != nil {
			r.Scopes = append(r.Scopes, WorkspaceScope, UserScope)
		}
	}
	a, err := g.o.Approver.Approve(ctx, r)
	switch {
	case ctx.Err() != nil:
		g.record(ctx, d, Entry{Verdict: Ask, By: ByNobody, Reason: j.Reason, Unanswered: withdrawn})
		return cancelled()
	case err != nil:
		if !errors.Is(err, ErrNobody) {
			g.o.Log.Warn("an approval was not answered", "call", d.call.ID, "err", err)
		}
		g.record(ctx, d, Entry{Verdict: Ask, By: ByNobody, Reason: j.Reason})
		return nobody(j)
	case !a.Allowed:
		g.record(ctx, d, Entry{Verdict: Deny, By: ByUser, Reason: j.Reason, Feedback: a.Feedback})
		return deniedByUser(d.subject, a)
	case d.subject.Hash() != shown:
		g.o.Log.Error("a subject changed while it was being approved", "call", d.call.ID, "tool", d.subject.Tool)
		g.record(ctx, d, Entry{Verdict: Ask, By: ByNobody, Reason: j.Reason, Feedback: a.Feedback, Unanswered: outdated})
		return tools.Fail("The call changed while it was being approved, so nothing was done. Make it again.")
	}
	e := Entry{Verdict: Allow, By: ByUser, Reason: j.Reason, Feedback: a.Feedback}
	if a.Always && a.Offer >= 0 && a.Offer < len(j.Offers) {
		stored := g.grant(ctx, j.Offers[a.Offer], a.Scope, r.Scopes)
		e.Rule, e.Scope = stored.String(), stored.Scope
	}
	g.record(ctx, d, e)
	res := run(ctx, d, tools.Decision{Feedback: a.Feedback, Images: a.Images, Edited: a.Edited, Hunks: a.Hunks})
	res.Images = append(res.Images, a.Images...)
	res.Text += approvedWith(a.Feedback)
	return res
}

// grant stores what the person was shown, and returns it as it holds now. A
// scope that was not offered is that of the task. What cannot be stored holds
// for the task as long as this process has it.
func (g *Gate) grant(ctx context.Context, r Rule, scope Scope, offered []Scope) Rule {
	r.Created, r.Scope = g.o.Now(), TaskScope
	if g.o.Store != nil {
		kept := r
		if slices.Contains(offered, scope) {
			kept.Scope = scope
		}
		err := g.o.Store.Add(ctx, kept)
		if err == nil {
			return kept
		}
		g.o.Log.Warn("a rule cannot be stored and holds for this task and process only", "rule", r.String(), "err", err)
	}
	g.mu.Lock()
	g.rules = append(g.rules, r)
	g.mu.Unlock()
	return r
}
