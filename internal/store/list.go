package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Info is a task as lists show it.
type Info struct {
	ID, Title, Cwd   string
	Roots            []string
	Created, Updated time.Time
	Mode, Model      string
	Favorite         bool
	State            State
	// StopReason of the last turn that ended.
	StopReason string
	// TurnID of the running or interrupted turn.
	TurnID string
	// Owner runs the task now; nil when nobody does.
	Owner *Owner
	// Messages of the current branch.
	Messages int
	// Damage says in words what could not be read, "" if all could.
	Damage string
	// Totals are what Append was given last.
	Totals json.RawMessage
}

// Query chooses tasks.
type Query struct {
	// Cwds limits to tasks of exactly these folders; none means all.
	Cwds []string
	// Text limits to tasks in whose title or messages its words occur; see Search.
	Text     string
	Favorite bool
	// Cursor is what List returned as next.
	Cursor string
	// Limit is the number of tasks; 0 means 50.
	Limit int
}

const infoQuery = `SELECT t.n, t.id, t.title, t.cwd, t.roots, t.created, t.updated, t.mode, t.model, t.favorite, t.state,
	t.stop_reason, t.turn, t.depth, t.damage, t.totals, l.boot, l.pid, l.start, l.since, l.beat
	FROM tasks t LEFT JOIN leases l ON l.task = t.n `

// scanInfo reads a row of infoQuery.
func (s *Store) scanInfo(row interface{ Scan(...any) error }) (i Info, n int64, err error) {
	var roots, state string
	var created, updated int64
	var boot, start sql.NullString
	var pid, since, beat sql.NullInt64
	if err := row.Scan(&n, &i.ID, &i.Title, &i.Cwd, &roots, &created, &updated, &i.Mode, &i.Model, &i.Favorite, &state,
		&i.StopReason, &i.TurnID, &i.Messages, &i.Damage, (*[]byte)(&i.Totals), &boot, &pid, &start, &since, &beat); err != nil {
		return i, 0, err
	}
	if err := json.Unmarshal([]byte(roots), &i.Roots); err != nil {
		i.Damage = joinWords(i.Damage, "its folders cannot be read")
	}
	i.Created, i.Updated, i.State = fromMillis(created), fromMillis(updated), State(state)
	if pid.Valid {
		o := &Owner{Process{boot.String, int(pid.Int64), start.String}, fromMillis(since.Int64), fromMillis(beat.Int64)}
		if o.alive(s.self(), s.now()) {
			i.Owner = o
		}
	}
	if i.State == Running && i.Owner == nil {
		i.State = Interrupted
	}
	return i, n, nil
}

func (s *Store) infoIn(ctx context.Context, view *sql.Tx, id string) (Info, int64, error) {
	i, n, err := s.scanInfo(view.QueryRowContext(ctx, infoQuery+"WHERE t.id = ?", id))
	return i, n, found(id, err)
}

// Info returns a task without reading its messages; ErrNotFound if there is none.
func (s *Store) Info(ctx context.Context, id string) (i Info, err error) {
	err = s.read(ctx, "read a task", func(view *sql.Tx) (err error) {
		i, _, err = s.infoIn(ctx, view, id)
		return err
	})
	return i, err
}

// List returns a page of tasks, the newest first; next is "" on the last one. A
// task that changes between pages may be seen twice or not at all.
func (s *Store) List(ctx context.Context, q Query) (list []Info, next string, err error) {
	if q.Limit <= 0 {
		q.Limit = 50
	}
	where, args, err := q.conditions()
	if err != nil {
		return nil, "", err
	}
	err = s.read(ctx, "list the tasks", func(view *sql.Tx) error {
		list, next = nil, ""
		rows, err := view.QueryContext(ctx, infoQuery+where+" ORDER BY t.updated DESC, t.n DESC LIMIT ?", append(args, q.Limit+1)...)
		if err != nil {
			return err
		}
		defer rows.Close()
		var last int64
		for rows.Next() {
			i, n, err := s.scanInfo(rows)
			if err != nil {
				return err
			}
			if len(list) == q.Limit {
				next = fmt.Sprintf("%d.%d", millis(list[q.Limit-1].Updated), last)
				break
			}
			list, last = append(list, i), n
		}
		return rows.Err()
	})
	return list, next, err
}

