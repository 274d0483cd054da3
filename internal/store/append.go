package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"clined/internal/event"
	"clined/internal/transcript"
)

// Notes are kept along with a message. What is "" or nil is unchanged.
type Notes struct {
	// System is the system text of the conversation.
	System string
	// Standing and Totals are opaque; Totals come with Info.
	Standing, Totals   json.RawMessage
	Title, Mode, Model string
}

// Append adds a message to the current branch, in one transaction with what was
// recorded and the notes. It is on disk when Append returns the transcript's
// new version. ErrLost: another process took the task over, nothing was written;
// *BusyError: it runs elsewhere and this task has no lease.
func (t *Task) Append(ctx context.Context, m transcript.Message, n Notes) (version int64, err error) {
	body, err := t.pack(m)
	if err != nil {
		return 0, t.s.problem("keep a message", err)
	}
	var head, depth int64
	now := t.s.now()
	err = t.write(ctx, change{what: "keep a message",
		in: func(tx *tx, r *row) error {
			if err := t.checkRight(tx, r); err != nil {
				return err
			}
			parent, above := t.behind(r)
			depth, version = above+1, r.version+1
			head, err = tx.insert("INSERT INTO messages (task, parent, depth, id, seq, created, body) VALUES (?, ?, ?, ?, ?, ?, ?)",
				r.n, parent, depth, m.ID, t.LastSeq(), millis(now), body)
			if err != nil {
				return err
			}
			if _, err := tx.exec("UPDATE tasks SET head = ?, depth = ?, version = ?, updated = ? WHERE n = ?",
				head, depth, version, millis(now), r.n); err != nil {
				return err
			}
			if _, err := t.beatIn(tx, r); err != nil {
				return err
			}
			return n.write(tx, r.n)
		},
		after: func(tx *tx, r *row) error { return placeWords(tx, r.n, &m) },
		done:  func() { t.beat = now }})
	return version, err
}

// placeWords has what fronts saw of the user's words stand where they were told as said,
// for they may have waited. It is not done before: prompts that no model saw are
// said in the order in which they were given.
func placeWords(tx *tx, task int64, m *transcript.Message) error {
	if m.Role != transcript.User {
		return nil
	}
	keys, err := wordsOf(m.ID, m.Also)
	if err != nil {
		return err
	}
	_, err = tx.exec("UPDATE items SET first = seq WHERE task = ? AND hidden = 0 AND key IN (SELECT value FROM json_each(?))", task, keys)
	return err
}

// wordsOf are the keys of the user's words that a message carries, as JSON.
func wordsOf(id string, also []string) (string, error) {
	keys := []string{event.Key(event.Message{MessageID: id}, "", 0)}
	for _, id := range also {
		keys = append(keys, event.Key(event.Message{MessageID: id}, "", 0))
	}
	list, err := json.Marshal(keys)
	return string(list), err
}

// behind returns the message to go on from: the newest, or the last one before
// those that could not be read.
func (t *Task) behind(r *row) (parent, depth int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.broken != 0 && t.broken == r.head {
		return t.sound, t.depth
	}
	return r.head, r.depth
}

func (n *Notes) write(tx *tx, task int64) error {
	if n.System != "" || n.Standing != nil {
		if _, err := tx.exec(`INSERT INTO notes (task, system, standing) VALUES (?1, ?2, ?3) ON CONFLICT (task) DO UPDATE
			SET system = iif(?2 = '', system, ?2), standing = coalesce(?3, standing)`, task, n.System, blob(n.Standing)); err != nil {
			return err
		}
	}
	if n.Totals != nil || n.Mode != "" || n.Model != "" {
		if _, err := tx.exec(`UPDATE tasks SET totals = coalesce(?, totals), mode = coalesce(nullif(?, ''), mode),
			model = coalesce(nullif(?, ''), model) WHERE n = ?`, blob(n.Totals), n.Mode, n.Model, task); err != nil {
			return err
		}
	}
	if n.Title == "" {
		return nil
	}
	return setTitle(tx, task, n.Title)
}

// blob is nil for nil: the driver makes an empty blob of a nil slice of a named type.
func blob(raw json.RawMessage) any {
	if raw == nil {
		return nil
	}
	return []byte(raw)
}

func setTitle(tx *tx, task int64, title string) error {
	if _, err := tx.exec("UPDATE tasks SET title = ? WHERE n = ?", title, task); err != nil {
		return err
	}
	if _, err := tx.exec("DELETE FROM said WHERE rowid = ?", -task); err != nil {
		return err
	}
	_, err := tx.exec("INSERT INTO said (rowid, text) VALUES (?, ?)", -task, split(title))
	return err
}

// Rewind goes back to before a message of the current branch, has items tell what
// takes its place, and returns the transcript's new version: all of it or nothing.
// What followed stays in the database but is shown no more. It fails like Append;
// a message that is not there is ErrNotFound.
func (t *Task) Rewind(ctx context.Context, messageID string, items ...Item) (version int64, err error) {
	err = t.write(ctx, change{what: "go back in the task",
		in: func(tx *tx, r *row) error {
			if err := t.checkRight(tx, r); err != nil {
				return err
			}
			version = r.version + 1
			var parent, depth, seq int64
			var body string
			err := tx.get(`WITH RECURSIVE branch (n, parent, depth, id) AS (
					SELECT n, parent, depth, id FROM messages WHERE n = ?
					UNION ALL SELECT m.n, m.parent, m.depth, m.id FROM messages m JOIN branch b ON m.n = b.parent)
				SELECT parent, depth, coalesce((SELECT p.seq FROM messages p WHERE p.n = b.parent), 0),
					(SELECT m.body FROM messages m WHERE m.n = b.n) FROM branch b WHERE id = ?`,
				[]any{r.head, messageID}, &parent, &depth, &seq, &body)
			if errors.Is(err, sql.ErrNoRows) {
				return fmt.Errorf("message %q: %w", messageID, ErrNotFound)
			}
			if err != nil {
				return err
			}
			if err := hide(tx, r.n, messageID, body, seq); err != nil {
				return err
			}
			_, err = tx.exec("UPDATE tasks SET head = ?, depth = ?, version = ?, updated = ? WHERE n = ?",
				parent, depth-1, version, millis(t.s.now()), r.n)
			if err != nil {
				return err
			}
			kept := make([]*Item, len(items))
			for k := range items {
				kept[k] = &items[k]
			}
			_, err = writeItems(tx, r.n, kept)
			return err
		}})
	return version, err
}

// hide takes away the items from a message on, or from the first one of the user's
// that it carries; without any, those behind before, the number when the message
// before it was appended. Things that the task has once, such as its plan, have
// keys without colon and stay.
func hide(tx *tx, task int64, messageID, body string, before int64) error {
	var m transcript.Message
	_ = json.Unmarshal([]byte(body), &m) // what is damaged names no further ones
	keys, err := wordsOf(messageID, m.Also)
	if err != nil {
		return err
	}
	var first int64
	err = tx.get(`SELECT coalesce(min(first), ?) FROM items WHERE task = ? AND hidden = 0 AND key IN (SELECT value FROM json_each(?))`,
		[]any{before + 1, task, keys}, &first)
	if err != nil {
		return err
	}
	if _, err := tx.exec("UPDATE tasks SET rewinds = rewinds + 1 WHERE n = ?", task); err != nil {
		return err
	}
	_, err = tx.exec(`UPDATE items SET hidden = (SELECT rewinds FROM tasks WHERE n = ?1)
		WHERE task = ?1 AND hidden = 0 AND first >= ?2 AND instr(key, ':') > 0`, task, first)
	return err
}
