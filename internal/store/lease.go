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
	// before is how the task stood before Begin.
	before standing
	// owed is an End that could not be written yet, nil for none.
	owed *change
	// stopBeat ends the heartbeat; it is called once per Begin.
	stopBeat context.CancelFunc
}

// standing is what a lease changes of its task.
type standing struct {
	state        State
	turn, reason string
}

// Begin takes the lease for a turn, has what was recorded written, and returns
// the version of the transcript: a number that changes with each message that
// anyone appends. A turn that runs already in a living process is a *BusyError.
// Who holds the lease may begin the next turn without an End: so nobody else gets
// the task in between.
func (t *Task) Begin(ctx context.Context, turnID string) (version int64, err error) {
	var fence int64
	var before standing
	now := t.s.now()
	err = t.write(ctx, change{what: "begin a turn", settles: true,
		in: func(tx *tx, r *row) (err error) {
			if err := t.checkFree(tx, r); err != nil {
				return err
			}
			if before, err = standingIn(tx, r); err != nil {
				return err
			}
			self := t.s.self()
			fence, version = r.fence+1, r.version
			if _, err := tx.exec(`INSERT OR REPLACE INTO leases (task, fence, boot, pid, start, since, beat) VALUES (?, ?, ?, ?, ?, ?, ?)`,
				r.n, fence, self.BootID, self.PID, self.Start, millis(now), millis(now)); err != nil {
				return err
			}
			_, err = tx.exec("UPDATE tasks SET fence = ?, state = ?, turn = ?, updated = ? WHERE n = ?",
				fence, string(Running), turnID, millis(now), r.n)
			return err
		},
		done: func() {
			t.stopLocked()
			t.fence, t.turn, t.beat, t.lost = fence, turnID, now, false
			t.before, t.owed = before, nil
			beating, stop := context.WithCancel(t.life)
			t.stopBeat = stop
			t.work.Go(func() { t.heartbeat(beating, fence) })
		}})
	return version, err
}

// standingIn reads how a task stands; a turn that nobody runs any more was interrupted.
func standingIn(tx *tx, r *row) (s standing, err error) {
	err = tx.get("SELECT state, turn, stop_reason FROM tasks WHERE n = ?", []any{r.n}, &s.state, &s.turn, &s.reason)
	if s.state == Running {
		s.state = Interrupted
	}
	return s, err
}

// Claim is for those who add to a task without a turn: it fails with a *BusyError
// while somebody else runs the task, and has the numbers of further events be
// behind all that are stored. It keeps nobody from beginning a turn afterwards.
func (t *Task) Claim(ctx context.Context) error {
	return t.write(ctx, change{what: "change the task", in: t.checkRight})
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
// leaves it to be resumed. What was recorded is written; the lease is gone. An
// End that fails is made up for together with what is written next.
func (t *Task) End(ctx context.Context, turnID, reason string) error {
	s := standing{state: Idle, reason: reason}
	if reason == string(Interrupted) {
		s.state, s.turn = Interrupted, turnID
	}
	return t.giveUp(ctx, s)
}

// Abandon ends a turn as if it had not begun: the task stands as it did before.
// What was recorded is written all the same. It fails like End.
func (t *Task) Abandon(ctx context.Context) error {
	t.mu.Lock()
	s := t.before
	t.mu.Unlock()
	return t.giveUp(ctx, s)
}

func (t *Task) giveUp(ctx context.Context, s standing) error {
	end := t.ending(s)
	err := t.write(ctx, end)
	if err != nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.fence != 0 && !t.closed {
			t.owed = &end
			t.startFlusherLocked()
		}
	}
	return err
}

func (t *Task) ending(s standing) change {
	return change{what: "end a turn", settles: true,
		in: func(tx *tx, r *row) error {
			if err := t.checkRight(tx, r); err != nil {
				return err
			}
			if _, err := tx.exec("DELETE FROM leases WHERE task = ?", r.n); err != nil {
				return err
			}
			_, err := tx.exec("UPDATE tasks SET state = ?, stop_reason = ?, turn = ?, updated = ? WHERE n = ?",
				string(s.state), s.reason, s.turn, millis(t.s.now()), r.n)
			return err
		},
		done: func() {
			t.stopLocked()
			t.fence, t.turn, t.owed = 0, "", nil
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
	t.fence, t.turn, t.lost, t.owed = 0, "", true, nil
	clear(t.waiting)
}
