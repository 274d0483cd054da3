package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"time"

	"clined/internal/event"
	"clined/internal/protocol"
	"clined/internal/server"
	"clined/internal/store"
)

// history shows the store to editors. It implements server.History.
type history struct{ s *store.Store }

// Damage tells in words what was found damaged in what is stored and what became of
// it, "" if nothing was.
func (d *Daemon) Damage() string { return d.store.Trouble() }

// List implements server.History.
func (h history) List(ctx context.Context, p protocol.TaskListParams) (*protocol.TaskListResult, error) {
	list, next, err := h.s.List(ctx, store.Query{Cwds: p.Cwds, Text: p.Query, Favorite: p.Favorite, Cursor: p.Cursor, Limit: p.Limit})
	if err != nil {
		return nil, historyError(err)
	}
	res := &protocol.TaskListResult{NextCursor: next}
	for _, info := range list {
		res.Tasks = append(res.Tasks, taskInfo(info))
	}
	return res, nil
}

// Info implements server.History.
func (h history) Info(ctx context.Context, id string) (protocol.TaskInfo, error) {
	h.settle(ctx, id)
	info, err := h.s.Info(ctx, id)
	return taskInfo(info), historyError(err)
}

// settleLimit is how long the disk is waited for before a task is read.
const settleLimit = time.Second

// settle has what a task of this process told a moment ago be on disk before it is
// read. Where the disk does not take it, the store has said so, and what is there
// is of use all the same.
func (h history) settle(ctx context.Context, id string) {
	ctx, cancel := context.WithTimeout(ctx, settleLimit)
	defer cancel()
	_ = h.s.Sync(ctx, id)
}

// Items implements server.History. What a task of this process recorded a moment
// ago is among them.
func (h history) Items(ctx context.Context, id string, since, before int64, limit, bytes int) (items []event.Item, front int64, err error) {
	h.settle(ctx, id)
	t, err := h.s.Task(ctx, id)
	if err != nil {
		return nil, 0, historyError(err)
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	items, front, err = t.Items(ctx, store.ItemQuery{Since: since, Before: before, Limit: limit, Bytes: bytes})
	return items, front, historyError(err)
}

// Rename implements server.History.
func (h history) Rename(ctx context.Context, id, title string) error {
	return historyError(h.s.Rename(ctx, id, title))
}

// SetFavorite implements server.History.
func (h history) SetFavorite(ctx context.Context, id string, on bool) error {
	return historyError(h.s.SetFavorite(ctx, id, on))
}

// Delete implements server.History.
func (h history) Delete(ctx context.Context, id string) error {
	return historyError(h.s.Delete(ctx, id))
}

// Export implements server.History.
func (h history) Export(ctx context.Context, id, format string, w io.Writer) error {
	return historyError(h.s.Export(ctx, id, format, w))
}

// taskInfo puts a task as the store knows it into the protocol's terms.
func taskInfo(i store.Info) protocol.TaskInfo {
	info := protocol.TaskInfo{
		TaskID: i.ID, Title: i.Title, Cwd: i.Cwd, Roots: i.Roots, Created: stamp(i.Created), Updated: stamp(i.Updated),
		Mode: i.Mode, Model: i.Model, Favorite: i.Favorite, State: string(i.State),
		StopReason: event.StopReason(i.StopReason), Messages: i.Messages, Damage: i.Damage,
	}
	if info.Roots == nil {
		info.Roots = []string{}
	}
	if o := i.Owner; o != nil && o.PID != os.Getpid() {
		info.Owner = &protocol.TaskOwner{PID: o.PID, Since: stamp(o.Since)}
	}
	var t totals
	if json.Unmarshal(i.Totals, &t) == nil {
		info.TokensIn, info.TokensOut, info.Cost = t.TokensIn, t.TokensOut, t.Cost
	}
	return info
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z07:00") }

// historyError puts the store's errors into the terms of server and agent.
func historyError(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return server.ErrNoTask
	}
	return journalError(err)
}

var _ server.History = history{}
