package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"clined/internal/agent"
	"clined/internal/event"
	"clined/internal/prompt"
	"clined/internal/protocol"
	"clined/internal/server"
	"clined/internal/tools"
)

// ToolCall is one tool to be run for a person, without a model.
type ToolCall struct {
	Cwd  string
	Mode tools.Mode
	Name string
	// Args is the text of a JSON object.
	Args string
	// Client answers approvals and questions; an answer of null or an error
	// means that nobody is there.
	Client protocol.Client
}

// RunTool runs one tool as the model would, behind the same permissions and
// limits.
func (d *Daemon) RunTool(ctx context.Context, c ToolCall) (tools.Result, error) {
	s, err := d.oneShot(ctx, c.Cwd)
	if err != nil {
		return tools.Result{}, err
	}
	defer s.Close()
	front := server.Direct{Client: c.Client}
	p, err := s.newParts(server.TaskSpec{
		ID: d.o.NewID(), Cwd: c.Cwd, Roots: []string{c.Cwd}, Mode: c.Mode, Sink: silent{}, Approver: front, Asker: front,
	}, func() tools.Mode { return c.Mode })
	if err != nil {
		return tools.Result{}, err
	}
	defer p.close()
	p.byHand = true
	p.set.Defs(ctx) // servers that are starting join
	args, err := tools.ParseArgs(c.Args)
	if err != nil {
		return tools.Fail(err.Error()), nil
	}
	info, _ := p.set.Describe(c.Name)
	args, _ = tools.StripChecklist(args, info.OwnChecklist)
	return p.set.Run(ctx, tools.Call{ID: "call_1", Name: c.Name, Args: args, Mode: c.Mode}), nil
}

// FirstRequest shows what a model would be sent first for a task: system text,
// tools and first message, with their sizes.
func (d *Daemon) FirstRequest(ctx context.Context, cwd string, mode tools.Mode, task string) (string, error) {
	s, err := d.oneShot(ctx, cwd)
	if err != nil {
		return "", err
	}
	defer s.Close()
	p, err := s.newParts(server.TaskSpec{ID: d.o.NewID(), Cwd: cwd, Roots: []string{cwd}, Mode: mode, Sink: silent{}},
		func() tools.Mode { return mode })
	if err != nil {
		return "", err
	}
	defer p.close()
	system, err := p.prompt.System(ctx)
	if err != nil {
		return "", err
	}
	defs := p.set.Defs(ctx)
	user := p.prompt.User(task, true)
	details := p.prompt.Environment(ctx, prompt.Environment{First: true, Mode: mode, Window: p.model(mode).ContextWindow})
	var b strings.Builder
	fmt.Fprintf(&b, "=== system ===\n%s\n\n=== tools ===\n", strings.TrimRight(system, "\n"))
	for _, t := range defs {
		fmt.Fprintf(&b, "%s: %s\n%s\n\n", t.Name, t.Description, t.Schema)
	}
	fmt.Fprintf(&b, "=== first message ===\n%s\n\n%s\n\n", user, details)
	size := prompt.Measure(system, defs, user, details)
	fmt.Fprintf(&b, "=== size in bytes, as sent ===\nsystem %d, tools %d, first message %d, together %d\n",
		size.System, size.Tools, size.User, size.Total())
	return b.String(), nil
}

// oneShot opens a session without an editor.
func (d *Daemon) oneShot(ctx context.Context, cwd string) (*session, error) {
	opened, err := d.Open(ctx, server.SessionSpec{Roots: []string{cwd}, Client: "a terminal"})
	if err != nil {
		return nil, err
	}
	return opened.(*session), nil
}

// close ends what a task holds; its loop has ended.
func (p *parts) close() {
	p.models.Close()
	if err := errors.Join(p.commands.Close(), p.journal.Close()); err != nil {
		level := slog.LevelWarn
		if p.journal.unended.Load() { // the user knows
			level = slog.LevelDebug
		}
		p.log.Log(context.Background(), level, "closing a task", "err", err)
	}
}

// silent is a sink for what nobody watches.
type silent struct{}

func (silent) Emit(string, event.Event) {}

var _ agent.Sink = silent{}
