package console

import (
	"context"
	"fmt"
	"strings"

	"clined/internal/event"
	"clined/internal/protocol"
)

// Resuming says how to go on with a task that is stored.
type Resuming struct {
	Task protocol.TaskInfo
	// Prompt is said to the model, if any; Mode is changed to, if any.
	Prompt, Mode string
}

// How much of a task's past is shown before it goes on.
const (
	recalled  = 60 // events that are asked for
	lastWords = 2  // of the user
	lastSteps = 24
)

// Resume goes on with a task where it was left and returns the exit code, as
// Run does.
func (f *Front) Resume(ctx context.Context, r Resuming) int {
	defer f.show.end()
	res, err := f.daemon().TaskAttach(ctx, &protocol.TaskAttachParams{TaskID: r.Task.TaskID, Limit: recalled})
	if err != nil {
		e := problem(err)
		f.show.failure("the task cannot be taken up: "+e.Text, e.Hint)
		return f.leave(ctx, ExitFailed)
	}
	if res.Task.Owner != nil {
		f.show.failure(ownedBy(res.Task), "wait for its end, or stop it there; what it does: clined tasks show "+shortID(res.Task.TaskID))
		return ExitFailed
	}
	f.setTask(res.Task.TaskID)
	f.takeOver(res)
	if !f.o.JSON {
		f.show.recall(res, r.Prompt != "")
	}
	if r.Mode != "" && r.Mode != res.Task.Mode {
		if _, err := f.daemon().ConfigSet(ctx, &protocol.ConfigSetParams{TaskID: res.Task.TaskID, ID: "mode", Value: r.Mode}); err != nil {
			f.fail(err)
			return f.leave(ctx, ExitFailed)
		}
	}
	code, ok := f.goOn(ctx, res.Task, r)
	if ok {
		return f.endsWith(f.converse(ctx, code))
	}
	return code
}

// takeOver learns how the task stands.
func (f *Front) takeOver(res *protocol.TaskAttachResult) {
	for _, e := range res.Events {
		if p, ok := e.Event.Event.(event.Plan); ok {
			f.setPlan(p.Entries)
			f.show.knows(p.Entries)
		}
	}
}

// goOn says what there is to be said, or goes on with what was interrupted. In a
// conversation a task that has come to an end waits for words. ok is false when
// there is nothing to go on with.
func (f *Front) goOn(ctx context.Context, t protocol.TaskInfo, r Resuming) (code int, ok bool) {
	over := t.State == string(event.Idle) && (t.StopReason == event.Completed || t.StopReason == event.PlanPresented || t.StopReason == "")
	switch {
	case r.Prompt == "" && f.o.Interactive && !isInterrupted(t):
		return ExitDone, true
	case r.Prompt == "" && over:
		f.show.failure("the task has come to its end: there is nothing to go on with",
			fmt.Sprintf(`say what is to be done next: clined run --resume %s "…"`, shortID(t.TaskID)))
		return ExitUsage, false
	}
	p := &protocol.TaskResumeParams{TaskID: t.TaskID}
	if r.Prompt != "" {
		p.Prompt = protocol.Text(r.Prompt)
	}
	f.hint()
	res, err := f.daemon().TaskResume(context.WithoutCancel(ctx), p)
	if err != nil {
		e := problem(err)
		f.show.failure("the task cannot be taken up: "+e.Text, e.Hint)
		return f.leave(ctx, ExitFailed), false
	}
	f.course.begun(*res)
	return f.wait(ctx), true
}

// knows takes over a checklist that is not shown now.
func (r *renderer) knows(list []event.PlanEntry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.plan = list
}

// recall shows which task it is, the end of what was said and done, and what an
// interruption left open.
func (r *renderer) recall(res *protocol.TaskAttachResult, words bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.heading(res.Task)
	for line := range strings.Lines(r.pastText(tail(inOrder(res.Events)))) {
		r.line(r.p.faint(strings.TrimRight("│ "+strings.TrimSuffix(line, "\n"), " ")))
	}
	if res.Task.Damage != "" {
		r.line(r.p.warn(r.prose(res.Task.Damage, "")))
	}
	if !isInterrupted(res.Task) {
		return
	}
	when := ago(r.o.now(), parseTime(res.Task.Updated))
	r.line(r.p.warn("this was interrupted " + when + " and goes on now"))
	for _, news := range leftOpen(res.Events, words) {
		r.line(r.p.warn(r.layOut("  "+news, "  ")))
	}
}

// pastText is the past as text without colours, for lines of their own.
func (r *renderer) pastText(events []protocol.TaskEventParams) string {
	var b strings.Builder
	o := r.o
	o.Out, o.Err, o.OutTTY, o.Color = &b, &b, true, false
	if o.Width > 0 {
		o.Width = max(o.Width-2, 1)
	}
	quiet := newRenderer(o)
	quiet.past.on = true
	for _, e := range events {
		quiet.pastEvent(e.TurnID, e.Event.Event)
	}
	quiet.endStream()
	return b.String()
}

// tail is the end of a past: from the user's last words on, unless that is long.
func tail(events []protocol.TaskEventParams) []protocol.TaskEventParams {
	said := 0
	for i := len(events) - 1; i >= 0; i-- {
		m, ok := events[i].Event.Event.(event.Message)
		if ok && m.Role == "user" && m.Status == event.Done {
			said++
		}
		if said == lastWords || len(events)-i == lastSteps {
			return events[i:]
		}
	}
	return events
}

// leftOpen tells what becomes of what was open: nothing that may have run runs
// again, and no call is made any more once there are words of the user.
func leftOpen(events []protocol.TaskEventParams, words bool) (news []string) {
	unknown, notBegun, queued := 0, 0, 0
	for _, e := range events {
		if m, ok := e.Event.Event.(event.Message); ok && m.Role == "user" && m.Status == event.Pending {
			queued++
		}
	}
	words = words || queued > 0
	for _, e := range events {
		c, ok := e.Event.Event.(event.ToolCall)
		switch {
		case !ok:
		case c.Status == event.Pending:
			notBegun++
		case c.Status == event.InProgress && (words || c.Kind != "read" && c.Kind != "ask" && c.Kind != "control"):
			unknown++
		}
	}
	if unknown > 0 {
		news = append(news, count(unknown, "call")+" had begun, and what came of it is not known: nothing is repeated, and the model is told so")
	}
	switch {
	case notBegun == 0:
	case words:
		news = append(news, count(notBegun, "call")+" had not begun, and will not: there is something new to do")
	default:
		news = append(news, count(notBegun, "call")+" had not begun: that is done now, and asks as usual")
	}
	if queued > 0 {
		news = append(news, "what was queued is said now")
	}
	return news
}

func count(n int, thing string) string {
	if n == 1 {
		return "one " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
