package server

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"clined/internal/approval"
	"clined/internal/event"
	"clined/internal/protocol"
	"clined/internal/rpc"
	"clined/internal/tools"
)

func command(call, line string) approval.Request {
	return approval.Request{
		TurnID: "turn1", CallID: call, Title: "Run " + line, Reason: "it changes files",
		Subject: tools.Subject{Kind: tools.Command, Tool: "execute_command", Command: line, Cwd: "/w"},
	}
}

func fileEdit() approval.Request {
	p := tools.Path{Display: "a b.go", Abs: "/w/a b.go", Real: "/real/a b.go", Outside: true, Protected: "it is a link"}
	return approval.Request{
		TurnID: "turn1", CallID: "c", Title: "Edit a b.go",
		Subject: tools.Subject{Kind: tools.Edit, Tool: "replace_in_file", Paths: []tools.Path{p}, Edits: []tools.FileEdit{
			{Path: p, Op: "modify", Base: "1", Proposed: "2", Diff: "-1\n+2\n"}}},
		Offers: []approval.Rule{{Kind: tools.Edit, Inside: true}},
		Scopes: []approval.Scope{approval.TaskScope, approval.UserScope},
	}
}

// verdict is how an approval ended.
type verdict struct {
	answer approval.Answer
	err    error
}

// ask lets a task ask for approval.
func ask(ctx context.Context, task *fakeTask, req approval.Request) <-chan verdict {
	done := make(chan verdict, 1)
	go func() {
		a, err := task.Approver.Approve(ctx, req)
		done <- verdict{a, err}
	}()
	return done
}

// shownApproval is a request that the editor shows.
type shownApproval struct {
	p     *protocol.ApprovalRequestParams
	reply func(*protocol.ApprovalOutcome, error)
	ended <-chan struct{}
}

