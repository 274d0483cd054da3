// Package event owns the vocabulary of what happens in a task, as told to every
// front: the terminal, editors and `clined run --json`. Each type here is one
// variant of the protocol's `clined/task/event`; its JSON form is the wire form.
//
// Rules: an id seen for the first time creates the thing, later events with
// the same id replace it; deltas append. A field that is left out is unchanged.
// A finished thing is sent whole again, so that a front may ignore deltas.
//
// It does no I/O and imports nothing of ours. Anyone may import it.
package event

// Event is one variant; Type is its `type` on the wire.
type Event interface{ Type() string }

// State says what a task is doing. Reason and Error are set when it goes idle.
type State struct {
	State      TaskState  `json:"state"`
	StopReason StopReason `json:"stopReason,omitempty"`
	Error      *Failure   `json:"error,omitempty"`
	// Waiting tells of a pause before another try, or of an answer that does not
	// begin, while State is Running.
	Waiting *Waiting `json:"waiting,omitempty"`
	// Pending lists what waits for the user, while State is RequiresAction.
	Pending []PendingAction `json:"pending,omitempty"`
}

// PendingAction is an open approval or question, enough to answer it by
// clined/approval/respond or clined/ask/respond.
type PendingAction struct {
	ID string `json:"id"`
	// Kind is "approval" or "question".
	Kind string `json:"kind"`
	// Title of the approval, or the question's text.
	Title string `json:"title"`
	// Options are an approval's option ids, or a question's proposed answers.
	Options []string `json:"options,omitempty"`
	// ToolCallID that an approval is about.
	ToolCallID string `json:"toolCallId,omitempty"`
}

// TaskState is what a task is doing.
type TaskState string

// The states. RequiresAction means that an approval or a question is open.
const (
	Idle           TaskState = "idle"
	Running        TaskState = "running"
	RequiresAction TaskState = "requires_action"
)

// StopReason says why a task went idle.
type StopReason string

// The reasons.
const (
	// Completed: the model says that the task is done, or a text-only model answered.
	Completed StopReason = "completed"
	// PlanPresented: the model presented a plan and waits for the user.
	PlanPresented StopReason = "plan_presented"
	// Cancelled by the user.
	Cancelled StopReason = "cancelled"
	// Failed: see State.Error.
	Failed StopReason = "error"
	// Interrupted: the process ended, or was ended, in the middle of a turn; it
	// can be resumed.
	Interrupted StopReason = "interrupted"
	// NeedsUser: a decision is needed that nobody gave (no editor, a limit).
	NeedsUser StopReason = "needs_user"
)

