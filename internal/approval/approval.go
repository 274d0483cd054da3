// Package approval owns permissions: the policy that judges what a call would
// do (pure: rules in, verdict out) and the gate that runs a tool only when the
// policy or the user allowed it.
//
// The policy does no I/O. The gate asks through the Approver port and never
// takes silence, a timeout or a lost connection for a yes. agent and tools do
// not import it; daemon and server do.
package approval

import (
	"context"
	"errors"

	"clined/internal/tools"
	"clined/internal/transcript"
)

// Verdict is what the policy says.
type Verdict string

// The verdicts; deny wins over ask, ask over allow.
const (
	Allow Verdict = "allow"
	AskV  Verdict = "ask"
	Deny  Verdict = "deny"
)

// Judgement is a verdict with its reason.
type Judgement struct {
	Verdict Verdict
	// Reason is a sentence for the user and, when denied, for the model.
	Reason string
	// Rule names what allowed it, in words.
	Rule string
	// Offer is the rule that an "always" would store: with it the same subject
	// is allowed. nil when none may be offered.
	Offer *Rule
	// unsure is set for a question that only a person may answer, since it may
	// be about something that is denied.
	unsure bool
}

// Approver asks a person.
type Approver interface {
	// Approve waits until somebody decides about this very request. It returns
	// ErrNobody when nobody can (no editor is attached and none will be), and
	// ctx's error on cancel.
	Approve(ctx context.Context, r Request) (Answer, error)
}

// ErrNobody says that no one is there to decide.
var ErrNobody = errors.New("nobody is there to approve this")

// Request is what a person is asked.
type Request struct {
	// TurnID and CallID are the call's.
	TurnID, CallID string
	// Title is one line; Reason says why it is asked.
	Title, Reason string
	Subject       tools.Subject
	// Offer is what "always" would mean, for the task; nil when it may not be
	// offered. Scopes are those it may be stored with, narrowest first.
	Offer  *Rule
	Scopes []Scope
}

// Answer is a person's decision.
type Answer struct {
	Allowed bool
	// Always stores the request's Offer with Scope; "" is TaskScope.
	Always bool
	Scope  Scope
	// Feedback goes to the model, with a yes and with a no.
	Feedback string
	Images   []transcript.Image
	// Edited maps absolute paths to the whole text wanted instead.
	Edited map[string]string
	// Hunks maps absolute paths to how many hunks of the proposal were taken,
	// where that is not all; Edited has the text of those that were.
	Hunks map[string]tools.HunkChoice
}
