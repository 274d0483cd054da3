package protocol

import (
	"context"

	"clined/internal/event"
)

// TaskInfo is a task as lists show it.
type TaskInfo struct {
	TaskID string `json:"taskId"`
	Title  string `json:"title"`
	// Cwd and Roots are absolute paths.
	Cwd   string   `json:"cwd"`
	Roots []string `json:"roots"`
	// Created and Updated are RFC 3339, UTC.
	Created string `json:"created"`
	Updated string `json:"updated"`
	// Mode is "plan" or "act"; Model the id of the model asked last.
	Mode     string `json:"mode,omitempty"`
	Model    string `json:"model,omitempty"`
	Favorite bool   `json:"favorite,omitempty"`
	// State is "idle", "running", "requires_action" or "interrupted": a turn
	// began and did not end, and nobody is at it.
	State string `json:"state"`
	// StopReason of the last turn that ended.
	StopReason event.StopReason `json:"stopReason,omitempty"`
	// Owner is the other process that runs the task now.
	Owner *TaskOwner `json:"owner,omitempty"`
	// Messages counts what was said to and by the model.
	Messages int `json:"messages"`
	// Usage are the totals of the task; Cost is in US dollars.
	TokensIn  int     `json:"tokensIn,omitempty"`
	TokensOut int     `json:"tokensOut,omitempty"`
	Cost      float64 `json:"cost,omitempty"`
	// Damage says what of the task could not be read.
	Damage string `json:"damage,omitempty"`
}

// TaskOwner is a process that runs a task.
type TaskOwner struct {
	PID int `json:"pid"`
	// Since is RFC 3339, UTC.
	Since string `json:"since"`
}

// TaskListParams asks for tasks, the newest first.
type TaskListParams struct {
	// Cwd limits the list to the tasks of that folder.
	Cwd string `json:"cwd,omitempty"`
	// Cwds limits the list to the tasks of these folders, and of Cwd where that is
	// given too; at most 1000.
	Cwds []string `json:"cwds,omitempty"`
	// Query is searched for in titles and in what was said.
	Query string `json:"query,omitempty"`
	// Favorite limits the list to favorites.
	Favorite bool `json:"favorite,omitempty"`
	// Cursor is the NextCursor of the page before.
	Cursor string `json:"cursor,omitempty"`
	// Limit defaults to 50; at most 500.
	Limit int `json:"limit,omitempty"`
}

// TaskListResult is a page of tasks; NextCursor is "" on the last.
type TaskListResult struct {
	Tasks      []TaskInfo `json:"tasks"`
	NextCursor string     `json:"nextCursor,omitempty"`
}

// TaskAttachParams follows a task: one of this process, or one that is stored.
type TaskAttachParams struct {
	TaskID string `json:"taskId"`
	// SinceSeq is the number of the last event that the client has; then only
	// what changed after it comes. 0 asks for the newest Limit things.
	SinceSeq int64 `json:"sinceSeq,omitempty"`
	// Limit defaults to 200; at most 2000. Fewer come where they would have more
	// than a mebibyte of JSON together; one comes whatever it has.
	Limit int `json:"limit,omitempty"`
}

// TaskAttachResult is where a task stands. Further events follow it, from Seq+1.
type TaskAttachResult struct {
	Task TaskInfo `json:"task"`
	// Events hold each message, call and so on once, as it is now, in the order
	// in which they were first seen; a prompt that waited stands where it was said.
	// Deltas are not among them.
	Events []TaskEventParams `json:"events"`
	// More is true when older ones exist: see Before. Asked with SinceSeq it says
	// that more has changed than one answer holds.
	More bool `json:"more,omitempty"`
	// Before is what to give to clined/task/read for the page in front of this one;
	// it is there with More, unless SinceSeq was asked for.
	Before int64 `json:"before,omitempty"`
	// Seq is the number of the last event so far.
	Seq int64 `json:"seq"`
	// Pending are the approvals and questions that wait.
	Pending []event.PendingAction `json:"pending"`
}

// TaskReadParams pages through a task's past without following it.
type TaskReadParams struct {
	TaskID string `json:"taskId"`
	// Before is the `before` of the page behind the one that is asked for; 0 asks
	// for the newest. Limit is that of TaskAttachParams.
	Before int64 `json:"before,omitempty"`
	Limit  int   `json:"limit,omitempty"`
}

