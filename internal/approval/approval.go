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
	Ask   Verdict = "ask"
	Deny  Verdict = "deny"
)

// Judgement is a verdict with its reason.
type Judgement struct {
	Verdict Verdict
	// Reason is a sentence for the user and, when denied, for the model.
	Reason string
	// Rule names what allowed or denied it, in words.
	Rule string
	// By tells whether a rule said so, or the settings and what is built in.
	By By
	// Parts are the simple commands of a command line, in order, each with its
	// own verdict; nil for other subjects and for lines that cannot be read.
	Parts []Part
	// Offers are rules of which each would allow the same subject, the one a
	// plain "always" stores first; empty when none may be offered.
	Offers []Rule
	// unsure is set for a question that only a person may answer, since it may
	// be about something that is denied.
	unsure bool
}

// Part is a simple command of a command line and what is said about it alone.
type Part struct {
	// Command is its text as written.
	Command string
	Verdict Verdict
	// Reason says why it is asked about or denied, Rule what allowed or denied it.
	Reason, Rule string
}

// By tells who decided.
type By string

// Those who decide. Settings include what is built in, such as plan mode.
const (
	ByRule     By = "rule"
	BySettings By = "settings"
	ByUser     By = "user"
	ByNobody   By = "nobody"
)

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
	// Parts and Offers are the judgement's. Scopes are those an offer may be
	// stored with, narrowest first.
	Parts  []Part
	Offers []Rule
	Scopes []Scope
	// Anyway is true when allowing all of its kind in the settings would not keep
	// this from being asked.
	Anyway bool
}

// Answer is a person's decision.
type Answer struct {
	Allowed bool
	// Always stores one of the request's Offers, by its index, with Scope; "" is
	// TaskScope.
	Always bool
	Offer  int
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
