package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// State of a task as it is stored.
type State string

// The states. Interrupted: a turn began and did not end, and nobody who lives
// holds the task's lease.
const (
	Idle        State = "idle"
	Running     State = "running"
	Interrupted State = "interrupted"
)

// lease is the right to run a task.
type lease struct {
	// fence is the number of the lease, 0 when it is not held.
	fence int64
	turn  string
	// beat is the last sign of life that is on disk.
	beat time.Time
	// lost is true between the loss of a lease and the next Begin.
	lost bool
	// stopBeat ends the heartbeat; it is called once per Begin.
	stopBeat context.CancelFunc
}

// Begin takes the lease for a turn, has what was recorded written, and returns
// the version of the transcript: a number that changes with each message that
// anyone appends. A turn that runs already in a living process is a *BusyError.
func (t *Task) Begin(ctx context.Context, turnID string) (version int64, err error) {
	var fence int64
	now := t.s.now()
	err = t.write(ctx, change{what: "begin a turn", begins: true,
		in: func(tx *tx, r *row) error {
			if err := t.checkFree(tx, r); err != nil {
				return err
			}
			self := t.s.self()
			fence, version = r.fence+1, r.version
			if _, err := tx.exec(`INSERT OR REPLACE INTO leases (task, fence, boot, pid, start, since, beat) VALUES (?, ?, ?, ?, ?, ?, ?)`,
				r.n, fence, self.BootID, self.PID, self.Start, millis(now), millis(now)); err != nil {
				return err
			}
			_, err := tx.exec("UPDATE tasks SET fence = ?, state = ?, turn = ?, updated = ? WHERE n = ?",
				fence, string(Running), turnID, millis(now), r.n)
			return err
		},
		done: func() {
			t.stopLocked()
			t.fence, t.turn, t.beat, t.lost = fence, turnID, now, false
			beating, stop := context.WithCancel(context.Background())
			t.stopBeat = stop
			t.work.Go(func() { t.heartbeat(beating, fence) })
		}})
	return version, err
}

// checkFree fails when somebody else who lives holds the lease.
func (t *Task) checkFree(tx *tx, r *row) error {
	var o Owner
	var fence, since, beat int64
	err := tx.get("SELECT fence, boot, pid, start, since, beat FROM leases WHERE task = ?", []any{r.n},
		&fence, &o.BootID, &o.PID, &o.Start, &since, &beat)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	t.mu.Lock()
	mine := t.fence == fence
	t.mu.Unlock()
	o.Since, o.LastBeat = fromMillis(since), fromMillis(beat)
	if !mine && o.alive(t.s.self(), t.s.now()) {
		return &BusyError{TaskID: t.id, Owner: o}
	}
	return nil
}

// checkFence fails when the lease that this task held is another's. What was
// recorded without a lease is written whoever holds it.
func (t *Task) checkFence(_ *tx, r *row) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.fence != 0 && t.fence != r.fence {
		t.loseLocked()
	}
	if t.lost {
		return ErrLost
	}
	return nil
}

// checkRight fails unless this task holds the lease or nobody does.
func (t *Task) checkRight(tx *tx, r *row) error {
	if err := t.checkFence(tx, r); err != nil {
		return err
	}
	return t.checkFree(tx, r)
}

// End ends the turn with a reason, such as "completed". The reason "interrupted"
// leaves it to be resumed. What was recorded is written; the lease is gone.
func (t *Task) End(ctx context.Context, turnID, reason string) error {
	return t.write(ctx, t.ending(turnID, reason))
}

func (t *Task) ending(turnID, reason string) change {
	state := Idle
	if reason == string(Interrupted) {
		state = Interrupted
	}
	return change{what: "end a turn",
		in: func(tx *tx, r *row) error {
			if err := t.checkRight(tx, r); err != nil {
				return err
			}
			if _, err := tx.exec("DELETE FROM leases WHERE task = ?", r.n); err != nil {
				return err
			}
			turn := ""
			if state == Interrupted {
				turn = turnID
			}
			_, err := tx.exec("UPDATE tasks SET state = ?, stop_reason = ?, turn = ?, updated = ? WHERE n = ?",
				string(state), reason, turn, millis(t.s.now()), r.n)
			return err
		},
		done: func() {
			t.stopLocked()
			t.fence, t.turn = 0, ""
		}}
}

// heartbeat shows that this process lives, until the lease is given up or lost.
func (t *Task) heartbeat(ctx context.Context, fence int64) {
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.done:
			return
		case <-tick.C:
		}
		t.mu.Lock()
		held, fresh := t.fence == fence, t.s.now().Sub(t.beat).Abs() < beatEvery-time.Second
		t.mu.Unlock()
		if !held {
			return
		}
		if fresh {
			continue
		}
		if err := t.showLife(ctx); err != nil && ctx.Err() == nil {
			t.s.log.Warn("no sign of life could be given", "task", t.id, "error", err)
		}
	}
}

func (t *Task) showLife(ctx context.Context) error {
	var now time.Time
	return t.write(ctx, change{what: "keep the task",
		in: func(tx *tx, r *row) (err error) {
			if err := t.checkFence(tx, r); err != nil {
				return err
			}
			now, err = t.beatIn(tx, r)
			return err
		},
		done: func() { t.beat = now }})
}

// beatIn renews the lease if it is held, and returns when.
func (t *Task) beatIn(tx *tx, r *row) (time.Time, error) {
	now := t.s.now()
	_, err := tx.exec("UPDATE leases SET beat = ? WHERE task = ? AND fence = ?", millis(now), r.n, r.fence)
	return now, err
}

// stopLocked ends the heartbeat.
func (t *Task) stopLocked() {
	if t.stopBeat != nil {
		t.stopBeat()
		t.stopBeat = nil
	}
}

// loseLocked takes notice that another process has the lease.
func (t *Task) loseLocked() {
	t.stopLocked()
	t.fence, t.turn, t.lost = 0, "", true
	clear(t.waiting)
}
