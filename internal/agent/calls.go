package agent

import (
	"context"
	"runtime/debug"
	"strings"
	"sync"

	"clined/internal/event"
	"clined/internal/tools"
	"clined/internal/transcript"
)

// followCalls runs the calls of a reply and puts their results into the outbox.
// known are the results there are already, nil for none.
func (tn *turn) followCalls(ctx context.Context, calls []*transcript.Call, known []*tools.Result) (*ending, error) {
	results := tn.runCalls(ctx, calls, known)
	if closing(ctx) {
		return nil, ctx.Err()
	}
	var end *tools.End
	needsUser := false
	verdict := fine
	for i, c := range calls {
		r := &results[i]
		if r.End != nil && end == nil {
			end = r.End
		}
		needsUser = needsUser || r.NeedsUser
		switch r.Outcome {
		case tools.OK:
			tn.mistakes = 0
		case tools.Cancelled:
			continue
		}
		v := tn.loops.add(c, r.Outcome != tools.OK)
		if v == repeatsItself {
			r.Text += repeatNotice
		}
		verdict = max(verdict, v)
	}
	tn.answer(calls, results)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case end != nil:
		tn.final(end)
		reason := event.Completed
		if end.Plan {
			reason = event.PlanPresented
		}
		return &ending{reason: reason}, nil
	case needsUser:
		return &ending{reason: event.NeedsUser, failure: &event.Failure{Code: "needs_user",
			Message: "the task needs a decision that nobody is there to make",
			Hint:    "approve in an editor, or allow this kind of action beforehand"}}, nil
	case verdict == stuck:
		return tn.askAndSay(ctx, "The model keeps repeating the same call without getting further. What should it do?")
	}
	return nil, nil
}

// runCalls runs the calls in order, neighbours that only read at the same
// time. After the user turned one down, or one ended the turn, the rest of the
// reply is skipped.
func (tn *turn) runCalls(ctx context.Context, calls []*transcript.Call, known []*tools.Result) []tools.Result {
	results := make([]tools.Result, len(calls))
	if known == nil {
		known = make([]*tools.Result, len(calls))
	}
	skip := ""
	for i := 0; i < len(calls) && !closing(ctx); {
		n := tn.group(calls[i:], known[i:])
		if ctx.Err() != nil {
			skip = neverRunResult
		}
		if known[i] != nil {
			results[i] = *known[i]
			if results[i].Skip {
				skip = skippedResult
			}
			i++
			continue
		}
		if skip != "" {
			results[i] = tn.notRun(calls[i], skip)
			i++
			continue
		}
		tn.runGroup(ctx, calls[i:i+n], results[i:i+n])
		for ; n > 0; n-- {
			if results[i].Skip {
				skip = skippedResult
			} else if results[i].End != nil {
				skip = endedResult
			}
			i++
		}
	}
	return results
}

// group returns how many calls at the front may run at the same time.
func (tn *turn) group(calls []*transcript.Call, known []*tools.Result) int {
	n := 0
	for i, c := range calls {
		info, ok := tn.t.c.Tools.Describe(c.Name)
		if !ok || !info.ReadOnly || known[i] != nil {
			break
		}
		n++
	}
	return max(n, 1)
}

// runGroup runs calls at the same time and waits for all of them. Arguments and
// checklists are read before, in order.
func (tn *turn) runGroup(ctx context.Context, calls []*transcript.Call, results []tools.Result) {
	var wg sync.WaitGroup
	for i, c := range calls {
		args, err := tools.ParseArgs(c.Arguments)
		if err != nil {
			results[i] = tools.Fail(err.Error())
			tn.previews.over(c.ID)
			tn.emit(tn.finishedCall(c, results[i]))
			continue
		}
		info, _ := tn.t.c.Tools.Describe(c.Name)
		args, checklist := tools.StripChecklist(args, info.OwnChecklist)
		tn.setChecklist(checklist)
		wg.Go(func() { results[i] = tn.runCall(ctx, c, args) })
	}
	wg.Wait()
}

