package daemon

import (
	"context"
	"log/slog"
	"path/filepath"
	"time"

	"clined/internal/agent"
	"clined/internal/approval"
	"clined/internal/doctext"
	"clined/internal/event"
	"clined/internal/llm"
	"clined/internal/mcphub"
	"clined/internal/prompt"
	"clined/internal/prompt/host"
	"clined/internal/server"
	"clined/internal/shell"
	"clined/internal/store"
	"clined/internal/tools"
	"clined/internal/tools/builtin"
	"clined/internal/workspace"
)

// parts are what a task is made of, apart from its loop.
type parts struct {
	log      *slog.Logger
	models   *models
	set      *tools.Set
	prompt   *prompt.Prompt
	journal  *journal
	tools    *builtin.Tools
	forget   func()
	commands *shell.Manager
	switches *switches
	// byHand: a person runs tools, whatever the model can do.
	byHand bool
}

// newParts wires a task. mode tells which mode is on now.
func (s *session) newParts(spec server.TaskSpec, mode func() tools.Mode) (*parts, error) {
	stored, err := s.storedTask(spec)
	if err != nil {
		return nil, err
	}
	// The task's own folder may be read without asking: long outputs lie there.
	view := s.workspace.For(spec.Cwd, spec.Roots, stored.Dir())
	held := s.confinement(view)
	p := &parts{
		log:      s.d.log.With("task", spec.ID),
		models:   &models{settings: s.current, lookup: s.d.lookup, log: s.d.log},
		commands: s.commands(stored.Dir(), spec.Sink, held),
		switches: &switches{values: map[string]bool{}},
	}
	p.journal = &journal{Task: stored, s: s.d.store, sweep: s.d.unfinished.Sweep, loaded: s.tellDamage, mode: mode, models: p.models, switches: p.switches, wrote: spec.Mode, now: s.d.o.Now}
	servers := freshServers{s.hub, s}
	registry := &tools.Registry{}
	lister := view.Tree()
	p.tools = builtin.Register(registry, builtin.Deps{
		Files: view, Diffs: spec.Diffs, Images: view, Lister: lister, Searcher: lister,
		Definitions: s.outlines, Commands: p.commands, Servers: servers, Asker: spec.Asker,
		Documents: &doctext.Reader{Files: view, Child: s.d.o.Executable, Log: s.d.log},
		CWD:       view.Cwd(), MCPFile: s.mcpFile(), Sandbox: held.words,
	})
	gate := approval.NewGate(approval.GateOptions{
		Policy:   func() approval.Policy { return s.policy(view, p.switches) },
		Approver: spec.Approver,
		Store:    NewRules(s.d.store, firstRoot(view)).OfTask(spec.ID),
		Audit:    s.audit(), TaskID: spec.ID, Now: s.d.o.Now,
		Log: s.d.log,
	})
	var roots []string
	for _, r := range view.Roots() {
		roots = append(roots, r.Path)
	}
	p.set = tools.NewSet(tools.SetConfig{
		Registry: registry,
		Context: func() tools.Context {
			m := p.model(mode())
			if p.byHand && m.Family == llm.TextOnly {
				m.Family = llm.Generic
			}
			return tools.Context{Family: m.Family, Images: m.Images, CWD: view.Cwd(), Roots: roots}
		},
		Servers: servers, MCPTool: builtin.MCPTool(servers),
		Runner: gate, Spill: stored, Log: s.d.log,
	})
	p.prompt = prompt.New(prompt.Config{
		Family: func() llm.Family { return p.model(mode()).Family },
		System: prompt.Machine{OS: host.OS(), Editor: s.spec.Client, Shell: s.d.userShell(s.current()), Home: home()},
		Cwd:    view.Cwd(), Roots: view.Roots(),
		Workspace: view, Files: lister, Servers: servers, CLI: s.d.cli, VCS: host.Git{},
		Commands: p.commands, Now: s.d.o.Now,
	})
	p.forget = func() {
		p.tools.Forget()
		p.prompt.Forget()
	}
	return p, nil
}

// storedTask is the task in the store; a new one leaves nothing there until
// something is said.
func (s *session) storedTask(spec server.TaskSpec) (*store.Task, error) {
	ctx := context.Background() // opening asks for little; the task outlives any request
	if spec.Stored {
		return s.d.store.Task(ctx, spec.ID)
	}
	return s.d.store.Create(ctx, store.New{ID: spec.ID, Cwd: spec.Cwd, Roots: spec.Roots, Mode: string(spec.Mode)})
}

// model is the model of a mode; a generic one while the settings name none,
// which the request itself will tell the user.
func (p *parts) model(mode tools.Mode) llm.Model {
	m, err := p.models.Model(mode)
	if err != nil {
		return llm.ModelFor("")
	}
	return m
}