// TaskReadResult is a page, the oldest first; More and Before are those of
// TaskAttachResult.
type TaskReadResult struct {
	Task   TaskInfo          `json:"task"`
	Events []TaskEventParams `json:"events"`
	More   bool              `json:"more,omitempty"`
	Before int64             `json:"before,omitempty"`
}

// Params of the methods that name a task and little else.
type (
	TaskDetachParams struct {
		TaskID string `json:"taskId"`
	}
	TaskDeleteParams struct {
		TaskID string `json:"taskId"`
	}
	TaskRenameParams struct {
		TaskID string `json:"taskId"`
		Title  string `json:"title"`
	}
	TaskFavoriteParams struct {
		TaskID   string `json:"taskId"`
		Favorite bool   `json:"favorite"`
	}
)

// TaskExportParams writes a task down; Format is "markdown" (default) or "json".
type TaskExportParams struct {
	TaskID string `json:"taskId"`
	Format string `json:"format,omitempty"`
}

// TaskExportResult is the text, and a file name that suits it.
type TaskExportResult struct {
	Text     string `json:"text"`
	FileName string `json:"fileName"`
}

// TaskResumeParams goes on with a turn that was interrupted: calls that never
// began are made now, those that may have run are reported to the model as
// unknown, nothing is repeated.
type TaskResumeParams struct {
	TaskID string `json:"taskId"`
	// Prompt, if any, is said along; then no open call is made any more.
	Prompt []ContentBlock `json:"prompt,omitempty"`
}

// TaskSteerParams says something to the turn that runs, at its next safe point:
// behind the results of the calls that are being made.
type TaskSteerParams struct {
	TaskID string `json:"taskId"`
	// ExpectedTurnID must be the turn that runs; "" is any.
	ExpectedTurnID string         `json:"expectedTurnId,omitempty"`
	Prompt         []ContentBlock `json:"prompt"`
}

// TaskSetChecklistParams replaces the checklist; the model is told at its next
// request. Text without an item empties it.
type TaskSetChecklistParams struct {
	TaskID   string `json:"taskId"`
	Markdown string `json:"markdown"`
}

// TaskEditMessageParams goes back to before a message of the user and says
// something else instead. What followed is kept on disk, and shown no more.
type TaskEditMessageParams struct {
	TaskID    string         `json:"taskId"`
	MessageID string         `json:"messageId"`
	Prompt    []ContentBlock `json:"prompt"`
}

// ApprovalListParams asks for what waits: in one task, or in all of this process.
type ApprovalListParams struct {
	TaskID string `json:"taskId,omitempty"`
}

// ApprovalListResult holds the open approvals and questions, whole.
type ApprovalListResult struct {
	Approvals []ApprovalRequestParams `json:"approvals"`
	Asks      []AskParams             `json:"asks"`
}

// history is the part of Server about tasks that exist already.
type history interface {
	TaskList(ctx context.Context, p *TaskListParams) (*TaskListResult, error)
	TaskAttach(ctx context.Context, p *TaskAttachParams) (*TaskAttachResult, error)
	TaskDetach(ctx context.Context, p *TaskDetachParams) (*Empty, error)
	TaskRead(ctx context.Context, p *TaskReadParams) (*TaskReadResult, error)
	TaskDelete(ctx context.Context, p *TaskDeleteParams) (*Empty, error)
	TaskRename(ctx context.Context, p *TaskRenameParams) (*Empty, error)
	TaskFavorite(ctx context.Context, p *TaskFavoriteParams) (*Empty, error)
	TaskExport(ctx context.Context, p *TaskExportParams) (*TaskExportResult, error)
	// TaskResume, TaskSteer and TaskEditMessage answer like TaskPrompt.
	TaskResume(ctx context.Context, p *TaskResumeParams) (*TaskPromptResult, error)
	TaskSteer(ctx context.Context, p *TaskSteerParams) (*TaskPromptResult, error)
	TaskEditMessage(ctx context.Context, p *TaskEditMessageParams) (*TaskPromptResult, error)
	TaskSetChecklist(ctx context.Context, p *TaskSetChecklistParams) (*Empty, error)
	ApprovalList(ctx context.Context, p *ApprovalListParams) (*ApprovalListResult, error)
}
