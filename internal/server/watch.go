package server

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"time"

	"clined/internal/event"
	"clined/internal/protocol"
)

// watchEvery is how often the store is looked at for what another process does in
// a task that the editor follows.
const watchEvery = 2 * time.Second

// watch follows what another process does in a task: that process tells nobody
// here, so the store is looked at, from an attach that finds it at work until the
// task is given back or taken over here, or nobody follows it any more.
type watch struct {
	ctx  context.Context
	stop context.CancelFunc
	wg   sync.WaitGroup

	mu sync.Mutex // guards the rest
	// runs is true while the store is looked at; asked counts what asked for that.
	runs  bool
	asked int
}

func newWatch(ctx context.Context) *watch {
	ctx, stop := context.WithCancel(ctx)
	return &watch{ctx: ctx, stop: stop}
}

// begin has look called until it says that there is nothing more to come.
func (w *watch) begin(look func(context.Context) (more bool)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked++
	if w.runs || w.ctx.Err() != nil {
		return
	}
	w.runs = true
	w.wg.Go(func() {
		tick := time.NewTicker(watchEvery)
		defer tick.Stop()
		for asked := 0; ; {
			select {
			case <-w.ctx.Done():
				return
			case <-tick.C:
			}
			w.mu.Lock()
			asked = w.asked
			w.mu.Unlock()
			if !look(w.ctx) && w.ends(asked) {
				return
			}
		}
	})
}

// ends is false when there was another begin meanwhile.
func (w *watch) ends(asked int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.runs = asked != w.asked
	return !w.runs
}

// close ends it and waits.
func (w *watch) close() {
	w.mu.Lock()
	w.stop() // nothing begins any more
	w.mu.Unlock()
	w.wg.Wait()
}

// follow has the editor told of what another process does in the task.
func (t *task) follow() {
	given := false // nobody ran it when it was looked at last
	t.watch.begin(func(ctx context.Context) (more bool) {
		info, items, err := t.changes(ctx)
		switch {
		case errors.Is(err, ErrNoTask):
			return false
		case err != nil:
			t.s.log.Debug("what another process does in a task is not known", "task", t.id, "err", err)
			return t.stream.follows()
		case !t.stream.tellOthers(items):
			return t.stream.follows()
		case !t.stream.follows() || t.stream.busy():
			return false
		case info.Owner != nil:
			given = false
			return true
		case !given: // the end of the turn may be on its way to the disk
			given = true
			return true
		}
		reason := info.StopReason
		if info.State == string(event.Interrupted) || reason == "" {
			reason = event.Interrupted
		}
		return !t.stream.tellOthersEnd(reason)
	})
}

// changes are how the task stands and what changed since the editor was told last,
// by Seq.
func (t *task) changes(ctx context.Context) (info protocol.TaskInfo, items []event.Item, err error) {
	h := t.s.session.History()
	if info, err = h.Info(ctx, t.id); err != nil {
		return info, nil, err
	}
	since, upTo := t.stream.othersUpTo(), int64(math.MaxInt64)
	for before := int64(0); ; {
		page, front, err := h.Items(ctx, t.id, since, before, maxEvents, pageBytes)
		if err != nil {
			return info, nil, err
		}
		items = append(items, page...)
		if before == 0 && front != 0 { // what changes between the pages is for the next look
			upTo = slices.MaxFunc(append(page, event.Item{}), bySeq).Seq
		}
		if before = front; before == 0 {
			break
		}
	}
	items = slices.DeleteFunc(items, func(it event.Item) bool { return it.Seq > upTo })
	slices.SortFunc(items, bySeq)
	return info, items, nil
}

func bySeq(a, b event.Item) int { return cmp.Compare(a.Seq, b.Seq) }

// others is what the editor knows of what other processes do in a task.
type others struct {
	// upTo is the number of the last event of theirs that it was told.
	upTo int64
	// runs is true while one of them runs the turn.
	runs bool
	turn string
}

// othersRun notes how an attach, or a prompt that was refused, found the task; page
// is what was told of it.
func (st *stream) othersRun(runs bool, page []event.Item) {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.others.runs = runs
	for _, it := range page {
		if _, ok := it.Event.(event.State); ok {
			st.others.turn = it.TurnID
		}
	}
}

func (st *stream) othersUpTo() int64 {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.others.upTo
}

// follows tells whether the editor follows the task.
func (st *stream) follows() bool {
	st.mu.Lock()
	defer st.mu.Unlock()
	return !st.detached && !st.closed
}

// tellOthers tells the editor of what other processes recorded. It tells nothing,
// and false, while events are held back.
func (st *stream) tellOthers(items []event.Item) bool {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.held > 0 {
		return false
	}
	for _, it := range items {
		if it.Seq <= st.others.upTo || st.record.Gave(it.Seq) {
			continue
		}
		st.others.upTo = it.Seq
		if state, ok := it.Event.(event.State); ok {
			st.others.runs, st.others.turn = state.State != event.Idle, it.TurnID
		}
		if st.active && event.Moves(it.Event) {
			continue // how the task stands is told by the turn that runs here
		}
		seq := it.Seq
		if seq <= st.last { // the editor would take it for old
			seq = st.nextLocked()
		}
		st.sendLocked(eventParams(st.taskID, seq, it.TurnID, it.Time, it.Event))
	}
	return true
}

// tellOthersEnd tells the editor of the end of a turn of theirs, if it was not told
// of it: who ran it did not come to it. It is false while events are held back.
func (st *stream) tellOthersEnd(reason event.StopReason) bool {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.held > 0 {
		return false
	}
	if st.others.runs && !st.active {
		st.others.runs = false
		end := event.State{State: event.Idle, StopReason: reason}
		st.sendLocked(eventParams(st.taskID, st.nextLocked(), st.others.turn, st.s.o.Now(), end))
	}
	return true
}
