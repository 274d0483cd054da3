package tools

import (
	"context"

	"clined/internal/transcript"
)

// Origin says how the model wrote a call: it matters for entities and fences
// in texts.
type Origin string

// Native calls are JSON of the provider's own form; XML ones stood in the text.
const (
	Native Origin = "native"
	XML    Origin = "xml"
)

// Call is a request to run a tool.
type Call struct {
	// ID pairs call, approval, events and result.
	ID string
	// TurnID is the turn the call belongs to.
	TurnID string
	Name   string
	// Args are the decoded arguments, without task_progress.
	Args Args
	Mode Mode
	// After is the name of the call that the task made before this one; the
	// set of tools fills it in.
	After string
	// Origin is Native unless said otherwise.
	Origin Origin
	// Started, if set, is called once the call is allowed, right before it acts,
	// with the Title of its action.
	// An error stops it: nothing may happen that is not on record.
	Started func(ctx context.Context, title string) error
	// Emit, if set, is told of live output while the tool runs. It must not
	// block and may be called from any goroutine until Run returns.
	Emit func(output string)
}

// Action is a call that was checked and is ready to run.
type Action struct {
	// Title is a line for people, such as "Edit cmd/main.go".
	Title   string
	Subject Subject
	// Run does it. It may be called once, with the decision that allowed it.
	Run func(ctx context.Context, d Decision) Result
}

// Decision is what allowed an action.
type Decision struct {
	// Rule names the rule that allowed it without asking, "" when the user did.
	Rule string
	// Feedback is what the user said along with their yes; the gate adds it to
	// the result, a tool need not look at it.
	Feedback string
	Images   []transcript.Image
	// Edited maps absolute paths to the whole text the user wants instead of
	// the proposed one.
	Edited map[string]string
	// Hunks maps absolute paths to what the user chose of the proposal's hunks,
	// where they did not take all; Edited has the text that this makes.
	Hunks map[string]HunkChoice
}

// HunkChoice is how many of a proposal's hunks were taken.
type HunkChoice struct{ Taken, Of int }

// Outcome says how a call ended, for fronts and for the loop.
type Outcome string

// The outcomes. The zero value is OK.
const (
	OK     Outcome = ""
	Failed Outcome = "failed"
	// Denied by the user or by a rule: the loop skips the remaining calls of
	// the reply when it was the user.
	Denied    Outcome = "denied"
	Cancelled Outcome = "cancelled"
)

// Result is how a call ended.
type Result struct {
	// Text is what the model reads.
	Text    string
	Images  []transcript.Image
	Outcome Outcome
	// Skip tells the loop to skip the remaining calls of the reply (the user said no).
	Skip bool
	// NeedsUser is true when a decision is needed and nobody is there to give
	// it: the loop ends the turn.
	NeedsUser bool
	// Title, Diff and Locations are for people: what was done, and where.
	Title     string
	Diff      string
	Locations []string
	// Rule names the rule that allowed the call without asking.
	Rule string
	// Retry, if set, is what the user is offered next, since what was allowed
	// could not do it: its own subject is judged and asked about as any other.
	// When they say yes its result stands in place of this one.
	Retry *Action
	// End, if set, ends the turn after this reply.
	End *End
}

// End is how a control tool ends a turn.
type End struct {
	// Plan is true for a plan that waits for the user, false for a completion.
	Plan bool
	// Answer is shown to the user as the assistant's final message.
	Answer string
	// Command is offered to the user with a completion; "" for none.
	Command string
}

// Fail returns a result that tells the model of a failure.
func Fail(text string) Result { return Result{Text: text, Outcome: Failed} }