// approvals makes the editor show requests by the channel and wait for replies.
func (r *rig) approvals() <-chan shownApproval {
	ch := make(chan shownApproval, 10)
	r.client.approve = func(ctx context.Context, p *protocol.ApprovalRequestParams) (*protocol.ApprovalOutcome, error) {
		rpc.Release(ctx) // an editor shows several at the same time
		type answer struct {
			out *protocol.ApprovalOutcome
			err error
		}
		answers := make(chan answer, 1)
		ch <- shownApproval{p, func(o *protocol.ApprovalOutcome, err error) { answers <- answer{o, err} }, ctx.Done()}
		select {
		case a := <-answers:
			return a.out, a.err
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return ch
}

// states writes the state events as "state[pending ids]".
func (c *fakeClient) states() string {
	var out []string
	for _, e := range c.events {
		if s, ok := e.Event.Event.(event.State); ok {
			text := string(s.State)
			for _, p := range s.Pending {
				text += "+" + p.Title
			}
			out = append(out, text)
		}
	}
	return strings.Join(out, " ")
}

func TestApproval(t *testing.T) {
	r := start(t, everything)
	task, id := r.newTask()
	shown := r.approvals()
	done := ask(t.Context(), task, fileEdit())
	s := <-shown
	p := s.p
	if p.TaskID != id || p.TurnID != "turn1" || p.ToolCallID != "c" || p.SubjectHash == "" || !p.AllowFeedback || !p.AllowEditedContent || p.ApprovalID == "" {
		t.Errorf("%+v", p)
	}
	if got := fmt.Sprintf("%+v", p.Subject.Files[0]); got != "{SubjectPath:{Path:/w/a b.go URI:file:///w/a%20b.go Real:/real/a b.go Outside:true Protected:it is a link} "+
		"Op:modify To:<nil> BaseText:1 NewText:2 Diff:-1\n+2\n Hunks:[{ID:1.1 StartLine:0 EndLine:1 NewStartLine:0 NewEndLine:1}] DiffID:}" || p.Subject.Type != "fileEdit" {
		t.Errorf("%s", got)
	}
	var options []string
	for _, o := range p.Options {
		options = append(options, o.OptionID+" "+o.Kind+" "+o.Name)
	}
	if got := strings.Join(options, "\n"); got != "allow_once allow_once Allow\n"+
		"allow_always allow_always Always allow editing files in the workspace (in this task)\n"+
		"allow_always_user allow_always Always allow editing files in the workspace (everywhere)\n"+
		"reject_once reject_once Reject" {
		t.Errorf("options:\n%s", got)
	}
	s.reply(&protocol.ApprovalOutcome{
		OptionID: "allow_always_user", SubjectHash: p.SubjectHash,
		Feedback:      &protocol.Feedback{Text: "well done", Images: []protocol.ContentBlock{{Type: "image", MimeType: "image/png", Data: "aGk="}}},
		EditedContent: map[string]string{"file:///w/a b.go": "3"},
	}, nil)
	v := <-done
	if v.err != nil || !v.answer.Allowed || !v.answer.Always || v.answer.Scope != approval.UserScope || v.answer.Feedback != "well done" ||
		len(v.answer.Images) != 1 || v.answer.Edited["/w/a b.go"] != "3" {
		t.Errorf("%+v", v)
	}
	r.client.until(t, "resolved", func() bool { return len(r.client.resolved) == 1 })
	if got := r.client.resolved[0]; got.Outcome != "allow_always" || got.Rule.Scope != "user" || got.Rule.Pattern != "editing files in the workspace" {
		t.Errorf("%+v", got)
	}
	r.client.until(t, "the states", func() bool { return r.client.states() == "running requires_action+Edit a b.go running" })
}

// What is no answer for this very request approves nothing and closes nothing.
func TestNoDecision(t *testing.T) {
	bad := map[string]func() (*protocol.ApprovalOutcome, error){
		"null":           func() (*protocol.ApprovalOutcome, error) { return nil, nil },
		"error":          func() (*protocol.ApprovalOutcome, error) { return nil, rpc.Errorf(-32601, "method not found") },
		"no option":      func() (*protocol.ApprovalOutcome, error) { return &protocol.ApprovalOutcome{}, nil },
		"unknown option": func() (*protocol.ApprovalOutcome, error) { return &protocol.ApprovalOutcome{OptionID: "allow"}, nil },
		"not offered": func() (*protocol.ApprovalOutcome, error) {
			return &protocol.ApprovalOutcome{OptionID: "allow_always"}, nil
		},
		"other subject": func() (*protocol.ApprovalOutcome, error) {
			return &protocol.ApprovalOutcome{OptionID: "allow_once", SubjectHash: "x"}, nil
		},
		"text for another file": func() (*protocol.ApprovalOutcome, error) {
			return &protocol.ApprovalOutcome{OptionID: "allow_once", EditedContent: map[string]string{"file:///etc/passwd": "x"}}, nil
		},
		"text with a rejection": func() (*protocol.ApprovalOutcome, error) {
			return &protocol.ApprovalOutcome{OptionID: "reject_once", EditedContent: map[string]string{"file:///w/a%20b.go": "x"}}, nil
		},
		"no hunks": func() (*protocol.ApprovalOutcome, error) {
			return &protocol.ApprovalOutcome{OptionID: "allow_once", Hunks: []string{}}, nil
		},
		"an unknown hunk": func() (*protocol.ApprovalOutcome, error) {
			return &protocol.ApprovalOutcome{OptionID: "allow_once", Hunks: []string{"1.1", "2.1"}}, nil
		},
		"bad image": func() (*protocol.ApprovalOutcome, error) {
			return &protocol.ApprovalOutcome{OptionID: "allow_once", Feedback: &protocol.Feedback{Images: []protocol.ContentBlock{{Type: "image"}}}}, nil
		},
	}
	for name, answer := range bad {
		t.Run(name, func(t *testing.T) {
			r := start(t, everything)
			task, _ := r.newTask()
			shown := r.approvals()
			req := fileEdit()
			if name == "not offered" {
				req = command("c", "rm x")
			}
			done := ask(t.Context(), task, req)
			s := <-shown
			s.reply(answer())
			if name != "null" {
				r.client.until(t, "the log message", func() bool { return len(r.client.logs) > 0 })
			}
			// The next one is shown, the first stays open and is answered out of band.
			second := ask(t.Context(), task, command("d", "ls"))
			next := <-shown
			if next.p.ToolCallID != "d" {
				t.Errorf("shown again: %+v", next.p)
			}
			r.client.until(t, "both pending", func() bool {
				return strings.HasSuffix(r.client.states(), "requires_action+"+req.Title+"+Run ls")
			})
			select {
			case v := <-done:
				t.Fatalf("decided: %+v", v)
			default:
			}
			res, err := r.server.ApprovalRespond(r.ctx(), &protocol.ApprovalRespondParams{
				ApprovalID: s.p.ApprovalID, Outcome: protocol.ApprovalOutcome{OptionID: "reject_once", Feedback: &protocol.Feedback{Text: "no"}}})
			if v := <-done; err != nil || res.Status != "accepted" || v.err != nil || v.answer.Allowed || v.answer.Feedback != "no" {
				t.Errorf("%+v, %v, %+v", res, err, v)
			}
			next.reply(&protocol.ApprovalOutcome{OptionID: "allow_once"}, nil)
			if v := <-second; !v.answer.Allowed {
				t.Errorf("%+v", v)
			}
		})
	}
}

// The first valid answer wins; the request that lost is withdrawn.
func TestFirstAnswerWins(t *testing.T) {
	r := start(t, everything)
	task, _ := r.newTask()
	shown := r.approvals()
	done := ask(t.Context(), task, command("c", "rm x"))
	s := <-shown
	r.refused(protocol.MethodApprovalRespond, `{"approvalId":"`+s.p.ApprovalID+`","outcome":{"optionId":"yes"}}`, -32602,
		`invalid params: optionId "yes" is none of the options`)
	respond := func() string {
		res, err := r.server.ApprovalRespond(r.ctx(), &protocol.ApprovalRespondParams{ApprovalID: s.p.ApprovalID,
			Outcome: protocol.ApprovalOutcome{OptionID: "allow_once"}})
		if err != nil {
			t.Fatal(err)
		}
		return res.Status
	}
	if got := respond(); got != "accepted" {
		t.Errorf("the first: %s", got)
	}
	if v := <-done; !v.answer.Allowed {
		t.Errorf("%+v", v)
	}
	<-s.ended // $/cancelRequest came
	s.reply(&protocol.ApprovalOutcome{OptionID: "reject_once"}, nil)
	if got := respond(); got != "alreadyResolved" {
		t.Errorf("the second: %s", got)
	}
	r.client.until(t, "resolved", func() bool { return len(r.client.resolved) == 1 })
}

// Approvals of a task are shown one at a time; the end of a turn withdraws them.
func TestOneAtATimeAndWithdrawal(t *testing.T) {
	r := start(t, everything)
	task, _ := r.newTask()
	shown := r.approvals()
	ctx, cancel := context.WithCancel(t.Context())
	first := ask(ctx, task, command("a", "one"))
	s := <-shown
	second := ask(t.Context(), task, command("b", "two"))
	r.client.until(t, "both pending", func() bool { return strings.HasSuffix(r.client.states(), "+Run one+Run two") })
	select {
	case s := <-shown:
		t.Fatalf("a second one is shown: %+v", s.p)
	default:
	}
	cancel()
	if v := <-first; !errors.Is(v.err, context.Canceled) {
		t.Errorf("%+v", v)
	}
	<-s.ended
	r.client.until(t, "resolved", func() bool { return len(r.client.resolved) == 1 && r.client.resolved[0].Outcome == "cancelled" })
	next := <-shown
	if next.p.ToolCallID != "b" {
		t.Errorf("%+v", next.p)
	}
	r.client.until(t, "one pending", func() bool { return strings.HasSuffix(r.client.states(), "requires_action+Run two") })
	res, err := r.server.ApprovalRespond(r.ctx(), &protocol.ApprovalRespondParams{ApprovalID: s.p.ApprovalID, Outcome: protocol.ApprovalOutcome{OptionID: "allow_once"}})
	if err != nil || res.Status != "alreadyResolved" {
		t.Errorf("%+v, %v", res, err)
	}
	next.reply(&protocol.ApprovalOutcome{OptionID: "reject_once"}, nil)
	if v := <-second; v.err != nil || v.answer.Allowed {
		t.Errorf("%+v", v)
	}
}

// An editor that announced nothing is asked nothing; it learns from the state
// what is open and answers by id.
func TestWithoutCapabilities(t *testing.T) {
	r := start(t, bare)
	task, _ := r.newTask()
	done := ask(t.Context(), task, command("c", "rm x"))
	var pending event.PendingAction
	r.client.until(t, "the state", func() bool {
		s, ok := r.client.last().(event.State)
		if ok && len(s.Pending) == 1 {
			pending = s.Pending[0]
		}
		return pending.ID != ""
	})
	if got := fmt.Sprintf("%+v", pending); got != "{ID:"+pending.ID+" Kind:approval Title:Run rm x Options:[allow_once reject_once] ToolCallID:c}" {
		t.Errorf("%s", got)
	}
	r.refused(protocol.MethodAskRespond, `{"askId":"`+pending.ID+`","result":{"action":"accept","text":"y"}}`, 1004,
		`there is no open question "`+pending.ID+`"`)
	if _, err := r.server.ApprovalRespond(r.ctx(), &protocol.ApprovalRespondParams{ApprovalID: pending.ID, Outcome: protocol.ApprovalOutcome{OptionID: "allow_once"}}); err != nil {
		t.Error(err)
	}
	if v := <-done; !v.answer.Allowed {
		t.Errorf("%+v", v)
	}
	if len(r.client.resolved) != 0 {
		t.Errorf("told %v", r.client.resolved)
	}
}

func TestQuestions(t *testing.T) {
	r := start(t, everything)
	task, id := r.newTask()
	q := tools.Question{Text: "Which?", Options: []string{"red", "blue"}}
	tests := []struct {
		res       protocol.AskResult
		text      string
		cancelled bool
	}{
		{protocol.AskResult{Action: "accept", Option: "red"}, "red", false},
		{protocol.AskResult{Action: "accept", Text: " green "}, "green", false},
		{protocol.AskResult{Action: "accept", Option: "blue", Text: "but dark"}, "blue\n\nbut dark", false},
		{protocol.AskResult{Action: "decline"}, "", true},
		{protocol.AskResult{Action: "cancel"}, "", true},
	}
	for _, tt := range tests {
		r.client.ask = func(_ context.Context, p *protocol.AskParams) (*protocol.AskResult, error) {
			if p.TaskID != id || p.TurnID != "turn1" || p.Text != "Which?" || len(p.Options) != 2 {
				t.Errorf("%+v", p)
			}
			return &tt.res, nil
		}
		a, err := task.Asker.Ask(t.Context(), q)
		if err != nil || a.Text != tt.text || a.Cancelled != tt.cancelled {
			t.Errorf("%+v: %+v, %v", tt.res, a, err)
		}
	}
	for _, res := range []*protocol.AskResult{nil, {}, {Action: "maybe"}, {Action: "accept"}, {Action: "accept", Option: "green"},
		{Action: "accept", Text: "see", Images: []protocol.ContentBlock{{Type: "image", MimeType: "image/bmp"}}}} {
		ids := make(chan string, 1)
		r.client.ask = func(_ context.Context, p *protocol.AskParams) (*protocol.AskResult, error) {
			ids <- p.AskID
			return res, nil
		}
		done := make(chan tools.Answer, 1)
		go func() {
			a, err := task.Asker.Ask(t.Context(), q)
			if err != nil {
				t.Error(err)
			}
			done <- a
		}()
		askID := <-ids
		got, err := r.server.AskRespond(r.ctx(), &protocol.AskRespondParams{AskID: askID, Result: protocol.AskResult{Action: "accept", Text: "later"}})
		if a := <-done; err != nil || got.Status != "accepted" || a.Text != "later" {
			t.Errorf("%+v: %+v, %v, %+v", res, got, err, a)
		}
	}
}

// An open approval does not keep a session alive, and is no yes at its end.
func TestOpenApprovalAtTheEnd(t *testing.T) {
	r := start(t, everything)
	task, _ := r.newTask()
	shown := r.approvals()
	done := ask(task.ctx, task, command("c", "rm x"))
	<-shown
	r.pipe.Close()
	r.ends(ExitUnclean)
	if v := <-done; v.err == nil || v.answer.Allowed {
		t.Errorf("%+v", v)
	}
	if _, err := task.Approver.Approve(t.Context(), command("d", "x")); !errors.Is(err, approval.ErrNobody) {
		t.Errorf("after the end: %v", err)
	}
}
