package approval

import (
	"context"

	"clined/internal/tools"
)

// retry judges and asks about what a result offers next, as another action of
// the same call. The first result stands unless that was done; it tells the
// model why it was not.
func (g *Gate) retry(ctx context.Context, first tools.Result, call tools.Call) tools.Result {
	ran := false
	action := *first.Retry
	action.Run = func(ctx context.Context, d tools.Decision) tools.Result {
		ran = true
		return first.Retry.Run(ctx, d)
	}
	call.Started = nil // the call is on record as begun
	second := g.decide(ctx, decisionOn(&action, call))
	second.Retry = nil // offered once
	if ran {
		if second.Title == "" {
			second.Title = action.Title
		}
		return second
	}
	first.Retry = nil
	first.Text += "\n\n" + again(action.Title, second.Text)
	first.Images = append(first.Images, second.Images...)
	first.Skip = first.Skip || second.Skip
	return first
}
