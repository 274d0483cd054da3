// Package store owns everything of clined that outlives a process: tasks with
// their messages, the events that fronts show, who runs which task, permission
// rules, and which workspaces are trusted.
//
// Layout: <state>/clined.db is an SQLite database, <state>/tasks/<taskId>/ holds
// what is too big for it: outputs/<callId>.txt and images/<sha256>. Folders are
// 0700, files 0600. Nothing is touched before it is used. Any number of
// processes share it; a task is run by one of them at a time, who holds its
// lease. Damaged files are moved aside, never deleted, and what can be read of
// them is brought over.
//
// What was written last lies in clined.db-wal. It always exists, if need be empty, so
// that its loss is noticed when the database is opened, at no cost for writes. That an
// older state was put in the place of both files, or of the second one, is not noticed:
// both are whole, and a witness would have to be written along with each message.
//
// It judges and changes nothing of what it keeps and knows no agent, protocol
// or settings. daemon and tests import it; Task is a tools.Spill.
package store

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"sync"
	"time"
)

// Options of a Store; the zero value is of use.
type Options struct {
	// Now is the clock; nil is time.Now. Times are kept in milliseconds.
	Now func() time.Time
	// Log is for maintainers; nil is silent.
	Log *slog.Logger
	// Process is who holds leases; zero is this process, looked up when needed.
	Process Process
}

// Store is a state folder. Its methods may be called from any goroutine.
type Store struct {
	dir string
	now func() time.Time
	log *slog.Logger
	// self finds the identity of this process.
	self func() Process

	// opening is held while the database is opened, moved aside or replaced;
	// writing by the one writer of this process. Who needs both takes writing first.
	opening, writing semaphore

	mu sync.Mutex
	// db is nil until it is used, and again after an error that may have spoilt it.
	db *database
	// retired are open still, but no longer in their place; writers close them.
	retired []*database
	// trouble tells what was found damaged.
	trouble string
	tasks   map[*Task]struct{}
	closed  bool
}

// errClosed is returned by everything after Close.
var errClosed = errors.New("the store is closed")

// Open returns the store of a state folder. It touches nothing on disk.
func Open(stateDir string, o Options) *Store {
	s := &Store{
		dir: stateDir, now: o.Now, log: o.Log,
		opening: newSemaphore(), writing: newSemaphore(),
		tasks: map[*Task]struct{}{},
		self:  sync.OnceValue(thisProcess),
	}
	if s.now == nil {
		s.now = time.Now
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if o.Process != (Process{}) {
		s.self = func() Process { return o.Process }
	}
	return s
}

// Close closes the tasks that are still open, see Task.Close, and the database;
// all together wait for other processes as long as one does.
func (s *Store) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeLimit)
	defer cancel()
	s.mu.Lock()
	var open []*Task
	for t := range s.tasks {
		open = append(open, t)
	}
	s.mu.Unlock()
	var errs []error
	for _, t := range open {
		errs = append(errs, t.close(ctx))
	}
	rest, cancelRest := context.WithTimeout(context.Background(), closeLimit)
	defer cancelRest()
	for _, lock := range []semaphore{s.opening, s.writing} {
		if err := lock.take(rest); err != nil {
			return errors.Join(append(errs, err)...) // whoever has it ends with the process
		}
		defer lock.give()
	}
	s.closeRetired()
	s.mu.Lock()
	s.closed = true
	d := s.db
	s.db = nil
	s.mu.Unlock()
	if d != nil {
		errs = append(errs, d.close())
	}
	return errors.Join(errs...)
}

// closeRetired closes what is no longer used. The caller holds writing.
func (s *Store) closeRetired() {
	s.mu.Lock()
	retired := s.retired
	s.retired = nil
	s.mu.Unlock()
	for _, d := range retired {
		s.log.Info("the database was replaced by another process", "close", d.close())
	}
}

// TroubleHint is what to do about what Trouble tells.
const TroubleHint = "see in clined tasks whether something is missing; the damaged file is kept"

// Trouble tells in words what this store found damaged and what became of it,
// "" if nothing was.
func (s *Store) Trouble() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.trouble
}

func (s *Store) path() string { return filepath.Join(s.dir, "clined.db") }

func (s *Store) lockPath() string { return filepath.Join(s.dir, "clined.lock") }

func (s *Store) taskDir(id string) string { return filepath.Join(s.dir, "tasks", id) }

// semaphore is a lock that can be waited for with a context.
type semaphore chan struct{}

func newSemaphore() semaphore { return make(semaphore, 1) }

func (s semaphore) take(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	select {
	case s <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (s semaphore) give() { <-s }

func millis(t time.Time) int64 { return t.UnixMilli() }

// fromMillis reads a time. One that is damaged is the nearest that can be written
// down: RFC 3339 has years of four digits.
func fromMillis(ms int64) time.Time {
	first, last := time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
	return time.UnixMilli(min(max(ms, first.UnixMilli()), last.UnixMilli())).UTC()
}
