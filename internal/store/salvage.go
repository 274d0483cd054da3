package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"

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
	words := fmt.Sprintf("%d tasks with %d messages", s.tasks, s.messages)
	switch {
	case s.short > 0:
		words += fmt.Sprintf("; %d tasks lost messages", s.short)
	case s.holes:
		words += "; parts could not be read"
	}
	return words
}

// tables that are copied; the full-text index is made anew.
var tables = []string{"tasks", "notes", "messages", "items", "leases", "rules", "trust"}

// maxProbes is how many rows that cannot be read are stepped over one by one.
const maxProbes = 20_000

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
	setUp()
	name := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path)}
	name.RawQuery = url.Values{"mode": {"rw"}, "_pragma": {"writable_schema(ON)", "cache_size(-4000)"}}.Encode()
	c, err := sqlite.NewConnector(name.String())
	if err != nil {
		return nil, err
	}
	pool := sql.OpenDB(c)
	pool.SetMaxOpenConns(1)
	return pool, nil
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
	_, err = r.to.ExecContext(r.ctx, "UPDATE tasks SET seq_block = max(seq_block, seq_last) + ?", seqLeap)
	return err
}

// table copies the rows of a table: forward up to a damaged place, backward from
// behind it, and what may be left between row by row.
func (r *rescue) table(table string) error {
	columns, err := r.columns(table)
	if err != nil {
		return err
	}
	s := &span{r: r, table: table, columns: columns, probes: maxProbes}
	for at := int64(math.MinInt64); r.ctx.Err() == nil; {
		last, err := s.scan(at, math.MaxInt64, "ASC")
		if err == nil {
			break
		}
		r.found.holes = true
		at = max(last, 0)
		end, behind := s.beyond(at)
		if end == math.MaxInt64 {
			break
		}
		s.between(at, end)
		if at = behind; at == math.MaxInt64 {
			break
		}
	}
	return errors.Join(r.ctx.Err(), r.failed)
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

// span reads one table.
type span struct {
	r       *rescue
	table   string
	columns []string
	// probes is how many more rows may be tried one by one.
	probes int
}

// beyond looks for rows behind a damaged place: from the end back, or else in
// steps that grow. It copies the rows from end on, up to behind; end is the
// greatest number if there are none, behind if they go to the end of the table.
func (s *span) beyond(at int64) (end, behind int64) {
	if end, _ = s.scan(at, math.MaxInt64, "DESC"); end != math.MaxInt64 {
		return end, math.MaxInt64
	}
	for step := int64(1); step < 1<<40 && s.r.ctx.Err() == nil; step *= 2 {
		last, err := s.scan(at+step, math.MaxInt64, "ASC")
		if last > at+step {
			end, _ = s.scan(at, last, "DESC")
			if err == nil {
				last = math.MaxInt64
			}
			return min(end, last), last
		}
	}
	return math.MaxInt64, math.MaxInt64
}

// between copies what can be read of the rows between two.
func (s *span) between(at, end int64) {
	for ; at < end-1 && s.probes > 0 && s.r.ctx.Err() == nil; s.probes-- {
		last, err := s.scan(at, end, "ASC")
		if err == nil {
			return
		}
		at = max(last, at+1)
	}
}

// scan copies the rows between two row numbers until it meets damage. It returns
// the last number that was read, or where it came from.
func (s *span) scan(after, before int64, order string) (at int64, err error) {
	at = after
	if order == "DESC" {
		at = before
	}
	list := strings.Join(s.columns, ", ")
	rows, err := s.r.from.QueryContext(s.r.ctx, fmt.Sprintf("SELECT rowid, %s FROM %s NOT INDEXED WHERE rowid > ? AND rowid < ? ORDER BY rowid %s",
		list, s.table, order), after, before)
	if err != nil {
		return at, err
	}
	defer rows.Close()
	insert := fmt.Sprintf("INSERT OR IGNORE INTO %s (%s) VALUES (?%s)", s.table, list, strings.Repeat(", ?", len(s.columns)-1))
	values, into := make([]any, len(s.columns)), []any{new(int64)}
	for k := range values {
		into = append(into, &values[k])
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return at, err
		}
		at = *into[0].(*int64)
		if _, err := s.r.to.ExecContext(s.r.ctx, insert, values...); err != nil {
			s.r.found.holes = true // a row that breaks a rule of its table
			if code(err) == 0 || spoils(err) {
				s.r.failed = err
				return at, err
			}
		}
	}
	return at, rows.Err()
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
