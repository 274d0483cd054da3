package agent

import (
	"context"
	"encoding/base64"
	"slices"

	"clined/internal/event"
	"clined/internal/tools"
	"clined/internal/transcript"
)

// takeUp begins a turn where another one was left in the middle: by a crash, by
// the end of the process, or by damage. Nothing that may have run runs again.
//
// With words of the user, open calls are not made any more. Without, those that
// never began are made now, through the usual approvals.
func (tn *turn) takeUp(ctx context.Context, left *leftOver) (*ending, error) {
	said, words := tn.unsaid(left)
	news := resumedNote
	if tn.conv.first() { // no model ever heard of the task
		news = ""
	}
	if calls := tn.conv.openCalls(); len(calls) > 0 {
		results := tn.settle(calls, left)
		if len(said) == 0 {
			tn.t.c.Tools.Defs(ctx) // servers that are starting join first
			over, err := tn.followCalls(ctx, calls, results)
			tn.addNote(news)
			return over, err
		}
		tn.answer(calls, orNotRun(results))
	} else if n := len(tn.conv.messages); n > 0 && tn.conv.messages[n-1].Role == transcript.User {
		note := transcript.Message{ID: tn.t.c.NewID(), Role: transcript.Assistant, Parts: texts(turnBroken)}
		if err := tn.record(note); err != nil {
			return nil, err
		}
	}
	parts := tn.wrap(said)
	if news != "" {
		parts = append(texts(news), parts...)
	}
	tn.begin(parts, words)
	return nil, nil
}

// unsaid are the words that no model saw, with those of this turn. They are told
// in one message; for fronts they stay what they were.
func (tn *turn) unsaid(left *leftOver) (parts []transcript.Part, words []event.Message) {
	for _, m := range left.unsent {
		parts = append(parts, fromContents(m.Content)...)
	}
	return append(parts, tn.prompt.Parts...), append(slices.Clone(left.unsent), tn.own()...)
}

// settle finds what is known of calls that have no result: nil means that the
// call never began, or that making it again does nothing.
func (tn *turn) settle(calls []*transcript.Call, left *leftOver) []*tools.Result {
	results := make([]*tools.Result, len(calls))
	for i, c := range calls {
		seen, known := left.calls[c.ID]
		switch {
		case known && finished(seen.Status):
			results[i] = resultOf(seen)
		case (!known || seen.Status == event.InProgress) && !tn.repeatable(c): // not known: lost with what is damaged
			r := tools.Fail(unknownResult)
			tn.emit(tn.finishedCall(c, r))
			results[i] = &r
		}
	}
	return results
}

// repeatable calls change nothing: they read, or they ask the user.
func (tn *turn) repeatable(c *transcript.Call) bool {
	info, ok := tn.t.c.Tools.Describe(c.Name)
	return ok && (info.ReadOnly || info.Kind == tools.Ask || info.Kind == tools.Control)
}

func finished(s event.Status) bool {
	return s == event.Done || s == event.Error || s == event.Denied || s == event.Stopped
}

// resultOf is the result of a call that fronts saw the end of.
func resultOf(seen event.ToolCall) *tools.Result {
	r := &tools.Result{
		Text: seen.Output, Title: seen.Title, Diff: seen.Diff, Locations: seen.Locations, Rule: seen.AutoApproved,
	}
	switch seen.Status {
	case event.Denied:
		r.Outcome, r.Skip = tools.Denied, true
	case event.Error:
		r.Outcome = tools.Failed
	case event.Stopped:
		r.Outcome = tools.Cancelled
	}
	return r
}

// orNotRun gives the calls that never began a result that says so.
func orNotRun(known []*tools.Result) []tools.Result {
	results := make([]tools.Result, len(known))
	for i, r := range known {
		if r == nil {
			r = &tools.Result{Text: notBegunResult, Outcome: tools.Cancelled}
		}
		results[i] = *r
	}
	return results
}

// addNote tells the model something at the end of what it is told next.
func (tn *turn) addNote(text string) {
	if text == "" || len(tn.outbox) == 0 {
		return
	}
	m := &tn.outbox[len(tn.outbox)-1]
	if m.Role == transcript.Tool {
		m.Parts[len(m.Parts)-1].Result.Text += "\n\n" + text
		return
	}
	m.Parts = append(m.Parts, transcript.TextPart(text))
}

// fromContents is the inverse of contents.
func fromContents(list []event.Content) []transcript.Part {
	var parts []transcript.Part
	for _, c := range list {
		switch c.Type {
		case "text":
			parts = append(parts, transcript.TextPart(c.Text))
		case "image":
			if data, err := base64.StdEncoding.DecodeString(c.Data); err == nil {
				parts = append(parts, transcript.Part{Kind: transcript.ImagePart, Image: &transcript.Image{MediaType: c.MimeType, Data: data}})
			}
		}
	}
	return parts
}
