package server

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"clined/internal/agent"
	"clined/internal/event"
	"clined/internal/protocol"
	"clined/internal/rpc"
)

// Bounds of pages.
const (
	defaultTasks, maxTasks   = 50, 500
	defaultEvents, maxEvents = 200, 2000
	// pageBytes is what the events of a page may have together, in JSON, if they are
	// more than one: an editor reads an answer in one go and takes no key meanwhile.
	pageBytes = 1 << 20
	// maxFolders is how many a list can be limited to.
	maxFolders = 1000
)

// Bounds of what the user writes beside prompts: characters of a title, and bytes
// of a checklist, which each request may carry.
const (
	maxTitle     = 200
	maxChecklist = 64 << 10
)

// TaskList lists what is stored, and how the tasks of this process stand.
func (s *server) TaskList(ctx context.Context, p *protocol.TaskListParams) (*protocol.TaskListResult, error) {
	q := *p
	var err error
	if q.Limit, err = limit(p.Limit, defaultTasks, maxTasks); err != nil {
		return nil, err
	}
	q.Cwd = ""
	if q.Cwds, err = listedFolders(p); err != nil {
		return nil, err
	}
	res, err := s.session.History().List(ctx, q)
	if err != nil {
		return nil, storeError("", err)
	}
	for i := range res.Tasks {
		s.waits(&res.Tasks[i])
	}
	if res.Tasks == nil {
		res.Tasks = []protocol.TaskInfo{}
	}
	return res, nil
}

// listedFolders are those that a list is limited to; none means all.
func listedFolders(p *protocol.TaskListParams) (folders []string, err error) {
	if len(p.Cwds) > maxFolders {
		return nil, protocol.InvalidParams("cwds", "has more than %d folders", maxFolders)
	}
	for _, path := range p.Cwds {
		if path, err = absolute("cwds", path); err != nil {
			return nil, err
		}
		folders = append(folders, path)
	}
	if p.Cwd != "" {
		path, err := absolute("cwd", p.Cwd)
		if err != nil {
			return nil, err
		}
		folders = append(folders, path)
	}
	return folders, nil
}

// waits marks a task of this process that waits for the user.
func (s *server) waits(info *protocol.TaskInfo) {
	if info.State == string(event.Running) && len(s.desk.waiting("", info.TaskID)) > 0 {
		info.State = string(event.RequiresAction)
	}
}

func limit(asked, standard, most int) (int, error) {
	switch {
	case asked < 0:
		return 0, protocol.InvalidParams("limit", "must not be negative")
	case asked == 0:
		return standard, nil
	}
	return min(asked, most), nil
}

// TaskAttach follows a task: one of this session, or one that is stored.
func (s *server) TaskAttach(ctx context.Context, p *protocol.TaskAttachParams) (*protocol.TaskAttachResult, error) {
	n, err := limit(p.Limit, defaultEvents, maxEvents)
	if err != nil {
		return nil, err
	}
	t, err := s.open(ctx, p.TaskID)
	if err != nil {
		return nil, err
	}
	t.stream.hold()
	rpc.AfterReply(ctx, t.stream.release)
	var res protocol.TaskAttachResult
	var page past
	var open []event.Item
	later := func(it event.Item) bool { return it.Seq > res.Seq }
	for range attachTries {
		res.Seq, open = t.stream.attach()
		if page, err = s.past(ctx, t.id, p.SinceSeq, 0, n); err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(page.items, later) {
			break
		}
	}
	// What happened in between comes by itself, or with the next attach.
	page.items = withUnfinished(slices.DeleteFunc(page.items, later), open, p.SinceSeq)
	res.Task, res.Events, res.More = page.task, eventsOf(t.id, page.items), page.front != 0
	if p.SinceSeq == 0 {
		res.Before = page.front
	}
	if t.stream.othersRun(page.task.Owner != nil, page.items); page.task.Owner != nil {
		t.follow()
	}
	if res.Pending = s.desk.waiting("", t.id); res.Pending == nil {
		res.Pending = []event.PendingAction{}
	}
	return &res, nil
}

// attachTries is how often the past of a task is read that goes on meanwhile.
const attachTries = 3

// past is a page of a task; see History.Items.
type past struct {
	task  protocol.TaskInfo
	items []event.Item
	front int64
}

