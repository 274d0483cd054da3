package safefile

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// inPlace is a file that is written in place.
type inPlace struct {
	Path string `json:"path"`
	// Kept is a file that holds what Path held, so many bytes, and then what it
	// is to hold.
	Kept string `json:"kept"`
	Old  int64  `json:"old"`
}

// Keep remembers that the file path, which holds the bytes old, is written in
// place to hold the bytes after, until done is called: should this process be
// killed meanwhile, old is put back. When it fails nothing would be put back.
func (u *Unfinished) Keep(path string, old, after []byte) (done func(), err error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.list == nil {
		if err := u.openLocked(); err != nil {
			return nil, err
		}
	}
	kept := u.list.Name() + "." + rand.Text()
	if err := writeKept(kept, old, after); err != nil {
		return nil, err
	}
	err = u.noteLocked(inPlace{path, kept, int64(len(old))})
	if err == nil {
		err = u.list.Sync() // the file that is written may be on disk in part then
	}
	if err != nil {
		return nil, errors.Join(err, os.Remove(kept))
	}
	u.making++
	return func() {
		if err := os.Remove(kept); err != nil {
			u.log.Debug("the old bytes of a file stay", "kept", kept, "err", err)
		}
		u.forget()
	}, nil
}

func writeKept(path string, parts ...[]byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	for _, p := range parts {
		if err == nil {
			_, err = f.Write(p)
		}
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		_ = os.Remove(path)
	}
	return err
}

// putBack gives a file that was written in part the bytes that it had. One that
// was not begun or is complete is left, and so is one that somebody has changed
// since.
func (u *Unfinished) putBack(in inPlace) {
	raw, err := os.ReadFile(in.Kept)
	if err != nil || in.Old > int64(len(raw)) {
		return // it was done
	}
	changed, err := restore(in.Path, raw[:in.Old], raw[in.Old:])
	if err != nil {
		u.log.Warn("a file that a killed clined left half written cannot be put back", "path", in.Path, "err", err)
	} else if changed {
		u.log.Info("a file was put back that a killed clined left half written", "path", in.Path)
	}
}

func restore(path string, old, after []byte) (changed bool, err error) {
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return false, err
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return false, err
	}
	defer f.Close()
	now, err := io.ReadAll(io.LimitReader(f, int64(len(old)+len(after)+1)))
	if err != nil || bytes.Equal(now, old) || bytes.Equal(now, after) || !between(now, old, after) {
		return false, err
	}
	if _, err := f.WriteAt(old, 0); err != nil {
		return false, err
	}
	return true, errors.Join(f.Truncate(int64(len(old))), f.Sync())
}

// between reports whether a file that held old could hold now while it is
// written to hold after, in whatever order.
func between(now, old, after []byte) bool {
	if len(now) < min(len(old), len(after)) || len(now) > max(len(old), len(after)) {
		return false
	}
	for i, c := range now {
		if (i >= len(old) || c != old[i]) && (i >= len(after) || c != after[i]) {
			return false
		}
	}
	return true
}

// removeKept removes the bytes that were kept for a list.
func (u *Unfinished) removeKept(list string) {
	entries, err := os.ReadDir(filepath.Dir(list))
	if err != nil {
		return
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), filepath.Base(list)+".") && !strings.HasSuffix(e.Name(), ".lock") {
			_ = os.Remove(filepath.Join(filepath.Dir(list), e.Name()))
		}
	}
}
