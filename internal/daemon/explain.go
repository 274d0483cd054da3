package daemon

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"clined/internal/approval"
	"clined/internal/server"
	"clined/internal/tools"
	"clined/internal/workspace"
)

// Question is what permissions are asked about: a command line, or a file that
// is read or written.
type Question struct {
	// Cwd is the folder, absolute.
	Cwd  string
	Mode tools.Mode
	// Command is a command line; Path a file where there is none.
	Command, Path string
	Write         bool
	// Allow, Ask and Deny are rules beside those of the settings.
	Allow, Ask, Deny []approval.Rule
}

// Explain tells what the policy says of a question to a session in its folder,
// with the path as it was resolved. It starts nothing and asks nobody. The error
// says why a path leads nowhere.
func (d *Daemon) Explain(ctx context.Context, q Question) (approval.Judgement, *tools.Path, error) {
	s := d.newSession(server.SessionSpec{Roots: []string{q.Cwd}})
	view := s.workspace.For(q.Cwd, []string{q.Cwd})
	p := s.policy(view, &switches{})
	p.Allow = append(p.Allow, q.Allow...)
	p.Ask = append(p.Ask, q.Ask...)
	p.Deny = append(p.Deny, q.Deny...)
	rules, err := NewRules(d.store, firstRoot(view)).Rules(ctx)
	if err != nil {
		d.log.Warn("stored rules cannot be read", "err", err)
		p.Unread = true
	}
	p.Rules = append(p.Rules, rules...)
	if q.Command != "" {
		return p.Judge(tools.Subject{Kind: tools.Command, Tool: "execute_command", Command: q.Command, Cwd: view.Cwd()}, q.Mode), nil, nil
	}
	path := q.Path
	if rest, ok := strings.CutPrefix(path, "~/"); ok && home() != "" { // for people; tools do not expand it
		path = filepath.Join(home(), rest)
	}
	at, err := view.Resolve(path)
	if err != nil && !errors.Is(err, workspace.ErrHidden) {
		return approval.Judgement{}, nil, err
	}
	return p.Judge(touch(at, q.Write), q.Mode), &at, nil
}

// touch is reading or writing one file.
func touch(at tools.Path, write bool) tools.Subject {
	if !write {
		return tools.Subject{Kind: tools.Read, Tool: "read_file", ReadOnly: true, Paths: []tools.Path{at}}
	}
	op := "modify"
	if _, err := os.Lstat(at.Real); errors.Is(err, os.ErrNotExist) {
		op = "create"
	}
	return tools.Subject{Kind: tools.Edit, Tool: "write_to_file", Paths: []tools.Path{at}, Edits: []tools.FileEdit{{Path: at, Op: op}}}
}
