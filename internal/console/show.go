package console

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"clined/internal/event"
	"clined/internal/protocol"
)

// perRead is how many events of a task are asked for at once.
const perRead = 2000

// ShowTask writes what was said and done in a task to Out; full folds nothing.
func (f *Front) ShowTask(ctx context.Context, id string, full bool) error {
	res, err := f.read(ctx, id)
	if err != nil {
		return problem(err)
	}
	if f.o.JSON {
		return WriteJSON(f.o.Out, res)
	}
	o := f.o
	o.Err, o.OutTTY = o.Out, true
	r := newRenderer(o)
	r.past = past{on: true, full: full}
	r.heading(res.Task)
	for _, e := range inOrder(res.Events) {
		r.pastEvent(e.TurnID, e.Event.Event)
	}
	r.endStream()
	r.write(o.Out, "\n")
	r.standing(res.Task)
	return nil
}

// read reads all events of a task, the oldest first.
func (f *Front) read(ctx context.Context, id string) (*protocol.TaskReadResult, error) {
	p := protocol.TaskReadParams{TaskID: id, Limit: perRead}
	var pages [][]protocol.TaskEventParams
	for {
		res, err := f.daemon().TaskRead(ctx, &p)
		if err != nil {
			return nil, err
		}
		pages = append(pages, res.Events)
		if !res.More || len(res.Events) == 0 {
			slices.Reverse(pages)
			res.Events, res.More = slices.Concat(pages...), false
			return res, nil
		}
		p.Before = res.Events[0].Seq
	}
}

// heading tells which task it is.
func (r *renderer) heading(t protocol.TaskInfo) {
	r.line(r.p.strong(r.prose(titleOf(t), "")))
	r.line(r.p.faint(oneLine(clean(t.TaskID))))
	parts := []string{r.o.tilde(t.Cwd)}
	for _, p := range []string{clean(t.Mode), clean(t.Model), price(t.Cost)} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	if began := parseTime(t.Created); !began.IsZero() {
		parts = append(parts, "begun "+began.Local().Format("2006-01-02 15:04"))
	}
	r.line(r.p.faint(r.layOut(strings.Join(parts, " · "), "")))
}

// standing tells how a task stands and how to go on with it.
func (r *renderer) standing(t protocol.TaskInfo) {
	if t.Damage != "" {
		r.line(r.p.warn(r.prose(t.Damage, "")))
	}
	when := ago(r.o.now(), parseTime(t.Updated))
	command := "clined run --resume " + shortID(t.TaskID)
	if isInterrupted(t) {
		r.line(r.p.warn("interrupted " + when))
		r.line("go on: " + command)
		return
	}
	if t.Owner != nil {
		r.line(r.p.good(ownedBy(t)))
		return
	}
	r.line(r.p.faint(stateOf(t) + ", " + when))
	switch t.StopReason {
	case event.Completed, "":
		r.line("say more: " + command + ` "…"`)
	case event.PlanPresented:
		r.line("carry it out: " + command + ` --mode act "go ahead"`)
	default:
		r.line("go on: " + command)
	}
}

// ownedBy tells which other process runs a task.
func ownedBy(t protocol.TaskInfo) string {
	since := parseTime(t.Owner.Since).Local().Format("15:04:05")
	return fmt.Sprintf("another clined is at it: process %d, since %s", t.Owner.PID, since)
}
