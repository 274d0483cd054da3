package protocol

import (
	"context"
	"slices"

	"clined/internal/rpc"
)

// DiffOpenParams shows a proposed change in the editor's diff view, before it
// is complete when Streaming is true. Texts are whole, with LF line ends.
//
// The proposed side is a document of its own: the file and its buffer stay as
// they are until clined/diff/save. Only where the view cannot do without, a file
// that is to be created may be made, empty.
type DiffOpenParams struct {
	DiffID     string `json:"diffId"`
	TaskID     string `json:"taskId"`
	ToolCallID string `json:"toolCallId"`
	URI        string `json:"uri"`
	// Op is "create", "modify", "delete" or "rename". The last two are only looked
	// at, and done by the daemon: clined/diff/save does not come, and a view that
	// was accepted is closed without Revert.
	Op string `json:"op"`
	// NewURI is where a rename leads.
	NewURI   string `json:"newUri,omitempty"`
	BaseText string `json:"baseText"`
	// BaseVersion is the buffer's version that BaseText is; 0 when it is not open.
	BaseVersion int32 `json:"baseVersion,omitempty"`
	// NewText is what is proposed so far.
	NewText    string `json:"newText"`
	LanguageID string `json:"languageId,omitempty"`
	// Streaming: the rest comes by clined/diff/update, up to clined/diff/finalize.
	Streaming bool `json:"streaming,omitempty"`
}

// DiffOpenResult says whether it is shown. Text is the buffer's when that is
// not BaseText: unsaved work wins. It is the base from then on, and the daemon
// makes the proposal anew on it. Dirty says whether it is such work: false for a
// buffer that the disk has left behind. DiskHash is the hash of what the editor
// last read from disk or wrote there: it tells the same, and of work whether the
// disk changed behind it. Without both, of a document that the daemon is not told
// of, nobody can tell, and the file is not edited.
type DiffOpenResult struct {
	Opened   bool    `json:"opened"`
	Text     *string `json:"text,omitempty"`
	Dirty    *bool   `json:"dirty,omitempty"`
	DiskHash string  `json:"diskHash,omitempty"`
}

// DiffUpdateParams replaces lines of the proposed side while the model writes.
// Edits are made one after the other, each in the text that the one before left.
// Rev rises; numbers are left out where updates were joined for an editor that
// reads slowly.
type DiffUpdateParams struct {
	DiffID string     `json:"diffId"`
	Rev    int        `json:"rev"`
	Edits  []LineEdit `json:"edits"`
	// ActiveLine is where the model writes, 0-based.
	ActiveLine int `json:"activeLine"`
}

// LineEdit puts Lines (without line ends) in place of the lines StartLine to
// EndLine, exclusive, 0-based. A text is its lines joined by LF: a line end at
// the end of the text is an empty line more.
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
// editor's on-save actions did. One that is missing is not told: then the proposed
// side as last told, and that very text, are taken for it. Error says why nothing was saved. Text is the
// buffer's when that is not the base any more: then nothing was saved either, it
// is the base from then on, and the daemon may ask again with a text made on it.
type DiffSaveResult struct {
	UserText  *string `json:"userText,omitempty"`
	FinalText *string `json:"finalText,omitempty"`
	Error     string  `json:"error,omitempty"`
	Text      *string `json:"text,omitempty"`
}

// DiffCloseParams takes the view away. With Revert nothing of the proposal
// stays, nor a file that was made for it; without it the view was accepted.
type DiffCloseParams struct {
	DiffID string `json:"diffId"`
	Revert bool   `json:"revert,omitempty"`
}

// DiffRevealParams brings the view to the front, at a line of the proposed side
// (0-based). The cursor stays where the user has it.
type DiffRevealParams struct {
	DiffID string `json:"diffId"`
	Line   int    `json:"line"`
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

// updateNotification lets updates join in the queue of a slow connection.
func updateNotification(p *DiffUpdateParams) rpc.Notification {
	return rpc.Notification{
		Method: MethodDiffUpdate, Params: p, Key: "diff/" + p.DiffID,
		Merge: func(older, newer any) (any, bool) {
			joined := *newer.(*DiffUpdateParams)
			joined.Edits = slices.Concat(older.(*DiffUpdateParams).Edits, joined.Edits)
			return &joined, true
		},
	}
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
