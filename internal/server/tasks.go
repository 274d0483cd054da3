package server

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"clined/internal/agent"
	"clined/internal/event"
	"clined/internal/protocol"
	"clined/internal/rpc"
)

// task is a task with what leads to its editor.
type task struct {
	Task
	id     string
	s      *server
	stream *stream
	watch  *watch
	// stored is true once the task was in the store: seen there, or something was
	// accepted, which is on record then.
	stored atomic.Bool
	// nth orders the session's tasks by when they were made or opened; guarded
	// by server.tasksMu.
	nth int
}

// TaskNew makes a task, and starts a turn when there is a prompt.
func (s *server) TaskNew(ctx context.Context, p *protocol.TaskNewParams) (*protocol.TaskNewResult, error) {
	spec, prompt, err := s.taskSpec(p)
	if err != nil {
		return nil, err
	}
	t, err := s.makeTask(ctx, *spec, p.Config)
	if err != nil {
		return nil, err
	}
	res := &protocol.TaskNewResult{TaskID: t.id, ClientTaskRef: p.ClientTaskRef}
	if prompt == nil {
		return res, nil
	}
	defer letOthers(ctx)()
	acc, err := t.Prompt(*prompt)
	if err != nil {
		s.forget(t.id)
		t.close()
		return nil, taskError(t.id, err)
	}
	t.stored.Store(true)
	res.TurnID, res.MessageID = acc.TurnID, acc.MessageID
	return res, nil
}

// makeTask makes a task, or opens a stored one, with what leads to the editor.
// What it does is told behind the answer that names it.
func (s *server) makeTask(ctx context.Context, spec TaskSpec, config map[string]string) (*task, error) {
	t := &task{id: spec.ID, s: s, stream: newStream(s, spec.ID)}
	t.stored.Store(spec.Stored)
	spec.Sink, spec.Approver, spec.Asker = t.stream, t, t
	if s.caps.DiffView != nil {
		spec.Diffs = diffs{t}
	}
	if !s.native {
		t.stream.plain = newPlainView(s, spec.ID, s.knownTitle(ctx, spec), func(text string) (string, error) { return t.Note(text) })
	}
	t.stream.hold()
	rpc.AfterReply(ctx, t.stream.release)
	var err error
	if t.Task, err = s.session.NewTask(s.ctx, spec); err != nil {
		if spec.Stored {
			return nil, storeError(spec.ID, err)
		}
		return nil, rpc.Errorf(rpc.CodeInternalError, "the task could not be started: %v", err)
	}
	t.watch = newWatch(s.ctx)
	t.stream.keepIn(t.Record())
	if err := s.begin(t, config); err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

// knownTitle is the title of a stored task, "" for a new one.
func (s *server) knownTitle(ctx context.Context, spec TaskSpec) string {
	if !spec.Stored {
		return ""
	}
	info, err := s.session.History().Info(ctx, spec.ID)
	if err != nil || info.Title == "" {
		return "clined"
	}
	return info.Title
}

// begin sets the options asked for and enters the task into the books.
func (s *server) begin(t *task, config map[string]string) error {
	for _, id := range slices.Sorted(maps.Keys(config)) {
		if err := t.SetOption(id, config[id]); err != nil {
			return protocol.InvalidParams("config."+id, "cannot be set: %v", err)
		}
	}
	s.tasksMu.Lock()
	defer s.tasksMu.Unlock()
	if s.closed {
		return rpc.Errorf(rpc.CodeInvalidRequest, "the session is ending")
	}
	s.began++
	t.nth = s.began
	s.tasks[t.id] = t
	return nil
}

// taskSpec checks the params of a new task. The prompt is nil without one.
func (s *server) taskSpec(p *protocol.TaskNewParams) (*TaskSpec, *agent.Prompt, error) {
	m, err := mode("mode", p.Mode)
	if err != nil {
		return nil, nil, err
	}
	spec := &TaskSpec{ID: s.o.NewID(), Mode: m}
	if err := s.places(spec, p); err != nil {
		return nil, nil, err
	}
	if len(p.Prompt) == 0 {
		return spec, nil, nil
	}
	content, err := parts("prompt", p.Prompt)
	if err != nil {
		return nil, nil, err
	}
	return spec, &agent.Prompt{Parts: content}, nil
}

// places finds the working directory and the roots: what the params say, else
// the workspace folders; a working directory outside of these is a root of its own.
func (s *server) places(spec *TaskSpec, p *protocol.TaskNewParams) error {
	for i, r := range p.Roots {
		path, err := folder(fmt.Sprintf("roots[%d]", i), r)
		if err != nil {
			return err
		}
		spec.Roots = append(spec.Roots, path)
	}
	if len(p.Roots) == 0 {
		spec.Roots = s.roots.paths()
	}
	if p.Cwd == "" {
		if len(spec.Roots) == 0 {
			return protocol.InvalidParams("cwd", "is missing, and the editor has no folder open")
		}
		spec.Cwd = spec.Roots[0]
		return nil
	}
	path, err := folder("cwd", p.Cwd)
	if err != nil {
		return err
	}
	spec.Cwd = path
	if len(p.Roots) == 0 && !slices.ContainsFunc(spec.Roots, func(r string) bool { return inside(r, path) }) {
		spec.Roots = []string{path}
	}
	return nil
}

func folder(field, path string) (string, error) {
	path, err := absolute(field, path)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return "", protocol.InvalidParams(field, "%q is no folder", path)
	}
	return path, nil
}

