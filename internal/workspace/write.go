package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"clined/internal/tools"
)

// Write implements tools.Files. A file that is open is changed in the editor,
// where it can be undone, and never on disk under unsaved changes. A clean
// document goes past the editor when that cannot save it byte for byte.
func (w *Workspace) Write(ctx context.Context, base *tools.File, text string) (*tools.Written, error) {
	return w.change(ctx, base, func(f *tools.File, v *version) (*tools.Written, error) {
		if err := unchanged(base, f); err != nil {
			return nil, err
		}
		if v.doc == nil && f.Dirty {
			return nil, fmt.Errorf("%q has unsaved changes in the editor, which did not share them; ask the user to save it", base.Path.Display)
		}
		if v.disk != nil {
			v.disk.back = base.Was
		}
		return w.put(ctx, base.Path, v, text)
	})
}

// Save implements tools.Files.
func (w *Workspace) Save(ctx context.Context, base *tools.File, save func(ctx context.Context) error) (*tools.Written, error) {
	return w.change(ctx, base, func(f *tools.File, v *version) (*tools.Written, error) {
		editorOnly := base.Dirty && v.doc == nil
		made := !base.Exists && f.Exists && f.Text == ""
		if err := unchanged(base, f); err != nil && !editorOnly && !made {
			return nil, err
		}
		if err := save(ctx); err != nil {
			return nil, err
		}
		f, _, err := w.load(base.Path)
		if err != nil {
			return nil, err
		}
		return &tools.Written{Text: f.Text, Saved: !f.Dirty}, nil
	})
}

// change does something to base's file that it is told the present state of,
// alone, and adds what finds the problems that the editor has then.
func (w *Workspace) change(ctx context.Context, base *tools.File, do func(now *tools.File, v *version) (*tools.Written, error)) (*tools.Written, error) {
	p := base.Path
	unlock, err := w.s.locks.lock(ctx, p.Real)
	if err != nil {
		return nil, err
	}
	defer unlock()
	f, v, err := w.present(p)
	if err != nil {
		return nil, err
	}
	if err := asTold(base, f, v); err != nil {
		return nil, err
	}
	check := w.checkOf(ctx, p, p)
	written, err := do(f, v)
	if err == nil {
		written.Check = check
	}
	return written, err
}

// present loads what is at a path that may be changed, be it nothing.
func (w *Workspace) present(p tools.Path) (*tools.File, *version, error) {
	now, err := w.resolveAbs(p.Abs)
	switch {
	case err != nil:
		return nil, nil, err
	case now.Real != p.Real:
		return nil, nil, fmt.Errorf("%q: %w", p.Display, errMoved)
	case w.readOnly(p.Real):
		return nil, nil, fmt.Errorf("%q is a record of clined, which is only read", p.Display)
	}
	f, v, err := w.load(p)
	if errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errNoFolder) {
		f, v, err = &tools.File{Path: p}, &version{}, nil
	}
	return f, v, err
}

// put writes in the editor or on disk.
func (w *Workspace) put(ctx context.Context, p tools.Path, v *version, text string) (*tools.Written, error) {
	if v.doc != nil && (v.dirty || w.editorCan(v)) {
		return w.writeInEditor(ctx, p, v, text)
	}
	if err := w.writeDisk(p, v.disk, text); err != nil {
		return nil, err
	}
	written := &tools.Written{Text: text, Saved: true}
	if v.disk != nil {
		written.Was = v.disk.changed
	}
	return written, nil
}

// unchanged compares by text, not by time: a file may change within a tick of
// the clock, and one that was only touched has not changed.
func unchanged(base, now *tools.File) error {
	switch {
	case base.Exists && !now.Exists:
		return fmt.Errorf("%q is gone: %w", now.Path.Display, tools.ErrChanged)
	case !base.Exists && now.Exists:
		return fmt.Errorf("%q exists by now: %w", now.Path.Display, tools.ErrChanged)
	case base.Text != now.Text:
		return fmt.Errorf("%q: %w", now.Path.Display, tools.ErrChanged)
	}
	return nil
}

// editorCan reports whether the editor can write a clean document so that no
// byte beyond the edit changes: it knows UTF-8 and one kind of line end.
func (w *Workspace) editorCan(v *version) bool {
	return w.s.opts.Editor != nil && v.disk.enc.exact() && sameText(v.disk.text, v.doc.text) && !mixedEnds(v.disk.text)
}

func mixedEnds(text string) bool {
	crlf := strings.Count(text, "\r\n")
	return crlf > 0 && crlf != strings.Count(text, "\n")
}

func (w *Workspace) writeInEditor(ctx context.Context, p tools.Path, v *version, text string) (*tools.Written, error) {
	if w.s.opts.Editor == nil {
		return nil, fmt.Errorf("%q has unsaved changes in an editor that takes no edits; ask the user to save it", p.Display)
	}
	if v.disk != nil && !v.disk.enc.exact() && strings.ContainsRune(v.doc.text, utf8.RuneError) && !strings.ContainsRune(v.disk.text, utf8.RuneError) {
		return nil, fmt.Errorf("the editor does not show %q in its encoding (%v) and would damage it; ask the user to reopen it in that encoding", p.Display, v.disk.enc)
	}
	// An editor that shows a CRLF file with LF gets LF.
	if !v.dirty && strings.Contains(v.disk.text, "\r\n") && !strings.Contains(v.doc.text, "\r\n") {
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	if rest := strings.TrimLeft(v.doc.text, mark); rest != v.doc.text {
		text = v.doc.text[:len(v.doc.text)-len(rest)] + strings.TrimLeft(text, mark)
	}
	got, saved, err := w.s.opts.Editor.ApplyEdit(ctx, v.doc.path, v.doc.version, v.doc.text, text)
	if err != nil {
		return nil, fmt.Errorf("the editor did not change %q: %w", p.Display, err)
	}
	return &tools.Written{Text: strings.TrimLeft(got, mark), Saved: saved}, nil
}

// pathLocks lets one change at a time at each file.
type pathLocks struct {
	mu   sync.Mutex
	held map[string]chan struct{} // closed when let go
}

// lock takes several paths in one order for everybody, so that none waits for
// another who waits for it.
func (l *pathLocks) lock(ctx context.Context, paths ...string) (unlock func(), err error) {
	paths = slices.Clone(paths)
	slices.Sort(paths)
	paths = slices.Compact(paths)
	for i, path := range paths {
		if err := l.lockOne(ctx, path); err != nil {
			l.unlock(paths[:i])
			return nil, err
		}
	}
	return func() { l.unlock(paths) }, nil
}

func (l *pathLocks) unlock(paths []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, path := range paths {
		close(l.held[path])
		delete(l.held, path)
	}
}

func (l *pathLocks) lockOne(ctx context.Context, path string) error {
	for {
		l.mu.Lock()
		busy := l.held[path]
		if busy == nil {
			if l.held == nil {
				l.held = map[string]chan struct{}{}
			}
			l.held[path] = make(chan struct{})
			l.mu.Unlock()
			return nil
		}
		l.mu.Unlock()
		select {
		case <-busy:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
