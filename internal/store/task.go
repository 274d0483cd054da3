package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"
)

// New describes a task that begins.
type New struct {
	// ID must be new; a UUIDv7.
	ID string
	// Cwd and Roots are absolute paths.
	Cwd   string
	Roots []string
	Mode  string
}

// Task is one task. Its methods may be called from any goroutine. Only who
// holds its lease, by Begin, should add to it.
type Task struct {
	s   *Store
	id  string
	dir string

	// flushing is held by whoever writes for this task, so that what was
	// recorded first is written first. It is taken before Store.writing.
	flushing semaphore
	// work counts the goroutines of this task; life ends them, and what they write.
	work sync.WaitGroup
	life context.Context
	die  context.CancelFunc

	mu sync.Mutex
	// fresh describes a task that has no row yet.
	fresh *New
	numbers
	buffer
	lease
	// broken is the head behind which the transcript could not be read; sound
	// is the message that can be gone on from, depth its place.
	broken, sound, depth int64
	closed               bool
}

// Create begins a task. Nothing is written before its first event or turn, so a
// task that nobody ever prompted leaves no trace.
func (s *Store) Create(ctx context.Context, n New) (*Task, error) {
	if err := checkID(n.ID); err != nil {
		return nil, err
	}
	t := s.newTask(n.ID)
	t.fresh = &n
	// Nobody else knows this id: the first block needs no asking.
	t.next, t.limit, t.blocks = 1, seqBlock, [][2]int64{{1, seqBlock}}
	return t, s.add(ctx, t)
}

// Task returns a task that exists, or ErrNotFound.
func (s *Store) Task(ctx context.Context, id string) (*Task, error) {
	t := s.newTask(id)
	err := s.read(ctx, "read a task", func(view *sql.Tx) error {
		return found(id, view.QueryRowContext(ctx, "SELECT "+soundLast+" FROM tasks WHERE id = ?", id).Scan(&t.last))
	})
	if err != nil {
		return nil, err
	}
	return t, s.add(ctx, t)
}

func (s *Store) newTask(id string) *Task {
	t := &Task{s: s, id: id, dir: s.taskDir(id), flushing: newSemaphore(), buffer: buffer{waiting: map[string]*Item{}}}
	t.life, t.die = context.WithCancel(context.Background())
	return t
}

func (s *Store) add(ctx context.Context, t *Task) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errClosed
	}
	s.tasks[t] = struct{}{}
	return ctx.Err()
}

// found makes ErrNotFound of a missing row.
func found(id string, err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("task %q: %w", id, ErrNotFound)
	}
	return err
}

// ID returns the task's id.
func (t *Task) ID() string { return t.id }

// Dir is the task's folder, which may not exist yet.
func (t *Task) Dir() string { return t.dir }

// isFresh tells that nothing of the task is on disk.
func (t *Task) isFresh() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.fresh != nil
}

// closeLimit is how long a Close waits for others that use the disk.
const closeLimit = 2 * time.Second

// Close writes what waits, gives up a lease, which leaves its turn interrupted,
// and ends the task's goroutines. It waits two seconds at most for other
// processes. What could not be written is lost, and told by the error.
func (t *Task) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeLimit)
	defer cancel()
	return t.close(ctx)
}

func (t *Task) close(ctx context.Context) error {
	t.die() // what the task's goroutines write must not be waited for
	// Nobody who writes now starts a goroutine behind the wait for them.
	alone := t.flushing.take(ctx) == nil
	t.mu.Lock()
	was, held, waits, end := t.closed, t.fence != 0, len(t.waiting) > 0, t.ending(standing{Interrupted, t.turn, string(Interrupted)})
	t.closed = true
	if t.owed != nil {
		end = *t.owed
	}
	t.mu.Unlock()
	if alone {
		t.flushing.give()
	}
	if was {
		return nil
	}
	t.work.Wait()
	var err error
	switch {
	case held:
		end.last = true
		err = t.write(ctx, end)
	case waits:
		err = t.write(ctx, change{what: "keep events", in: t.checkFence, last: true})
	}
	if errors.Is(err, ErrLost) {
		err = nil
	}
	t.s.mu.Lock()
	delete(t.s.tasks, t)
	t.s.mu.Unlock()
	return err
}

// row is what writers need to know of a task.
type row struct {
	n, head, depth, version, fence, seqBlock int64
}

// rowIn reads the task's row, and makes it if this is its first write.
func (t *Task) rowIn(tx *tx) (r row, err error) {
	query := "SELECT n, head, depth, version, fence, " + soundBlock + " FROM tasks WHERE id = ?"
	err = tx.get(query, []any{t.id}, &r.n, &r.head, &r.depth, &r.version, &r.fence, &r.seqBlock)
	t.mu.Lock()
	fresh := t.fresh
	t.mu.Unlock()
	switch {
	case err == nil && fresh != nil:
		return r, fmt.Errorf("task %q exists already", t.id)
	case !errors.Is(err, sql.ErrNoRows):
		return r, err
	case fresh == nil:
		return r, t.s.goneTask(t.id)
	}
	roots, err := json.Marshal(fresh.Roots)
	if err != nil {
		return r, err
	}
	now := millis(t.s.now())
	r = row{seqBlock: seqBlock}
	r.n, err = tx.insert("INSERT INTO tasks (id, cwd, roots, mode, created, updated, seq_block) VALUES (?, ?, ?, ?, ?, ?, ?)",
		t.id, fresh.Cwd, string(roots), fresh.Mode, now, now, r.seqBlock)
	return r, err
}

// change is a write for a task.
type change struct {
	// what it does, in words that follow "cannot".
	what string
	// settles is true for the beginning and the end of a turn, before which no
	// End is made up for.
	settles bool
	// in runs in the transaction, before what waits is written.
	in func(*tx, *row) error
	// after runs in the transaction, behind what waits; it may be nil.
	after func(*tx, *row) error
	// last is true for what Close does.
	last bool
	// done runs once all is on disk, with mu held; it may be nil.
	done func()
}

// write makes a change, in one transaction with all that waits to be written.
func (t *Task) write(ctx context.Context, c change) error {
	if err := t.flushing.take(ctx); err != nil {
		return err
	}
	defer t.flushing.give()
	t.mu.Lock()
	closed := t.closed
	t.mu.Unlock()
	if closed && !c.last {
		return errClosed
	}
	batch := t.takeBatch()
	owed := t.owes(&c)
	var block, last int64
	var ahead bool
	err := t.s.write(ctx, c.what, func(tx *tx) (err error) {
		r, err := t.rowIn(tx)
		if err != nil {
			return err
		}
		if err := c.in(tx, &r); err != nil {
			return err
		}
		if owed != nil {
			if err := owed.in(tx, &r); err != nil {
				return err
			}
		}
		if last, err = writeItems(tx, r.n, batch.items); err != nil {
			return err
		}
		if c.after != nil {
			if err := c.after(tx, &r); err != nil {
				return err
			}
		}
		block, ahead, err = t.reserveIn(tx, &r)
		return err
	})
	t.mu.Lock()
	defer t.mu.Unlock()
	if err != nil {
		t.giveBackLocked(batch, err)
		return err
	}
	t.fresh = nil
	t.flushed = batch.mark
	t.last = max(t.last, last)
	t.gotBlockLocked(block, ahead)
	if c.done != nil {
		c.done()
	}
	if owed != nil {
		owed.done()
	}
	return nil
}

// owes returns the End that is to be made up for together with c.
func (t *Task) owes(c *change) *change {
	t.mu.Lock()
	defer t.mu.Unlock()
	if c.settles {
		return nil
	}
	return t.owed
}
