package approval

import (
	"context"
	"time"

	"clined/internal/tools"
)

// Audit keeps every decision.
type Audit interface {
	// Record keeps an entry. An allow is recorded before the call acts. An error
	// is logged and changes no decision.
	Record(ctx context.Context, e Entry) error
}

// Entry is one decision.
type Entry struct {
	At     time.Time `json:"at"`
	TaskID string    `json:"taskId,omitempty"`
	TurnID string    `json:"turnId,omitempty"`
	CallID string    `json:"callId,omitempty"`
	// Tool is the name the model called; Title what the call would do.
	Tool  string     `json:"tool"`
	Kind  tools.Kind `json:"kind"`
	Title string     `json:"title"`
	// Command is the whole line of a command.
	Command string `json:"command,omitempty"`
	// Verdict is what was decided: Allow or Deny. It is Ask where nobody could
	// be asked, or no answer counted, so that nothing was done.
	Verdict Verdict `json:"verdict"`
	By      By      `json:"by"`
	// Rule names what decided without a person, or the rule that a person stored
	// along with their yes; Scope is the latter's.
	Rule  string `json:"rule,omitempty"`
	Scope Scope  `json:"scope,omitempty"`
	// Reason is why it was asked about or denied, Feedback what the person said.
	Reason   string `json:"reason,omitempty"`
	Feedback string `json:"feedback,omitempty"`
	// Unanswered says why a question has no answer that counts though somebody
	// was there, as the end of a sentence.
	Unanswered string `json:"unanswered,omitempty"`
	// Unsandboxed is set for a command that ran, or would have, outside of the
	// sandbox.
	Unsandboxed bool `json:"unsandboxed,omitempty"`
}

// Why questions have no answer.
const (
	unasked   = "the task was stopped before it could be asked"
	withdrawn = "the task was stopped before it was answered"
	outdated  = "the call changed before it was answered"
)

// record keeps a decision about an action. Asking and steering need none.
func (g *Gate) record(ctx context.Context, c decision, e Entry) {
	if g.o.Audit == nil || c.subject.Kind == tools.Ask || c.subject.Kind == tools.Control {
		return
	}
	e.At, e.TaskID, e.TurnID, e.CallID = g.o.Now(), g.o.TaskID, c.call.TurnID, c.call.ID
	e.Tool, e.Kind, e.Title, e.Unsandboxed = c.subject.Tool, c.subject.Kind, c.action.Title, c.subject.Unsandboxed
	e.Command = c.subject.Command
	// What was decided is kept though the task is cancelled meanwhile.
	if err := g.o.Audit.Record(context.WithoutCancel(ctx), e); err != nil {
		g.o.Log.Warn("a decision cannot be recorded", "call", e.CallID, "tool", e.Tool, "verdict", e.Verdict, "by", e.By, "err", err)
	}
}
