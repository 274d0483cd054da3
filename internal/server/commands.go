package server

import (
	"context"
	"encoding/json"
	"fmt"

	"clined/internal/protocol"
	"clined/internal/rpc"
)

// commands are what the user of an editor without a plugin of ours can do.
// Each is a thin way to a method of the protocol.
var commands = []struct {
	name string
	run  func(s *server, ctx context.Context, a *commandArgs) (any, error)
}{
	{"clined.newTask", (*server).commandNewTask},
	{"clined.prompt", (*server).commandPrompt},
	{"clined.reply", (*server).commandPrompt},
	{"clined.cancel", (*server).commandCancel},
	{"clined.approve", (*server).commandApprove},
	{"clined.reject", (*server).commandReject},
	{"clined.answer", (*server).commandAnswer},
	{"clined.resume", (*server).commandResume},
	{"clined.status", (*server).commandStatus},
	{"clined.tasks", (*server).commandTasks},
}

func commandNames() []string {
	names := make([]string, len(commands))
	for i, c := range commands {
		names[i] = c.name
	}
	return names
}

// ExecuteCommand runs one of the commands announced in initialize.
func (s *server) ExecuteCommand(ctx context.Context, p *protocol.ExecuteCommandParams) (*protocol.Raw, error) {
	for _, c := range commands {
		if c.name != p.Command {
			continue
		}
		args, err := readCommandArgs(p.Arguments)
		if err != nil {
			return nil, err
		}
		if args.URI != "" {
			s.workspace.Touch(args.URI)
		}
		result, err := c.run(s, ctx, args)
		if err != nil {
			return nil, err
		}
		raw, err := json.Marshal(result)
		return (*protocol.Raw)(&raw), err
	}
	return nil, protocol.InvalidParams("command", "%q is none of clined's commands", p.Command)
}

func (s *server) commandNewTask(ctx context.Context, a *commandArgs) (any, error) {
	text := a.text()
	if text == "" {
		return nil, needs("clined.newTask", "the words of the task")
	}
	return s.TaskNew(ctx, &protocol.TaskNewParams{Prompt: protocol.Text(text), Mode: a.Mode, Cwd: a.Cwd})
}

func (s *server) commandPrompt(ctx context.Context, a *commandArgs) (any, error) {
	text := a.text()
	if text == "" {
		return nil, needs("clined.prompt", "what to say")
	}
	id, err := s.taskNamed(a.TaskID)
	if err != nil {
		return nil, err
	}
	return s.TaskPrompt(ctx, &protocol.TaskPromptParams{TaskID: id, Prompt: protocol.Text(text), Mode: a.Mode})
}

func (s *server) commandCancel(ctx context.Context, a *commandArgs) (any, error) {
	id := a.take(a.TaskID)
	if id == "" {
		t := s.newest((*task).busy)
		if t == nil {
			return nil, rpc.Errorf(rpc.CodeInvalidParams, "nothing is running")
		}
		id = t.id
	}
	return s.TaskCancel(ctx, &protocol.TaskCancelParams{TaskID: id})
}

// commandResume takes up the task named, else the newest of this session, else
// the newest that was interrupted.
func (s *server) commandResume(ctx context.Context, a *commandArgs) (any, error) {
	p := &protocol.TaskResumeParams{TaskID: a.take(a.TaskID)}
	if text := a.text(); text != "" {
		p.Prompt = protocol.Text(text)
	}
	if p.TaskID != "" {
		return s.TaskResume(ctx, p)
	}
	if t := s.newest(nil); t != nil {
		p.TaskID = t.id
		return s.TaskResume(ctx, p)
	}
	list, err := s.TaskList(ctx, &protocol.TaskListParams{Limit: maxTasks})
	if err != nil {
		return nil, err
	}
	for _, info := range list.Tasks {
		if info.State == interrupted && info.Owner == nil {
			p.TaskID = info.TaskID
			return s.TaskResume(ctx, p)
		}
	}
	return nil, rpc.Errorf(rpc.CodeInvalidParams, "no task was interrupted; name one that clined.tasks lists")
}

// interrupted is the state of a stored task whose turn did not end.
const interrupted = "interrupted"

// taskNamed returns id, else the newest task of this session.
func (s *server) taskNamed(id string) (string, error) {
	if id != "" {
		return id, nil
	}
	if t := s.newest(nil); t != nil {
		return t.id, nil
	}
	return "", rpc.Errorf(rpc.CodeInvalidParams, "there is no task yet; begin one by clined.newTask, or take one up by clined.resume")
}

// newest returns the task of this session that was made or opened last, of
// those for which is returns true; nil is any.
func (s *server) newest(is func(*task) bool) *task {
	s.tasksMu.Lock()
	defer s.tasksMu.Unlock()
	var last *task
	for _, t := range s.tasks {
		if (is == nil || is(t)) && (last == nil || t.nth > last.nth) {
			last = t
		}
	}
	return last
}

func (t *task) busy() bool { return t.stream.busy() }

func needs(command, what string) error {
	return rpc.Errorf(rpc.CodeInvalidParams, "%s", fmt.Sprintf("%s needs %s as its argument", command, what))
}
