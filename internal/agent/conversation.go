package agent

import (
	"context"
	"encoding/base64"
	"slices"

	"clined/internal/event"
	"clined/internal/transcript"
)

// conversation is what a task remembers between requests. The running turn
// owns it; between turns the owner does.
type conversation struct {
	Standing
	messages []transcript.Message
	// warnedCut: the user was told that this model's server cuts prompts.
	warnedCut bool
	// leftOut names the tools that the user was told are left out.
	leftOut string
	// ids are the call ids in use.
	ids map[string]bool
	// unrecorded is what the journal did not take of the end of a turn: the next
	// one records it first, for calls without results are valid nowhere, nor are
	// words of the user behind others.
	unrecorded []transcript.Message
	// left is how an interrupted turn was left, nil when there is none.
	left *leftOver
}

// leftOver is what an interrupted turn left open.
type leftOver struct {
	calls  map[string]event.ToolCall
	unsent []event.Message
}

// restore makes a conversation of what is stored.
func restore(h *History) *conversation {
	c := &conversation{Standing: h.Standing, messages: h.Messages, ids: map[string]bool{}}
	for i := range c.messages {
		for _, call := range c.messages[i].Calls() {
			c.ids[call.ID] = true
		}
	}
	if h.Interrupted != "" || len(h.Unsent) > 0 || c.waits() {
		c.left = &leftOver{calls: h.Calls, unsent: h.Unsent}
	}
	return c
}

// waits reports whether the last message waits for something to follow, as it
// does when what followed is damaged.
func (c *conversation) waits() bool {
	n := len(c.messages)
	return n > 0 && (c.messages[n-1].Role == transcript.User || len(c.openCalls()) > 0)
}

// openCalls are those of the last message, when it has calls: results would
// have followed.
func (c *conversation) openCalls() []*transcript.Call {
	if len(c.messages) == 0 {
		return nil
	}
	return c.messages[len(c.messages)-1].Calls()
}

// rewind drops the message that carries one of the user, and all that
// followed. It returns its id, "" when there is no such message.
func (c *conversation) rewind(messageID string) string {
	i := slices.IndexFunc(c.messages, func(m transcript.Message) bool {
		return m.Role == transcript.User && m.Carries(messageID)
	})
	if i < 0 {
		return ""
	}
	id := c.messages[i].ID
	c.messages = slices.Clip(c.messages[:i])
	c.Last, c.left, c.unrecorded = transcript.Usage{}, nil, nil
	if i == 0 {
		c.ToldMode, c.Checklist, c.SinceChecklist = "", "", 0
	}
	return id
}

// append journals a message, then remembers it: what the model will see is on
// its way to disk before the model is asked again.
func (c *conversation) append(ctx context.Context, j Journal, m transcript.Message) error {
	if err := j.Append(ctx, m, c.Standing); err != nil {
		return &journalError{err}
	}
	c.messages = append(c.messages, m)
	return nil
}

// first reports whether nothing was sent yet.
func (c *conversation) first() bool { return len(c.messages) == 0 }

// journalError marks a failure to record.
type journalError struct{ err error }

func (e *journalError) Error() string { return e.err.Error() }
func (e *journalError) Unwrap() error { return e.err }

// contents shows parts to fronts.
func contents(parts []transcript.Part) []event.Content {
	out := make([]event.Content, 0, len(parts))
	for _, p := range parts {
		switch p.Kind {
		case transcript.Text:
			out = append(out, event.Content{Type: "text", Text: p.Text})
		case transcript.Thinking:
			out = append(out, event.Content{Type: "thought", Text: p.Text})
		case transcript.ImagePart:
			out = append(out, event.Content{
				Type:     "image",
				MimeType: p.Image.MediaType,
				Data:     base64.StdEncoding.EncodeToString(p.Image.Data),
			})
		}
	}
	return out
}
