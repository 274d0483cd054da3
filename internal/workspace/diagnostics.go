package workspace

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"clined/internal/tools"
)

// diagnostics are what the editor told of files' problems: with its state, which
// is whole each time, or of one file by Publish. session.stateMu guards them.
type diagnostics struct {
	// tick counts what was told; it orders that and what is done to files.
	tick  uint64
	files map[string]*published // by path
	// kinds of files were told of, so that something seems to check them.
	kinds map[string]bool
	// languages are those that the editor says are checked.
	languages []string
	// checker is nil where nobody can be asked.
	checker Checker
}

// published is what was told of a file last.
type published struct {
	items []Diagnostic
	// version is that of the document it was found in, 0 for unknown.
	version int32
	tick    uint64
	// byState: it came with a state, so that one without it takes it back.
	byState bool
}

// kindOf is what files that the same tools check have in common, as far as a
// name tells.
func kindOf(path string) string {
	return strings.ToLower(cmp.Or(filepath.Ext(path), filepath.Base(path)))
}

func (d *diagnostics) put(f FileDiagnostics, byState bool) {
	if d.files == nil {
		d.files, d.kinds = map[string]*published{}, map[string]bool{}
	}
	d.tick++
	d.files[f.Path] = &published{items: f.Items, version: f.Version, tick: d.tick, byState: byState}
	d.kinds[kindOf(f.Path)] = true
}

// putState takes what a state tells. What it tells again is no news.
func (d *diagnostics) putState(s State) {
	d.languages = s.Checked
	told := map[string]bool{}
	for _, f := range s.Diagnostics {
		told[f.Path] = true
		old := d.files[f.Path]
		if old == nil || !slices.Equal(old.items, f.Items) || old.version != f.Version {
			d.put(f, true)
		} else {
			old.byState = true
		}
	}
	for path, f := range d.files {
		if f.byState && len(f.items) > 0 && !told[path] {
			d.put(FileDiagnostics{Path: path}, true)
		}
	}
}

// overlay returns the diagnostics of a state with those told by themselves since.
func (d *diagnostics) overlay(list []FileDiagnostics) []FileDiagnostics {
	var more []FileDiagnostics
	list = slices.Clone(list)
	for path, f := range d.files {
		if f.byState {
			continue
		}
		now := FileDiagnostics{Path: path, Version: f.version, Items: f.items}
		if i := slices.IndexFunc(list, func(l FileDiagnostics) bool { return l.Path == path }); i >= 0 {
			list[i] = now
		} else if len(f.items) > 0 {
			more = append(more, now)
		}
	}
	slices.SortFunc(more, func(a, b FileDiagnostics) int { return cmp.Compare(a.Path, b.Path) })
	return append(list, more...)
}

// of returns what was told of a file under either of its names.
func (d *diagnostics) of(p tools.Path) *published {
	best := &published{}
	for _, path := range []string{p.Abs, p.Real} {
		if f := d.files[path]; f != nil && f.tick >= best.tick {
			best = f
		}
	}
	return best
}

// Checker asks an editor for the problems of files.
type Checker interface {
	// Check returns those of a file as it is now, once whatever checks it has seen
	// that or settle has passed. known is false when nothing checks it.
	Check(ctx context.Context, path string, settle time.Duration) (f FileDiagnostics, known bool, err error)
}

// AskFor has problems asked for besides being told of.
func (w *Workspace) AskFor(c Checker) {
	w.s.stateMu.Lock()
	defer w.s.stateMu.Unlock()
	w.s.diagnostics.checker = c
}

// pull asks for the problems of a file, if somebody can be asked. An answer is
// as if it had been told; answered is false without one.
func (w *Workspace) pull(ctx context.Context, p tools.Path, settle time.Duration) (known, answered bool) {
	w.s.stateMu.Lock()
	checker := w.s.diagnostics.checker
	w.s.stateMu.Unlock()
	if checker == nil {
		return false, false
	}
	f, known, err := checker.Check(ctx, p.Abs, settle)
	if err != nil {
		w.s.opts.Log.Debug("the editor did not tell of problems", "path", p.Display, "err", err)
		return false, false
	}
	if known {
		w.Publish(f)
	}
	return known, true
}

// Publish tells of the problems of one file, whole, in place of what was told of
// it before. f must not be changed afterwards.
func (w *Workspace) Publish(f FileDiagnostics) {
	w.s.stateMu.Lock()
	defer w.s.stateMu.Unlock()
	w.s.diagnostics.put(f, false)
	w.s.tellLocked()
}
