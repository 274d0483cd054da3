package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"

	"clined/internal/event"
)

// salvaged tells what was brought over.
type salvaged struct {
	tasks, messages int
	// holes is true where something could not be read.
	holes bool
	// short counts the tasks that lost messages.
	short int
}

func (s salvaged) String() string {
	words := count(s.tasks, "task") + " with " + count(s.messages, "message")
	switch {
	case s.short > 0:
		words += "; " + count(s.short, "task") + " lost messages"
	case s.holes:
		words += "; parts could not be read"
	}
	return words
}

// count says how many there are of what a noun names.
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// tables that are copied; the full-text index is made anew.
var tables = []string{"tasks", "notes", "messages", "items", "leases", "rules", "trust"}

// salvage copies what can be read of a damaged database into a new one. The
// damaged one is a copy and may be changed.
func salvage(ctx context.Context, old, made string) (found salvaged, err error) {
	if err := readable(ctx, old, made); err != nil {
		return found, err
	}
	from, err := openDamaged(old)
	if err != nil {
		return found, err
	}
	defer from.Close()
	view, err := from.BeginTx(ctx, nil)
	if err != nil {
		return found, err
	}
	defer func() { _ = view.Rollback() }()
	to, err := openPool(made)
	if err != nil {
		return found, err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	tx, err := to.BeginTx(ctx, nil)
	if err != nil {
		return found, err
	}
	defer func() { _ = tx.Rollback() }()
	r := &rescue{ctx: ctx, from: view, to: tx}
	if err := r.all(); err != nil {
		return found, err
	}
	if err := tx.Commit(); err != nil {
		return found, err
	}
	if err := migrate(ctx, to, schemaVersion()); err != nil {
		return found, err
	}
	_, err = to.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	return r.found, err
}

// readable sees to it that SQLite finds the tables, where that can be done.
func readable(ctx context.Context, old, made string) error {
	info, err := os.Stat(old)
	if err != nil || info.Size() == 0 {
		// SQLite would delete the -wal of an empty file; it may hold all pages.
		if err := os.WriteFile(old, make([]byte, pageSize), 0o600); err != nil {
			return err
		}
	}
	from, err := openDamaged(old)
	if err != nil {
		return err
	}
	var n int
	err = from.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema WHERE name IN ('tasks', 'messages')").Scan(&n)
	if err := from.Close(); err != nil && !isDamage(err) {
		return err
	}
	if err == nil && n == 2 {
		return nil
	}
	if err := os.Remove(old + "-shm"); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return graft(old, made)
}

// openDamaged opens a file such that SQLite reads what is there of it, even if
// it is shorter than it should be.
func openDamaged(path string) (*sql.DB, error) {
	return pool(path, false, url.Values{"mode": {"rw"}, "_pragma": {"writable_schema(ON)", "cache_size(-4000)"}})
}

// rescue copies rows from a damaged database to a new one.
type rescue struct {
	ctx   context.Context // of the whole copy
	from  *sql.Tx         // what it read stays in memory
	to    *sql.Tx
	found salvaged
	// failed is why the new database could not be written.
	failed error
}

func (r *rescue) all() error {
	// Rows may come before what they refer to.
	if _, err := r.to.ExecContext(r.ctx, "PRAGMA defer_foreign_keys = ON"); err != nil {
		return err
	}
	for _, table := range tables {
		if err := r.table(table); err != nil {
			return err
		}
	}
	if err := r.nameless(); err != nil {
		return err
	}
	if err := r.heads(); err != nil {
		return err
	}
	if err := r.index(); err != nil {
		return err
	}
	err := r.to.QueryRowContext(r.ctx, "SELECT (SELECT count(*) FROM tasks), (SELECT count(*) FROM messages)").
		Scan(&r.found.tasks, &r.found.messages)
	if err != nil {
		return err
	}
	// Numbers that were given after what can be read must not come again.
	_, err = r.to.ExecContext(r.ctx, "UPDATE tasks SET seq_last = "+soundLast+", seq_block = max("+soundBlock+", "+soundLast+") + ?", seqLeap)
	return err
}

func (r *rescue) columns(table string) (columns []string, err error) {
	rows, err := r.to.QueryContext(r.ctx, "SELECT name FROM pragma_table_info(?)", table)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		columns = append(columns, name)
	}
	return columns, rows.Err()
}

// nameless makes tasks for messages whose task cannot be read, by the name that
// the index on names may still hold.
func (r *rescue) nameless() error {
	names := map[int64]string{}
	if rows, err := r.from.QueryContext(r.ctx, "SELECT n, id FROM tasks INDEXED BY sqlite_autoindex_tasks_1 WHERE id > '' ORDER BY id"); err == nil {
		for rows.Next() {
			var n int64
			var id string
			if rows.Scan(&n, &id) == nil && checkID(id) == nil {
				names[n] = id
			}
		}
		_ = rows.Close() // it ends at the first damage
	}
	missing, err := r.numbers("SELECT task FROM messages UNION SELECT task FROM items EXCEPT SELECT n FROM tasks")
	if err != nil {
		return err
	}
	for _, n := range missing {
		if names[n] == "" {
			names[n] = fmt.Sprintf("recovered-%d", n)
		}
		if _, err := r.to.ExecContext(r.ctx, `INSERT OR IGNORE INTO tasks (n, id, cwd, roots, created, updated, state, damage)
			VALUES (?, ?, '', '[]', 0, 0, 'interrupted', 'its title and folder could not be read')`, n, names[n]); err != nil {
			return err
		}
	}
	for _, table := range []string{"notes", "leases", "items", "messages"} {
		if _, err := r.to.ExecContext(r.ctx, "DELETE FROM "+table+" WHERE task NOT IN (SELECT n FROM tasks)"); err != nil {
			return err
		}
	}
	return nil
}

// numbers reads a column of numbers of the new database.
func (r *rescue) numbers(query string) (numbers []int64, err error) {
	rows, err := r.to.QueryContext(r.ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var n int64
		if err := rows.Scan(&n); err != nil {
			return nil, err
		}
		numbers = append(numbers, n)
	}
	return numbers, rows.Err()
}

// index makes the full-text index anew.
func (r *rescue) index() error {
	texts := map[int64]string{}
	rows, err := r.to.QueryContext(r.ctx, `SELECT n, body FROM items WHERE said = 1 UNION ALL SELECT -n, title FROM tasks WHERE title <> ''`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var n int64
		var text string
		if err := rows.Scan(&n, &text); err != nil {
			return err
		}
		if n > 0 {
			var e event.Envelope
			_ = json.Unmarshal([]byte(text), &e) // what cannot be read says nothing
			text = said(e.Event)
		}
		texts[n] = text
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for n, text := range texts {
		if _, err := r.to.ExecContext(r.ctx, "INSERT INTO said (rowid, text) VALUES (?, ?)", n, split(text)); err != nil {
			return err
		}
	}
	return nil
}
