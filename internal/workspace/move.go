package workspace

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"clined/internal/tools"
)

// Remove implements tools.Files. What goes is the name: a link and not the file
// it leads to, one of several names of a file; and with it the folders that were
// made here for files, once they are empty. An open document is closed by an editor
// that can follow, and else stays open: it is the editor's.
func (w *Workspace) Remove(ctx context.Context, base *tools.File) error {
	_, err := w.take(ctx, base, nil, func(n *named, _ *version) error { return sentence(base.Path, w.remove(n)) })
	if err == nil {
		w.letGo(ctx, base.Path)
	}
	return err
}

// Move implements tools.Files. As long as the text stays the same, or the file
// has other names, it is the same file afterwards. A new text otherwise makes a
// new file, with mode and owner of the old one, which goes only when the new
// one is complete. A link is moved as it is, and only where it leads to the same
// file: an edit belongs to that one.
func (w *Workspace) Move(ctx context.Context, base *tools.File, to tools.Path, text string) (*tools.Written, error) {
	written := &tools.Written{Text: text, Saved: true}
	check, err := w.take(ctx, base, &to, func(n *named, v *version) (err error) {
		raw, err := v.disk.enc.encode(text)
		if err != nil {
			return fmt.Errorf("%q: %w", base.Path.Display, err)
		}
		var made madeDirs
		defer func() { made.done(err != nil) }()
		dir, err := w.openDir(filepath.Dir(to.Real), &made)
		if err != nil {
			return sentence(to, err)
		}
		defer dir.Close()
		done, err := w.moveInEditor(ctx, n, v, dir, base, to, text)
		if err == nil && !done {
			err = sentence(base.Path, w.move(n, dir, baseName(to.Real), raw))
		}
		if err != nil {
			return err
		}
		w.setTime(dir, baseName(to.Real), base.Was)
		written.Was = v.disk.changed
		w.s.tables.keep(to.Real, raw, v.disk.enc.table)
		return nil
	})
	if err != nil {
		return nil, err
	}
	written.Check = check
	return written, nil
}

// take does something that takes base's name away, alone and only when all is
// as base says. to, if given, is the name instead of it. It returns what finds
// the problems that the editor has then.
func (w *Workspace) take(ctx context.Context, base *tools.File, to *tools.Path, do func(n *named, v *version) error) (check func(context.Context) tools.Checked, err error) {
	p := base.Path
	place, err := w.place(p)
	if err != nil {
		return nil, err
	}
	after, paths := p, []string{p.Real, place}
	if to != nil {
		after, paths = *to, append(paths, to.Real)
	}
	unlock, err := w.s.locks.lock(ctx, paths...)
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
	if err := unchanged(base, f); err != nil {
		return nil, err
	}
	switch {
	case !f.Exists:
		return nil, notThere{fmt.Sprintf("there is no file %q", p.Display)}
	case f.Dirty:
		return nil, fmt.Errorf("%q has unsaved changes in the editor; ask the user to save it", p.Display)
	}
	if to != nil {
		if err := w.free(*to); err != nil {
			return nil, err
		}
	}
	n, err := w.openName(p, place, v.disk.sum)
	if err != nil {
		return nil, sentence(p, err)
	}
	defer n.close()
	check = w.checkOf(ctx, p, after)
	if err := do(n, v); err != nil {
		return nil, err
	}
	w.dropMade(filepath.Dir(place))
	if to == nil {
		return nil, nil
	}
	return check, nil
}

// free reports whether nothing is at a path, on disk or in the editor.
func (w *Workspace) free(to tools.Path) error {
	f, _, err := w.present(to)
	if err != nil {
		return err
	}
	f.Exists = f.Exists || exists(to.Abs) // a link to nothing is something
	return unchanged(&tools.File{Path: to}, f)
}

// place returns where the name of a path stands: links on the way are followed,
// one at the end is not. The path was judged by where it leads; a name that is
// under stricter rules than that is refused.
func (w *Workspace) place(p tools.Path) (string, error) {
	dir, err := realPath(filepath.Dir(p.Abs))
	if err != nil {
		return "", sentence(p, err)
	}
	place := filepath.Join(dir, filepath.Base(p.Abs))
	if info, err := os.Lstat(place); err == nil {
		place = filepath.Join(dir, lookupIn(dir).nameOf(filepath.Base(p.Abs), info))
	}
	at := tools.Path{Abs: place, Real: place}
	switch {
	case place == p.Real:
	case !p.Outside && !w.inside(place), p.Protected == "" && w.protected(place, place) != "", w.readOnly(place), w.Hiding().HidesPath(at):
		return "", fmt.Errorf("%q is a link, and it stands at %q, where other rules hold than for the file it leads to", p.Display, place)
	}
	return place, nil
}
