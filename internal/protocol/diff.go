package protocol

import "context"

// DiffOpenParams shows a proposed change in the editor's diff view, before it
// is complete when Streaming is true. Texts are whole, with LF line ends as LSP
// clients show them.
type DiffOpenParams struct {
	DiffID     string `json:"diffId"`
	TaskID     string `json:"taskId"`
	ToolCallID string `json:"toolCallId"`
	URI        string `json:"uri"`
	// Op is "create", "modify" or "delete".
	Op       string `json:"op"`
	BaseText string `json:"baseText"`
	// BaseVersion is the buffer's version that BaseText is; 0 when it is not open.
	BaseVersion int32 `json:"baseVersion,omitempty"`
	// NewText is what is proposed so far.
	NewText    string `json:"newText"`
	LanguageID string `json:"languageId,omitempty"`
	Streaming  bool   `json:"streaming,omitempty"`
}

// DiffOpenResult says whether it is shown. Text is the buffer's when that is
// not BaseText: unsaved work wins, and the daemon makes the proposal anew.
type DiffOpenResult struct {
	Opened bool    `json:"opened"`
	Text   *string `json:"text,omitempty"`
}

// DiffUpdateParams replaces lines of the proposed side while the model writes.
// Rev rises by one with each; the last one told stands until finalize.
type DiffUpdateParams struct {
	DiffID string     `json:"diffId"`
	Rev    int        `json:"rev"`
	Edits  []LineEdit `json:"edits"`
	// ActiveLine is where the model writes, 0-based.
	ActiveLine int `json:"activeLine"`
}

// LineEdit puts Lines (without line ends) in place of the lines StartLine to
// EndLine, exclusive, 0-based, of the text before the update.
type LineEdit struct {
	StartLine int      `json:"startLine"`
	EndLine   int      `json:"endLine"`
	Lines     []string `json:"lines"`
}

// DiffFinalizeParams ends the stream. TextHash is the SHA-256, in hex, of the
// proposed side as UTF-8 with LF.
type DiffFinalizeParams struct {
	DiffID   string `json:"diffId"`
	Rev      int    `json:"rev"`
	TextHash string `json:"textHash"`
	// NewText comes along when the hash told before was another.
	NewText *string `json:"newText,omitempty"`
}

// DiffFinalizeResult is the hash of what the editor shows.
type DiffFinalizeResult struct {
	TextHash string `json:"textHash"`
}

// DiffSaveParams accepts: the editor puts the proposed side, as the user left
// it, into the file's buffer as one undo step and saves with its usual actions.
type DiffSaveParams struct {
	DiffID string `json:"diffId"`
	// Text, if set, is what to save instead of what is shown.
	Text *string `json:"text,omitempty"`
}

// DiffSaveResult is the file after the save. UserText is the proposed side
// right before the save, FinalText what was saved: the difference is what the
// editor's on-save actions did. Error says why nothing was saved.
type DiffSaveResult struct {
	UserText  string `json:"userText"`
	FinalText string `json:"finalText"`
	Version   int32  `json:"version,omitempty"`
	Error     string `json:"error,omitempty"`
}

// DiffCloseParams takes the view away. With Revert nothing of the proposal
// stays; without it the view was accepted.
type DiffCloseParams struct {
	DiffID string `json:"diffId"`
	Revert bool   `json:"revert,omitempty"`
}

// DiffRevealParams brings the view to the front, at a line if given (0-based).
type DiffRevealParams struct {
	DiffID string `json:"diffId"`
	Line   *int   `json:"line,omitempty"`
	// TakeFocus moves the cursor there too.
	TakeFocus bool `json:"takeFocus,omitempty"`
}

// DiffDidChangeParams tells of the user's edits to the proposed side, whole.
type DiffDidChangeParams struct {
	DiffID string `json:"diffId"`
	Text   string `json:"text"`
}

// DiffDidCloseParams tells that the user closed the view, which decides nothing.
type DiffDidCloseParams struct {
	DiffID string `json:"diffId"`
}

// DiffViewCaps tells what an editor's diff view can do.
type DiffViewCaps struct {
	// Streaming: clined/diff/update is shown.
	Streaming *Empty `json:"streaming,omitempty"`
	// UserEdits: the proposed side can be edited, and clined/diff/didChange tells.
	UserEdits *Empty `json:"userEdits,omitempty"`
	// SaveFormats: saving runs the user's on-save actions.
	SaveFormats *Empty `json:"saveFormats,omitempty"`
}

// diffEditor is the part of Client about diff views, for those with the
// capability diffView.
type diffEditor interface {
	DiffOpen(ctx context.Context, p *DiffOpenParams) (*DiffOpenResult, error)
	DiffUpdate(ctx context.Context, p *DiffUpdateParams) error
	DiffFinalize(ctx context.Context, p *DiffFinalizeParams) (*DiffFinalizeResult, error)
	DiffSave(ctx context.Context, p *DiffSaveParams) (*DiffSaveResult, error)
	DiffClose(ctx context.Context, p *DiffCloseParams) (*Empty, error)
	DiffReveal(ctx context.Context, p *DiffRevealParams) (*Empty, error)
}

// diffDaemon is the part of Server about diff views.
type diffDaemon interface {
	DiffDidChange(ctx context.Context, p *DiffDidChangeParams) error
	DiffDidClose(ctx context.Context, p *DiffDidCloseParams) error
}