// Failure is an error as the user sees it: a sentence and what to do next.
type Failure struct {
	// Code is an llm.Class or "internal", "journal", "prompt".
	Code    string `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
	// Status is the provider's HTTP status, 0 when there was none.
	Status int `json:"providerStatus,omitempty"`
}

// Waiting tells the user why nothing happens: try Attempt of Max starts in
// DelayMs, or, where that is 0, it began WaitedMs ago and nothing has come.
type Waiting struct {
	Reason   string `json:"reason"`
	DelayMs  int64  `json:"delayMs"`
	WaitedMs int64  `json:"waitedMs,omitempty"`
	Attempt  int    `json:"attempt"`
	Max      int    `json:"max"`
}

// Message is something said by the user or the assistant.
type Message struct {
	MessageID string `json:"messageId"`
	// Role is "user" or "assistant".
	Role    string    `json:"role"`
	Content []Content `json:"content"`
	Status  Status    `json:"status"`
	// Final marks the answer that ends a turn: a completion's result or a plan.
	Final bool `json:"final,omitempty"`
	// Command is offered with a completion, to be run by the user if they like.
	Command string `json:"command,omitempty"`
}

// Content is a block of a message; thoughts are the model's reasoning.
type Content struct {
	// Type is "text", "thought" or "image".
	Type string `json:"type"`
	Text string `json:"text,omitempty"`
	// MimeType and Data (base64) of an image.
	MimeType string `json:"mimeType,omitempty"`
	Data     string `json:"data,omitempty"`
}

// Status of a message or a tool call.
type Status string

// The statuses. Discarded: a partial message that a retry replaces.
const (
	Pending    Status = "pending"
	InProgress Status = "in_progress"
	Done       Status = "completed"
	Error      Status = "failed"
	Denied     Status = "denied"
	Stopped    Status = "cancelled"
	Discarded  Status = "discarded"
)

// MessageDelta appends text to a part of a message.
type MessageDelta struct {
	MessageID string `json:"messageId"`
	PartIndex int    `json:"partIndex"`
	// Kind is "text" or "thought".
	Kind string `json:"kind"`
	Text string `json:"text"`
}

// ToolCall is a call of the model, from the first sight of it to its result.
type ToolCall struct {
	ToolCallID string `json:"toolCallId"`
	// Name as the model called it; Title is for people, such as "Read go.mod".
	Name  string `json:"name"`
	Title string `json:"title,omitempty"`
	// Kind is "read", "edit", "command", "mcp", "ask" or "control".
	Kind   string `json:"kind,omitempty"`
	Status Status `json:"status"`
	// Args is the JSON object the model wrote, once complete.
	Args string `json:"args,omitempty"`
	// Server and Tool are the original names of an MCP tool.
	Server string `json:"server,omitempty"`
	Tool   string `json:"tool,omitempty"`
	// Locations are the files it touches, as absolute paths.
	Locations []string `json:"locations,omitempty"`
	// Output is what the model was told.
	Output string `json:"output,omitempty"`
	// Diff is a unified diff of what an edit changed.
	Diff string `json:"diff,omitempty"`
	// AutoApproved tells which rule allowed it without asking.
	AutoApproved string `json:"autoApproved,omitempty"`
}

// ToolCallDelta appends to the arguments while the model writes them, or to
// the live output while the tool runs.
type ToolCallDelta struct {
	ToolCallID string `json:"toolCallId"`
	ArgsText   string `json:"argsText,omitempty"`
	Output     string `json:"output,omitempty"`
}

// Plan is the task's checklist.
type Plan struct {
	Entries []PlanEntry `json:"entries"`
	// ByUser is true for a list that the user wrote and the model was not told
	// of yet.
	ByUser bool `json:"byUser,omitempty"`
}

// PlanEntry is a line of the checklist.
type PlanEntry struct {
	Text string `json:"text"`
	Done bool   `json:"done"`
}

// Usage reports the tokens: of the last request, and of the task as a whole.
type Usage struct {
	// Used is the size of the context after the last request; Size is the
	// model's window. Both in tokens.
	Used int `json:"used"`
	Size int `json:"size"`
	// Totals of the task.
	TokensIn   int  `json:"tokensIn"`
	TokensOut  int  `json:"tokensOut"`
	CacheRead  int  `json:"cacheRead"`
	CacheWrite int  `json:"cacheWrite"`
	Estimated  bool `json:"estimated,omitempty"`
	// Cost of the task in US dollars; 0 when the prices are not known.
	Cost float64 `json:"cost,omitempty"`
}

// Config tells that options of the task changed; it holds all of them.
type Config struct {
	Options []Option `json:"options"`
}

// Option is a setting of a task that a front may change.
type Option struct {
	// ID such as "mode", "model", "auto_approve.read".
	ID    string `json:"id"`
	Name  string `json:"name"`
	Value string `json:"value"`
	// Choices lists the allowed values; empty when any text is.
	Choices []string `json:"choices,omitempty"`
}

// Notice is a sentence for the user about the task: a warning or plain news.
type Notice struct {
	// Severity is "info", "warning" or "error".
	Severity string `json:"severity"`
	Text     string `json:"text"`
	Hint     string `json:"hint,omitempty"`
}

// Info describes the task.
type Info struct {
	Title string `json:"title"`
}

// Rewind takes a message back, and everything that came after it.
type Rewind struct {
	MessageID string `json:"messageId"`
}

// The wire names of the variants.
func (State) Type() string         { return "state" }
func (Message) Type() string       { return "message" }
func (MessageDelta) Type() string  { return "messageDelta" }
func (ToolCall) Type() string      { return "toolCall" }
func (ToolCallDelta) Type() string { return "toolCallDelta" }
func (Plan) Type() string          { return "plan" }
func (Usage) Type() string         { return "usage" }
func (Config) Type() string        { return "config" }
func (Notice) Type() string        { return "notice" }
func (Info) Type() string          { return "info" }
func (Rewind) Type() string        { return "rewind" }
