package protocol

import "context"

// RuleInfo is a permission that an "always" stored.
type RuleInfo struct {
	ID int64 `json:"id"`
	Rule
	// Workspace is the real path of the folder that a rule of scope workspace
	// holds in.
	Workspace string `json:"workspace,omitempty"`
	// TaskID of a rule of scope task, which goes with its task.
	TaskID string `json:"taskId,omitempty"`
	// Verdict is "allow", "ask" or "deny".
	Verdict string `json:"verdict"`
	// Created is RFC 3339, UTC.
	Created string `json:"created"`
}

// RuleListParams ask for the rules.
type RuleListParams struct {
	// All includes those of other workspaces than the editor's, and of tasks.
	All bool `json:"all,omitempty"`
}

// RuleListResult lists rules, the oldest first.
type RuleListResult struct {
	Rules []RuleInfo `json:"rules"`
}

// RuleRemoveParams name a rule to be removed.
type RuleRemoveParams struct {
	ID int64 `json:"id"`
}

// rules is the part of Server about stored permissions.
type rules interface {
	RuleList(ctx context.Context, p *RuleListParams) (*RuleListResult, error)
	RuleRemove(ctx context.Context, p *RuleRemoveParams) (*Empty, error)
}
