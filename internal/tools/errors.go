package tools

import "errors"

var (
	// ErrChanged says that a file is no longer what an edit was based on.
	ErrChanged = errors.New("the file changed since it was read")
	// ErrHalfDone says that a change failed and could not be undone either: what is
	// there is neither as it was nor as it was to be.
	ErrHalfDone = errors.New("done in part")
	// ErrTooLarge says that a file cannot be loaded as a whole; Files.Window
	// reads parts of it.
	ErrTooLarge = errors.New("is too large to be loaded at once")
	// ErrBinary says that a file is no text.
	ErrBinary = errors.New("is a binary file")
)
