package daemon

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"clined/internal/sandbox"
	"clined/internal/shell"
	"clined/internal/tools"
	"clined/internal/workspace"
)

// confinement is what holds the commands of one task to its workspace.
type confinement struct {
	s     *session
	roots []string
}

func (s *session) confinement(view *workspace.Workspace) *confinement {
	c := &confinement{s: s}
	for _, r := range view.Roots() {
		c.roots = append(c.roots, r.Real)
	}
	return c
}

// plan is what the settings let commands do now, but for the caches of tools; ok
// is false when nothing holds them. It makes nothing.
func (c *confinement) plan(dir string, env []string) (p sandbox.Plan, ok bool) {
	now := c.s.current().Sandbox
	if now.Mode == "off" {
		return sandbox.Plan{}, false
	}
	p = sandbox.Plan{
		Workspace: c.roots, Network: now.Network, Required: now.Mode == "required", Dir: dir,
		Writable: sandbox.Temp(env, home()), Hidden: c.s.private(), Kept: c.s.own(),
	}
	for _, path := range now.Writable {
		if rest, ok := strings.CutPrefix(path, "~/"); ok {
			path = filepath.Join(home(), rest)
		}
		p.Writable = append(p.Writable, path)
	}
	return p, true
}

// private are the files of this program that hold secrets, or what was said in
// other tasks.
func (s *session) private() []string {
	dirs := s.d.o.Dirs
	paths := []string{dirs.SecretsFile(), dirs.MCPFile(), s.mcpFile(), filepath.Join(dirs.State, "log")}
	for _, name := range []string{"clined.db", "clined.db-wal", "clined.db-shm"} {
		paths = append(paths, filepath.Join(dirs.State, name))
	}
	return absolute(paths)
}

// own are the folders of this program: who writes there sets what is asked about
// and held.
func (s *session) own() []string {
	return absolute([]string{s.d.o.Dirs.Config, s.d.o.Dirs.State})
}

// absolute: a HOME that is a relative path makes the folders relative.
func absolute(paths []string) []string {
	for i, path := range paths {
		if abs, err := filepath.Abs(path); err == nil {
			paths[i] = abs
		}
	}
	return paths
}

// confine is shell.Options.Confine.
func (c *confinement) confine(cmd *exec.Cmd, line tools.CommandLine) (*shell.Confinement, error) {
	p, ok := c.plan(cmd.Dir, cmd.Env)
	switch {
	case ok && line.Unsandboxed && p.Required:
		return nil, errors.New("the settings demand the sandbox (sandbox.mode), so no command runs outside of it")
	case !ok || line.Unsandboxed:
		return nil, nil
	}
	held, err := c.s.d.wrap(cmd, &p)
	if err != nil || held == "" {
		return nil, err
	}
	return &shell.Confinement{Words: held, Demanded: p.Required, Refused: func(exit int, output string) string {
		why := sandbox.Refusal(exit, output, p)
		if why == "" {
			return ""
		}
		return "It ran in a sandbox, which probably made it fail: " + why + "."
	}}, nil
}

// confineServer is mcphub.Options.Confine: it holds servers as commands are held
// in the session's workspace, where the settings ask for that.
func (s *session) confineServer(cmd *exec.Cmd) error {
	if !s.current().Sandbox.MCP {
		return nil
	}
	c := s.confinement(s.workspace)
	p, ok := c.plan(cmd.Dir, cmd.Env)
	if !ok {
		return nil
	}
	_, err := s.d.wrap(cmd, &p)
	return err
}

// wrap confines a command that is about to start. What a plan needs to be there
// is made now: this program's own folders, for what is not there cannot be kept,
// and caches of tools, which become a part of p.
func (d *Daemon) wrap(cmd *exec.Cmd, p *sandbox.Plan) (held string, err error) {
	for _, dir := range p.Kept {
		_ = os.MkdirAll(dir, 0o700)
	}
	p.Writable = append(sandbox.Caches(cmd.Env, home()), p.Writable...)
	return d.sandbox.Wrap(cmd, *p)
}

// words say what holds commands now, for the user who is asked about one.
func (c *confinement) words() string {
	p, ok := c.plan("", c.s.d.o.Environ)
	if !ok {
		return ""
	}
	held, err := c.s.d.sandbox.Describe(p)
	var lacks *sandbox.Unavailable
	switch {
	case errors.As(err, &lacks):
		return "required, but this system " + strings.Join(lacks.Lacks, " and ") + ": the command will be refused"
	case err != nil:
		return err.Error()
	case held == "":
		return "none on this system: the command can change all that you can"
	}
	return held
}
