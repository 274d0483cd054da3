package agent

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"clined/internal/event"
	"clined/internal/llm"
	"clined/internal/tools"
	"clined/internal/transcript"
)

// turn is one run of the loop, from a prompt to the answer. Its goroutine owns
// it and the conversation.
type turn struct {
	t      *Task
	id     string
	prompt Prompt
	msgID  string
	conv   *conversation
	loops  loopWatch
	// outbox holds messages that were not recorded yet: the newest of them gets
	// the environment_details of the request it goes out with.
	outbox []transcript.Message
	// mistakes counts replies in a row that could not be used.
	mistakes int
	requests int
	// granted is how many requests the user allowed so far.
	granted int
}

// ending is how a turn ended.
type ending struct {
	reason  event.StopReason
	failure *event.Failure
}

func newTurn(t *Task, q queued, conv *conversation) *turn {
	outbox := conv.unrecorded
	conv.unrecorded = nil
	return &turn{t: t, id: q.TurnID, msgID: q.MessageID, prompt: q.prompt, conv: conv, outbox: outbox, granted: t.c.MaxRequests}
}

func (tn *turn) emit(e event.Event) { tn.t.emit.Emit(tn.id, e) }

// runSafely turns a bug into a failed turn: a daemon serves other tasks too.
func (tn *turn) runSafely(ctx context.Context) (end ending) {
	defer func() {
		if r := recover(); r != nil {
			tn.t.c.Log.Error("turn panicked", "panic", r, "stack", string(debug.Stack()))
			end = ending{reason: event.Failed, failure: &event.Failure{
				Code: "internal", Message: fmt.Sprintf("clined made a mistake: %v", r),
				Hint: "the log has the details; please report it",
			}}
		}
		if err := tn.closeTranscript(ctx); err != nil && end.failure == nil {
			end = tn.failed(err)
		}
	}()
	if err := tn.run(ctx, &end); err != nil {
		end = tn.failed(err)
	}
	return end
}

// run loops until the turn ends; it sets *end, or returns an error.
func (tn *turn) run(ctx context.Context, end *ending) error {
	if tn.conv.first() {
		tn.emit(event.Info{Title: title(tn.prompt.Parts)})
	}
	tn.say(tn.userParts())
	for {
		if stop, err := tn.askBeforeMore(ctx); err != nil || stop {
			end.reason = event.NeedsUser
			return err
		}
		reply, err := tn.request(ctx)
		if err != nil {
			return err
		}
		over, err := tn.follow(ctx, reply)
		if err != nil {
			return err
		}
		if over != nil {
			*end = *over
			return nil
		}
	}
}

// say puts a user message into the outbox.
func (tn *turn) say(parts []transcript.Part) {
	tn.outbox = append(tn.outbox, transcript.Message{ID: tn.msgID, Role: transcript.User, Parts: parts})
	tn.msgID = tn.t.c.NewID()
}

// follow acts on a complete reply. It returns the turn's end, or nil with the
// outbox holding what the model is told next.
func (tn *turn) follow(ctx context.Context, r *reply) (*ending, error) {
	calls := r.message.Calls()
	switch {
	case r.stop == llm.Filtered:
		tn.refuseCalls(calls, filteredCallResult)
		return nil, filtered()
	case len(calls) == 0:
		return tn.followText(ctx, r)
	case r.stop == llm.Length:
		return tn.followCut(ctx, calls)
	}
	return tn.followCalls(ctx, calls)
}

// followText handles a reply without a call.
func (tn *turn) followText(ctx context.Context, r *reply) (*ending, error) {
	family := r.model.Family
	if r.stop != llm.Length && (family == llm.TextOnly || family == llm.NextGen && tn.t.c.PlainTextEnds) {
		tn.emit(event.Message{MessageID: r.message.ID, Role: "assistant", Status: event.Done, Final: true,
			Content: contents(r.message.Parts)})
		return &ending{reason: event.Completed}, nil
	}
	reminder := noCallReminder
	question := "The model answered three times without using a tool or completing the task. What should it do?"
	if r.stop == llm.Length {
		reminder = cutTextReminder
		question = "The model's answers were cut off by its output limit three times. What should it do?"
	}
	if tn.mistakes++; tn.mistakes >= maxMistakes {
		return tn.askAndSay(ctx, question)
	}
	tn.say(texts(reminder))
	return nil, nil
}

// followCut handles calls that the output limit cut: none of them is run.
func (tn *turn) followCut(ctx context.Context, calls []*transcript.Call) (*ending, error) {
	tn.refuseCalls(calls, cutCallResult)
	if tn.mistakes++; tn.mistakes >= maxMistakes {
		return tn.askAndSay(ctx, "The model's tool calls were cut off by its output limit three times. What should it do?")
	}
	return nil, nil
}

// refuseCalls answers calls that are not run.
func (tn *turn) refuseCalls(calls []*transcript.Call, why string) {
	if len(calls) == 0 {
		return
	}
	results := make([]tools.Result, len(calls))
	for i, c := range calls {
		results[i] = tools.Fail(why)
		tn.emit(tn.finishedCall(c, results[i]))
	}
	tn.answer(calls, results)
}

func filtered() *llm.Error {
	return &llm.Error{Class: llm.Refused, Message: "the provider's content filter stopped the answer",
		Hint: "put the request in other words"}
}

// maxMistakes is how many replies in a row may be of no use before the user is
// asked.
const maxMistakes = 3

