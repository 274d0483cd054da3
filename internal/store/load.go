package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"

	"clined/internal/event"
	"clined/internal/transcript"
)

// History is what the model was told so far.
type History struct {
	// Version is that of the transcript, see Begin.
	Version  int64
	Messages []transcript.Message
	// System, Standing as they were last given to Append.
	System   string
	Standing json.RawMessage
	// Damage says in words what could not be read, "" if all could.
	Damage string
	State  State
	// TurnID is that of a running or interrupted turn.
	TurnID string
}

// Load reads the current branch: all messages before the first that cannot be
// read. Damaged ones stay as they are; the next Append goes on in front of them.
// A task that is not on disk yet has an empty history.
func (t *Task) Load(ctx context.Context) (*History, error) {
	if t.isFresh() {
		return &History{State: Idle}, nil
	}
	var h *History
	var head, sound int64
	err := t.s.read(ctx, "read a task", func(view *sql.Tx) error {
		h = &History{}
		info, n, err := t.s.infoIn(ctx, view, t.id)
		if err != nil {
			return err
		}
		h.State, h.TurnID, h.Damage = info.State, info.TurnID, info.Damage
		if err := view.QueryRowContext(ctx, "SELECT version, head FROM tasks WHERE n = ?", n).Scan(&h.Version, &head); err != nil {
			return err
		}
		err = view.QueryRowContext(ctx, "SELECT system, standing FROM notes WHERE task = ?", n).Scan(&h.System, (*[]byte)(&h.Standing))
		if err != nil && err != sql.ErrNoRows {
			return err
		}
		sound, err = t.branchIn(ctx, view, n, head, h)
		return err
	})
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.broken = 0
	if sound != head {
		t.broken, t.sound, t.depth = head, sound, int64(len(h.Messages))
	}
	return h, nil
}

// branchIn reads the messages from head back to the first one, and returns the
// newest that can be read and all before it.
func (t *Task) branchIn(ctx context.Context, view *sql.Tx, n, head int64, h *History) (sound int64, err error) {
	rows, err := view.QueryContext(ctx, "SELECT n, parent, depth, body FROM messages WHERE task = ? AND n <= ? ORDER BY n DESC", n, head)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	sound = head
	want, bad := head, int64(0)
	for rows.Next() && want != 0 {
		var id, parent, depth int64
		var body sql.RawBytes
		if err := rows.Scan(&id, &parent, &depth, &body); err != nil {
			return 0, err
		}
		if id != want {
			continue // of another branch
		}
		want = parent
		m, err := t.unpack(body)
		if err != nil {
			h.Messages, sound, bad = nil, parent, depth
			continue
		}
		h.Messages = append(h.Messages, m)
	}
	if err := rows.Err(); err != nil {
		return 0, err
	}
	if want != 0 {
		h.Messages, sound, bad = nil, 0, 1
	}
	slices.Reverse(h.Messages)
	if bad != 0 {
		h.Damage = joinWords(h.Damage, fmt.Sprintf("the messages from number %d on cannot be read; they are kept as they are", bad))
	}
	return sound, nil
}

func joinWords(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

// ItemQuery chooses items. The zero value is the newest Limit ones.
type ItemQuery struct {
	// Since leaves out what has not changed after this number.
	Since int64
	// Before leaves out what was first seen at this number or later; 0 is no bound.
	Before int64
	// Limit is the number of items; 0 means 200.
	Limit int
}

// Items returns what fronts show of the current branch, the newest Limit that
// the query asks for, the oldest First first. more tells of older ones. What was
// recorded and is not written yet is among them.
func (t *Task) Items(ctx context.Context, q ItemQuery) (items []Item, more bool, err error) {
	if q.Limit <= 0 {
		q.Limit = 200
	}
	if err := t.Sync(ctx); err != nil && err != ErrLost {
		return nil, false, err
	}
	if t.isFresh() {
		return nil, false, nil
	}
	err = t.s.read(ctx, "read a task", func(view *sql.Tx) error {
		items = nil
		rows, err := view.QueryContext(ctx, itemQuery(q), sql.Named("id", t.id), sql.Named("since", q.Since),
			sql.Named("before", q.Before), sql.Named("limit", q.Limit+1))
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var i Item
			var ms int64
			var body sql.RawBytes
			if err := rows.Scan(&i.Key, &i.Seq, &i.First, &i.TurnID, &ms, &body); err != nil {
				return err
			}
			var e event.Envelope
			if err := json.Unmarshal(body, &e); err != nil {
				t.s.log.Warn("an event cannot be read", "task", t.id, "key", i.Key, "error", err)
				continue
			}
			i.Time, i.Event = fromMillis(ms), e.Event
			items = append(items, i)
		}
		return rows.Err()
	})
	if len(items) > q.Limit {
		items, more = items[:q.Limit], true
	}
	slices.Reverse(items)
	return items, more, err
}

// itemQuery names the index: which one is better depends on the question, and
// SQLite has no statistics to know.
func itemQuery(q ItemQuery) string {
	index, since := "items_first", ""
	if q.Since > 0 {
		index, since = "items_seq", "AND seq > :since"
	}
	before := ""
	if q.Before > 0 {
		before = "AND first < :before"
	}
	return "SELECT key, seq, first, turn, time, body FROM items INDEXED BY " + index +
		" WHERE task = (SELECT n FROM tasks WHERE id = :id) AND hidden = 0 " + since + " " + before + " ORDER BY first DESC LIMIT :limit"
}
