package agent

import (
	"context"
	"fmt"
	"math"

	"clined/internal/tools"
)

// allowance is how far a turn may go before the user is asked again.
type allowance struct {
	// requests of this turn, and cost of the task in US dollars; 0 until the
	// limits are first looked at.
	requests int
	cost     float64
}

// askBeforeMore asks once a limit is reached. The limits may change while the
// turn runs.
func (tn *turn) askBeforeMore(ctx context.Context) (stop bool, err error) {
	limits := tn.t.c.Settings()
	if limits.MaxRequests > 0 {
		tn.allowed.requests = max(tn.allowed.requests, limits.MaxRequests)
		if tn.requests >= tn.allowed.requests {
			stop, err = tn.askForMore(ctx,
				fmt.Sprintf("The model has been asked %s in this turn, which is the limit. Go on?", times(tn.requests)),
				fmt.Sprintf("Go on for %d more", limits.MaxRequests))
			if stop || err != nil {
				return stop, err
			}
			tn.allowed.requests = tn.requests + limits.MaxRequests
		}
	}
	if limits.MaxCost > 0 {
		tn.allowed.cost = max(tn.allowed.cost, limits.MaxCost*math.Floor(tn.costAtStart/limits.MaxCost)+limits.MaxCost)
		if tn.conv.Cost >= tn.allowed.cost {
			stop, err = tn.askForMore(ctx,
				fmt.Sprintf("This task has cost $%.2f so far, which is the limit. Go on?", tn.conv.Cost),
				fmt.Sprintf("Go on for $%.2f more", limits.MaxCost))
			if stop || err != nil {
				return stop, err
			}
			tn.allowed.cost = tn.conv.Cost + limits.MaxCost
		}
	}
	return false, nil
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func (tn *turn) askForMore(ctx context.Context, question, more string) (stop bool, err error) {
	a, err := tn.t.c.Asker.Ask(ctx, tools.Question{Text: question, Options: []string{more, stopHere}})
	if err != nil {
		return true, err
	}
	yes, words := chose(a, more)
	if !yes {
		tn.stopAt(a, more)
		return true, nil
	}
	if parts := feedback(words, a.Images); len(parts) > 0 {
		tn.say(parts)
	}
	return false, nil
}
