package builtin

import (
	"context"

	"clined/internal/tools"
)

func (k *kit) attemptCompletion() tools.Tool {
	return &simple{spec("attempt_completion", tools.Control, required("result", "string"), optional("command", "string")),
		func(_ context.Context, call tools.Call) (*tools.Action, error) {
			return says("Complete the task", tools.Control, tools.Result{
				Text: "The result was shown to the user.",
				End:  &tools.End{Answer: call.Args.String("result"), Command: call.Args.String("command")},
			}), nil
		}}
}
