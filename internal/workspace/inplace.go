package workspace

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"clined/internal/tools"
)

// half is what could not be done in full, nor undone.
type half struct{ text string }

func (h half) Error() string        { return h.text }
func (h half) Is(target error) bool { return target == tools.ErrHalfDone }

var (
	errHalfWritten = half{"old text could not be put back"}
	errTwice       = half{"there under its old and its new name"}
	errMovedOnly   = half{"has its new name, and its old text"}
)

// inPlace turns the bytes of the file name in dir, which is open as f and was as
// info says, from old into raw. Unlike a rename a kill can come in between, so the
// old bytes are kept meanwhile.
func (w *Workspace) inPlace(dir *dirHandle, name string, f inPlaceFile, info fs.FileInfo, old, raw []byte) error {
	done := func() {}
	if w.s.opts.Unfinished != nil {
		var err error
		if done, err = w.s.opts.Unfinished.Keep(filepath.Join(dir.Name(), name), old, raw); err != nil {
			return fmt.Errorf("it is written in place, and its old text cannot be kept safe meanwhile: %v", err)
		}
	}
	err := writeInPlace(f, old, raw)
	if errors.Is(err, errHalfWritten) { // the next start may put it back
		return err
	}
	if err != nil {
		w.setTime(dir, name, info.ModTime())
	} else if info.Mode()&(fs.ModeSetuid|fs.ModeSetgid) != 0 { // a write drops them
		if err := dir.Chmod(name, info.Mode()); err != nil {
			w.s.opts.Log.Warn("a file that was written has lost its mode", "folder", dir.Name(), "name", name, "mode", info.Mode(), "err", err)
		}
	}
	done()
	return err
}

// inPlaceFile is what writeInPlace needs of a file.
type inPlaceFile interface {
	io.WriterAt
	Truncate(size int64) error
	Sync() error
}

// writeInPlace turns a file's bytes from old into raw and, when that fails,
// back. What is beyond the old end goes first, so that a full disk is met
// before any old byte is gone.
func writeInPlace(f inPlaceFile, old, raw []byte) error {
	err := func() error {
		n := min(len(old), len(raw))
		if _, err := f.WriteAt(raw[n:], int64(n)); err != nil {
			return err
		}
		if _, err := f.WriteAt(raw[:n], 0); err != nil {
			return err
		}
		if err := f.Truncate(int64(len(raw))); err != nil {
			return err
		}
		return f.Sync()
	}()
	if err == nil {
		return nil
	}
	_, undo := f.WriteAt(old, 0)
	if undo = errors.Join(undo, f.Truncate(int64(len(old))), f.Sync()); undo != nil {
		return fmt.Errorf("%w; and the %w: %w", err, errHalfWritten, undo)
	}
	return err
}