func inside(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// TaskPrompt hands the user's words to a task.
func (s *server) TaskPrompt(ctx context.Context, p *protocol.TaskPromptParams) (*protocol.TaskPromptResult, error) {
	m, err := mode("mode", p.Mode)
	if err != nil {
		return nil, err
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
		return t.Prompt(agent.Prompt{Parts: content, Mode: m, Queue: p.Queue == nil || *p.Queue})
	})
}

// answered says something in a task by give. What the task does with it is told
// behind the answer.
func (t *task) answered(ctx context.Context, give func() (agent.Accepted, error)) (*protocol.TaskPromptResult, error) {
	t.stream.hold()
	rpc.AfterReply(ctx, t.stream.release)
	defer letOthers(ctx)()
	acc, err := give()
	var taken *agent.TakenError
	if errors.As(err, &taken) {
		t.stream.othersRun(true, nil)
		t.follow()
	}
	if err != nil {
		return nil, taskError(t.id, err)
	}
	t.stored.Store(true)
	return &protocol.TaskPromptResult{TurnID: acc.TurnID, MessageID: acc.MessageID}, nil
}

// patience is how long a request that waits for the disk holds up those behind it:
// a cancel must not wait with it.
const patience = 200 * time.Millisecond

// letOthers has the requests behind this one begin once it has waited for long.
func letOthers(ctx context.Context) (stop func() bool) {
	return time.AfterFunc(patience, func() { rpc.Release(ctx) }).Stop
}

// TaskCancel stops the running turn; its end comes as a state event.
func (s *server) TaskCancel(ctx context.Context, p *protocol.TaskCancelParams) (*protocol.Empty, error) {
	t, err := s.find(p.TaskID)
	if err != nil {
		return nil, err
	}
	defer letOthers(ctx)()
	if err := t.Cancel(p.TurnID); err != nil {
		return nil, taskError(t.id, err)
	}
	return &protocol.Empty{}, nil
}

// ConfigGet returns the options of a task, or the defaults for new ones.
func (s *server) ConfigGet(_ context.Context, p *protocol.ConfigGetParams) (*protocol.ConfigResult, error) {
	if p.TaskID == "" {
		return &protocol.ConfigResult{Options: s.session.Options()}, nil
	}
	t, err := s.find(p.TaskID)
	if err != nil {
		return nil, err
	}
	return &protocol.ConfigResult{Options: t.Options()}, nil
}

