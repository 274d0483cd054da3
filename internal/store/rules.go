package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Rule is a permission that outlives its process. What it means is not known here.
type Rule struct {
	ID int64
	// Scope is "user", "workspace" or "task"; Workspace is the real path of the
	// second, Task the id of the third, which goes with that task.
	Scope, Workspace, Task string
	// Text is JSON.
	Text    json.RawMessage
	Created time.Time
}

const ruleQuery = "SELECT id, scope, workspace, task, text, created FROM rules "

// Rules returns the rules that hold for a task, "" for none, in a workspace,
// given by its real path: theirs and those of scope user, the oldest first.
func (s *Store) Rules(ctx context.Context, workspace, task string) ([]Rule, error) {
	return s.rules(ctx, ruleQuery+`WHERE scope = 'user' OR scope = 'workspace' AND workspace = ?
		OR scope = 'task' AND task = ? ORDER BY id`, workspace, task)
}

// AllRules returns the rules of all workspaces and tasks, the oldest first.
func (s *Store) AllRules(ctx context.Context) ([]Rule, error) {
	return s.rules(ctx, ruleQuery+"ORDER BY id")
}

func (s *Store) rules(ctx context.Context, query string, args ...any) (rules []Rule, err error) {
	err = s.read(ctx, "read the permission rules", func(view *sql.Tx) error {
		rules = nil
		rows, err := view.QueryContext(ctx, query, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var r Rule
			var created int64
			if err := rows.Scan(&r.ID, &r.Scope, &r.Workspace, &r.Task, (*[]byte)(&r.Text), &created); err != nil {
				return err
			}
			r.Created = fromMillis(created)
			rules = append(rules, r)
		}
		return rows.Err()
	})
	return rules, err
}

// AddRule keeps a rule and returns its id, that of an equal one if there is one.
// Its Created is set here.
func (s *Store) AddRule(ctx context.Context, r Rule) (id int64, err error) {
	known := r.Scope == "user" || r.Scope == "workspace" || r.Scope == "task"
	if !known || (r.Scope == "workspace") != (r.Workspace != "") || (r.Scope == "task") != (r.Task != "") {
		return 0, fmt.Errorf("a rule of scope %q for the workspace %q and the task %q cannot be kept", r.Scope, r.Workspace, r.Task)
	}
	if !json.Valid(r.Text) {
		return 0, errors.New("a rule that is no JSON cannot be kept")
	}
	err = s.write(ctx, "keep a permission rule", func(tx *tx) error {
		err := tx.get("SELECT id FROM rules WHERE scope = ? AND workspace = ? AND task = ? AND text = ?",
			[]any{r.Scope, r.Workspace, r.Task, []byte(r.Text)}, &id)
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		id, err = tx.insert("INSERT INTO rules (scope, workspace, task, text, created) VALUES (?, ?, ?, ?, ?)",
			r.Scope, r.Workspace, r.Task, []byte(r.Text), millis(s.now()))
		return err
	})
	return id, err
}

// RemoveRule removes a rule; ErrNotFound if there is none.
func (s *Store) RemoveRule(ctx context.Context, id int64) error {
	return s.write(ctx, "remove a permission rule", func(tx *tx) error {
		n, err := tx.exec("DELETE FROM rules WHERE id = ?", id)
		if err == nil && n == 0 {
			err = fmt.Errorf("rule %d: %w", id, ErrNotFound)
		}
		return err
	})
}

// Trust is a workspace that the user trusts.
type Trust struct {
	// Path is its real path, Hash that of what was trusted.
	Path, Hash string
	Created    time.Time
}

// Trusted returns the hash of what the user trusts in a workspace; ok is false
// where nothing is trusted.
func (s *Store) Trusted(ctx context.Context, realPath string) (hash string, ok bool, err error) {
	err = s.read(ctx, "read which workspaces are trusted", func(view *sql.Tx) error {
		err := view.QueryRowContext(ctx, "SELECT hash FROM trust WHERE path = ?", realPath).Scan(&hash)
		ok = err == nil
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	return hash, ok, err
}

// Trust remembers that the user trusts a workspace as it is now.
func (s *Store) Trust(ctx context.Context, realPath, hash string) error {
	return s.write(ctx, "keep that a workspace is trusted", func(tx *tx) error {
		_, err := tx.exec("INSERT OR REPLACE INTO trust (path, hash, created) VALUES (?, ?, ?)", realPath, hash, millis(s.now()))
		return err
	})
}

// Untrust takes trust away; there may be none.
func (s *Store) Untrust(ctx context.Context, realPath string) error {
	return s.write(ctx, "keep that a workspace is not trusted", func(tx *tx) error {
		_, err := tx.exec("DELETE FROM trust WHERE path = ?", realPath)
		return err
	})
}

// AllTrusted returns the trusted workspaces by path.
func (s *Store) AllTrusted(ctx context.Context) (all []Trust, err error) {
	err = s.read(ctx, "read which workspaces are trusted", func(view *sql.Tx) error {
		all = nil
		rows, err := view.QueryContext(ctx, "SELECT path, hash, created FROM trust ORDER BY path")
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var t Trust
			var created int64
			if err := rows.Scan(&t.Path, &t.Hash, &created); err != nil {
				return err
			}
			t.Created = fromMillis(created)
			all = append(all, t)
		}
		return rows.Err()
	})
	return all, err
}
