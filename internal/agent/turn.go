package agent

import (
	"context"
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
	// messageID names the prompt, firstID the message that begins the turn.
	messageID, firstID string
	conv               *conversation
	// recording writes down what is said: it outlives the turn's own context.
	recording *lasting
	loops     loopWatch
	// outbox holds messages that were not recorded yet: the newest of them gets
	// the environment_details of the request it goes out with.
	outbox []transcript.Message
	// mistakes counts replies in a row that could not be used.
	mistakes int
	requests int
	allowed  allowance
	// costAtStart of the turn is what the task had cost before it.
	costAtStart float64
	// previews are the calls that are shown while they are written.
	previews *previews
	// words are the user's messages, as fronts see them, that the newest message
	// of the outbox carries.
	words []event.Message
}

// ending is how a turn ended.
type ending struct {
	reason  event.StopReason
	failure *event.Failure
}

func newTurn(t *Task, q queued, conv *conversation, recording *lasting) *turn {
	outbox := conv.unrecorded
	conv.unrecorded = nil
	return &turn{t: t, id: q.TurnID, messageID: q.MessageID, prompt: q.prompt, conv: conv, recording: recording,
		outbox: outbox, costAtStart: conv.Cost}
}

func (tn *turn) emit(e event.Event) { tn.t.emit.Emit(tn.id, e) }

