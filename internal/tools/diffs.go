package tools

import (
	"context"
	"errors"
)

// Diffs is the editor's diff view: it shows what calls propose for files, and
// can save that as the user would. It decides nothing. Of one call and file one
// method is called at a time. Texts may have any line ends; what comes back has LF.
type Diffs interface {
	// Show shows a proposal in place of what was shown of that call and file. ok
	// is false when the editor does not show it: the ordinary way goes on. now,
	// if not nil, is what the editor has instead of the base: unsaved work. It is
	// the base from then on, and the proposal is to be made anew on it. When it
	// comes without ok, nobody knows whether it is work or what the disk has left
	// behind: nothing is to be done to the file.
	Show(ctx context.Context, p Proposal) (now *string, ok bool)
	// Save has the editor put what is shown, or text if that is not nil, into
	// base's file and save it with all that this does there. It fails with
	// ErrNoView when the file is not shown, with ErrChanged when the editor has
	// another text than base; after these two nothing was done.
	Save(ctx context.Context, callID string, base *File, text *string) (*Shown, error)
	// Touched returns what the user, who allowed text, wants by now: they may go on
	// changing what is shown until it is done, and what they changed since is made
	// on text. It fails with ErrTouched when that cannot be, and then returns what
	// is shown.
	Touched(callID string, base *File, text string) (now string, err error)
	// Close takes the views of a call away, or only those of the files given by
	// their absolute paths. Unless accepted nothing of them stays.
	Close(callID string, accepted bool, files ...string)
}

// Proposal is what a call wants a file to hold.
type Proposal struct {
	CallID string
	Base   *File
	Text   string
	// Gone: the file is to be removed, and Text is empty. To, if set, is where it
	// is to go. Such views are only looked at and never saved: the file is removed
	// or moved through Files, and then they are closed.
	Gone bool
	To   *Path
	// Growing is true while the model writes it.
	Growing bool
}

// Shown is what a view held when it was saved.
type Shown struct {
	// User is what was proposed, as the user left it, also after they allowed it;
	// Final is what was saved.
	User, Final string
	// Late, if not nil, is what the user made of it while it was being saved, which
	// is not in the file.
	Late *string
}

// ErrNoView: the editor does not show the file.
var ErrNoView = errors.New("there is no open diff view")

// ErrTouched: the user changed what is shown after they allowed it, where that
// cannot be joined with what they allowed.
var ErrTouched = errors.New("the user went on changing the proposal after they had accepted it")
