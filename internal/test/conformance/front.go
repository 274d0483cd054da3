package main

import "context"

// Front is something a person works with clined in: an editor with its plugin.
// What a person can do is an Action, what they see is the State.
type Front interface {
	// Do does one thing and returns once it is done: the daemon was told, and
	// has taken it where that matters (unsaved text, what is visible).
	Do(ctx context.Context, a Action) error
	// State returns what is on the screen once its Rev is not after, or after a
	// second at the latest.
	State(ctx context.Context, after int64) (State, error)
	// Close ends the front with its daemon.
	Close() error
}

// Action is one line to a driver. Paths are relative to the workspace, with
// slashes. What is named by its title is the first open one that contains it.
type Action struct {
	Verb string `json:"verb"`
	// Clined is the program that the front is to start, Workspace a folder.
	Clined    string `json:"clined,omitempty"`
	Workspace string `json:"workspace,omitempty"`
	// Format makes the editor take blanks off line ends, and end the last line,
	// when it saves.
	Format bool `json:"format,omitempty"`
	// Text that is said or typed.
	Text string `json:"text,omitempty"`
	// Title of what the action is about.
	Title string `json:"title,omitempty"`
	// Option chosen of a question.
	Option string `json:"option,omitempty"`
	// How a prompt is said while the task works: "queue" (also "") or "steer".
	How string `json:"how,omitempty"`
	// Always is for approvals: from now on.
	Always bool `json:"always,omitempty"`
	// Hunks are for approvals: only these of the changes, as they are shown from
	// top to bottom, from 1. All of them without it.
	Hunks []int  `json:"hunks,omitempty"`
	Path  string `json:"path,omitempty"`
	// Visible are the files in view, the first of them active; Tabs all that are open.
	Visible []string `json:"visible,omitempty"`
	Tabs    []string `json:"tabs,omitempty"`
	// After is a Rev that was seen already.
	After int64 `json:"after,omitempty"`
}

// The verbs. Prompt, Approve, Reject, EditDiff and See make up the least front
// that is of use.
const (
	Start   = "start"
	Restart = "restart"

	Prompt   = "prompt"
	Approve  = "approve"
	Reject   = "reject"
	EditDiff = "editDiff"
	See      = "state"

	Respond = "answer"
	Cancel  = "cancel"
	Resume  = "resume"
	NewTask = "newTask"

	History     = "history"
	OpenTask    = "openTask"
	EditMessage = "editMessage"

	TypeText = "type"
	Undo     = "undo"
	Show     = "show"
)

// Reply is one line of a driver: the answer to one action.
type Reply struct {
	OK bool `json:"ok"`
	// Error says why not.
	Error string `json:"error,omitempty"`
	// State answers See.
	State *State `json:"state,omitempty"`
}

// State is what a person sees now.
type State struct {
	// Rev is another one whenever anything below is.
	Rev int64 `json:"rev"`
	// Connected is true between a handshake and the end of the daemon.
	Connected bool `json:"connected"`
	// Notices are the sentences shown outside of a task, the oldest first.
	Notices []string `json:"notices,omitempty"`
	// Task is the one that is open.
	Task *Task `json:"task,omitempty"`
	// Items are what is shown of it, from top to bottom. What a retry or a
	// rewind took back is not among them.
	Items []Item `json:"items,omitempty"`
	// Pending are the decisions that wait for the user.
	Pending []Pending `json:"pending,omitempty"`
	// History is the list of tasks, as History showed it last.
	History []Task `json:"history,omitempty"`
	// Diffs are the open diff views of proposals.
	Diffs []Diff `json:"diffs,omitempty"`
	// Buffers are the open files with their texts, by path.
	Buffers map[string]string `json:"buffers,omitempty"`
	// Faults are breaches of the protocol that the front noticed.
	Faults []string `json:"faults,omitempty"`
}

// Task is a task in a list or a title bar. Status is "running",
// "requires_action", "interrupted", or the reason why it is idle.
type Task struct {
	Title  string `json:"title"`
	Status string `json:"status"`
}

// The kinds of an Item.
const (
	UserSaid      = "user"
	AssistantSaid = "assistant"
	CallCard      = "call"
	NoticeShown   = "notice"
)

// Item is a message or the card of a call.
type Item struct {
	Kind string `json:"kind"`
	// Text of a message, or the title of a call.
	Text string `json:"text"`
	// Status is that of the protocol's event; "" for a notice.
	Status string `json:"status,omitempty"`
}

// Diff is a diff view: what is there, and what is proposed, whole.
type Diff struct {
	Path     string `json:"path"`
	Base     string `json:"base"`
	Proposed string `json:"proposed"`
}

// Pending is an open decision. Its Kind is "approval" or "question".
type Pending struct {
	Kind  string `json:"kind"`
	Title string `json:"title"`
	// Detail is what an approval is about: the command, or the diff.
	Detail string `json:"detail,omitempty"`
	// Options are the labels that one can choose from.
	Options []string `json:"options,omitempty"`
}