func (q *Query) conditions() (where string, args []any, err error) {
	var all []string
	if len(q.Cwds) > 0 {
		all = append(all, "t.cwd IN (?"+strings.Repeat(", ?", len(q.Cwds)-1)+")")
		for _, cwd := range q.Cwds {
			args = append(args, cwd)
		}
	}
	if q.Favorite {
		all = append(all, "t.favorite = 1")
	}
	if strings.TrimSpace(q.Text) != "" {
		match := matching(q.Text)
		if match == "" {
			all = append(all, "0")
		} else {
			all = append(all, `t.n IN (SELECT coalesce(i.task, -f.rowid) FROM said f
				LEFT JOIN items i ON i.n = f.rowid WHERE f.text MATCH ? AND coalesce(i.hidden, 0) = 0)`)
			args = append(args, match)
		}
	}
	if q.Cursor != "" {
		ms, n, ok := strings.Cut(q.Cursor, ".")
		updated, err1 := strconv.ParseInt(ms, 10, 64)
		number, err2 := strconv.ParseInt(n, 10, 64)
		if !ok || err1 != nil || err2 != nil {
			return "", nil, fmt.Errorf("%q is no cursor of this list", q.Cursor)
		}
		all, args = append(all, "(t.updated, t.n) < (?, ?)"), append(args, updated, number)
	}
	if len(all) == 0 {
		return "", nil, nil
	}
	return "WHERE " + strings.Join(all, " AND "), args, nil
}

// FindID returns the id that begins or ends with what a person typed. Several
// that do are an error that lists them; none is ErrNotFound.
func (s *Store) FindID(ctx context.Context, part string) (id string, err error) {
	part = strings.ToLower(strings.TrimSpace(part))
	var ids []string
	err = s.read(ctx, "look for a task", func(view *sql.Tx) error {
		ids = nil
		rows, err := view.QueryContext(ctx, `SELECT id FROM tasks WHERE ?1 <> '' AND
			(lower(id) = ?1 OR substr(lower(id), 1, length(?1)) = ?1 OR substr(lower(id), -length(?1)) = ?1)
			ORDER BY lower(id) <> ?1, updated DESC LIMIT 11`, part)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var id string
			if err := rows.Scan(&id); err != nil {
				return err
			}
			ids = append(ids, id)
		}
		return rows.Err()
	})
	switch {
	case err != nil:
		return "", err
	case len(ids) == 0:
		return "", found(part, sql.ErrNoRows)
	case len(ids) == 1 || strings.EqualFold(ids[0], part):
		return ids[0], nil
	}
	list := strings.Join(ids[:min(len(ids), 10)], ", ")
	if len(ids) > 10 {
		list += " and more"
	}
	return "", &Problem{Message: fmt.Sprintf("several tasks match %q: %s", part, list), Hint: "give more of the id", Err: errors.New("ambiguous")}
}

// Rename gives a task another title.
func (s *Store) Rename(ctx context.Context, id, title string) error {
	return s.change(ctx, "rename a task", id, func(tx *tx, n int64) error { return setTitle(tx, n, title) })
}

// SetFavorite marks a task, or takes the mark away.
func (s *Store) SetFavorite(ctx context.Context, id string, favorite bool) error {
	return s.change(ctx, "mark a task", id, func(tx *tx, n int64) error {
		_, err := tx.exec("UPDATE tasks SET favorite = ? WHERE n = ?", favorite, n)
		return err
	})
}

// change writes to a task that exists, whoever runs it.
func (s *Store) change(ctx context.Context, what, id string, fn func(tx *tx, n int64) error) error {
	return s.write(ctx, what, func(tx *tx) error {
		var n int64
		if err := tx.get("SELECT n FROM tasks WHERE id = ?", []any{id}, &n); err != nil {
			return found(id, err)
		}
		return fn(tx, n)
	})
}
