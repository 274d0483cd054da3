package protocol

import (
	"encoding/json"

	"clined/internal/event"
)

// Empty is an object without fields; Null is JSON null.
type (
	Empty struct{}
	Null  struct{}
)

// MarshalJSON writes null.
func (Null) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

// UnmarshalJSON takes anything.
func (*Null) UnmarshalJSON([]byte) error { return nil }

// ContentBlock is a piece of a prompt; the block types are those of ACP and MCP.
type ContentBlock struct {
	// Type is "text" or "image".
	Type     string `json:"type"`
	Text     string `json:"text,omitempty"`
	MimeType string `json:"mimeType,omitempty"`
	// Data is base64.
	Data string `json:"data,omitempty"`
}

// Text returns a prompt of words only.
func Text(s string) []ContentBlock { return []ContentBlock{{Type: "text", Text: s}} }

// TaskNewParams starts a task, and a turn if Prompt is not empty.
type TaskNewParams struct {
	// Cwd is an absolute path; default: the first workspace folder.
	Cwd string `json:"cwd,omitempty"`
	// Roots are absolute paths; default: the workspace folders.
	Roots  []string       `json:"roots,omitempty"`
	Prompt []ContentBlock `json:"prompt,omitempty"`
	// Mode is "plan" or "act"; default: act.
	Mode string `json:"mode,omitempty"`
	// Config sets options by id, as clined/config/set would.
	Config map[string]string `json:"config,omitempty"`
	// ClientTaskRef comes back in the result, for the client's own books.
	ClientTaskRef string `json:"clientTaskRef,omitempty"`
}

// TaskNewResult names the task; TurnID and MessageID are set when a turn started.
type TaskNewResult struct {
	TaskID string `json:"taskId"`
	// Seq is that of the last event so far.
	Seq           int64  `json:"seq"`
	TurnID        string `json:"turnId,omitempty"`
	MessageID     string `json:"messageId,omitempty"`
	ClientTaskRef string `json:"clientTaskRef,omitempty"`
}

// TaskPromptParams says something to the agent. While a turn runs it waits
// for the turn's end if Queue is true, else it is refused with CodeTaskBusy.
type TaskPromptParams struct {
	TaskID string         `json:"taskId"`
	Prompt []ContentBlock `json:"prompt"`
	// Queue defaults to true.
	Queue *bool `json:"queue,omitempty"`
	// Mode, if set, changes the mode together with the prompt.
	Mode string `json:"mode,omitempty"`
}

// TaskPromptResult names the turn that will carry the prompt.
type TaskPromptResult struct {
	TurnID    string `json:"turnId"`
	MessageID string `json:"messageId"`
}

// TaskCancelParams stops the running turn (only if it is TurnID, when given)
// and drops queued prompts. The TurnID of a queued prompt drops that one only.
// It may be repeated; the end comes as a state event.
type TaskCancelParams struct {
	TaskID string `json:"taskId"`
	TurnID string `json:"turnId,omitempty"`
}

// TaskEventParams is one event of one task. Seq starts at 1 per task and rises;
// numbers may be skipped, never repeated.
type TaskEventParams struct {
	TaskID string `json:"taskId"`
	Seq    int64  `json:"seq"`
	TurnID string `json:"turnId,omitempty"`
	// Ts is RFC 3339 with milliseconds, UTC.
	Ts    string         `json:"ts"`
	Event event.Envelope `json:"event"`
}

// ConfigGetParams and ConfigSetParams: TaskID "" means the defaults for new
// tasks of this connection.
type (
	ConfigGetParams struct {
		TaskID string `json:"taskId,omitempty"`
	}
	ConfigSetParams struct {
		TaskID string `json:"taskId,omitempty"`
		ID     string `json:"id"`
		Value  string `json:"value"`
	}
	ConfigResult struct {
		Options []event.Option `json:"options"`
	}
)

// ApprovalRequestParams asks whether an action may run. The subject is fixed:
// SubjectHash identifies it.
type ApprovalRequestParams struct {
	ApprovalID string `json:"approvalId"`
	TaskID     string `json:"taskId"`
	TurnID     string `json:"turnId"`
	ToolCallID string `json:"toolCallId"`
	// Title is one line; Description says why it is asked.
	Title       string `json:"title"`
	Description string `json:"description,omitempty"`
	// AsksAnyway is true when autoApprove of its kind would not keep this from being
	// asked: it leads outside, is protected, hidden or what a rule asks about.
	AsksAnyway bool `json:"asksAnyway,omitempty"`
	// DiffID names the diff view that shows the edit; "" when there is none.
	DiffID             string           `json:"diffId,omitempty"`
	Subject            Subject          `json:"subject"`
	SubjectHash        string           `json:"subjectHash"`
	Options            []ApprovalOption `json:"options"`
	AllowFeedback      bool             `json:"allowFeedback"`
	AllowEditedContent bool             `json:"allowEditedContent"`
}

