package hostile

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"clined/internal/agent"
	"clined/internal/event"
	"clined/internal/llm"
	"clined/internal/tools"
	"clined/internal/transcript"
)

// world is everything around the loop but the model: it does as the dice say.
type world struct {
	client agent.Model

	mu       sync.Mutex // guards the rest
	dice     *dice
	messages []transcript.Message
	events   []event.Event
	idle     int
	// changed is closed and replaced at each event.
	changed chan struct{}
	ids     int
	// ran are the calls that were carried out, by id.
	ran map[string]int
	// cancelAt is the number of the event at which the user stops the turn.
	cancelAt int
	cancel   func()
}

func (w *world) Select(tools.Mode) (agent.Model, llm.Model, error) {
	m := llm.ModelFor("fake-model")
	return w.client, m, nil
}

func (w *world) Defs(context.Context) []llm.ToolDef {
	var defs []llm.ToolDef
	for _, name := range []string{"look", "do", "attempt_completion"} {
		defs = append(defs, llm.ToolDef{Name: name, Description: name, Schema: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}}}`)})
	}
	return defs
}

func (w *world) Describe(name string) (tools.Info, bool) {
	return tools.Info{Kind: tools.Read, ReadOnly: name == "look"}, name == "look" || name == "do" || name == "attempt_completion"
}

func (w *world) Run(ctx context.Context, c tools.Call) tools.Result {
	w.mu.Lock()
	w.ran[c.ID]++
	fails := w.dice.roll(3) == 1
	w.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return tools.Result{Outcome: tools.Cancelled}
	case c.Name == "attempt_completion":
		return tools.Result{Text: "shown", End: &tools.End{Answer: c.Args.String("result")}}
	case fails:
		return tools.Fail("failed")
	}
	return tools.Result{Text: "done"}
}

func (w *world) System(context.Context) (string, error) { return "You help.", nil }
func (w *world) User(words string, _ bool) string       { return words }
func (w *world) Environment(context.Context, agent.Environment) string {
	return fmt.Sprintf("<environment_details>\n%s\n</environment_details>", time.Now())
}

func (w *world) Append(_ context.Context, m transcript.Message, _ agent.Standing) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.messages = append(w.messages, m)
	return nil
}

func (w *world) Emit(_ string, e event.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events = append(w.events, e)
	if s, ok := e.(event.State); ok && s.State == event.Idle {
		w.idle++
	}
	if len(w.events) == w.cancelAt {
		go w.cancel() // the loop's goroutine must not wait for itself
	}
	close(w.changed)
	w.changed = make(chan struct{})
}

// waitIdle returns after the n-th end of a turn.
func (w *world) waitIdle(n int) {
	for {
		w.mu.Lock()
		changed, enough := w.changed, w.idle >= n
		w.mu.Unlock()
		if enough {
			return
		}
		<-changed
	}
}

func (w *world) Ask(ctx context.Context, q tools.Question) (tools.Answer, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch w.dice.roll(4) {
	case 1:
		return tools.Answer{Text: q.Options[0]}, ctx.Err()
	case 2:
		return tools.Answer{Text: q.Options[1]}, ctx.Err()
	case 3:
		return tools.Answer{Text: "do it another way"}, ctx.Err()
	}
	return tools.Answer{Cancelled: true}, ctx.Err()
}

func (w *world) Sleep(ctx context.Context, ms int64) error {
	select {
	case <-time.After(time.Duration(ms) * time.Millisecond):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (w *world) newID() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ids++
	return fmt.Sprintf("id%d", w.ids)
}

// faults looks at what is left when all turns have ended.
func (w *world) faults() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var list []string
	if err := transcript.Validate(w.messages); err != nil {
		list = append(list, "the record is not valid: "+err.Error())
	}
	if n := len(w.messages); n > 0 && w.messages[n-1].Role == transcript.User {
		list = append(list, "the record ends with the user's words")
	}
	for id, n := range w.ran {
		if n != 1 {
			list = append(list, fmt.Sprintf("call %q ran %d times", id, n))
		}
	}
	open := map[string]event.Status{}
	for _, e := range w.events {
		switch e := e.(type) {
		case event.ToolCall:
			open[e.ToolCallID] = e.Status
		case event.Message:
			open["message "+e.MessageID] = e.Status
		case event.MessageDelta:
			if s := open["message "+e.MessageID]; s != "" && s != event.InProgress {
				list = append(list, "a message goes on after its end")
			}
			open["message "+e.MessageID] = event.InProgress
		case event.State:
			if e.StopReason == event.Failed && (e.Error == nil || strings.TrimSpace(e.Error.Message) == "" || e.Error.Code == "internal") {
				list = append(list, fmt.Sprintf("a failure without words: %+v", e.Error))
			}
		}
	}
	for id, s := range open {
		if s == event.Pending || s == event.InProgress {
			list = append(list, fmt.Sprintf("%s is left %s", id, s))
		}
	}
	return list
}

// Begin and the other methods complete agent.Journal for a task that only one
// process knows.
func (w *world) Begin(context.Context, string, bool) (*agent.History, error) { return nil, nil }
func (w *world) Claim(context.Context) error                                 { return nil }
func (w *world) Sync(context.Context) error                                  { return nil }
func (w *world) Rewind(context.Context, string, string, event.Message) error { return nil }
func (w *world) Waiting(context.Context, string) ([]event.Message, error)    { return nil, nil }
func (w *world) Abandon(context.Context) error                               { return nil }
func (w *world) End(context.Context, string, event.StopReason) error         { return nil }