// policy is what the user's settings and the task's switches allow now.
func (s *session) policy(view *workspace.Workspace, sw *switches) approval.Policy {
	settings, err := approvalSettings(s.current(), s.d.o.Yes)
	if err != nil { // told when the settings were read; what is not understood allows nothing
		s.d.log.Warn("permissions", "err", err)
		settings = approval.Settings{Deny: settings.Deny, Ask: settings.Ask}
	}
	sw.apply(&settings)
	words := view.Words()
	p := approval.Policy{Settings: settings, Outside: words.Outside, Paths: words.Paths, Protected: words.Protected, Home: home()}
	p.Limits, p.ForeignShell = s.d.limits, shell.Foreign(s.current().Shell, s.d.o.Environ)
	p.PlainCaret = shell.PlainCaret(s.current().Shell, s.d.o.Environ)
	for _, r := range view.Roots() {
		p.Roots = append(p.Roots, r.Path, r.Real)
	}
	if words.HidesAny() {
		p.Hidden, p.HiddenAs, p.Holds = words.Hidden, words.HiddenAs, words.Holds
	}
	return p
}

// commands runs the commands of one task; it keeps their full outputs in dir,
// and tells sink of those that go their own ways.
func (s *session) commands(dir string, sink agent.Sink, held *confinement) *shell.Manager {
	w := &watcher{sink: sink, told: map[string]event.Terminal{}}
	return shell.New(shell.Options{
		Settings: func() shell.Settings {
			now := s.current()
			return shell.Settings{Shell: now.Shell, Timeout: time.Duration(now.CommandTimeout) * time.Second, Scrub: now.SecretEnv()}
		},
		LogDir:  filepath.Join(dir, "outputs"),
		Changed: w.changed, Output: w.output, Confine: held.confine,
		Environ: s.d.login.Environ,
		Reaper:  s.d.reaper, Log: s.d.log,
	})
}

// freshServers reads the MCP settings anew before it tells of servers: saving
// the file connects a server at once.
type freshServers struct {
	*mcphub.Hub
	s *session
}

// Servers implements tools.MCPServers.
func (f freshServers) Servers(ctx context.Context) []tools.MCPServer {
	f.s.loadServers()
	return f.Hub.Servers(ctx)
}

// task is a running task. It implements server.Task.
type task struct {
	*agent.Task
	s     *session
	id    string
	parts *parts
}

var _ server.Task = (*task)(nil)

// NewTask implements server.Session.
func (s *session) NewTask(ctx context.Context, spec server.TaskSpec) (server.Task, error) {
	if spec.Stored {
		info, err := s.d.store.Info(ctx, spec.ID)
		if err != nil {
			return nil, historyError(err)
		}
		spec.Cwd, spec.Roots, spec.Mode = info.Cwd, info.Roots, tools.Mode(info.Mode)
	}
	s.mu.Lock()
	chosen := s.fresh.clone()
	s.mu.Unlock()
	if spec.Mode == "" {
		spec.Mode = chosen.mode
	}
	t := &task{s: s, id: spec.ID}
	mode := func() tools.Mode {
		if t.Task == nil {
			return spec.Mode
		}
		return t.Task.Mode()
	}
	s.startServers()
	p, err := s.newParts(spec, mode)
	if err != nil {
		return nil, err
	}
	t.parts = p
	if !spec.Stored {
		p.models.Choose(chosen.model)
		p.switches.restore(chosen.switches)
	}
	t.Task = agent.New(ctx, agent.Config{
		Models: p.models, Tools: p.set, Prompt: prompter{p.prompt}, Journal: p.journal,
		Sink: spec.Sink, Asker: spec.Asker, Clock: clock{}, NewID: s.d.o.NewID, Mode: spec.Mode, Options: t.Options,
		Settings: s.loop, Forget: p.forget, Previewer: p.tools, Log: s.d.log.With("task", spec.ID),
	})
	s.mu.Lock()
	s.tasks[spec.ID] = t
	s.mu.Unlock()
	for _, n := range s.standing(p.models) {
		t.Tell(n)
	}
	return t, nil
}

// loop is what the settings say now of the loop.
func (s *session) loop() agent.Settings {
	now := s.current()
	return agent.Settings{MaxRequests: now.Limits.Requests, MaxCost: now.Limits.Cost, PlainTextEnds: now.PlainTextEnds}
}

// Terminals implements server.Task.
func (t *task) Terminals() server.Terminals { return terminals{t.parts.commands} }

// Record implements server.Task.
func (t *task) Record() server.Record { return t.parts.journal }

// Close ends the task and waits.
func (t *task) Close() {
	t.Task.Close()
	t.parts.close()
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	delete(t.s.tasks, t.id)
}

// prompter lets a prompt.Prompt serve as agent.Prompter: its Environment has
// the same fields under another name, for prompt does not know the agent.
type prompter struct{ *prompt.Prompt }

func (p prompter) Environment(ctx context.Context, e agent.Environment) string {
	return p.Prompt.Environment(ctx, prompt.Environment(e))
}

// clock is the wall clock.
type clock struct{}

func (clock) Sleep(ctx context.Context, ms int64) error {
	timer := time.NewTimer(time.Duration(ms) * time.Millisecond)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
