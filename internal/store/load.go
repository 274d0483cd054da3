package store

import (
	"cmp"
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

// branchIn reads the messages from head back to the first one. It keeps those in
// front of the first that cannot be read or that no model could be told behind
// the others, and returns the number of the newest of them.
func (t *Task) branchIn(ctx context.Context, view *sql.Tx, n, head int64, h *History) (sound int64, err error) {
	rows, err := view.QueryContext(ctx, "SELECT n, parent, body FROM messages WHERE task = ? AND n <= ? ORDER BY n DESC", n, head)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	want, newest := head, head
	var numbers []int64 // of h.Messages
	for rows.Next() && want != 0 {
		var id, parent int64
		var body sql.RawBytes
		if err := rows.Scan(&id, &parent, &body); err != nil {
			return 0, err
		}
		if id != want {
			continue // of another branch
		}
		want = parent
		m, err := t.unpack(body)
		if err != nil {
			h.Messages, numbers, newest = nil, nil, parent
			continue
		}
		h.Messages, numbers = append(h.Messages, m), append(numbers, id)
	}
	if err := rows.Err(); err != nil {
		return 0, err
	}
	if want != 0 {
		h.Messages, numbers, newest = nil, nil, 0
	}
	slices.Reverse(h.Messages)
	slices.Reverse(numbers)
	if k, err := transcript.Sound(h.Messages); err != nil {
		t.s.log.Warn("a message is not what was kept", "task", t.id, "error", err)
		h.Messages, newest = h.Messages[:k], 0
		if k > 0 {
			newest = numbers[k-1]
		}
	}
	if newest != head {
		h.Damage = joinWords(h.Damage, fmt.Sprintf("the messages from number %d on cannot be read; they are kept as they are", len(h.Messages)+1))
	}
	return newest, nil
}

func joinWords(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

// ItemQuery chooses a page of items. The zero value is the newest one.
type ItemQuery struct {
	// Since leaves out what has not changed after this number.
	Since int64
	// Before is what Items returned with the page behind this one; 0 asks for the
	// newest.
	Before int64
	// Limit is the number of items; 0 means 200.
	Limit int
	// Bytes bounds what their events have together, in JSON, but for the newest one;
	// 0 is no bound.
	Bytes int
}

// Items returns a page of what fronts show of the current branch: the newest items
// that the query asks for, within its bounds, the oldest First first. before is what to ask with
// for the page in front of it, 0 if there is none. What the task has once, such as
// its plan, and how it stands, are not counted: the newest page has them all, and
// they are on no other one. What was recorded and is not written yet is among them.
func (t *Task) Items(ctx context.Context, q ItemQuery) (items []Item, before int64, err error) {
	if q.Limit <= 0 {
		q.Limit = 200
	}
	err = t.look(ctx, func(view *sql.Tx) error {
		items, before = nil, 0
		page, more, err := t.rowsIn(ctx, view, bound{q.Limit, q.Bytes}, itemQuery(q), sql.Named("id", t.id),
			sql.Named("since", q.Since), sql.Named("before", q.Before), sql.Named("limit", q.Limit+1))
		if err != nil {
			return err
		}
		if more {
			before = page[len(page)-1].First
		}
		if q.Before == 0 {
			once, err := t.onceIn(ctx, view, q.Since)
			if err != nil {
				return err
			}
			for _, i := range once {
				if !slices.ContainsFunc(page, func(p Item) bool { return p.Key == i.Key }) {
					page = append(page, i)
				}
			}
		}
		items = legible(page)
		slices.SortStableFunc(items, func(a, b Item) int { return cmp.Compare(a.First, b.First) })
		return nil
	})
	return items, before, err
}

// onceIn reads what the task has once, and how it stands: as it was told while a
// turn ran, or at the end of one, whichever is newer.
func (t *Task) onceIn(ctx context.Context, view *sql.Tx, since int64) ([]Item, error) {
	keys, err := json.Marshal(event.Once())
	if err != nil {
		return nil, err
	}
	once, _, err := t.rowsIn(ctx, view, bound{}, onceQuery+"AND key IN (SELECT value FROM json_each(:keys))",
		sql.Named("id", t.id), sql.Named("since", since), sql.Named("keys", string(keys)))
	if err != nil {
		return nil, err
	}
	end, _, err := t.rowsIn(ctx, view, bound{}, onceQuery+"AND key > :ends AND key < :ends || '~' ORDER BY seq DESC LIMIT 1",
		sql.Named("id", t.id), sql.Named("since", since), sql.Named("ends", event.OfEnds))
	if err != nil || len(end) == 0 {
		return once, err
	}
	state := event.Key(event.State{}, "", 0)
	k := slices.IndexFunc(once, func(i Item) bool { return i.Key == state })
	if k < 0 {
		return append(once, end[0]), nil
	}
	if once[k].Seq < end[0].Seq {
		once[k] = end[0]
	}
	return once, nil
}

const onceQuery = "SELECT key, seq, first, turn, time, body FROM items INDEXED BY items_key" +
	" WHERE task = (SELECT n FROM tasks WHERE id = :id) AND hidden = 0 AND seq > :since "

// itemQuery names the index: which one is better depends on the question, and
// SQLite has no statistics to know. What a task has once has keys without colon.
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
		" WHERE task = (SELECT n FROM tasks WHERE id = :id) AND hidden = 0 AND instr(key, ':') > 0 " + since + " " + before +
		" ORDER BY first DESC LIMIT :limit"
}