// askAndSay asks the user how to go on and hands their words to the model.
func (tn *turn) askAndSay(ctx context.Context, question string) (*ending, error) {
	a, err := tn.t.c.Asker.Ask(ctx, tools.Question{Text: question, Options: []string{goOn, stopHere}})
	if err != nil {
		return nil, err
	}
	tn.mistakes = 0
	tn.loops.forget()
	switch {
	case a.Cancelled:
		return &ending{reason: event.NeedsUser, failure: &event.Failure{Code: "needs_user", Message: question,
			Hint: "say how to go on with another prompt"}}, nil
	case a.Text == stopHere:
		return &ending{reason: event.Cancelled}, nil
	case a.Text == goOn:
		tn.say(texts(goOnResult))
	default:
		tn.say(append(texts("<feedback>\n"+a.Text+"\n</feedback>"), images(a.Images)...))
	}
	return nil, nil
}

// askBeforeMore asks once the allowed number of requests is used up.
func (tn *turn) askBeforeMore(ctx context.Context) (stop bool, err error) {
	if tn.t.c.MaxRequests == 0 || tn.requests < tn.granted {
		return false, nil
	}
	more := fmt.Sprintf("Go on for %d more", tn.t.c.MaxRequests)
	a, err := tn.t.c.Asker.Ask(ctx, tools.Question{
		Text:    fmt.Sprintf("The model has been asked %d times in this turn, which is the limit. Go on?", tn.requests),
		Options: []string{more, stopHere},
	})
	if err != nil || a.Cancelled || a.Text == stopHere {
		return true, err
	}
	tn.granted = tn.requests + tn.t.c.MaxRequests
	return false, nil
}

// final shows the answer that ends the turn.
func (tn *turn) final(e *tools.End) {
	if e.Answer == "" && e.Command == "" {
		return
	}
	tn.emit(event.Message{
		MessageID: tn.t.c.NewID(), Role: "assistant", Status: event.Done, Final: true,
		Content: []event.Content{{Type: "text", Text: e.Answer}}, Command: e.Command,
	})
}

// userParts are the parts of the prompt as the model is told them.
func (tn *turn) userParts() []transcript.Part {
	var words []string
	var rest []transcript.Part
	for _, p := range tn.prompt.Parts {
		if p.Kind == transcript.Text {
			words = append(words, p.Text)
		} else {
			rest = append(rest, p)
		}
	}
	text := tn.t.c.Prompt.User(strings.Join(words, "\n\n"), tn.conv.first())
	return append(texts(text), rest...)
}

// closeTranscript records what was not sent any more, and ends an unanswered
// user message with a note in the assistant's place, so that roles go on
// alternating for every provider.
func (tn *turn) closeTranscript(ctx context.Context) error {
	tn.answerOpenCalls()
	if err := tn.flush(ctx); err != nil {
		if tn.outbox[0].Role == transcript.Tool {
			tn.conv.unrecorded = tn.outbox[:1]
		}
		return err
	}
	n := len(tn.conv.messages)
	if n == 0 || tn.conv.messages[n-1].Role != transcript.User {
		return nil
	}
	note := turnFailed
	if ctx.Err() != nil {
		note = turnInterrupted
	}
	return tn.conv.append(ctx, tn.t.c.Journal, transcript.Message{
		ID: tn.t.c.NewID(), Role: transcript.Assistant, Parts: texts(note),
	})
}

// answerOpenCalls gives the last calls results when a bug ended the turn before
// they had any.
func (tn *turn) answerOpenCalls() {
	n := len(tn.conv.messages)
	if n == 0 || len(tn.outbox) > 0 && tn.outbox[0].Role == transcript.Tool {
		return
	}
	calls := tn.conv.messages[n-1].Calls()
	if len(calls) == 0 {
		return
	}
	results := make([]tools.Result, len(calls))
	for i := range results {
		results[i] = tools.Fail(faultResult)
	}
	behind := tn.outbox
	tn.outbox = nil
	tn.answer(calls, results)
	tn.outbox = append(tn.outbox, behind...)
}

// failed makes an ending of an error.
func (tn *turn) failed(err error) ending {
	var journal *journalError
	var model *llm.Error
	switch {
	case errors.Is(err, context.Canceled):
		return ending{reason: event.Cancelled}
	case errors.As(err, &journal):
		return ending{reason: event.Failed, failure: &event.Failure{Code: "journal",
			Message: "the task could not be recorded: " + journal.Error(),
			Hint:    "free some disk space or check the permissions of the state folder, then send the prompt again"}}
	case errors.As(err, &model):
		return ending{reason: event.Failed, failure: &event.Failure{Code: string(model.Class),
			Message: model.Message, Hint: model.Hint, Status: model.Status}}
	}
	return ending{reason: event.Failed, failure: &event.Failure{Code: "internal", Message: err.Error()}}
}

func texts(s string) []transcript.Part { return []transcript.Part{transcript.TextPart(s)} }

func images(list []transcript.Image) []transcript.Part {
	parts := make([]transcript.Part, len(list))
	for i := range list {
		parts[i] = transcript.Part{Kind: transcript.ImagePart, Image: &list[i]}
	}
	return parts
}

// title is the first line of the user's words, at most 80 characters.
func title(parts []transcript.Part) string {
	for _, p := range parts {
		if p.Kind != transcript.Text {
			continue
		}
		line, _, _ := strings.Cut(strings.TrimSpace(p.Text), "\n")
		r := []rune(strings.TrimSpace(line))
		if len(r) > 80 {
			return string(r[:79]) + "…"
		}
		if len(r) > 0 {
			return string(r)
		}
	}
	return "untitled"
}
