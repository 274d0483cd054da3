package builtin

import (
	"context"
	"errors"
	"strings"

	"clined/internal/tools"
)

func (k *kit) planModeRespond() tools.Tool {
	return &simple{spec("plan_mode_respond", tools.Control, required("response", "string"), optional("needs_more_exploration", "boolean")),
		func(_ context.Context, call tools.Call) (*tools.Action, error) {
			if strings.TrimSpace(call.Args.String("response")) == "" {
				return nil, errors.New("the response is empty: write the plan, or the answer, into it")
			}
			res := tools.Result{
				Text: "The plan was shown to the user.",
				End:  &tools.End{Plan: true, Answer: call.Args.String("response")},
			}
			switch {
			case call.Mode != tools.Plan:
				res = tools.Result{Text: "You are in act mode, where plans are not presented. Carry the plan out, and end with attempt_completion."}
			case call.Args.Bool("needs_more_exploration"):
				res = tools.Result{Text: "Go on exploring, then present the plan with plan_mode_respond."}
			}
			return says("Present a plan", tools.Control, res), nil
		}}
}
