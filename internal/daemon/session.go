package daemon

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"clined/internal/approval"
	"clined/internal/codedefs"
	"clined/internal/config"
	"clined/internal/demo"
	"clined/internal/event"
	"clined/internal/mcphub"
	"clined/internal/server"
	"clined/internal/store"
	"clined/internal/tools"
	"clined/internal/workspace"
)

var _ server.Backend = (*Daemon)(nil)

// session is what the daemon holds for one editor. It implements
// server.Session.
type session struct {
	d         *Daemon
	spec      server.SessionSpec
	workspace *workspace.Workspace
	hub       *mcphub.Hub
	outlines  *codedefs.Finder
	// watch ends the wait for the end of the editor's process.
	watch    context.CancelFunc
	watching sync.WaitGroup

	placing sync.Mutex // lets one goroutine at a time start or end the demo's server; taken before mu

	mu sync.Mutex // guards the rest
	// settings are replaced whole, never changed. They were made of from.
	settings *config.Settings
	problems []config.Problem
	from     loaded
	// fresh is what the user chose for new tasks.
	fresh fresh
	// demo is the demo's model once it was started; it answers while playing, and
	// as long as the settings name no other model than left.
	demo    *demo.Model
	playing bool
	left    modelSettings
	// servers is what the MCP settings file was like when it was last read.
	servers fileMark
	// mcpError is why the MCP settings file could not be read when last tried.
	mcpError error
	// damage is what was told of the database.
	damage string
	tasks  map[string]*task
}

// Open implements server.Backend.
func (d *Daemon) Open(ctx context.Context, spec server.SessionSpec) (server.Session, error) {
	s := d.newSession(spec)
	settings := s.current()
	root := ""
	if len(spec.Roots) > 0 {
		root = spec.Roots[0]
	}
	if d.o.LoginShell {
		d.login.Start()
	}
	d.unfinished.Sweep() // before anybody reads what a killed process left half written
	s.hub = mcphub.New(mcphub.Options{
		FirstWait: func() time.Duration { return time.Duration(s.current().MCP.Wait) * time.Second },
		Workspace: root, Env: d.login.Environ, Confine: s.confineServer, Scrub: settings.SecretEnv(), Notify: s.serverNews, Logger: d.log, Version: d.o.Version,
	})
	if len(spec.Roots) > 0 { // else with the first task: this client may only look at some
		s.startServers()
	}
	ctx, s.watch = context.WithCancel(ctx)
	if spec.ProcessID != 0 {
		s.watching.Go(func() {
			if awaitEnd(ctx, spec.ProcessID, lookAt) {
				spec.End(fmt.Sprintf("the editor's process %d has ended", spec.ProcessID))
			}
		})
	}
	return s, nil
}

// newSession reads the settings and opens the workspace; it starts nothing.
func (d *Daemon) newSession(spec server.SessionSpec) *session {
	s := &session{d: d, spec: spec, fresh: fresh{mode: tools.Act}, tasks: map[string]*task{}, outlines: codedefs.New()}
	s.configure(spec.Settings, s.marks())
	s.workspace = workspace.New(workspace.Options{
		Roots: spec.Roots, Editor: spec.Editor, Log: d.log,
		Own: []string{d.o.Dirs.Config, d.o.Dirs.State, s.mcpFile()}, Secrets: []string{d.o.Dirs.SecretsFile()}, Private: filepath.Join(d.o.Dirs.State, "tasks"),
		Unfinished: d.unfinished,
	})
	return s
}

func (s *session) mcpFile() string {
	if file := s.current().MCP.File; file != "" {
		return file
	}
	return s.d.o.Dirs.MCPFile()
}

// startServers starts the MCP servers; again it does nothing.
func (s *session) startServers() {
	s.loadServers()
	s.hub.Start()
}

// loadServers reads the MCP settings when they changed, so that saving the file
// connects a server at once.
func (s *session) loadServers() {
	file := s.mcpFile()
	mark := markOf(file)
	s.mu.Lock()
	same := mark == s.servers
	s.servers = mark
	s.mu.Unlock()
	if same {
		return
	}
	s.workspace.Protect(file)
	err := s.hub.Load(file)
	s.mu.Lock()
	s.mcpError = err
	s.mu.Unlock()
	if err != nil {
		s.tell(brokenFile(err))
	}
}

