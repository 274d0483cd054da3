package console

import (
	"encoding/json"
	"fmt"
	"strings"

	"clined/internal/event"
	"clined/internal/protocol"
)

// past says how a task is shown whose events are told at once, not as they
// happen: things are as they are now, and the user's words are not on the
// terminal yet.
type past struct {
	on bool
	// full shows thoughts, and outputs and changes whole.
	full bool
}

// inOrder puts the user's words where they were heard: those that waited stand
// where they were typed, before what the model did meanwhile.
func inOrder(events []protocol.TaskEventParams) []protocol.TaskEventParams {
	out := make([]protocol.TaskEventParams, 0, len(events))
	var waiting []protocol.TaskEventParams
	for _, e := range events {
		if m, ok := e.Event.Event.(event.Message); ok && m.Role == "user" {
			waiting = append(waiting, e)
			continue
		}
		n := 0
		for n < len(waiting) && waiting[n].Seq < e.Seq {
			n++
		}
		out = append(append(out, waiting[:n]...), e)
		waiting = waiting[n:]
	}
	return append(out, waiting...)
}

// pastEvent shows an event of a task's past.
func (r *renderer) pastEvent(turn string, e event.Event) {
	switch e := e.(type) {
	case event.Message:
		r.thoughts(e)
		r.message(turn, e)
	case event.ToolCall:
		r.pastCall(&call{ToolCall: e})
	case event.State:
		if e.State == event.Idle {
			r.state(e)
		}
	case event.Plan, event.Notice:
		r.apply(turn, e)
	}
}

// thoughts shows the reasoning before an answer.
func (r *renderer) thoughts(m event.Message) {
	if !r.past.full {
		return
	}
	for _, c := range m.Content {
		if c.Type == "thought" && strings.TrimSpace(c.Text) != "" {
			r.line("\n" + r.p.faint("○ "+r.prose(strings.TrimSpace(c.Text), "  ")))
		}
	}
}

func (r *renderer) pastCall(k *call) {
	c := &k.ToolCall
	switch {
	case c.Kind == "ask" && c.Status != event.Error:
		r.pastQuestion(c)
	case c.Status == event.InProgress:
		r.line("  " + r.p.warn("?") + " " + r.callName(k))
		r.outputLine("it began; how it ended is not known")
	case c.Status == event.Pending:
		r.line("  " + r.p.warn("–") + " " + r.callName(k))
		r.outputLine("it has not begun")
	case c.Status == event.Discarded, c.Kind == "control" && c.Status != event.Error:
	default:
		r.pastResult(k)
	}
}

// pastQuestion shows a question of the model and what became of it.
func (r *renderer) pastQuestion(c *event.ToolCall) {
	var args struct {
		Question string `json:"question"`
	}
	if json.Unmarshal([]byte(c.Args), &args) != nil || args.Question == "" {
		args.Question = c.Title
	}
	r.line("\n" + r.p.warn("?") + " " + r.prose(strings.TrimSpace(args.Question), "  "))
	answer, answered := strings.CutPrefix(c.Output, "<answer>\n")
	switch {
	case answered:
		r.line("  " + r.p.strong("› "+r.prose(strings.TrimSuffix(answer, "\n</answer>"), "    ")))
	case c.Output != "":
		r.reason(c.Output)
	}
}

// pastResult shows a call that has ended: a line of its own, and all that came
// of it where the whole is wanted.
func (r *renderer) pastResult(k *call) {
	c := &k.ToolCall
	size := sizeOf(c)
	r.line("  " + r.markOf(c.Status) + " " + clip(callTitle(c), r.columns()-4-len(size)) + r.p.faint(size))
	switch {
	case r.past.full && c.Diff != "":
		r.diff(c.Diff)
	case r.past.full:
		for line := range strings.SplitSeq(strings.TrimRight(clean(c.Output), "\n"), "\n") {
			r.folded("", line, r.p.faint)
		}
	case c.Status != event.Done:
		r.reason(c.Output)
	}
}

// sizeOf tells how much of a call is folded away.
func sizeOf(c *event.ToolCall) string {
	if c.Diff == "" {
		if n := strings.Count(strings.TrimRight(c.Output, "\n"), "\n") + 1; n > 1 && c.Status == event.Done {
			return fmt.Sprintf(" · %s lines", thousands(n))
		}
		return ""
	}
	added, removed, inHunk := 0, 0, false
	for line := range strings.Lines(c.Diff) {
		switch {
		case strings.HasPrefix(line, "@@"):
			inHunk = true
		case !inHunk:
		case strings.HasPrefix(line, "+"):
			added++
		case strings.HasPrefix(line, "-"):
			removed++
		}
	}
	return fmt.Sprintf(" · +%d -%d", added, removed)
}
