package agent

import (
	"fmt"
	"strings"

	"clined/internal/event"
	"clined/internal/tools"
	"clined/internal/transcript"
)

// Answers offered with the loop's own questions.
const (
	goOn     = "Go on"
	stopHere = "Stop here"
)

// chose tells whether an answer takes that option, and what was said beside it.
// A yes or no alone answers for the option to go on or to stop. Other words of
// the user's own take none, whatever they say: a "no, go on with the other file"
// must not be taken for a yes.
func chose(a tools.Answer, option string) (yes bool, beside string) {
	switch strings.ToLower(strings.TrimSpace(a.Text)) {
	case "y", "yes":
		return !a.Cancelled && option != stopHere, ""
	case "n", "no":
		return !a.Cancelled && option == stopHere, ""
	}
	beside, ok := strings.CutPrefix(a.Text, option)
	if a.Cancelled || !ok || beside != "" && !strings.HasPrefix(beside, "\n\n") {
		return false, ""
	}
	return true, strings.TrimSpace(beside)
}

// feedback is what the model is told of the user's words, nil for none.
func feedback(words string, pictures []transcript.Image) []transcript.Part {
	var parts []transcript.Part
	if words != "" {
		parts = texts("<feedback>\n" + words + "\n</feedback>")
	}
	return append(parts, images(pictures)...)
}

// sayLater has the model hear what was said while it is being asked, as if the
// user had steered.
func (tn *turn) sayLater(words string, pictures []transcript.Image) {
	var parts []transcript.Part
	if words != "" {
		parts = texts(words)
	}
	if parts = append(parts, images(pictures)...); len(parts) == 0 {
		return
	}
	q := queued{Accepted: Accepted{TurnID: tn.id, MessageID: tn.t.c.NewID()}, prompt: Prompt{Parts: parts}}
	tn.emit(userMessage(q, event.Pending))
	tn.t.options.steer(q)
}

// stopAt is for an answer that stops the turn. The user's words are kept: the
// model hears them when the task goes on. more is the option that would have.
func (tn *turn) stopAt(a tools.Answer, more string) {
	words := a.Text
	if stop, beside := chose(a, stopHere); stop {
		words = beside
	}
	if parts := feedback(words, a.Images); len(parts) > 0 {
		if n := len(tn.conv.messages); len(tn.outbox) == 0 && n > 0 && tn.conv.messages[n-1].Role == transcript.User {
			tn.note(turnFailed) // roles alternate
		}
		tn.say(parts)
		tn.emit(event.Notice{Severity: "info", Text: "the turn stops here; the model is told what you said when the task goes on",
			Hint: fmt.Sprintf("to go on at such a question, choose %q", more)})
	}
	if n := len(tn.outbox); n > 0 && tn.outbox[n-1].Role == transcript.User {
		tn.note(turnStopped)
	}
}

// note stands in the assistant's place behind what was not answered.
func (tn *turn) note(text string) {
	tn.outbox = append(tn.outbox, transcript.Message{ID: tn.t.c.NewID(), Role: transcript.Assistant, Parts: texts(text)})
}
