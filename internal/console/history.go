package console

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"clined/internal/protocol"
	"clined/internal/rpc"
)

// Bounds of lists: what fits on a screen, and how much is asked for at once.
const (
	listed  = 20
	perPage = 500
)

// Listing says which tasks a list shows.
type Listing struct {
	// Cwd limits it to the tasks of that folder, an absolute path.
	Cwd string
	// Query is searched for in titles and in what was said.
	Query    string
	Favorite bool
	// All shows the old ones, too.
	All bool
}

// List writes a list of tasks to Out, the newest first.
func (f *Front) List(ctx context.Context, l Listing) error {
	p := protocol.TaskListParams{Cwd: l.Cwd, Query: l.Query, Favorite: l.Favorite, Limit: listed}
	if l.All {
		p.Limit = perPage
	}
	tasks, more, err := f.pages(ctx, p, l.All)
	if err != nil {
		return err
	}
	if f.o.JSON {
		return WriteJSON(f.o.Out, &protocol.TaskListResult{Tasks: tasks})
	}
	if len(tasks) == 0 {
		f.noTasks(l)
		return nil
	}
	t := newTable(f.o, tasks, l.Cwd == "")
	if _, err := fmt.Fprint(f.o.Out, t.String()); err != nil {
		return err
	}
	if more {
		f.show.note("these are the newest; all of them: clined tasks --all")
	}
	return nil
}

// noTasks says that there are none, and what that means.
func (f *Front) noTasks(l Listing) {
	switch {
	case l.Query != "":
		f.show.note(fmt.Sprintf("no task has all of these words: %s", oneLine(l.Query)))
	case l.Favorite:
		f.show.note("no task is a favorite; make it one: clined tasks favorite ID")
	case l.Cwd != "":
		f.show.note(fmt.Sprintf("no tasks in %s; those of all folders: clined tasks", f.o.tilde(l.Cwd)))
	default:
		f.show.note(`no tasks yet; begin one: clined run "what does this project do?"`)
	}
}

// pages lists tasks: one page, or all of them.
func (f *Front) pages(ctx context.Context, p protocol.TaskListParams, all bool) (tasks []protocol.TaskInfo, more bool, err error) {
	tasks = []protocol.TaskInfo{}
	for {
		res, err := f.daemon().TaskList(ctx, &p)
		if err != nil {
			return nil, false, problem(err)
		}
		tasks = append(tasks, res.Tasks...)
		if res.NextCursor == "" || !all {
			return tasks, res.NextCursor != "", nil
		}
		p.Cursor = res.NextCursor
	}
}

// Which names a task: by its id or a part of it, or as the last one of a folder.
type Which struct {
	ID string
	// Cwd is the folder that Last, or the id "last", goes by.
	Cwd  string
	Last bool
}

// idLength is that of a whole id, a UUID.
const idLength = 36

// Find returns the task that is meant. Errors tell what could be meant instead.
func (f *Front) Find(ctx context.Context, w Which) (protocol.TaskInfo, error) {
	if w.Last || w.ID == "last" {
		return f.newest(ctx, w.Cwd)
	}
	part := strings.ToLower(strings.TrimSpace(w.ID))
	if part == "" {
		return protocol.TaskInfo{}, &Problem{Text: "which task", Hint: "give its id, or a part of it: see clined tasks", Usage: true}
	}
	if len(part) == idLength {
		res, err := f.daemon().TaskRead(ctx, &protocol.TaskReadParams{TaskID: part, Limit: 1})
		switch {
		case err == nil:
			return res.Task, nil
		case !isCode(err, protocol.CodeTaskNotFound):
			return protocol.TaskInfo{}, problem(err)
		}
	}
	all, _, err := f.pages(ctx, protocol.TaskListParams{Limit: perPage}, true)
	if err != nil {
		return protocol.TaskInfo{}, err
	}
	return f.pick(part, all)
}

func isCode(err error, code int64) bool {
	var e *rpc.Error
	return errors.As(err, &e) && e.Code == code
}