// Subject is what would happen, precisely; the fields set depend on Type.
type Subject struct {
	// Type is "command", "fileEdit", "fileRead" or "mcp".
	Type string `json:"type"`
	// Command and Cwd of a command.
	Command string `json:"command,omitempty"`
	Cwd     string `json:"cwd,omitempty"`
	// Parts are the simple commands of the line in order, when it could be read.
	Parts []SubjectPart `json:"parts,omitempty"`
	// Interactive is true for a command that gets a terminal which the user types
	// into; Timeout is its own limit in seconds.
	Interactive bool `json:"interactive,omitempty"`
	Timeout     int  `json:"timeout,omitempty"`
	// Sandbox says in words what holds the command; "" when nothing is to.
	// Unsandboxed is true for a command that would run without one,
	// though there is one.
	Sandbox     string `json:"sandbox,omitempty"`
	Unsandboxed bool   `json:"unsandboxed,omitempty"`
	// Paths read (or listed, searched).
	Paths []SubjectPath `json:"paths,omitempty"`
	// Files of an edit.
	Files []SubjectEdit `json:"files,omitempty"`
	// Server, Tool and Args of an MCP call; the names are the original ones.
	Server string          `json:"server,omitempty"`
	Tool   string          `json:"tool,omitempty"`
	Args   json.RawMessage `json:"args,omitempty"`
}

// SubjectPart is a simple command of a command line and how it is judged alone.
type SubjectPart struct {
	Command string `json:"command"`
	// Verdict is "allow", "ask" or "deny".
	Verdict string `json:"verdict"`
	// Reason says why it asks or is denied, Rule what allows it.
	Reason string `json:"reason,omitempty"`
	Rule   string `json:"rule,omitempty"`
}

// SubjectPath is a file or folder. Real is where links lead, when that differs.
type SubjectPath struct {
	Path    string `json:"path"`
	URI     string `json:"uri"`
	Real    string `json:"real,omitempty"`
	Outside bool   `json:"outside,omitempty"`
	// Protected says why a rule protects it.
	Protected string `json:"protected,omitempty"`
}

// SubjectEdit is the proposed change of one file.
type SubjectEdit struct {
	SubjectPath
	// Op is "create", "modify", "delete" or "rename", which may change the text too.
	Op string `json:"op"`
	// To is the new path of a rename.
	To       *SubjectPath `json:"to,omitempty"`
	BaseText string       `json:"baseText"`
	NewText  string       `json:"newText"`
	// Diff is a unified diff of the two.
	Diff string `json:"diff"`
	// Hunks are the changes that can be taken or left by themselves, in order.
	Hunks []Hunk `json:"hunks,omitempty"`
	// DiffID names the diff view that shows this file; "" when there is none.
	DiffID string `json:"diffId,omitempty"`
}

// Hunk is a change of some lines: those from StartLine to EndLine of the base
// give way to those from NewStartLine to NewEndLine of the proposal. Lines count
// from 0, as in LineEdit, ends are exclusive. The id is unique in the approval and
// the same whenever that edit is proposed. A file that is created or deleted is
// one hunk, and so is one that changes in very many places; one that is only
// moved, or gets other line ends, has one of no lines.
type Hunk struct {
	ID           string `json:"id"`
	StartLine    int    `json:"startLine"`
	EndLine      int    `json:"endLine"`
	NewStartLine int    `json:"newStartLine"`
	NewEndLine   int    `json:"newEndLine"`
}

// ApprovalOption is one possible answer.
type ApprovalOption struct {
	OptionID string `json:"optionId"`
	// Kind is allow_once, allow_always, reject_once or reject_always.
	Kind string `json:"kind"`
	Name string `json:"name"`
	// Rule is exactly what an "always" would store.
	Rule *Rule `json:"rule,omitempty"`
}

// Rule is what "always" means.
type Rule struct {
	// Scope is "task", "workspace" or "user".
	Scope string `json:"scope"`
	// Pattern in words, such as "command prefix: git status".
	Pattern string `json:"pattern"`
}

// ApprovalOutcome is the user's answer. A null result, an unknown option, an
// error or a lost connection is no decision: the approval stays open.
type ApprovalOutcome struct {
	OptionID string `json:"optionId,omitempty"`
	// SubjectHash, if given, must be the request's.
	SubjectHash string `json:"subjectHash,omitempty"`
	// Feedback goes to the model, with a yes and with a no.
	Feedback *Feedback `json:"feedback,omitempty"`
	// EditedContent maps file URIs to the whole text the user wants instead.
	EditedContent map[string]string `json:"editedContent,omitempty"`
	// Hunks are the ids of those that are allowed, at least one, for a yes to a
	// part; without it all are. What the user changed in or beside them stays; a
	// file with none of them stays as it is. An empty list is not to be taken for
	// none given.
	Hunks []string `json:"hunks,omitzero"`
}

// Feedback is what the user says along with a decision.
type Feedback struct {
	Text   string         `json:"text"`
	Images []ContentBlock `json:"images,omitempty"`
}

