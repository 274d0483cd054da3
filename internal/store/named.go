package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"

	"clined/internal/event"
)

// Keys returns the keys of all items of the current branch, in no order. It reads
// an index only, so that it costs little where there are thousands. What was
// recorded and is not written yet is among them.
func (t *Task) Keys(ctx context.Context) (keys []string, err error) {
	return keys, t.look(ctx, func(view *sql.Tx) error {
		keys = nil
		rows, err := view.QueryContext(ctx, `SELECT key FROM items INDEXED BY items_key
			WHERE task = (SELECT n FROM tasks WHERE id = ?) AND hidden = 0`, t.id)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var key string
			if err := rows.Scan(&key); err != nil {
				return err
			}
			keys = append(keys, key)
		}
		return rows.Err()
	})
}

// Named returns the items of the current branch with these keys, by First. Keys
// without an item are left out.
func (t *Task) Named(ctx context.Context, keys ...string) (items []Item, err error) {
	if len(keys) == 0 {
		return nil, nil
	}
	list, err := json.Marshal(keys)
	if err != nil {
		return nil, err
	}
	return items, t.look(ctx, func(view *sql.Tx) (err error) {
		items, err = t.itemsIn(ctx, view, `SELECT key, seq, first, turn, time, body FROM items INDEXED BY items_key
			WHERE task = (SELECT n FROM tasks WHERE id = ?) AND hidden = 0 AND key IN (SELECT value FROM json_each(?))
			ORDER BY first`, t.id, string(list))
		return err
	})
}

// OfTurn returns the messages, as fronts see them, of a turn, by First.
func (t *Task) OfTurn(ctx context.Context, turnID string) (items []Item, err error) {
	return items, t.look(ctx, func(view *sql.Tx) (err error) {
		items, err = t.itemsIn(ctx, view, `SELECT key, seq, first, turn, time, body FROM items INDEXED BY items_first
			WHERE task = (SELECT n FROM tasks WHERE id = ?) AND hidden = 0 AND turn = ? AND key LIKE 'message:%'
			ORDER BY first`, t.id, turnID)
		return err
	})
}

// look reads what is on disk of the task, and writes what waits first.
func (t *Task) look(ctx context.Context, fn func(*sql.Tx) error) error {
	if err := t.Sync(ctx); err != nil && err != ErrLost {
		return err
	}
	if t.isFresh() {
		return nil
	}
	return t.s.read(ctx, "read a task", fn)
}

// itemsIn reads the rows of a query for items, without those that cannot be read.
func (t *Task) itemsIn(ctx context.Context, view *sql.Tx, query string, args ...any) ([]Item, error) {
	items, _, err := t.rowsIn(ctx, view, bound{}, query, args...)
	return legible(items), err
}

func legible(items []Item) []Item {
	return slices.DeleteFunc(items, func(i Item) bool { return i.Event == nil })
}

// bound is how much of a query's rows is read: so many, and as long as their events
// have no more bytes together, but one row at least. 0 is as many as there are.
type bound struct{ rows, bytes int }

// rowsIn reads the rows of a query for items, up to a bound; more tells that it was
// met, and costs no more than the look at one row. An event that cannot be read is nil.
func (t *Task) rowsIn(ctx context.Context, view *sql.Tx, most bound, query string, args ...any) (items []Item, more bool, err error) {
	rows, err := view.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, false, err
	}
	defer rows.Close()
	for size := 0; rows.Next(); {
		var i Item
		var ms int64
		var body sql.RawBytes
		if err := rows.Scan(&i.Key, &i.Seq, &i.First, &i.TurnID, &ms, &body); err != nil {
			return nil, false, err
		}
		size += len(body)
		if n := len(items); most.rows > 0 && n == most.rows || most.bytes > 0 && n > 0 && size > most.bytes {
			return items, true, nil
		}
		var e event.Envelope
		if err := json.Unmarshal(body, &e); err != nil {
			t.s.log.Warn("an event cannot be read", "task", t.id, "key", i.Key, "error", err)
			e.Event = nil
		}
		i.Seq, i.First, i.Time, i.Event = soundSeq(i.Seq), min(max(i.First, 0), maxSeq), fromMillis(ms), e.Event
		items = append(items, i)
	}
	return items, false, rows.Err()
}
