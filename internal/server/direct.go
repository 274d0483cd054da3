package server

import (
	"context"

	"clined/internal/approval"
	"clined/internal/protocol"
	"clined/internal/tools"
)

// Direct asks a client in this process, without a session: for a single tool
// that a person runs by hand.
type Direct struct{ Client protocol.Client }

var (
	_ approval.Approver = Direct{}
	_ tools.Asker       = Direct{}
)

// Approve implements approval.Approver. No valid answer means that nobody is
// there.
func (d Direct) Approve(ctx context.Context, r approval.Request) (approval.Answer, error) {
	p := approvalParams(r, "approval", "")
	out, err := d.Client.ApprovalRequest(ctx, p)
	if err != nil || out == nil {
		return approval.Answer{}, approval.ErrNobody
	}
	return judgeApproval(p, r, out)
}

// Ask implements tools.Asker.
func (d Direct) Ask(ctx context.Context, q tools.Question) (tools.Answer, error) {
	p := &protocol.AskParams{AskID: "question", Text: q.Text, Options: q.Options}
	res, err := d.Client.Ask(ctx, p)
	if err != nil || res == nil {
		return tools.Answer{Cancelled: true}, ctx.Err()
	}
	return judgeAsk(p, res)
}
