package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"os"
)

// Delete removes a task with all its messages, and its folder. A task that is
// running is a *BusyError. On a full disk its long outputs go first, for the
// database to have room; should that not do, the task stays without them.
func (s *Store) Delete(ctx context.Context, id string) error {
	if err := checkID(id); err != nil {
		return found(id, sql.ErrNoRows)
	}
	err := s.deleteRows(ctx, id, func() error { return nil })
	if outputs := outputsDir(s.taskDir(id)); isFull(err) && exists(outputs) {
		gone := false
		err = s.deleteRows(ctx, id, func() error {
			gone = true
			return os.RemoveAll(outputs)
		})
		if gone {
			err = withoutOutputs(err)
		}
	}
	if err != nil {
		return err
	}
	return s.problem("delete the files of a task", os.RemoveAll(s.taskDir(id)))
}

// withoutOutputs has a failure to delete a task tell that its outputs are gone.
func withoutOutputs(err error) error {
	if p := (*Problem)(nil); errors.As(err, &p) {
		if isFull(err) {
			p.Hint = "free some space elsewhere and delete it again"
		}
		p.Hint = cmp.Or(p.Hint, "delete it again") + "; its long outputs are gone, all that was said is safe"
	}
	return err
}

// deleteRows removes a task from the database; before is called first, while nobody
// can begin a turn in it.
func (s *Store) deleteRows(ctx context.Context, id string, before func() error) error {
	return s.change(ctx, "delete a task", id, func(tx *tx, n int64) error {
		if err := s.newTask(id).checkFree(tx, &row{n: n}); err != nil {
			return err
		}
		if err := before(); err != nil {
			return err
		}
		for _, query := range []string{
			"DELETE FROM said WHERE rowid IN (SELECT n FROM items WHERE task = ? AND said = 1)",
			"DELETE FROM said WHERE rowid = -?",
			"DELETE FROM rules WHERE scope = 'task' AND task = (SELECT id FROM tasks WHERE n = ?)",
			"DELETE FROM tasks WHERE n = ?",
		} {
			if _, err := tx.exec(query, n); err != nil {
				return err
			}
		}
		return nil
	})
}
