package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// ErrNotFound says that there is no such task, rule or message.
var ErrNotFound = errors.New("not found")

// ErrLost says that another process took over the task: nothing was written.
var ErrLost = errors.New("another process has taken over this task")

// Problem is a failure as the user reads it: a sentence and what to do next.
// Nothing was written; a later attempt works once the cause is gone.
type Problem struct {
	Message, Hint string
	// Err is the cause, for maintainers.
	Err error
}

func (p *Problem) Error() string { return p.Message }

// UserHint is what to do next, for those who show errors without knowing their
// types.
func (p *Problem) UserHint() string { return p.Hint }

// Unwrap returns the cause.
func (p *Problem) Unwrap() error { return p.Err }

// BusyError says that a living process runs the task.
type BusyError struct {
	TaskID string
	Owner  Owner
}

func (e *BusyError) Error() string {
	return fmt.Sprintf("the task is running in another process (pid %d) since %s", e.Owner.PID, e.Owner.Since.Local().Format(time.DateTime))
}

// code returns the primary result code of SQLite, 0 for other errors.
func code(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code() & 0xff
	}
	return 0
}

func isBusy(err error) bool {
	c := code(err)
	return c == sqlite3.SQLITE_BUSY || c == sqlite3.SQLITE_LOCKED
}

func isDamage(err error) bool {
	c := code(err)
	return c == sqlite3.SQLITE_CORRUPT || c == sqlite3.SQLITE_NOTADB || errors.Is(err, errCut) || errors.Is(err, errMisnumbered)
}

// isFull tells of a disk, or a share of it, without room.
func isFull(err error) bool {
	return code(err) == sqlite3.SQLITE_FULL || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// spoils tells of errors after which a connection is not used again.
func spoils(err error) bool {
	switch code(err) {
	case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN,
		sqlite3.SQLITE_PERM, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_MISUSE:
		return true
	}
	return isDamage(err)
}

// errNoFile says that something else has the name of a file of the store.
type errNoFile string

func (path errNoFile) Error() string { return fmt.Sprintf("%q is no file", string(path)) }

// goneTask is the problem of a task that was there, and is not any more.
func (s *Store) goneTask(id string) error {
	return &Problem{Message: fmt.Sprintf("the task is not in %q any more", s.dir),
		Hint: "it was deleted, or that folder was removed or replaced; begin a new task",
		Err:  fmt.Errorf("task %q: %w", id, ErrNotFound)}
}

// problem words a failure to do what; errors that say enough stay as they are.
func (s *Store) problem(what string, err error) error {
	var p *Problem
	var busy *BusyError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &p), errors.As(err, &busy), errors.Is(err, ErrNotFound), errors.Is(err, ErrLost),
		errors.Is(err, errClosed), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	p = &Problem{Message: fmt.Sprintf("cannot %s in %q: %v", what, s.dir, err), Err: err}
	c := code(err)
	var newer errNewer
	var noFile errNoFile
	switch {
	case errors.As(err, &newer):
		p.Message = fmt.Sprintf("the tasks in %q were kept by a newer version of clined", s.dir)
		p.Hint = "update clined on this machine and start it anew, or set CLINED_HOME to another folder"
	case errors.As(err, &noFile):
		p.Message = fmt.Sprintf("cannot %s: %v", what, noFile)
		p.Hint = "move what has that name away, or set CLINED_HOME to another folder"
	case isFull(err):
		p.Message = fmt.Sprintf("cannot %s: the disk of %q is full", what, s.dir)
		p.Hint = "free some space and try again; what was saved before is safe"
	case c == sqlite3.SQLITE_READONLY || c == sqlite3.SQLITE_PERM || c == sqlite3.SQLITE_CANTOPEN ||
		errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS):
		p.Message = fmt.Sprintf("cannot %s: %q cannot be written", what, s.dir)
		p.Hint = "make that folder and the files in it writable for you, or set CLINED_HOME to a folder that is"
	case errors.Is(err, syscall.ENOTDIR) || errors.Is(err, fs.ErrExist):
		p.Message = fmt.Sprintf("cannot %s: %q is no folder", what, s.dir)
		p.Hint = "move the file of that name away, or set CLINED_HOME to another folder"
	case c == sqlite3.SQLITE_BUSY || c == sqlite3.SQLITE_LOCKED:
		p.Message = fmt.Sprintf("cannot %s: another process keeps %q locked", what, filepath.Base(s.path()))
		p.Hint = "end other programs that have " + s.path() + " open, and try again"
	case c == sqlite3.SQLITE_IOERR:
		p.Message = fmt.Sprintf("cannot %s: the disk of %q does not work as it should: %s", what, s.dir, oneLine(err))
		p.Hint = "look for free space and at the system's log"
	case isDamage(err):
		p.Message = fmt.Sprintf("cannot %s: %q is damaged", what, s.path())
		p.Hint = "restart clined: it moves the file aside and brings over what can be read"
	}
	return p
}

func oneLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
