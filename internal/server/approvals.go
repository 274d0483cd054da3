package server

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"clined/internal/approval"
	"clined/internal/event"
	"clined/internal/fileuri"
	"clined/internal/protocol"
	"clined/internal/tools"
)

// Kinds of an approval's options.
const (
	allowOnce   = "allow_once"
	allowAlways = "allow_always"
	rejectOnce  = "reject_once"
)

// kindApproval is what the desk calls approvals.
const kindApproval = "approval"

// Approve implements approval.Approver: it waits until an answer counts.
func (t *task) Approve(ctx context.Context, r approval.Request) (approval.Answer, error) {
	p := approvalParams(r, t.s.o.NewID(), t.id)
	t.shownFor(ctx, r, p)
	d := &decision{
		t:       t,
		params:  p,
		pending: event.PendingAction{ID: p.ApprovalID, Kind: kindApproval, Title: p.Title, ToolCallID: p.ToolCallID},
		judge: func(outcome any) (any, error) {
			out := t.unaliased(outcome.(*protocol.ApprovalOutcome), r)
			a, err := judgeApproval(p, r, out)
			if err != nil {
				return nil, err
			}
			t.shownEdits(&a, r)
			return a, takeHunks(&a, r.Subject.Edits, p.Subject.Files, out.Hunks)
		},
	}
	for _, o := range p.Options {
		d.pending.Options = append(d.pending.Options, o.OptionID)
	}
	if t.s.caps.Approvals != nil {
		d.present = func(ctx context.Context) (any, error) {
			out, err := t.s.client.ApprovalRequest(ctx, p)
			if out == nil || err != nil {
				return nil, err
			}
			return out, nil
		}
		d.resolved = func(outcome any) { t.approvalResolved(p, outcome) }
	} else {
		t.approvalByMessage(d, p)
	}
	answer, err := t.s.desk.wait(ctx, d)
	if err != nil {
		return approval.Answer{}, err
	}
	return answer.(approval.Answer), nil
}

func approvalParams(r approval.Request, approvalID, taskID string) *protocol.ApprovalRequestParams {
	p := &protocol.ApprovalRequestParams{
		ApprovalID: approvalID, TaskID: taskID, TurnID: r.TurnID, ToolCallID: r.CallID,
		Title: r.Title, Description: r.Reason, AsksAnyway: r.Anyway, Subject: subject(&r.Subject), SubjectHash: r.Subject.Hash(),
		Options:            []protocol.ApprovalOption{{OptionID: allowOnce, Kind: allowOnce, Name: "Allow"}},
		AllowFeedback:      true,
		AllowEditedContent: len(r.Subject.Edits) > 0,
	}
	for _, part := range r.Parts {
		p.Subject.Parts = append(p.Subject.Parts, protocol.SubjectPart{
			Command: part.Command, Verdict: string(part.Verdict), Reason: part.Reason, Rule: part.Rule,
		})
	}
	for _, c := range choices(r) {
		rule := r.Offers[c.offer]
		p.Options = append(p.Options, protocol.ApprovalOption{
			OptionID: c.id, Kind: allowAlways,
			Name: fmt.Sprintf("Always allow %s (%s)", rule, reach[c.scope]),
			Rule: &protocol.Rule{Scope: string(c.scope), Pattern: rule.String()},
		})
	}
	p.Options = append(p.Options, protocol.ApprovalOption{OptionID: rejectOnce, Kind: rejectOnce, Name: "Reject"})
	return p
}

// choice is one "always": which rule, and how far.
type choice struct {
	id    string
	offer int
	scope approval.Scope
}

// choices are the ways to say "always". The ids of offers after the first have
// its number in them, counted from 1, and wider scopes their name.
func choices(r approval.Request) (list []choice) {
	for i := range r.Offers {
		for j, scope := range r.Scopes {
			id := allowAlways
			if i > 0 {
				id += fmt.Sprintf("_%d", i+1)
			}
			if j > 0 {
				id += "_" + string(scope)
			}
			list = append(list, choice{id, i, scope})
		}
	}
	return list
}

// reach says how far a scope goes.
var reach = map[approval.Scope]string{
	approval.TaskScope: "in this task", approval.WorkspaceScope: "in this workspace", approval.UserScope: "everywhere",
}

func option(p *protocol.ApprovalRequestParams, id string) *protocol.ApprovalOption {
	i := slices.IndexFunc(p.Options, func(o protocol.ApprovalOption) bool { return o.OptionID == id })
	if i < 0 {
		return nil
	}
	return &p.Options[i]
}