func brokenFile(err error) event.Notice {
	return event.Notice{Severity: "warning", Text: err.Error(), Hint: "the servers stay as they were until it can be read"}
}

// serverNews tells the tasks of an MCP server that fails, leaves something out,
// is late, or is there after all.
func (s *session) serverNews(n mcphub.Notice) {
	if n.Trouble || n.Over {
		s.tell(aboutServer(n))
	}
}

func aboutServer(n mcphub.Notice) event.Notice {
	if n.State == mcphub.Starting {
		return event.Notice{Severity: "warning", Text: n.Text, Hint: "to wait longer for servers, raise mcp.wait in the settings"}
	}
	if n.Trouble {
		return event.Notice{Severity: "warning", Text: n.Text}
	}
	return event.Notice{Severity: "info", Text: n.Text}
}

// tell shows a notice in every task.
func (s *session) tell(n event.Notice) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.tasks {
		t.Tell(n)
	}
}

// tellOptions tells in every task what its options are now. It reads the settings
// and chooses models: it must not be called from there.
func (s *session) tellOptions() {
	s.mu.Lock()
	all := slices.Collect(maps.Values(s.tasks))
	s.mu.Unlock()
	for _, t := range all {
		t.Tell(event.Config{Options: t.Options()})
	}
}

// tellDamage shows what the store found damaged, once.
func (s *session) tellDamage() {
	damage := s.d.store.Trouble()
	s.mu.Lock()
	news := damage != s.damage
	s.damage = damage
	s.mu.Unlock()
	if news {
		s.tell(event.Notice{Severity: "warning", Text: damage, Hint: store.TroubleHint})
	}
}

// standing is what a new task's user should know from the start: what is wrong
// with the settings and the MCP servers.
func (s *session) standing(m *models) []event.Notice {
	s.mu.Lock()
	problems, mcpError, playing := s.problems, s.mcpError, s.playing
	s.mu.Unlock()
	var list []event.Notice
	if playing {
		list = append(list, demoNotice())
	}
	for _, p := range config.HintsOnce(slices.Concat(s.d.broken, problems, m.Warnings())) {
		list = append(list, aboutProblem(p))
	}
	if mcpError != nil {
		list = append(list, brokenFile(mcpError))
	}
	for _, n := range s.hub.Troubles() {
		list = append(list, aboutServer(n))
	}
	return list
}

// Workspace implements server.Session.
func (s *session) Workspace() *workspace.Workspace { return s.workspace }

// History implements server.Session.
func (s *session) History() server.History { return history{s.d.store} }

// Rules implements server.Session.
func (s *session) Rules() server.Rules {
	return NewRules(s.d.store, firstRoot(s.workspace))
}

// firstRoot is the folder that rules of scope workspace go by, "" for none.
func firstRoot(view *workspace.Workspace) string {
	if roots := view.Roots(); len(roots) > 0 {
		return roots[0].Path
	}
	return ""
}

// Accounts implements server.Session.
func (s *session) Accounts() server.Accounts { return accounts{s} }

// Close implements server.Session.
func (s *session) Close() {
	s.watch()
	s.watching.Wait()
	s.hub.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.demo != nil {
		s.demo.Close()
	}
}

// approvalSettings puts the user's settings into the policy's terms.
func approvalSettings(s *config.Settings, yes bool) (approval.Settings, error) {
	a := approval.Settings{
		Read: s.AutoApprove.Read, ReadOutside: s.AutoApprove.ReadOutside,
		Edit: s.AutoApprove.Edit, EditOutside: s.AutoApprove.EditOutside,
		MCP: s.AutoApprove.MCP, Yes: yes,
	}
	switch s.AutoApprove.Command {
	case config.SafeCommands:
		a.Command = approval.SafeCommands
	case config.AllCommands:
		a.Command = approval.AllCommands
	}
	var errs [3]error
	a.Allow, errs[0] = approval.ParseRules(s.Permissions.Allow, approval.Allow)
	a.Ask, errs[1] = approval.ParseRules(s.Permissions.Ask, approval.Ask)
	a.Deny, errs[2] = approval.ParseRules(s.Permissions.Deny, approval.Deny)
	return a, errors.Join(errs[:]...)
}