// ConfigSet changes one option and returns all; a task's followers are told too.
func (s *server) ConfigSet(_ context.Context, p *protocol.ConfigSetParams) (*protocol.ConfigResult, error) {
	if p.ID == "" {
		return nil, protocol.InvalidParams("id", "is missing")
	}
	if p.TaskID == "" {
		if err := s.session.SetOption(p.ID, p.Value); err != nil {
			return nil, protocol.InvalidParams(p.ID, "cannot be set: %v", err)
		}
		return &protocol.ConfigResult{Options: s.session.Options()}, nil
	}
	t, err := s.find(p.TaskID)
	if err != nil {
		return nil, err
	}
	if err := t.SetOption(p.ID, p.Value); err != nil {
		return nil, protocol.InvalidParams(p.ID, "cannot be set: %v", err)
	}
	options := t.Options()
	t.stream.Emit("", event.Config{Options: options})
	return &protocol.ConfigResult{Options: options}, nil
}

func (s *server) find(id string) (*task, error) {
	if id == "" {
		return nil, protocol.InvalidParams("taskId", "is missing")
	}
	s.tasksMu.Lock()
	defer s.tasksMu.Unlock()
	if t := s.tasks[id]; t != nil {
		return t, nil
	}
	return nil, rpc.Errorf(protocol.CodeTaskNotFound, "there is no task %q", id)
}

func (s *server) forget(id string) {
	s.tasksMu.Lock()
	defer s.tasksMu.Unlock()
	delete(s.tasks, id)
}

// taskError gives a task's errors their codes.
func taskError(id string, err error) error {
	var taken *agent.TakenError
	switch {
	case errors.As(err, &taken):
		return rpc.Errorf(protocol.CodeTaskBusy, "%v", err).WithData(map[string]any{
			"owner": protocol.TaskOwner{PID: taken.PID, Since: taken.Since.UTC().Format(stamp)},
		})
	case errors.Is(err, agent.ErrBusy), errors.Is(err, agent.ErrQueueFull):
		return rpc.Errorf(protocol.CodeTaskBusy, "%v", err)
	case errors.Is(err, agent.ErrTurnMismatch):
		return rpc.Errorf(protocol.CodeTurnMismatch, "%v", err)
	case errors.Is(err, agent.ErrClosed):
		return rpc.Errorf(protocol.CodeTaskNotFound, "there is no task %q any more", id)
	case errors.Is(err, agent.ErrNothing), errors.Is(err, agent.ErrNoMessage):
		return rpc.Errorf(rpc.CodeInvalidParams, "%v", err)
	}
	return storeError(id, err)
}

// storeError gives an error of the store its code; its hint goes along.
func storeError(id string, err error) error {
	if errors.Is(err, ErrNoTask) {
		return rpc.Errorf(protocol.CodeTaskNotFound, "there is no task %q", id)
	}
	if errors.Is(err, context.Canceled) { // the request's own end, which is answered as such
		return err
	}
	e := rpc.Errorf(protocol.CodeStorage, "%v", err)
	var hinted interface{ UserHint() string }
	if errors.As(err, &hinted) && hinted.UserHint() != "" {
		return e.WithData(map[string]any{"hint": hinted.UserHint()})
	}
	return e
}

// close ends the task and then its stream.
func (t *task) close() {
	t.watch.close()
	t.Close()
	t.stream.close()
}

// closeLimit bounds the wait for tasks at the end of a session: a tool that
// does not listen to its context must not keep the process alive.
const closeLimit = 5 * time.Second

// answerLimit bounds the wait for the answer to the request that made a task.
const answerLimit = time.Second

// closeTasks closes all tasks and lets none begin; it waits for their ends.
func (s *server) closeTasks() {
	s.tasksMu.Lock()
	s.closed = true
	tasks := slices.Collect(maps.Values(s.tasks))
	clear(s.tasks)
	s.tasksMu.Unlock()
	if len(tasks) == 0 {
		return
	}
	var wg sync.WaitGroup
	for _, t := range tasks {
		wg.Go(func() {
			t.watch.close()
			t.Close()
			// Its end may still wait behind the answer to a request.
			ctx, cancel := context.WithTimeout(context.Background(), answerLimit)
			defer cancel()
			t.stream.whenReleased(ctx)
			t.stream.close()
		})
	}
	ended := make(chan struct{})
	go func() {
		wg.Wait()
		close(ended)
	}()
	limit := time.NewTimer(closeLimit)
	defer limit.Stop()
	select {
	case <-ended:
	case <-limit.C:
		s.log.Error("the session ends without waiting for tasks that do not stop", "waited", closeLimit)
	}
}
