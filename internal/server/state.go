package server

import (
	"context"
	"sync"

	"clined/internal/fileuri"
	"clined/internal/protocol"
	"clined/internal/workspace"
)

// stateFilter drops states that are older than the one in force.
type stateFilter struct {
	mu  sync.Mutex
	rev int64
}

func (f *stateFilter) take(rev int64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if rev != 0 && rev <= f.rev {
		return false
	}
	f.rev = max(f.rev, rev)
	return true
}

// EditorDidChangeState replaces what is known of the editor's screen.
func (s *server) EditorDidChangeState(_ context.Context, p *protocol.EditorState) error {
	if !s.state.take(p.Rev) {
		s.log.Debug("older editor state ignored", "rev", p.Rev)
		return nil
	}
	s.workspace.SetState(screen(p))
	return nil
}

// screen maps what the editor told; documents that are no files are left out.
func screen(p *protocol.EditorState) workspace.State {
	var st workspace.State
	if p.Active != nil {
		if path, ok := fileuri.Path(p.Active.URI); ok {
			st.Active = path
			for _, r := range p.Active.Selections {
				if sel, ok := selection(path, r); ok {
					st.Selections = append(st.Selections, sel)
				}
			}
		}
	}
	for _, v := range p.Visible {
		if path, ok := fileuri.Path(v.URI); ok {
			st.Visible = append(st.Visible, path)
		}
	}
	for _, t := range p.Tabs {
		if path, ok := fileuri.Path(t.URI); ok {
			st.Tabs = append(st.Tabs, workspace.Tab{Path: path, Dirty: t.Dirty})
		}
	}
	for _, t := range p.Terminals {
		st.Terminals = append(st.Terminals, workspace.Terminal{
			ID: t.ID, Name: t.Name, Cwd: t.Cwd, Busy: t.Busy, Command: t.Command, Output: t.Output,
		})
	}
	for _, d := range p.Diagnostics {
		if path, ok := fileuri.Path(d.URI); ok {
			st.Diagnostics = append(st.Diagnostics, workspace.FileDiagnostics{Path: path, Version: d.Version, Items: problems(d.Diagnostics)})
		}
	}
	st.Checked = p.CheckedLanguages
	return st
}

// selection is false for a bare cursor. A selection that ends before the first
// character of a line does not reach into that line.
func selection(path string, r protocol.Range) (workspace.Selection, bool) {
	if r.Start == r.End {
		return workspace.Selection{}, false
	}
	if r.End.Line < r.Start.Line || r.End.Line == r.Start.Line && r.End.Character < r.Start.Character {
		r.Start, r.End = r.End, r.Start
	}
	end := int(r.End.Line) + 1
	if r.End.Character == 0 && r.End.Line > r.Start.Line {
		end--
	}
	return workspace.Selection{Path: path, StartLine: int(r.Start.Line) + 1, EndLine: end}, true
}
