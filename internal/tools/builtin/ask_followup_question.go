package builtin

import (
	"context"
	"errors"
	"strings"

	"clined/internal/tools"
)

func (k *kit) askFollowupQuestion() tools.Tool {
	options := optional("options", "string")
	options.JSON = true
	return &simple{spec("ask_followup_question", tools.Ask, required("question", "string"), options), k.prepareAsk}
}

func (k *kit) prepareAsk(_ context.Context, call tools.Call) (*tools.Action, error) {
	q := tools.Question{Text: call.Args.String("question")}
	if strings.TrimSpace(q.Text) == "" {
		return nil, errors.New("the question is empty; nobody was asked")
	}
	for _, o := range call.Args.Strings("options") {
		if o = strings.TrimSpace(o); o != "" {
			q.Options = append(q.Options, o)
		}
	}
	return &tools.Action{
		Title:   "Ask the user",
		Subject: tools.Subject{Kind: tools.Ask, ReadOnly: true},
		Run: func(ctx context.Context, _ tools.Decision) tools.Result {
			a, err := k.Asker.Ask(ctx, q)
			switch {
			case ctx.Err() != nil:
				return tools.Result{Text: "The question was interrupted before an answer.", Outcome: tools.Cancelled}
			case err != nil || a.Cancelled:
				return tools.Result{Text: "The question was not answered: nobody is there, or the user does not want to answer.", Outcome: tools.Denied, Skip: true, NeedsUser: true}
			}
			return tools.Result{Text: "<answer>\n" + a.Text + "\n</answer>", Images: a.Images}
		},
	}, nil
}