func (s *server) past(ctx context.Context, id string, since, before int64, limit int) (p past, err error) {
	p.task, err = s.session.History().Info(ctx, id)
	t := s.live(id)
	if errors.Is(err, ErrNoTask) && t != nil && !t.stored.Load() { // nothing was said in it yet
		p.task = protocol.TaskInfo{TaskID: id, State: string(event.Idle), Roots: []string{}}
		return p, nil
	}
	if err != nil {
		return p, storeError(id, err)
	}
	if t != nil {
		t.stored.Store(true)
	}
	s.waits(&p.task)
	if p.items, p.front, err = s.session.History().Items(ctx, id, since, before, limit, pageBytes); err != nil {
		return p, storeError(id, err)
	}
	return p, nil
}

func eventsOf(id string, items []event.Item) []protocol.TaskEventParams {
	events := make([]protocol.TaskEventParams, len(items))
	for i, it := range items {
		events[i] = *eventParams(id, it.Seq, it.TurnID, it.Time, it.Event)
	}
	return events
}

// open returns a task of this session; one that is only stored becomes one.
func (s *server) open(ctx context.Context, id string) (*task, error) {
	if id == "" {
		return nil, protocol.InvalidParams("taskId", "is missing")
	}
	s.opening.Lock()
	defer s.opening.Unlock()
	if t := s.live(id); t != nil {
		return t, nil
	}
	return s.makeTask(ctx, TaskSpec{ID: id, Stored: true}, nil)
}

func (s *server) live(id string) *task {
	s.tasksMu.Lock()
	defer s.tasksMu.Unlock()
	return s.tasks[id]
}

// TaskDetach ends the events of a task. What runs in it goes on; one that is
// idle is put away.
func (s *server) TaskDetach(_ context.Context, p *protocol.TaskDetachParams) (*protocol.Empty, error) {
	t, err := s.find(p.TaskID)
	if err != nil {
		return nil, err
	}
	t.stream.detach()
	if !t.stream.goesOn() {
		s.forget(t.id)
		t.close()
	}
	return &protocol.Empty{}, nil
}

// TaskRead pages through a task's past.
func (s *server) TaskRead(ctx context.Context, p *protocol.TaskReadParams) (*protocol.TaskReadResult, error) {
	n, err := limit(p.Limit, defaultEvents, maxEvents)
	if err != nil {
		return nil, err
	}
	if p.TaskID == "" {
		return nil, protocol.InvalidParams("taskId", "is missing")
	}
	page, err := s.past(ctx, p.TaskID, 0, p.Before, n)
	if err != nil {
		return nil, err
	}
	return &protocol.TaskReadResult{
		Task: page.task, Events: eventsOf(p.TaskID, page.items), More: page.front != 0, Before: page.front,
	}, nil
}

// TaskDelete removes a task from the disk. One that runs is not removed.
func (s *server) TaskDelete(ctx context.Context, p *protocol.TaskDeleteParams) (*protocol.Empty, error) {
	if p.TaskID == "" {
		return nil, protocol.InvalidParams("taskId", "is missing")
	}
	if t := s.live(p.TaskID); t != nil {
		if t.stream.busy() {
			return nil, rpc.Errorf(protocol.CodeTaskBusy, "the task is at work; stop it first")
		}
		s.forget(t.id)
		t.close()
	}
	if err := s.session.History().Delete(ctx, p.TaskID); err != nil {
		return nil, taskError(p.TaskID, err)
	}
	return &protocol.Empty{}, nil
}

// TaskRename gives a task another title.
func (s *server) TaskRename(ctx context.Context, p *protocol.TaskRenameParams) (*protocol.Empty, error) {
	title := event.CleanTitle(p.Title)
	switch {
	case p.TaskID == "":
		return nil, protocol.InvalidParams("taskId", "is missing")
	case title == "":
		return nil, protocol.InvalidParams("title", "is missing")
	case utf8.RuneCountInString(title) > maxTitle:
		return nil, protocol.InvalidParams("title", "is longer than %d characters", maxTitle)
	}
	if err := s.session.History().Rename(ctx, p.TaskID, title); err != nil {
		return nil, storeError(p.TaskID, err)
	}
	if t := s.live(p.TaskID); t != nil {
		t.stream.Emit("", event.Info{Title: title})
	}
	return &protocol.Empty{}, nil
}

