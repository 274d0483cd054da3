package tools

import "errors"

// ErrChanged says that a file is no longer what an edit was based on.
var ErrChanged = errors.New("the file changed since it was read")
