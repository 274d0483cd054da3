package store

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"clined/internal/event"
)

// Item is an event as it is kept.
type Item = event.Item

const (
	// flushAfter is how long a recorded item waits at most.
	flushAfter = 50 * time.Millisecond
	// retryAfter is how long a flush waits after one that failed.
	retryAfter = time.Second
)

// buffer holds what was recorded and is not on disk.
type buffer struct {
	// waiting holds the newest item of each key.
	waiting map[string]*Item
	// recorded counts what was recorded, flushed how much of it is on disk.
	recorded, flushed uint64
	// flushes is true while the flusher runs.
	flushes bool
}

// batch is what one transaction writes, and the count up to which it reaches.
type batch struct {
	items []*Item
	mark  uint64
}

// Record keeps an event for those who attach later; an item without Key is not
// kept. It never waits for the disk: what was recorded is there 50 ms later, or
// when Sync or Append returns. A later item of the same key replaces an earlier
// one and keeps its First, except where the thing has no place of its own (a
// state, say) and stands where it was last told. The event must not change
// afterwards.
func (t *Task) Record(i Item) {
	if i.Key == "" || i.Event == nil {
		return
	}
	if i.First == 0 || event.Moves(i.Event) {
		i.First = i.Seq
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed || t.lost {
		return
	}
	if old := t.waiting[i.Key]; old != nil && !event.Moves(i.Event) {
		i.First = old.First
	}
	t.waiting[i.Key] = &i
	t.recorded++
	t.last = max(t.last, i.Seq)
	t.startFlusherLocked()
}

func (t *Task) startFlusherLocked() {
	if !t.flushes && !t.closed {
		t.flushes = true
		t.work.Go(t.flusher)
	}
}

// flusher writes what was recorded until nothing waits.
func (t *Task) flusher() {
	wait := flushAfter
	for {
		select {
		case <-t.life.Done():
			return // Close flushes
		case <-time.After(wait):
		}
		wait = flushAfter
		if err := t.flush(t.life); err != nil && t.life.Err() == nil {
			t.s.log.Warn("events could not be kept yet", "task", t.id, "error", err)
			wait = retryAfter
		}
		t.mu.Lock()
		t.flushes = len(t.waiting) > 0 || t.owed != nil
		more := t.flushes
		t.mu.Unlock()
		if !more {
			return
		}
	}
}

// Sync returns when everything recorded before is on disk. All that waits goes
// into one transaction, whoever called for it.
func (t *Task) Sync(ctx context.Context) error {
	t.mu.Lock()
	mark, lost := t.recorded, t.lost
	t.mu.Unlock()
	if lost {
		return ErrLost
	}
	if err := t.flushing.take(ctx); err != nil {
		return err
	}
	t.mu.Lock()
	done := t.flushed >= mark
	t.mu.Unlock()
	t.flushing.give()
	if done {
		return nil
	}
	return t.flush(ctx)
}

// Sync has all that this store's tasks of that id recorded be on disk, and tells
// them how far the numbers of events that are on disk go, whoever gave them. A task
// that was lost to another process has nothing to write.
func (s *Store) Sync(ctx context.Context, id string) error {
	var open []*Task
	s.mu.Lock()
	for t := range s.tasks {
		if t.id == id {
			open = append(open, t)
		}
	}
	s.mu.Unlock()
	for _, t := range open {
		if err := t.Sync(ctx); err != nil && !errors.Is(err, ErrLost) && !errors.Is(err, errClosed) {
			return err
		}
	}
	if len(open) == 0 {
		return nil
	}
	var last int64
	err := s.read(ctx, "read a task", func(view *sql.Tx) error {
		err := view.QueryRowContext(ctx, "SELECT "+soundLast+" FROM tasks WHERE id = ?", id).Scan(&last)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	for _, t := range open {
		t.mu.Lock()
		t.last = max(t.last, last)
		t.mu.Unlock()
	}
	return err
}

// flush writes what waits.
func (t *Task) flush(ctx context.Context) error {
	t.mu.Lock()
	nothing := len(t.waiting) == 0 && t.owed == nil
	t.mu.Unlock()
	if nothing {
		return nil
	}
	return t.write(ctx, change{what: "keep events", in: t.checkFence})
}

// takeBatch takes what waits. The caller holds flushing.
func (t *Task) takeBatch() batch {
	t.mu.Lock()
	defer t.mu.Unlock()
	b := batch{mark: t.recorded}
	for _, i := range t.waiting {
		b.items = append(b.items, i)
	}
	clear(t.waiting)
	slices.SortFunc(b.items, func(a, b *Item) int { return cmp.Compare(a.Seq, b.Seq) })
	return b
}

// giveBackLocked has a batch wait again, behind newer items of the same keys.
func (t *Task) giveBackLocked(b batch, err error) {
	if errors.Is(err, ErrLost) || errors.Is(err, ErrNotFound) {
		clear(t.waiting)
		return
	}
	for _, i := range b.items {
		if newer := t.waiting[i.Key]; newer == nil {
			t.waiting[i.Key] = i
		} else if !event.Moves(i.Event) {
			newer.First = i.First
		}
	}
	if len(t.waiting) > 0 {
		t.startFlusherLocked()
	}
}

// writeItems keeps items and returns the highest of their numbers.
func writeItems(tx *tx, task int64, items []*Item) (last int64, err error) {
	for _, i := range items {
		body, err := encode(event.Envelope{Event: i.Event})
		if err != nil {
			return 0, err
		}
		var n, indexed int64
		err = tx.get(`INSERT INTO items (task, key, seq, first, turn, time, body) VALUES (?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (task, hidden, key) DO UPDATE SET seq = excluded.seq, turn = excluded.turn, time = excluded.time,
			body = excluded.body, first = iif(?, excluded.first, first) RETURNING n, said`,
			[]any{task, i.Key, i.Seq, i.First, i.TurnID, millis(i.Time), body, event.Moves(i.Event)}, &n, &indexed)
		if err != nil {
			return 0, err
		}
		if err := indexItem(tx, n, indexed, i.Event); err != nil {
			return 0, err
		}
		last = max(last, i.Seq)
	}
	if len(items) > 0 {
		_, err = tx.exec("UPDATE tasks SET seq_last = iif(seq_last"+isSound+", max(seq_last, ?1), ?1) WHERE n = ?2", last, task)
	}
	return last, err
}

// indexItem has the full-text index hold what the event says, if it is final.
func indexItem(tx *tx, n, indexed int64, e event.Event) error {
	text := said(e)
	if indexed == 1 {
		if _, err := tx.exec("DELETE FROM said WHERE rowid = ?", n); err != nil {
			return err
		}
	}
	now := int64(0)
	if text != "" {
		now = 1
		if _, err := tx.exec("INSERT INTO said (rowid, text) VALUES (?, ?)", n, split(text)); err != nil {
			return err
		}
	}
	if now == indexed {
		return nil
	}
	_, err := tx.exec("UPDATE items SET said = ? WHERE n = ?", now, n)
	return err
}

// said returns what a person or the model said for people to read: no thoughts,
// no tool output, and nothing that is still being written.
func said(e event.Event) string {
	m, ok := e.(event.Message)
	if !ok || m.Status != event.Done && m.Status != "" {
		return ""
	}
	var texts []string
	for _, c := range m.Content {
		if c.Type == "text" && c.Text != "" {
			texts = append(texts, c.Text)
		}
	}
	return strings.Join(texts, "\n\n")
}

// encode writes JSON that keeps <, > and & readable.
func encode(v any) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return strings.TrimSuffix(b.String(), "\n"), err
}
