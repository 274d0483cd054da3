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
)

// Verdict is what the policy says.
type Verdict string

// The verdicts; deny wins over ask, ask over allow.
const (
	Allow Verdict = "allow"
	AskV  Verdict = "ask"
	Deny  Verdict = "deny"
)

// Judgement is a verdict with its reason. Reason is a sentence for the user
// and, when denied, for the model.
type Judgement struct {
	Verdict Verdict
	Reason  string
	// Offer is the rule that an "always" would store; nil when none may be.
	Offer *Rule
}

// Rule is a stored permission in exact terms.
type Rule struct {
	// Scope is "task", "workspace" or "user".
	Scope string `json:"scope"`
	// Kind the rule is for.
	Kind tools.Kind `json:"kind"`
	// Command is an exact command prefix in words: ["git","status"].
	Command []string `json:"command,omitempty"`
	// Inside limits a read or edit rule to the workspace.
	Inside bool `json:"inside,omitempty"`
	// Server and Tool limit an MCP rule; SchemaHash pins the tool's description
	// and schema: a changed tool is asked about again.
	Server     string `json:"server,omitempty"`
	Tool       string `json:"tool,omitempty"`
	SchemaHash string `json:"schemaHash,omitempty"`
}

// Approver asks a person.
type Approver interface {
	// Approve waits until somebody decides. It returns ErrNobody when nobody
	// can (no editor is attached and none will be), and ctx's error on cancel.
	Approve(ctx context.Context, r Request) (Answer, error)
}

// ErrNobody says that no one is there to decide.
var ErrNobody = errors.New("nobody is there to approve this")

// Request is what a person is asked.
type Request struct {
	CallID string
	// Title is one line; Reason says why it is asked.
	Title, Reason string
	Subject       tools.Subject
	// Offer is what "always" would mean; nil when it may not be offered.
	Offer *Rule
}

// Answer is a person's decision.
type Answer struct {
	Allowed bool
	// Always stores the request's Offer.
	Always   bool
	Feedback string
	// Edited maps absolute paths to the whole text wanted instead.
	Edited map[string]string
}
