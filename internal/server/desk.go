package server

import (
	"context"
	"slices"
	"sync"

	"clined/internal/approval"
	"clined/internal/event"
	"clined/internal/protocol"
	"clined/internal/rpc"
)

// remembered is how many settled decisions are told from unknown ones.
const remembered = 1000

// desk holds the approvals and questions that wait for the user. They live
// until an answer counts or their turn ends; a lost request, a null or a bad
// answer leaves them where they are. The editor is asked for one at a time of
// each task: what waits in one task must not hide what another one asks. Of
// LSP's messages it is shown one at a time, for some editors show no more.
type desk struct {
	s  *server
	wg sync.WaitGroup // requests to the editor

	mu     sync.Mutex
	open   []*decision         // oldest first
	shown  map[*task]*decision // what the editor is being asked for, by place
	past   []string            // ids of settled ones, newest last
	closed bool
}

// decision is one open approval or question.
type decision struct {
	t       *task
	pending event.PendingAction
	// params are those of the request to the editor.
	params any
	// judge turns an outcome into the answer, or says why it does not count.
	judge func(outcome any) (answer any, err error)
	// present asks the editor and returns its outcome, nil for none; it is nil
	// when the editor cannot be asked.
	present func(ctx context.Context) (outcome any, err error)
	// byMessage: present shows one of LSP's messages.
	byMessage bool
	// reminder, if set, tells the user how to decide without being asked.
	reminder string
	// note is the decision in the task's Markdown file.
	note string
	// resolved, if set, tells the editor that it is closed; the outcome is nil
	// when it was withdrawn.
	resolved func(outcome any)

	// Guarded by desk.mu.
	offered bool
	cancel  context.CancelFunc // of the request to the editor
	// answer is set before done is closed.
	answer any
	done   chan struct{}
}

// place is what stands for the one place on the screen that d is shown in: its
// task, or nil for the editor's messages.
func (d *decision) place() *task {
	if d.byMessage {
		return nil
	}
	return d.t
}

func newDesk(s *server) *desk { return &desk{s: s, shown: map[*task]*decision{}} }

