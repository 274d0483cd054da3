package workspace

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"clined/internal/tools"
)

// writeDisk puts text where was is on disk, or where nothing is when was is
// nil. Whatever fails, what was there is still there and nothing new is, unless the
// error is a tools.ErrHalfDone.
func (w *Workspace) writeDisk(p tools.Path, was *diskFile, text string) (err error) {
	var enc encoding
	if was != nil {
		enc = was.enc
	}
	raw, err := enc.encode(text)
	if err != nil {
		return fmt.Errorf("%q: %w", p.Display, err)
	}
	var made madeDirs
	defer func() { made.done(err != nil) }()
	var dir *dirHandle
	if was == nil {
		dir, err = w.openDir(filepath.Dir(p.Real), &made)
	} else {
		dir, err = w.openDir(filepath.Dir(p.Real), nil)
	}
	if err != nil {
		return sentence(p, err)
	}
	defer dir.Close()
	if was == nil {
		err = w.create(dir, baseName(p.Real), raw)
	} else {
		err = w.replace(dir, baseName(p.Real), was.sum, raw)
	}
	if err != nil {
		return sentence(p, whyDenied(dir, baseName(p.Real), err))
	}
	if was != nil {
		w.setTime(dir, baseName(p.Real), was.back)
	}
	w.s.tables.keep(p.Real, raw, enc.table)
	return nil
}

// create makes a new file. It never takes the place of one that somebody else
// made meanwhile.
func (w *Workspace) create(dir *dirHandle, name string, raw []byte) error {
	temp, done := w.temp(dir)
	defer done()
	if err := writeTemp(dir, temp, raw, nil, nil); err != nil {
		return err
	}
	if err := renameNew(dir, temp, dir, name); err != nil {
		_ = dir.Remove(temp)
		return err
	}
	w.last(dir)
	return nil
}

// last makes what is done in folders last should the system end. It is done, so one
// that cannot promise that, as some never can, changes nothing.
func (w *Workspace) last(dirs ...*dirHandle) {
	for _, dir := range dirs {
		err := syncDir(dir)
		if err == nil {
			continue
		}
		level := slog.LevelWarn
		if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
			level = slog.LevelDebug
		}
		w.s.opts.Log.Log(context.Background(), level, "a change of files is done, and a crash of the system may undo it", "folder", dir.Name(), "err", err)
	}
}

// setTime gives a file that is put back the time of change it had.
func (w *Workspace) setTime(dir *dirHandle, name string, changed time.Time) {
	if changed.IsZero() {
		return
	}
	if err := dir.Chtimes(name, time.Time{}, changed); err != nil {
		w.s.opts.Log.Debug("a file that was put back has another time of change", "folder", dir.Name(), "name", name, "err", err)
	}
}

// replace gives the file name, whose bytes have the sum was, new bytes. It
// renames a complete new file over it, with the same mode, owner and attributes;
// a file with several names, or for which that is not allowed, is written in
// place.
func (w *Workspace) replace(dir *dirHandle, name string, was [sha256.Size]byte, raw []byte) error {
	f, info, err := openIn(dir, name, os.O_RDWR)
	if err != nil {
		return err
	}
	defer f.Close()
	old, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if err != nil {
		return err
	}
	if sha256.Sum256(old) != was {
		return tools.ErrChanged
	}
	if bytes.Equal(old, raw) {
		return nil
	}
	if linkCount(info) > 1 {
		return w.inPlace(dir, name, f, info, old, raw)
	}
	temp, done := w.temp(dir)
	defer done()
	err = writeTemp(dir, temp, raw, f, info)
	if err == nil {
		if err = stillThere(dir, name, info); err == nil {
			err = dir.Rename(temp, name)
		}
		if err != nil {
			_ = dir.Remove(temp)
		}
	}
	// A file that is mounted by itself is busy for a rename.
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EBUSY) {
		return w.inPlace(dir, name, f, info, old, raw)
	}
	if err != nil {
		return err
	}
	w.last(dir)
	return nil
}

// stillThere fails when name is not the file that info describes, untouched.
func stillThere(dir *dirHandle, name string, info fs.FileInfo) error {
	now, err := dir.Lstat(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err != nil || !os.SameFile(now, info) || now.Size() != info.Size() || !now.ModTime().Equal(info.ModTime()) {
		return tools.ErrChanged
	}
	return nil
}

// temp names a file of its own in dir, until done is called.
func (w *Workspace) temp(dir *dirHandle) (name string, done func()) {
	name = ".clined-" + rand.Text()
	if w.s.opts.Unfinished == nil {
		return name, func() {}
	}
	return name, w.s.opts.Unfinished.Note(filepath.Join(dir.Name(), name))
}

// writeTemp makes a complete file in dir, like another one that info describes
// in mode, owner and attributes; else as new files are. It fails with
// fs.ErrPermission, too, when it cannot be like that one.
func writeTemp(dir *dirHandle, name string, raw []byte, like *fileHandle, info fs.FileInfo) (err error) {
	mode := fs.FileMode(0o666) // less the umask
	if like != nil {
		mode = 0o600
	}
	f, err := dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, f.Close())
		if err != nil {
			_ = dir.Remove(name)
		}
	}()
	if _, err := f.Write(raw); err != nil {
		return err
	}
	if like != nil {
		if err := copyOwner(f, info); err != nil {
			return err
		}
		if err := f.Chmod(info.Mode()); err != nil { // then: a change of owner drops setuid
			return err
		}
		if err := copyAttributes(f.File, like.File); err != nil {
			return err
		}
	}
	return f.Sync()
}
