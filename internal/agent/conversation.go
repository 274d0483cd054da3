package agent

import (
	"context"
	"encoding/base64"

	"clined/internal/event"
	"clined/internal/tools"
	"clined/internal/transcript"
)

// conversation is what a task remembers between requests. The running turn
// owns it; between turns the owner does.
type conversation struct {
	messages []transcript.Message
	// system is made at the first request and kept: providers cache the prefix.
	system string
	// model is the id of the model last asked, to tell of a change.
	model string
	// warnedCut: the user was told that this model's server cuts prompts.
	warnedCut bool
	// leftOut names the tools that the user was told are left out.
	leftOut string
	// ids are the call ids in use.
	ids map[string]bool
	// last is the usage of the last request, total of the whole task.
	last, total transcript.Usage
	// checklist as the model last wrote it; sinceChecklist counts requests since.
	checklist      string
	sinceChecklist int
	// mode the model was last told of, "" before the first environment_details.
	toldMode tools.Mode
	// unrecorded are results that the journal did not take: the next turn
	// records them first, for calls without results are valid nowhere.
	unrecorded []transcript.Message
}

// append journals a message, then remembers it: what the model will see is on
// its way to disk before the model is asked again.
func (c *conversation) append(ctx context.Context, j Journal, m transcript.Message) error {
	// A cancelled turn still records what happened.
	if err := j.Append(context.WithoutCancel(ctx), m); err != nil {
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
