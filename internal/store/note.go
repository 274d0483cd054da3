package store

import "context"

// Note keeps notes without a message, in one transaction with what was
// recorded. A task that is not on disk yet keeps the mode for its beginning.
func (t *Task) Note(ctx context.Context, n Notes) error {
	if kept, err := t.noteFresh(ctx, n); kept || err != nil {
		return err
	}
	return t.write(ctx, change{what: "keep a choice",
		in: func(tx *tx, r *row) error {
			if err := t.checkFence(tx, r); err != nil {
				return err
			}
			return n.write(tx, r.n)
		}})
}

// noteFresh changes what the task's row will be made of, if there is none yet.
func (t *Task) noteFresh(ctx context.Context, n Notes) (kept bool, err error) {
	if err := t.flushing.take(ctx); err != nil {
		return false, err
	}
	defer t.flushing.give()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.fresh == nil {
		return false, nil
	}
	fresh := *t.fresh
	if n.Mode != "" {
		fresh.Mode = n.Mode
	}
	t.fresh = &fresh
	return true, nil
}
