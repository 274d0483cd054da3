package approval

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"

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
	// Granted, if set, is told of each rule that an "always" stored.
	Granted func(Rule)
	Log     *slog.Logger
}

var _ tools.Runner = (*Gate)(nil)

// NewGate returns the gate of a task.
func NewGate(o GateOptions) *Gate {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	g := &Gate{o: o, asking: make(chan struct{}, 1)}
	g.asking <- struct{}{}
	return g
}

// Run implements tools.Runner: it prepares a call, and runs it once and only
// after it was allowed.
func (g *Gate) Run(ctx context.Context, t tools.Tool, call tools.Call) tools.Result {
	if t.Spec().Kind == tools.Edit && call.Mode == tools.Plan {
		return deniedByRule(Policy{}.Judge(tools.Subject{Kind: tools.Edit}, tools.Plan))
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
	s := action.Subject
	if s.Tool == "" {
		s.Tool = call.Name
	}
	res := g.decide(ctx, action, s, call)
	if res.Title == "" {
		res.Title = action.Title
	}
	return res
}

// decide judges, asks if need be, and runs.
func (g *Gate) decide(ctx context.Context, action *tools.Action, s tools.Subject, call tools.Call) tools.Result {
	j, err := g.judge(ctx, s, call.Mode)
	if err != nil {
		return cancelled()
	}
	if j.Verdict == AskV {
		select { // one question at a time
		case <-g.asking:
		case <-ctx.Done():
			return cancelled()
		}
		defer func() { g.asking <- struct{}{} }()
		// The answer before may have allowed this one too.
		if j, err = g.judge(ctx, s, call.Mode); err != nil {
			return cancelled()
		}
	}
	switch j.Verdict {
	case Allow:
		return run(ctx, action, call, tools.Decision{Rule: j.Rule})
	case AskV:
		return g.ask(ctx, action, s, call, j)
	}
	return deniedByRule(j)
}

func run(ctx context.Context, action *tools.Action, call tools.Call, d tools.Decision) tools.Result {
	if ctx.Err() != nil {
		return cancelled()
	}
	if call.Started != nil {
		switch err := call.Started(ctx, action.Title); {
		case err != nil && ctx.Err() != nil:
			return cancelled()
		case err != nil:
			return tools.Fail("The call was not made: " + err.Error())
		}
	}
	res := action.Run(ctx, d)
	if res.Rule == "" {
		res.Rule = d.Rule
	}
	return res
}

func (g *Gate) judge(ctx context.Context, s tools.Subject, mode tools.Mode) (Judgement, error) {
	p := g.o.Policy()
	g.mu.Lock()
	p.Rules = append(slices.Clone(p.Rules), g.rules...)
	g.mu.Unlock()
	if g.o.Store != nil {
		rules, err := g.o.Store.Rules(ctx)
		switch {
		case ctx.Err() != nil:
			return Judgement{}, ctx.Err()
		case err != nil: // fewer rules only ask more
			g.o.Log.Warn("stored rules cannot be read", "err", err)
		}
		p.Rules = append(p.Rules, rules...)
	}
	return p.Judge(s, mode), nil
}

// ask puts the action to a person. The answer counts for the subject as it was
// shown, and for nothing else.
func (g *Gate) ask(ctx context.Context, action *tools.Action, s tools.Subject, call tools.Call, j Judgement) tools.Result {
	shown := s.Hash()
	r := Request{TurnID: call.TurnID, CallID: call.ID, Title: action.Title, Reason: j.Reason, Subject: s, Parts: j.Parts, Offers: j.Offers}
	if len(j.Offers) > 0 {
		r.Scopes = []Scope{TaskScope}
		if g.o.Store != nil {
			r.Scopes = append(r.Scopes, WorkspaceScope, UserScope)
		}
	}
	a, err := g.o.Approver.Approve(ctx, r)
	switch {
	case ctx.Err() != nil:
		return cancelled()
	case errors.Is(err, ErrNobody):
		return nobody(j)
	case err != nil:
		g.o.Log.Warn("an approval was not answered", "call", call.ID, "err", err)
		return nobody(j)
	case !a.Allowed:
		return deniedByUser(s, a)
	case s.Hash() != shown:
		g.o.Log.Error("a subject changed while it was being approved", "call", call.ID, "tool", s.Tool)
		return tools.Fail("The call changed while it was being approved, so nothing was done. Make it again.")
	}
	if a.Always && a.Offer < len(j.Offers) {
		g.grant(ctx, j.Offers[a.Offer], a.Scope, r.Scopes)
	}
	res := run(ctx, action, call, tools.Decision{Feedback: a.Feedback, Images: a.Images, Edited: a.Edited, Hunks: a.Hunks})
	res.Images = append(res.Images, a.Images...)
	res.Text += approvedWith(a.Feedback)
	return res
}

// grant stores what the person was shown. A scope that was not offered, or that
// cannot be stored, holds for the task.
func (g *Gate) grant(ctx context.Context, r Rule, scope Scope, offered []Scope) {
	r.Scope = TaskScope
	if scope != TaskScope && slices.Contains(offered, scope) {
		wide := r
		wide.Scope = scope
		err := g.o.Store.Add(ctx, wide)
		if err == nil {
			g.told(wide)
			return
		}
		g.o.Log.Warn("a rule cannot be stored and holds for this task only", "rule", r.String(), "err", err)
	}
	g.mu.Lock()
	g.rules = append(g.rules, r)
	g.mu.Unlock()
	g.told(r)
}

func (g *Gate) told(r Rule) {
	if g.o.Granted != nil {
		g.o.Granted(r)
	}
}
