package console

import (
	"context"
	"strconv"
	"strings"

	"clined/internal/protocol"
)

// ApprovalRequest asks on the terminal: y, n, a (always), or words, which turn
// the action down and tell the model what to do instead.
func (f *Front) ApprovalRequest(ctx context.Context, p *protocol.ApprovalRequestParams) (*protocol.ApprovalOutcome, error) {
	f.show.approval(p)
	for {
		f.show.approvalMark(p)
		line, ok := f.input.next(ctx)
		if !ok {
			f.nobody(ctx, p.TaskID, p.Title)
			return nil, nil // no decision
		}
		out := decide(p, line)
		if out == nil {
			f.show.note("y = yes, n = no, a = always; or say in words what to do instead")
			continue
		}
		out.SubjectHash = p.SubjectHash
		f.show.decided(out)
		return out, nil
	}
}

// decide reads an answer; nil when it is none.
func decide(p *protocol.ApprovalRequestParams, line string) *protocol.ApprovalOutcome {
	word := strings.TrimSpace(line)
	kind := ""
	switch strings.ToLower(word) {
	case "y", "yes":
		kind = "allow_once"
	case "n", "no":
		kind = "reject_once"
	case "a", "always":
		kind = "allow_always"
	}
	if kind != "" {
		id := option(p, kind)
		if id == "" {
			return nil // "always" is not offered for this
		}
		return &protocol.ApprovalOutcome{OptionID: id}
	}
	if len([]rune(word)) < 2 { // a slip of the finger is no advice
		return nil
	}
	return &protocol.ApprovalOutcome{OptionID: option(p, "reject_once"), Feedback: &protocol.Feedback{Text: word}}
}

func option(p *protocol.ApprovalRequestParams, kind string) string {
	for _, o := range p.Options {
		if o.Kind == kind {
			return o.OptionID
		}
	}
	return ""
}

// ApprovalResolved needs no showing: the front that answered knows.
func (f *Front) ApprovalResolved(context.Context, *protocol.ApprovalResolvedParams) error { return nil }

// Ask puts a question; a number picks an option.
func (f *Front) Ask(ctx context.Context, p *protocol.AskParams) (*protocol.AskResult, error) {
	f.show.question(p)
	for {
		f.show.questionMark()
		line, ok := f.input.next(ctx)
		if !ok {
			f.nobody(ctx, p.TaskID, p.Text)
			return &protocol.AskResult{Action: "decline"}, nil
		}
		text := strings.TrimSpace(line)
		if text == "" {
			continue
		}
		if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= len(p.Options) {
			return &protocol.AskResult{Action: "accept", Option: p.Options[n-1]}, nil
		}
		return &protocol.AskResult{Action: "accept", Text: text}, nil
	}
}

// nobody ends the turn because a decision is needed and no one is there.
func (f *Front) nobody(ctx context.Context, taskID, what string) {
	if ctx.Err() != nil {
		return // withdrawn, not unanswered
	}
	f.mu.Lock()
	f.unanswered = true
	server := f.server
	f.mu.Unlock()
	f.show.failure("a decision is needed and nobody is there to make it: "+what,
		"run it in a terminal, or allow it beforehand with --yes or --auto read,edit,command,mcp")
	if server == nil { // a single tool, without a task
		return
	}
	if _, err := server.TaskCancel(ctx, &protocol.TaskCancelParams{TaskID: taskID}); err != nil {
		f.show.failure(err.Error(), "")
	}
}