// ApprovalResolvedParams tells that an approval is closed.
type ApprovalResolvedParams struct {
	ApprovalID string `json:"approvalId"`
	TaskID     string `json:"taskId"`
	// Outcome is the option's kind, or "cancelled".
	Outcome string `json:"outcome"`
	Rule    *Rule  `json:"rule,omitempty"`
}

// ApprovalRespondParams answers by id.
type ApprovalRespondParams struct {
	ApprovalID string          `json:"approvalId"`
	Outcome    ApprovalOutcome `json:"outcome"`
}

// RespondResult says whether the answer counted.
type RespondResult struct {
	// Status is "accepted" or "alreadyResolved".
	Status string `json:"status"`
}

// AskParams is a question of the agent.
type AskParams struct {
	AskID  string `json:"askId"`
	TaskID string `json:"taskId"`
	TurnID string `json:"turnId"`
	Text   string `json:"text"`
	// Options are proposed answers; free text is always allowed.
	Options []string `json:"options,omitempty"`
}

// AskResult is the answer. A null result or an error is no answer: the
// question stays open.
type AskResult struct {
	// Action is "accept", "decline" or "cancel".
	Action string `json:"action"`
	// Option is one of the proposed answers, Text free text; both may be set.
	Option string         `json:"option,omitempty"`
	Text   string         `json:"text,omitempty"`
	Images []ContentBlock `json:"images,omitempty"`
}

// AskRespondParams answers by id.
type AskRespondParams struct {
	AskID  string    `json:"askId"`
	Result AskResult `json:"result"`
}

// ClinedClient is capabilities.experimental.clined of a client.
type ClinedClient struct {
	Protocol ProtocolRange `json:"protocol"`
	Client   struct {
		Name       string `json:"name"`
		Version    string `json:"version,omitempty"`
		InstanceID string `json:"instanceId,omitempty"`
	} `json:"client"`
	Caps ClientCaps `json:"caps"`
}

// ProtocolRange are the versions a side speaks.
type ProtocolRange struct {
	Min int `json:"min"`
	Max int `json:"max"`
}

// ClientCaps tells what an editor can do; a present object means yes. Each is
// optional and has a fallback.
type ClientCaps struct {
	// Approvals: clined/approval/request is answered.
	Approvals *ApprovalCaps `json:"approvals,omitempty"`
	// Asks: clined/ask is answered.
	Asks *Empty `json:"asks,omitempty"`
	// EditorState: clined/editor/didChangeState is pushed.
	EditorState *Empty `json:"editorState,omitempty"`
	// Transcript: message deltas are wanted; without it only whole messages are sent.
	Transcript *Empty `json:"transcript,omitempty"`
	// DiffView: the clined/diff requests are answered.
	DiffView *DiffViewCaps `json:"diffView,omitempty"`
	// DiagnosticsPull: clined/diagnostics/pull is answered.
	DiagnosticsPull *Empty `json:"diagnosticsPull,omitempty"`
}

// ApprovalCaps tells what an editor can send along with a decision.
type ApprovalCaps struct {
	Feedback      *Empty `json:"feedback,omitempty"`
	EditedContent *Empty `json:"editedContent,omitempty"`
}

// ClinedServer is capabilities.experimental.clined of the daemon.
type ClinedServer struct {
	// Protocol is the version chosen.
	Protocol int    `json:"protocol"`
	Version  string `json:"version"`
	// Methods are all native methods this build answers.
	Methods []string `json:"methods"`
}

// EditorState is what the user sees, pushed whole at each change.
type EditorState struct {
	// Rev rises with each push; an older one is ignored. 0 means unnumbered.
	Rev    int64 `json:"rev,omitempty"`
	Active *struct {
		URI        string  `json:"uri"`
		Selections []Range `json:"selections,omitempty"`
	} `json:"active,omitempty"`
	Visible []struct {
		URI    string  `json:"uri"`
		Ranges []Range `json:"ranges,omitempty"`
	} `json:"visible"`
	Tabs []struct {
		URI    string `json:"uri"`
		Dirty  bool   `json:"dirty,omitempty"`
		Pinned bool   `json:"pinned,omitempty"`
		Group  int    `json:"group,omitempty"`
	} `json:"tabs"`
	Terminals []struct {
		ID   string `json:"id"`
		Name string `json:"name"`
		Cwd  string `json:"cwd,omitempty"`
		Busy bool   `json:"busy,omitempty"`
		// Command that runs or ran last, and its newest output.
		Command string `json:"command,omitempty"`
		Output  string `json:"output,omitempty"`
	} `json:"terminals,omitempty"`
	Diagnostics []FileDiagnostics `json:"diagnostics,omitempty"`
	// CheckedLanguages are ids of languages whose documents something checks for
	// problems. Documents like one that had diagnostics count without it.
	CheckedLanguages []string `json:"checkedLanguages,omitempty"`
}

// Raw is JSON kept as it came.
type Raw = json.RawMessage
