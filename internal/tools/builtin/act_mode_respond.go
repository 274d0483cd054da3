package builtin

import (
	"context"
	"errors"

	"clined/internal/llm"
	"clined/internal/tools"
)

// actModeRespond exists for next-gen models only, which say little besides
// their calls.
func (k *kit) actModeRespond() tools.Tool {
	s := spec("act_mode_respond", tools.Control, required("response", "string"))
	s.Family = llm.NextGen
	return &simple{s, func(_ context.Context, call tools.Call) (*tools.Action, error) {
		switch {
		case call.Mode == tools.Plan:
			return nil, errors.New("you are in plan mode: answer with plan_mode_respond")
		case call.After == call.Name:
			return nil, errors.New("act_mode_respond twice in a row gets nothing done: use another tool now")
		}
		return says(call.Args.String("response"), tools.Control,
			tools.Result{Text: "The user was told. Go on."}), nil
	}}
}