// newest is the task of a folder that was last worked on.
func (f *Front) newest(ctx context.Context, cwd string) (protocol.TaskInfo, error) {
	res, err := f.daemon().TaskList(ctx, &protocol.TaskListParams{Cwd: cwd, Limit: 1})
	switch {
	case err != nil:
		return protocol.TaskInfo{}, problem(err)
	case len(res.Tasks) == 0:
		return protocol.TaskInfo{}, &Problem{Text: "there is no task in " + f.o.tilde(cwd), Hint: "those of all folders: clined tasks"}
	}
	return res.Tasks[0], nil
}

// candidates is how many tasks an error tells of.
const candidates = 8

// pick returns the one task whose id begins or ends with part, or is shown in
// short as what begins with it.
func (f *Front) pick(part string, all []protocol.TaskInfo) (protocol.TaskInfo, error) {
	var fit []protocol.TaskInfo
	for _, t := range all {
		if id := strings.ToLower(t.TaskID); id == part {
			return t, nil
		} else if strings.HasPrefix(id, part) || strings.HasSuffix(id, part) || strings.HasPrefix(shortID(id), part) {
			fit = append(fit, t)
		}
	}
	switch {
	case len(fit) == 1:
		return fit[0], nil
	case len(fit) > 1:
		text := fmt.Sprintf("%q fits %d tasks", part, len(fit))
		return protocol.TaskInfo{}, &Problem{Text: text + f.choices(fit), Hint: "give more of the id"}
	}
	if len(all) == 0 {
		return protocol.TaskInfo{}, &Problem{Text: fmt.Sprintf("there is no task %q; there are none at all", part)}
	}
	return protocol.TaskInfo{}, &Problem{
		Text: fmt.Sprintf("there is no task %q; the newest are", part) + f.choices(all[:min(len(all), 3)]),
		Hint: "all of them: clined tasks --all",
	}
}

// choices are lines that tell of tasks, with as much of their ids as tells them
// apart.
func (f *Front) choices(list []protocol.TaskInfo) string {
	var b strings.Builder
	ids := shortIDs(list)
	for i, t := range list {
		if i == candidates {
			fmt.Fprintf(&b, "\n  … %d more", len(list)-i)
			break
		}
		when := ago(f.o.now(), parseTime(t.Updated))
		fmt.Fprintf(&b, "\n  %s  %-10s  %s", ids[i], when, clip(titleOf(t), max(20, f.show.columns()-26)))
	}
	return b.String()
}

// Export writes a task down; format is "markdown" or "json".
func (f *Front) Export(ctx context.Context, id, format string) (*protocol.TaskExportResult, error) {
	res, err := f.daemon().TaskExport(ctx, &protocol.TaskExportParams{TaskID: id, Format: format})
	if err != nil {
		return nil, problem(err)
	}
	return res, nil
}

// Rename gives a task another title.
func (f *Front) Rename(ctx context.Context, t protocol.TaskInfo, title string) error {
	if _, err := f.daemon().TaskRename(ctx, &protocol.TaskRenameParams{TaskID: t.TaskID, Title: title}); err != nil {
		return problem(err)
	}
	f.show.note(fmt.Sprintf("%s is now %q", shortID(t.TaskID), oneLine(title)))
	return nil
}

// Favorite marks a task, or takes the mark away.
func (f *Front) Favorite(ctx context.Context, t protocol.TaskInfo, on bool) error {
	if _, err := f.daemon().TaskFavorite(ctx, &protocol.TaskFavoriteParams{TaskID: t.TaskID, Favorite: on}); err != nil {
		return problem(err)
	}
	word := "a favorite now"
	if !on {
		word = "no favorite any more"
	}
	f.show.note(fmt.Sprintf("%q is %s", titleOf(t), word))
	return nil
}

// parseTime reads a time of the protocol; the zero time for none.
func parseTime(s string) time.Time {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return time.Time{}
	}
	return t
}
