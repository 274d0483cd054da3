package safefile

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/gofrs/flock"
)

// Unfinished remembers the files that this process is making under a name of
// their own, to be renamed when they are complete, and those it writes in place:
// what a process that was killed has left, another one removes or puts back.
// Only files that were noted are ever touched.
//
// Each process has a list in a folder of the state, and a lock beside it that
// it holds for life. Notes are not synced: they need not outlive the machine's
// end, only the process's.
type Unfinished struct {
	dir string
	log *slog.Logger

	mu sync.Mutex // guards the rest
	// list is this process's; nil before its first note.
	list   *os.File
	unlock func()
	// making counts the files that are being made.
	making int
}

// NewUnfinished returns the lists in dir. It touches nothing.
func NewUnfinished(dir string, log *slog.Logger) *Unfinished {
	return &Unfinished{dir: dir, log: log}
}

// Note remembers that the file path is being made, until done is called. When
// it cannot be remembered, done does nothing.
func (u *Unfinished) Note(path string) (done func()) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := u.noteLocked(path); err != nil {
		u.log.Warn("a file that is being made cannot be noted: it stays should clined be killed now", "path", path, "err", err)
		return func() {}
	}
	u.making++
	return u.forget
}

// noteLocked adds a line to the list: a path, or an inPlace.
func (u *Unfinished) noteLocked(what any) error {
	line, err := json.Marshal(what)
	if err != nil {
		return err
	}
	if u.list == nil {
		if err := u.openLocked(); err != nil {
			return err
		}
	}
	_, err = u.list.Write(append(line, '\n'))
	return err
}

func (u *Unfinished) openLocked() error {
	if err := os.MkdirAll(u.dir, 0o700); err != nil {
		return err
	}
	path := filepath.Join(u.dir, rand.Text())
	unlock, err := Lock(context.Background(), path) // nobody else knows the name
	if err != nil {
		return err
	}
	list, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
	if err != nil {
		unlock()
		return err
	}
	u.list, u.unlock = list, unlock
	return nil
}

// forget empties the list once nothing is being made.
func (u *Unfinished) forget() {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.making--; u.making == 0 && u.list != nil {
		if err := u.list.Truncate(0); err != nil { // what it names is not there any more
			u.log.Debug("the list of unfinished files grows", "err", err)
		}
	}
}

// Close gives the list up.
func (u *Unfinished) Close() {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.list == nil {
		return
	}
	if err := errors.Join(u.list.Close(), os.Remove(u.list.Name())); err != nil {
		u.log.Debug("the list of unfinished files stays", "err", err)
	}
	u.unlock()
	u.list = nil
}

// Sweep removes or puts back what processes have left that were killed.
func (u *Unfinished) Sweep() {
	entries, err := os.ReadDir(u.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		u.log.Warn("unfinished files cannot be looked for", "err", err)
	}
	for _, e := range entries {
		name := filepath.Join(u.dir, e.Name())
		list, ok := strings.CutSuffix(name, ".lock")
		if !ok {
			continue
		}
		lock := flock.New(name)
		if held, err := lock.TryLock(); err == nil && held && isStill(lock, name) {
			u.sweep(list)
			_ = os.Remove(name) // while it is held
		}
		_ = lock.Close()
	}
}

// sweep removes or puts back what a list names, and removes the list.
func (u *Unfinished) sweep(list string) {
	raw, err := os.ReadFile(list)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		u.log.Warn("a list of unfinished files cannot be read", "err", err)
		return
	}
	for line := range strings.Lines(string(raw)) {
		var path string
		if json.Unmarshal([]byte(line), &path) != nil {
			var in inPlace
			if json.Unmarshal([]byte(line), &in) == nil {
				u.putBack(in)
			}
			continue // or the process ended while it wrote this, before it made the file
		}
		if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
			continue // it was finished
		}
		err := os.Remove(path)
		u.log.Info("a file was removed that a killed clined left unfinished", "path", path, "err", err)
	}
	u.removeKept(list)
	_ = os.Remove(list) // an empty one does no harm
}
