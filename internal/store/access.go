package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	sqlite3 "modernc.org/sqlite/lib"
)

// busyLimit is how long a write waits for other processes.
const busyLimit = 30 * time.Second

// tx is an open transaction that writes. A function that gets one may be called
// again with another one, so it changes nothing else.
type tx struct {
	ctx context.Context
	d   *database
}

// stmt returns a statement of the writer, prepared once.
func (t *tx) stmt(query string) (*sql.Stmt, error) {
	if stmt := t.d.stmts[query]; stmt != nil {
		return stmt, nil
	}
	stmt, err := t.d.conn.PrepareContext(t.ctx, query)
	if err == nil {
		t.d.stmts[query] = stmt
	}
	return stmt, err
}

// exec runs a statement and returns how many rows it changed.
func (t *tx) exec(query string, args ...any) (changed int64, err error) {
	stmt, err := t.stmt(query)
	if err != nil {
		return 0, err
	}
	r, err := stmt.ExecContext(t.ctx, args...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// insert runs an INSERT and returns the new row's number.
func (t *tx) insert(query string, args ...any) (int64, error) {
	stmt, err := t.stmt(query)
	if err != nil {
		return 0, err
	}
	r, err := stmt.ExecContext(t.ctx, args...)
	if err != nil {
		return 0, err
	}
	return r.LastInsertId()
}

// get reads one row; sql.ErrNoRows if there is none.
func (t *tx) get(query string, args []any, into ...any) error {
	stmt, err := t.stmt(query)
	if err != nil {
		return err
	}
	return stmt.QueryRowContext(t.ctx, args...).Scan(into...)
}

// write runs fn in a transaction that is on disk when write returns nil. It
// waits for other writers; once begun it is not cancelled.
func (s *Store) write(ctx context.Context, what string, fn func(*tx) error) error {
	if err := s.writing.take(ctx); err != nil {
		return err
	}
	defer s.writing.give()
	s.closeRetired()
	return s.attempt(ctx, what, func() (*database, error) { return s.tryWrite(ctx, fn) })
}

// attempt calls try until it succeeds or fails for good. The caller holds
// writing.
func (s *Store) attempt(ctx context.Context, what string, try func() (*database, error)) error {
	began, recovered, reopened := time.Now(), 0, false
	for n := 1; ; n++ {
		d, err := try()
		switch {
		case err == nil:
			return nil
		case isBusy(err) && time.Since(began) < busyLimit:
			ended := pause(ctx, min(time.Duration(n)*time.Millisecond, 50*time.Millisecond))
			switch {
			case ended == nil:
				continue
			case errors.Is(ended, context.Canceled):
				return ended
			}
			// Who waits has had enough; the lock is what they should read of.
		case errors.Is(err, errMoved) && time.Since(began) < busyLimit:
			s.drop(d)
			continue
		case code(err) == sqlite3.SQLITE_READONLY && d != nil && !reopened: // as it was when it was opened
			reopened = true
			s.drop(d)
			continue
		case isDamage(err) && d != nil && recovered < 2:
			recovered++
			if err = s.repair(ctx, d, err); err == nil {
				continue
			}
		}
		if d != nil && spoils(err) {
			s.drop(d)
		}
		return s.problem(what, err)
	}
}

// errMoved says that the open database is no longer the one in its place, or not
// of the version it had.
var errMoved = errors.New("the database was replaced")

func (s *Store) tryWrite(ctx context.Context, fn func(*tx) error) (*database, error) {
	d, err := s.use(ctx)
	if err != nil {
		return nil, err
	}
	unlock, err := s.guard(ctx, false)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if !d.current(s.path()) {
		return d, errMoved
	}
	t := &tx{context.WithoutCancel(ctx), d}
	if _, err := t.exec("BEGIN IMMEDIATE"); err != nil {
		return d, err
	}
	done := false
	defer func() {
		if !done {
			// It fails where the error ended the transaction already.
			_, _ = t.exec("ROLLBACK")
		}
	}()
	// A clined that is newer may have changed the tables since they were looked at.
	var v int
	if err := t.get("PRAGMA user_version", nil, &v); err != nil {
		return d, err
	}
	if v != schemaVersion() {
		return d, errMoved
	}
	if err := fn(t); err != nil {
		return d, err
	}
	_, err = t.exec("COMMIT")
	done = err == nil
	return d, err
}

// drop closes the database, so that the next use opens it anew. The caller
// holds writing.
func (s *Store) drop(d *database) {
	s.mu.Lock()
	if s.db == d {
		s.db = nil
	}
	s.mu.Unlock()
	if err := d.close(); err != nil {
		s.log.Debug("closing the database", "error", err)
	}
}

// read runs fn on a frozen view of the database.
func (s *Store) read(ctx context.Context, what string, fn func(*sql.Tx) error) error {
	d, err := s.tryRead(ctx, fn)
	again := isBusy(err) || d != nil && (spoils(err) || !s.isOpen(d))
	switch {
	case err != nil && ctx.Err() != nil: // in whatever words the driver was interrupted
		return context.Cause(ctx)
	case err == nil || !again:
		return s.problem(what, err)
	}
	// What mends the database must not meet a writer.
	if err := s.writing.take(ctx); err != nil {
		return err
	}
	defer s.writing.give()
	return s.attempt(ctx, what, func() (*database, error) { return s.tryRead(ctx, fn) })
}

func (s *Store) isOpen(d *database) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.db == d
}

func (s *Store) tryRead(ctx context.Context, fn func(*sql.Tx) error) (*database, error) {
	d, err := s.use(ctx)
	if err != nil {
		return nil, err
	}
	view, err := d.pool.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return d, err
	}
	err = fn(view)
	return d, errors.Join(err, view.Rollback())
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
