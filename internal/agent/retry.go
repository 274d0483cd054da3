package agent

import (
	"context"
	"fmt"
	"time"

	"clined/internal/event"
	"clined/internal/llm"
	"clined/internal/tools"
	"clined/internal/transcript"
)

// longestWait is how long a provider may ask us to wait before the user is
// asked whether to.
const longestWait = 60 * time.Second

// streamWithRetries asks until an answer is complete. A failure that may pass
// is tried again after a pause that the user sees; the partial answer is
// marked as discarded. No call of an incomplete answer has run, so nothing
// happens twice.
func (tn *turn) streamWithRetries(ctx context.Context, client Model, req llm.Request) (*reply, transcript.Usage, error) {
	for attempt := 1; ; attempt++ {
		r, usage, err := tn.stream(ctx, client, req, attempt)
		if err == nil {
			return r, usage, nil
		}
		if closing(ctx) {
			tn.discard(r)
			return nil, usage, ctx.Err()
		}
		if ctx.Err() != nil {
			return nil, usage, tn.interrupted(ctx, r)
		}
		failure := llm.AsError(err)
		tn.t.c.Log.Info("model request failed", "class", failure.Class, "status", failure.Status, "attempt", attempt, "err", err)
		tn.discard(r)
		switch {
		case !failure.Retryable():
			return nil, usage, failure
		case attempt > llm.MaxRetries:
			return nil, usage, givenUp(failure, attempt)
		}
		if err := tn.pause(ctx, failure, attempt); err != nil {
			return nil, usage, err
		}
	}
}

// givenUp is the failure of a request that was tried often enough.
func givenUp(failure *llm.Error, attempts int) *llm.Error {
	e := *failure
	if e.Hint == "" {
		e.Hint = fmt.Sprintf("it was tried %d times; send the prompt again later, or choose another model", attempts)
	}
	return &e
}

// pause waits before another try and shows it. A wait longer than a minute is
// the user's to decide.
func (tn *turn) pause(ctx context.Context, failure *llm.Error, attempt int) error {
	delay := llm.Backoff(attempt, failure.RetryAfter)
	if delay > longestWait {
		const wait = "Wait"
		a, err := tn.t.c.Asker.Ask(ctx, tools.Question{
			Text:    fmt.Sprintf("%s. The provider asks to wait %s. Wait?", failure.Message, delay.Round(time.Second)),
			Options: []string{wait, stopHere},
		})
		if err != nil {
			return err
		}
		yes, words := chose(a, wait)
		if !yes {
			tn.stopAt(a, wait)
			return failure
		}
		tn.sayLater(words, a.Images)
	}
	tn.emit(event.State{State: event.Running, Waiting: &event.Waiting{
		Reason: failure.Message, DelayMs: delay.Milliseconds(), Attempt: attempt + 1, Max: llm.MaxRetries + 1,
	}})
	if err := tn.t.c.Clock.Sleep(ctx, delay.Milliseconds()); err != nil {
		return err
	}
	tn.emit(event.State{State: event.Running})
	return nil
}

// discard tells fronts that a partial answer counts for nothing.
func (tn *turn) discard(r *reply) {
	if shown := contents(r.message.Parts); len(shown) > 0 {
		tn.emit(event.Message{MessageID: r.message.ID, Role: "assistant", Content: shown, Status: event.Discarded})
	}
	for _, c := range r.message.Calls() {
		tn.previews.over(c.ID)
		tn.emit(event.ToolCall{ToolCallID: c.ID, Name: c.Name, Status: event.Discarded})
	}
}

// interrupted records what the user saw of an answer that they stopped. Its
// calls are left out: none was run, and some may be cut in the middle.
func (tn *turn) interrupted(ctx context.Context, r *reply) error {
	for _, c := range r.message.Calls() {
		tn.previews.over(c.ID)
		tn.emit(event.ToolCall{ToolCallID: c.ID, Name: c.Name, Status: event.Stopped})
	}
	kept := transcript.Message{ID: r.message.ID, Role: transcript.Assistant}
	for _, p := range r.message.Parts {
		if p.Kind == transcript.Text && p.Text != "" {
			kept.Parts = append(kept.Parts, p)
		}
	}
	if shown := contents(r.message.Parts); len(shown) > 0 {
		tn.emit(event.Message{MessageID: kept.ID, Role: "assistant", Content: shown, Status: event.Stopped})
	}
	kept.Parts = append(kept.Parts, transcript.TextPart(turnInterrupted))
	tn.outbox = append(tn.outbox, kept)
	if err := tn.flush(); err != nil {
		return err
	}
	return ctx.Err()
}