// runSafely turns a bug into a failed turn: a daemon serves other tasks too.
func (tn *turn) runSafely(ctx context.Context) (end ending) {
	tn.previews = newPreviews(ctx, &tn.t.c)
	defer tn.previews.end()
	defer func() {
		if r := recover(); r != nil {
			tn.t.c.Log.Error("turn panicked", "panic", r, "stack", string(debug.Stack()))
			end = ending{reason: event.Failed, failure: &event.Failure{
				Code: "internal", Message: fmt.Sprintf("clined made a mistake: %v", r),
				Hint: "the log has the details; please report it",
			}}
		}
		if closing(ctx) { // the rest is for whoever takes it up
			end = ending{reason: event.Interrupted}
			return
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
	over, err := tn.open(ctx)
	for {
		if err != nil {
			return err
		}
		if over = tn.hear(over); over != nil {
			*end = *over
			return nil
		}
		if stop, err := tn.askBeforeMore(ctx); err != nil || stop {
			end.reason = event.NeedsUser
			return err
		}
		var r *reply
		if r, err = tn.request(ctx); err == nil {
			over, err = tn.follow(ctx, r)
		}
	}
}

// open puts into the outbox what the turn begins with. It returns the turn's
// end when what was left of another turn ended it.
func (tn *turn) open(ctx context.Context) (*ending, error) {
	left := tn.conv.left
	tn.conv.left = nil
	if tn.conv.first() {
		tn.conv.Title = title(tn.opening(left))
		tn.emit(event.Info{Title: tn.conv.Title})
	}
	if left != nil {
		return tn.takeUp(ctx, left)
	}
	tn.begin(tn.wrap(tn.prompt.Parts), tn.own())
	return nil, nil
}

// begin says what the turn begins with.
func (tn *turn) begin(parts []transcript.Part, words []event.Message) {
	tn.say(parts, words...)
	tn.firstID = tn.outbox[len(tn.outbox)-1].ID
}

// own is the turn's prompt as fronts see it, none when there are no words.
func (tn *turn) own() []event.Message {
	if len(tn.prompt.Parts) == 0 {
		return nil
	}
	return []event.Message{{MessageID: tn.messageID, Role: "user", Content: contents(tn.prompt.Parts), Status: event.Done}}
}

// opening are the words that begin the task.
func (tn *turn) opening(left *leftOver) []transcript.Part {
	if left != nil && len(left.unsent) > 0 {
		return fromContents(left.unsent[0].Content)
	}
	return tn.prompt.Parts
}

// hear takes what the user said while the calls ran. It does away with the end
// of the turn: there is something left to do.
func (tn *turn) hear(over *ending) *ending {
	if over != nil && over.reason != event.Completed && over.reason != event.PlanPresented {
		return over
	}
	if len(tn.outbox) > 0 && tn.outbox[len(tn.outbox)-1].ID == tn.firstID {
		return over // what began the turn goes out first, as it was said
	}
	for _, q := range tn.t.options.takeSteering() {
		over = nil
		tn.say(tn.wrap(q.prompt.Parts), userMessage(q, event.Pending))
	}
	return over
}

// noteWords tells fronts what became of the user's words in the outbox. Those
// behind some that waited are told again: they stand in the order they are said in.
func (tn *turn) noteWords(status event.Status) {
	news := false
	for i := range tn.words {
		m := &tn.words[i]
		if news = news || m.Status != status; news {
			m.Status = status
			tn.emit(*m)
		}
	}
}

// say puts a user message into the outbox, with the words that it carries.
// Behind another one it is part of it: roles alternate.
func (tn *turn) say(parts []transcript.Part, words ...event.Message) {
	if n := len(tn.outbox); n == 0 || tn.outbox[n-1].Role != transcript.User {
		tn.outbox = append(tn.outbox, transcript.Message{ID: tn.t.c.NewID(), Role: transcript.User})
	}
	last := &tn.outbox[len(tn.outbox)-1]
	last.Parts = append(last.Parts, parts...)
	for _, m := range words {
		if len(tn.words) == 0 { // the first one names it for fronts
			last.ID = m.MessageID
		} else {
			last.Also = append(last.Also, m.MessageID)
		}
		tn.words = append(tn.words, m)
	}
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
	return tn.followCalls(ctx, calls, nil)
}

// followText handles a reply without a call.
func (tn *turn) followText(ctx context.Context, r *reply) (*ending, error) {
	family := r.model.Family
	if r.stop != llm.Length && (family == llm.TextOnly || family.IsNextGen() && tn.t.c.Settings().PlainTextEnds) {
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
		tn.previews.over(c.ID)
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
	if a.Cancelled {
		return &ending{reason: event.NeedsUser, failure: &event.Failure{Code: "needs_user", Message: question,
			Hint: "say how to go on with another prompt"}}, nil
	}
	if stop, _ := chose(a, stopHere); stop {
		tn.stopAt(a, goOn)
		return &ending{reason: event.Cancelled}, nil
	}
	if yes, words := chose(a, goOn); yes {
		tn.say(append(texts(goOnResult), feedback(words, a.Images)...))
	} else {
		tn.say(feedback(a.Text, a.Images))
	}
	return nil, nil
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

// wrap puts the user's words as the model is told them.
func (tn *turn) wrap(said []transcript.Part) []transcript.Part {
	var words []string
	var rest []transcript.Part
	for _, p := range said {
		if p.Kind == transcript.Text {
			words = append(words, p.Text)
		} else {
			rest = append(rest, p)
		}
	}
	if len(said) == 0 {
		return nil
	}
	text := tn.t.c.Prompt.User(strings.Join(words, "\n\n"), tn.conv.first())
	return append(texts(text), rest...)
}

// record adds a message to the conversation and writes it down.
func (tn *turn) record(m transcript.Message) error {
	return tn.recording.write(func(ctx context.Context) error { return tn.conv.append(ctx, tn.t.c.Journal, m) })
}

// closeTranscript records what was not sent any more, and ends an unanswered
// user message with a note in the assistant's place, so that roles go on
// alternating for every provider.
func (tn *turn) closeTranscript(ctx context.Context) error {
	tn.answerOpenCalls()
	if err := tn.flush(); err != nil {
		if tn.outbox[0].Role != transcript.User {
			tn.conv.unrecorded = tn.outbox[:1]
		}
		tn.noteWords(event.Discarded)
		tn.words = nil
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
	end := transcript.Message{ID: tn.t.c.NewID(), Role: transcript.Assistant, Parts: texts(note)}
	err := tn.record(end)
	if err != nil {
		tn.conv.unrecorded = []transcript.Message{end}
	}
	return err
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

func texts(s string) []transcript.Part { return []transcript.Part{transcript.TextPart(s)} }

func images(list []transcript.Image) []transcript.Part {
	parts := make([]transcript.Part, len(list))
	for i := range list {
		parts[i] = transcript.Part{Kind: transcript.ImagePart, Image: &list[i]}
	}
	return parts
}

// title is made of the user's first words.
func title(parts []transcript.Part) string {
	for _, p := range parts {
		if p.Kind != transcript.Text {
			continue
		}
		if t := event.PromptTitle(p.Text); t != "" {
			return t
		}
	}
	return "untitled"
}
