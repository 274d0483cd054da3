package builtin

import (
	"context"
	"errors"
	"strings"

	"clined/internal/tools"
)

func (k *kit) attemptCompletion() tools.Tool {
	return &simple{spec("attempt_completion", tools.Control, required("result", "string"), optional("command", "string")),
		func(_ context.Context, call tools.Call) (*tools.Action, error) {
			if strings.TrimSpace(call.Args.String("result")) == "" {
				return nil, errors.New("the result is empty: say what was done, or why it cannot be done")
			}
			return says("Complete the task", tools.Control, tools.Result{
				Text: "The result was shown to the user.",
				End:  &tools.End{Answer: call.Args.String("result"), Command: call.Args.String("command")},
			}), nil
		}}
}