// wait puts d on the desk until it is settled or ctx ends. It fails with
// approval.ErrNobody when the session has ended.
func (k *desk) wait(ctx context.Context, d *decision) (any, error) {
	d.done = make(chan struct{})
	k.mu.Lock()
	if k.closed {
		k.mu.Unlock()
		return nil, approval.ErrNobody
	}
	k.open = append(k.open, d)
	if d.note != "" {
		d.t.stream.plain.expect(d.pending.ID, d.note)
	}
	k.tellLocked(d.t)
	k.presentNextLocked(d.place())
	k.mu.Unlock()
	select {
	case <-d.done:
		return d.answer, nil
	case <-ctx.Done():
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if !slices.Contains(k.open, d) { // settled at the same moment
		return d.answer, nil
	}
	k.removeLocked(d)
	if d.resolved != nil {
		d.resolved(nil)
	}
	if k.hasLocked(d.t) {
		k.tellLocked(d.t)
	}
	return nil, ctx.Err()
}

// settle closes the decision of that id if the outcome counts; else it stays
// open and the error says why. The first outcome that counts wins.
func (k *desk) settle(kind, id string, outcome any) (*protocol.RespondResult, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	i := slices.IndexFunc(k.open, func(d *decision) bool { return d.pending.Kind == kind && d.pending.ID == id })
	if i < 0 {
		if slices.Contains(k.past, id) {
			return &protocol.RespondResult{Status: "alreadyResolved"}, nil
		}
		return nil, rpc.Errorf(protocol.CodeApprovalGone, "there is no open %s %q", kind, id)
	}
	d := k.open[i]
	answer, err := d.judge(outcome)
	if err != nil {
		return nil, err
	}
	d.answer = answer
	if d.note != "" {
		d.t.stream.plain.decided(answer)
	}
	k.removeLocked(d)
	if d.resolved != nil {
		d.resolved(outcome)
	}
	k.tellLocked(d.t)
	close(d.done)
	return &protocol.RespondResult{Status: "accepted"}, nil
}

// removeLocked takes d off the desk, withdraws the request to the editor and
// asks for the next one.
func (k *desk) removeLocked(d *decision) {
	k.open = slices.DeleteFunc(k.open, func(o *decision) bool { return o == d })
	k.past = append(k.past, d.pending.ID)
	if len(k.past) > remembered {
		k.past = k.past[1:]
	}
	if d.cancel != nil {
		d.cancel()
	}
	k.nextLocked(d)
}

// nextLocked goes on behind d, if the editor was being asked for it.
func (k *desk) nextLocked(d *decision) {
	if place := d.place(); k.shown[place] == d {
		delete(k.shown, place)
		k.presentNextLocked(place)
	}
}

// presentNextLocked asks the editor for the oldest of a place that it was not
// asked for yet.
func (k *desk) presentNextLocked(place *task) {
	if k.shown[place] != nil || k.closed {
		return
	}
	i := slices.IndexFunc(k.open, func(d *decision) bool { return d.place() == place && !d.offered && d.present != nil })
	if i < 0 {
		return
	}
	d := k.open[i]
	ctx, cancel := context.WithCancel(k.s.ctx)
	d.cancel, d.offered, k.shown[place] = cancel, true, d
	k.wg.Go(func() {
		defer cancel()
		d.t.stream.whenReleased(ctx)
		k.ask(ctx, d)
	})
}

// ask puts d to the editor. Whatever comes back that is no answer leaves d
// open, to be answered out of band.
func (k *desk) ask(ctx context.Context, d *decision) {
	outcome, err := d.present(ctx)
	if ctx.Err() != nil { // settled or withdrawn meanwhile
		return
	}
	why := "the editor answered with an error"
	if err == nil && outcome != nil {
		if _, err = k.settle(d.pending.Kind, d.pending.ID, outcome); err == nil {
			return
		}
		why = "the answer does not count"
	}
	k.mu.Lock()
	k.nextLocked(d)
	k.mu.Unlock()
	if err != nil {
		k.s.tell(ctx, d.pending.Kind+" stays open, "+why+": "+err.Error())
	} else {
		k.s.log.Info("no decision; it stays open", "kind", d.pending.Kind, "id", d.pending.ID)
	}
	if d.reminder != "" {
		k.s.say(protocol.MessageInfo, d.reminder)
	}
}

// offerAgain asks once more for what the user was shown by a message and left open.
func (k *desk) offerAgain() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, d := range k.open {
		if d.byMessage && k.shown[nil] != d {
			d.offered = false
		}
	}
	k.presentNextLocked(nil)
}

// waiting are the open decisions of a kind; taskID "" is all tasks.
func (k *desk) waiting(kind, taskID string) []event.PendingAction {
	k.mu.Lock()
	defer k.mu.Unlock()
	var list []event.PendingAction
	for _, d := range k.open {
		if (kind == "" || d.pending.Kind == kind) && (taskID == "" || d.t.id == taskID) {
			list = append(list, d.pending)
		}
	}
	return list
}

// list returns what is open, whole; taskID "" is all tasks.
func (k *desk) list(taskID string) *protocol.ApprovalListResult {
	k.mu.Lock()
	defer k.mu.Unlock()
	res := &protocol.ApprovalListResult{Approvals: []protocol.ApprovalRequestParams{}, Asks: []protocol.AskParams{}}
	for _, d := range k.open {
		if taskID != "" && d.t.id != taskID {
			continue
		}
		switch p := d.params.(type) {
		case *protocol.ApprovalRequestParams:
			res.Approvals = append(res.Approvals, *p)
		case *protocol.AskParams:
			res.Asks = append(res.Asks, *p)
		}
	}
	return res
}

func (k *desk) hasLocked(t *task) bool {
	return slices.ContainsFunc(k.open, func(d *decision) bool { return d.t == t })
}

// tellLocked tells a task's followers what waits for the user now.
func (k *desk) tellLocked(t *task) {
	state := event.State{State: event.Running}
	for _, d := range k.open {
		if d.t == t {
			state.State = event.RequiresAction
			state.Pending = append(state.Pending, d.pending)
		}
	}
	t.stream.Emit(t.stream.running(), state)
}

// close waits for the requests to the editor, which end with the session.
func (k *desk) close() {
	k.mu.Lock()
	k.closed = true
	k.mu.Unlock()
	k.wg.Wait()
}
