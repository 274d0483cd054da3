package server

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"clined/internal/event"
	"clined/internal/protocol"
	"clined/internal/tools"
)

// kindQuestion is what the desk calls questions.
const kindQuestion = "question"

// Ask implements tools.Asker: it waits until an answer counts.
func (t *task) Ask(ctx context.Context, q tools.Question) (tools.Answer, error) {
	p := &protocol.AskParams{
		AskID: t.s.o.NewID(), TaskID: t.id, TurnID: t.stream.running(), Text: q.Text, Options: q.Options,
	}
	d := &decision{
		t:       t,
		params:  p,
		pending: event.PendingAction{ID: p.AskID, Kind: kindQuestion, Title: p.Text, Options: p.Options},
		judge:   func(outcome any) (any, error) { return judgeAsk(p, outcome.(*protocol.AskResult)) },
	}
	if t.s.caps.Asks != nil {
		d.present = func(ctx context.Context) (any, error) {
			res, err := t.s.client.Ask(ctx, p)
			if res == nil || err != nil {
				return nil, err
			}
			return res, nil
		}
	} else {
		t.questionByMessage(d, p)
	}
	answer, err := t.s.desk.wait(ctx, d)
	if err != nil {
		return tools.Answer{}, err
	}
	return answer.(tools.Answer), nil
}

// judgeAsk decides whether a result is an answer.
func judgeAsk(p *protocol.AskParams, res *protocol.AskResult) (tools.Answer, error) {
	switch res.Action {
	case "accept":
	case "decline", "cancel":
		return tools.Answer{Cancelled: true}, nil
	case "":
		return tools.Answer{}, protocol.InvalidParams("action", "is missing")
	default:
		return tools.Answer{}, protocol.InvalidParams("action", `%q is unknown; use "accept", "decline" or "cancel"`, res.Action)
	}
	if res.Option != "" && !slices.Contains(p.Options, res.Option) {
		return tools.Answer{}, protocol.InvalidParams("option", "%q is none of the options; use text for an answer of one's own", res.Option)
	}
	a := tools.Answer{Text: strings.TrimSpace(strings.TrimSpace(res.Option) + "\n\n" + strings.TrimSpace(res.Text))}
	for i, b := range res.Images {
		img, err := image(fmt.Sprintf("images[%d]", i), b)
		if err != nil {
			return tools.Answer{}, err
		}
		a.Images = append(a.Images, *img)
	}
	if a.Text == "" && len(a.Images) == 0 {
		return tools.Answer{}, protocol.InvalidParams("text", "is empty")
	}
	return a, nil
}

// AskRespond answers a question out of band.
func (s *server) AskRespond(_ context.Context, p *protocol.AskRespondParams) (*protocol.RespondResult, error) {
	if p.AskID == "" {
		return nil, protocol.InvalidParams("askId", "is missing")
	}
	return s.desk.settle(kindQuestion, p.AskID, &p.Result)
}