// TaskFavorite marks a task, or takes the mark away.
func (s *server) TaskFavorite(ctx context.Context, p *protocol.TaskFavoriteParams) (*protocol.Empty, error) {
	if p.TaskID == "" {
		return nil, protocol.InvalidParams("taskId", "is missing")
	}
	if err := s.session.History().SetFavorite(ctx, p.TaskID, p.Favorite); err != nil {
		return nil, storeError(p.TaskID, err)
	}
	return &protocol.Empty{}, nil
}

// TaskExport writes a task down.
func (s *server) TaskExport(ctx context.Context, p *protocol.TaskExportParams) (*protocol.TaskExportResult, error) {
	format, ending := p.Format, ".md"
	switch format {
	case "":
		format = "markdown"
	case "markdown":
	case "json":
		ending = ".json"
	default:
		return nil, protocol.InvalidParams("format", `%q is unknown; use "markdown" or "json"`, p.Format)
	}
	if p.TaskID == "" {
		return nil, protocol.InvalidParams("taskId", "is missing")
	}
	info, err := s.session.History().Info(ctx, p.TaskID)
	if err != nil {
		return nil, storeError(p.TaskID, err)
	}
	var b strings.Builder
	if err := s.session.History().Export(ctx, p.TaskID, format, &b); err != nil {
		return nil, storeError(p.TaskID, err)
	}
	return &protocol.TaskExportResult{Text: b.String(), FileName: fileName(info.Title) + ending}, nil
}

// fileName makes a title a file name: letters and digits of any script, and
// hyphens.
func fileName(title string) string {
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	name := []rune(strings.Join(words, "-"))
	if len(name) > 60 {
		name = name[:60]
	}
	if len(name) == 0 {
		return "task"
	}
	return strings.Trim(string(name), "-")
}

// TaskResume goes on with what was interrupted.
func (s *server) TaskResume(ctx context.Context, p *protocol.TaskResumeParams) (*protocol.TaskPromptResult, error) {
	var prompt agent.Prompt
	if len(p.Prompt) > 0 {
		var err error
		if prompt.Parts, err = parts("prompt", p.Prompt); err != nil {
			return nil, err
		}
	}
	t, err := s.open(ctx, p.TaskID)
	if err != nil {
		return nil, err
	}
	return t.answered(ctx, func() (agent.Accepted, error) {
		return t.Resume(prompt)
	})
}

// TaskSteer says something to the running turn.
func (s *server) TaskSteer(ctx context.Context, p *protocol.TaskSteerParams) (*protocol.TaskPromptResult, error) {
	t, err := s.find(p.TaskID)
	if err != nil {
		return nil, err
	}
	content, err := parts("prompt", p.Prompt)
	if err != nil {
		return nil, err
	}
	return t.answered(ctx, func() (agent.Accepted, error) {
		return t.Steer(p.ExpectedTurnID, agent.Prompt{Parts: content})
	})
}

// TaskEditMessage says something else instead of an earlier message.
func (s *server) TaskEditMessage(ctx context.Context, p *protocol.TaskEditMessageParams) (*protocol.TaskPromptResult, error) {
	if p.MessageID == "" {
		return nil, protocol.InvalidParams("messageId", "is missing")
	}
	content, err := parts("prompt", p.Prompt)
	if err != nil {
		return nil, err
	}
	t, err := s.open(ctx, p.TaskID)
	if err != nil {
		return nil, err
	}
	return t.answered(ctx, func() (agent.Accepted, error) {
		return t.EditMessage(p.MessageID, agent.Prompt{Parts: content})
	})
}

// TaskSetChecklist takes over the user's version of the checklist.
func (s *server) TaskSetChecklist(ctx context.Context, p *protocol.TaskSetChecklistParams) (*protocol.Empty, error) {
	if len(p.Markdown) > maxChecklist {
		return nil, protocol.InvalidParams("markdown", "is longer than %d KB", maxChecklist>>10)
	}
	t, err := s.open(ctx, p.TaskID)
	if err != nil {
		return nil, err
	}
	defer letOthers(ctx)()
	if err := t.SetChecklist(strings.ReplaceAll(p.Markdown, "\x00", "\uFFFD")); err != nil {
		return nil, taskError(t.id, err)
	}
	return &protocol.Empty{}, nil
}