// runCall runs one call and shows it. A bug in it fails the call only. When the
// task's life ends in the middle, a call that did not begin, or that changes
// nothing, is left as it is: whoever takes the task up makes it.
func (tn *turn) runCall(ctx context.Context, c *transcript.Call, args tools.Args) (r tools.Result) {
	began := false
	tn.previews.settle(c.ID)
	defer tn.previews.over(c.ID)
	defer func() {
		if p := recover(); p != nil {
			tn.t.c.Log.Error("call panicked", "call", c.ID, "tool", c.Name, "panic", p, "stack", string(debug.Stack()))
			r = tools.Fail(faultResult)
		}
		if closing(ctx) && r.Outcome == tools.Cancelled && (!began || tn.repeatable(c)) {
			return
		}
		tn.emit(tn.finishedCall(c, r))
	}()
	r = tn.t.c.Tools.Run(ctx, tools.Call{
		ID: c.ID, TurnID: tn.id, Name: c.Name, Args: args, Mode: tn.t.options.Mode(), Origin: tools.Native,
		Started: func(ctx context.Context, title string) error {
			began = true
			return tn.started(ctx, c, title)
		},
		Emit: func(output string) { tn.emit(event.ToolCallDelta{ToolCallID: c.ID, Output: output}) },
	})
	switch {
	case ctx.Err() == nil || r.Outcome != tools.Cancelled:
	case closing(ctx):
		r.Text = strings.TrimSpace(closedResult + "\n" + r.Text)
	case r.Text == "":
		r.Text = interruptedResult
	}
	return r
}

// started shows that a call acts now. What changes something is on record
// before it happens, so that after a crash nobody takes it for not done.
func (tn *turn) started(ctx context.Context, c *transcript.Call, title string) error {
	running := tn.shownCall(c)
	running.Title, running.Status = title, event.InProgress
	tn.emit(running)
	if tn.repeatable(c) {
		return nil
	}
	return tn.t.c.Journal.Sync(ctx)
}

// notRun answers a call without running it.
func (tn *turn) notRun(c *transcript.Call, why string) tools.Result {
	r := tools.Result{Text: why, Outcome: tools.Cancelled}
	tn.previews.over(c.ID)
	tn.emit(tn.finishedCall(c, r))
	return r
}

// shownCall is a call as fronts see it before it runs.
func (tn *turn) shownCall(c *transcript.Call) event.ToolCall {
	info, _ := tn.t.c.Tools.Describe(c.Name)
	return event.ToolCall{
		ToolCallID: c.ID, Name: c.Name, Kind: string(info.Kind), Status: event.Pending,
		Args: string(c.Object()), Server: info.Server, Tool: info.Tool,
	}
}

// finishedCall is a call as fronts see it after it ran.
func (tn *turn) finishedCall(c *transcript.Call, r tools.Result) event.ToolCall {
	e := tn.shownCall(c)
	e.Title, e.Output, e.Diff, e.Locations, e.AutoApproved = r.Title, r.Text, r.Diff, r.Locations, r.Rule
	switch r.Outcome {
	case tools.OK:
		e.Status = event.Done
	case tools.Denied:
		e.Status = event.Denied
	case tools.Cancelled:
		e.Status = event.Stopped
	default:
		e.Status = event.Error
	}
	return e
}

// answer puts the results of a reply's calls into the outbox.
func (tn *turn) answer(calls []*transcript.Call, results []tools.Result) {
	m := transcript.Message{ID: tn.t.c.NewID(), Role: transcript.Tool}
	for i, c := range calls {
		r := results[i]
		text := r.Text
		if text == "" {
			text = "(no output)"
		}
		m.Parts = append(m.Parts, transcript.Part{Kind: transcript.ResultPart, Result: &transcript.Result{
			CallID: c.ID, Name: c.Name, Text: text, Images: r.Images, IsError: r.Outcome != tools.OK,
		}})
	}
	tn.outbox = append(tn.outbox, m)
}
