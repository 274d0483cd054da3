package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"clined/internal/tools"
)

func tooLarge(p tools.Path, size int64) error {
	return fmt.Errorf("%q %w: it has %d bytes, more than %d; read a part of it with read_file, find the place with search_files, and change it with a command", p.Display, tools.ErrTooLarge, size, MaxFile)
}

func binaryFile(p tools.Path, size int64) error {
	return fmt.Errorf("%q %w (%d bytes), not a text", p.Display, tools.ErrBinary, size)
}

// notThere is a sentence that is an fs.ErrNotExist.
type notThere struct{ text string }

func (e notThere) Error() string { return e.text }
func (e notThere) Unwrap() error { return fs.ErrNotExist }

// notAllowed is a sentence that is an fs.ErrPermission.
type notAllowed struct{ text string }

func (e notAllowed) Error() string { return e.text }
func (e notAllowed) Unwrap() error { return fs.ErrPermission }

// sentence words an error about a path for the model, nil for none.
func sentence(p tools.Path, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, tools.ErrHalfDone): // whatever it came from
		return fmt.Errorf("%q: %w", p.Display, err)
	case errors.Is(err, errNoFolder):
		return fmt.Errorf("%q: %w", p.Display, errNoFolder)
	case errors.Is(err, fs.ErrNotExist):
		return notThere{fmt.Sprintf("there is no file %q", p.Display)}
	case errors.Is(err, os.ErrDeadlineExceeded):
		return fmt.Errorf("%q gives nothing to read: it waits for input", p.Display)
	case errors.As(err, new(notAllowed)):
		return fmt.Errorf("%q %w", p.Display, err)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%q: %w", p.Display, fs.ErrPermission)
	case errors.Is(err, errMoved):
		return fmt.Errorf("%q: %w", p.Display, errMoved)
	case errors.Is(err, tools.ErrChanged):
		return fmt.Errorf("%q: %w", p.Display, err)
	}
	if inner := plain(err); inner != err {
		return fmt.Errorf("%q: %w", p.Display, inner)
	}
	return fmt.Errorf("%q %w", p.Display, err)
}

// whyDenied tells more of a write that is not permitted.
func whyDenied(dir *dirHandle, name string, err error) error {
	if !errors.Is(err, fs.ErrPermission) || errors.Is(err, tools.ErrHalfDone) {
		return err
	}
	switch info, serr := dir.Lstat(name); {
	case errors.Is(serr, fs.ErrNotExist):
		return notAllowed{"cannot be made: permission denied in its folder; ask the user"}
	case serr == nil && info.Mode().Perm()&0o222 == 0:
		return notAllowed{fmt.Sprintf("is read-only (%v); ask the user before you change its mode", info.Mode())}
	}
	return err
}