// judgeApproval decides whether an outcome counts for this very request.
func judgeApproval(p *protocol.ApprovalRequestParams, r approval.Request, out *protocol.ApprovalOutcome) (approval.Answer, error) {
	var a approval.Answer
	chosen := option(p, out.OptionID)
	switch {
	case out.OptionID == "":
		return a, protocol.InvalidParams("optionId", "is missing")
	case chosen == nil:
		return a, protocol.InvalidParams("optionId", "%q is none of the options", out.OptionID)
	case out.SubjectHash != "" && out.SubjectHash != p.SubjectHash:
		return a, protocol.InvalidParams("subjectHash", "is not that of the request: the answer is for something else")
	}
	a.Allowed = chosen.Kind != rejectOnce
	for _, c := range choices(r) {
		if c.id == chosen.OptionID {
			a.Always, a.Offer, a.Scope = true, c.offer, c.scope
		}
	}
	if f := out.Feedback; f != nil {
		a.Feedback = f.Text
		for i, b := range f.Images {
			img, err := image(fmt.Sprintf("feedback.images[%d]", i), b)
			if err != nil {
				return a, err
			}
			a.Images = append(a.Images, *img)
		}
	}
	var err error
	a.Edited, err = edited(r, out, a.Allowed)
	return a, err
}

// edited maps the texts that the user wants instead to the paths they are for.
func edited(r approval.Request, out *protocol.ApprovalOutcome, allowed bool) (map[string]string, error) {
	if len(out.EditedContent) == 0 {
		return nil, nil
	}
	if !allowed {
		return nil, protocol.InvalidParams("editedContent", "comes with a rejection")
	}
	texts := map[string]string{}
	for uri, text := range out.EditedContent {
		i := slices.IndexFunc(r.Subject.Edits, func(e tools.FileEdit) bool {
			return fileuri.FromPath(e.Path.Abs) == fileuri.Canonical(uri)
		})
		if i < 0 {
			i = slices.IndexFunc(r.Subject.Edits, func(e tools.FileEdit) bool {
				return fileuri.FromPath(e.Path.Real) == fileuri.Canonical(uri)
			})
		}
		if i < 0 {
			return nil, protocol.InvalidParams("editedContent", "names %q, which is none of the files", uri)
		}
		texts[r.Subject.Edits[i].Path.Abs] = text
	}
	return texts, nil
}

// unaliased gives the texts that are under the name of a view's document, which is
// as the editor spells it, the name that the approval has for the file.
func (t *task) unaliased(out *protocol.ApprovalOutcome, r approval.Request) *protocol.ApprovalOutcome {
	given := *out
	given.EditedContent = maps.Clone(out.EditedContent)
	for _, e := range r.Subject.Edits {
		v := t.s.views.find(t, r.CallID, e.Path)
		name := fileuri.FromPath(e.Path.Abs)
		if v == nil || v.uri == name {
			continue
		}
		text, ok := given.EditedContent[v.uri]
		if _, both := given.EditedContent[name]; ok && !both {
			delete(given.EditedContent, v.uri)
			given.EditedContent[name] = text
		}
	}
	return &given
}

// approvalResolved tells the editor that an approval is closed, and what an
// "always" stored.
func (t *task) approvalResolved(p *protocol.ApprovalRequestParams, outcome any) {
	res := &protocol.ApprovalResolvedParams{ApprovalID: p.ApprovalID, TaskID: p.TaskID, Outcome: "cancelled"}
	if out, ok := outcome.(*protocol.ApprovalOutcome); ok {
		chosen := option(p, out.OptionID)
		res.Outcome, res.Rule = chosen.Kind, chosen.Rule
	}
	_ = t.s.client.ApprovalResolved(t.s.ctx, res)
}

// ApprovalRespond answers an approval out of band.
func (s *server) ApprovalRespond(_ context.Context, p *protocol.ApprovalRespondParams) (*protocol.RespondResult, error) {
	if p.ApprovalID == "" {
		return nil, protocol.InvalidParams("approvalId", "is missing")
	}
	return s.desk.settle(kindApproval, p.ApprovalID, &p.Outcome)
}

// ApprovalList tells what waits for the user, whole.
func (s *server) ApprovalList(_ context.Context, p *protocol.ApprovalListParams) (*protocol.ApprovalListResult, error) {
	return s.desk.list(p.TaskID), nil
}
