package workspace

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"clined/internal/tools"
)

// Look implements tools.Files.
func (w *Workspace) Look(ctx context.Context, p tools.Path) (*tools.File, error) {
	f, err := w.Read(ctx, p)
	if !isOpaque(err) {
		return f, err
	}
	opaque, err := w.opaque(p)
	if err != nil {
		return nil, err
	}
	dirty := w.dirtyTab(p)
	return &tools.File{Path: p, Exists: true, Open: dirty, Dirty: dirty, Opaque: opaque}, nil
}

// isOpaque reports whether an error says that there is a file, and no text.
func isOpaque(err error) bool {
	return errors.Is(err, tools.ErrBinary) || errors.Is(err, tools.ErrTooLarge)
}

// opaque tells of a file that is no text. One that is too large to be read is known
// again by its time.
func (w *Workspace) opaque(p tools.Path) (*tools.Opaque, error) {
	raw, _, err := readRaw(w, p)
	if err == nil {
		return &tools.Opaque{Size: int64(len(raw)), Binary: true, Version: fmt.Sprintf("%x", sha256.Sum256(raw))}, nil
	}
	if !errors.Is(err, tools.ErrTooLarge) {
		return nil, err
	}
	info, err := os.Lstat(p.Real)
	if err != nil {
		return nil, sentence(p, err)
	}
	return &tools.Opaque{Size: info.Size(), Version: fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano())}, nil
}

// SetAside implements tools.Files: the file gets another name beside its own. What
// goes is the name, as with Remove. The next start removes what a kill left aside.
func (w *Workspace) SetAside(ctx context.Context, base *tools.File) (tools.Aside, error) {
	var a *aside
	if base.Opaque != nil {
		return w.setOpaqueAside(ctx, base)
	}
	_, err := w.take(ctx, base, nil, func(n *named, _ *version) (err error) {
		a, err = w.setAside(base.Path, n.dir, n.name, n.info)
		return err
	})
	if err != nil {
		return nil, err
	}
	return a, nil
}

func (w *Workspace) setOpaqueAside(ctx context.Context, base *tools.File) (tools.Aside, error) {
	p := base.Path
	place, err := w.place(p)
	if err != nil {
		return nil, err
	}
	unlock, err := w.s.locks.lock(ctx, p.Real, place)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if _, _, err := w.present(p); !isOpaque(err) {
		if err == nil { // a text by now, or gone
			err = fmt.Errorf("%q: %w", p.Display, tools.ErrChanged)
		}
		return nil, err
	}
	now, err := w.opaque(p)
	switch {
	case err != nil:
		return nil, err
	case *now != *base.Opaque:
		return nil, fmt.Errorf("%q: %w", p.Display, tools.ErrChanged)
	case w.dirtyTab(p):
		return nil, fmt.Errorf("%q has unsaved changes in the editor; ask the user to save it", p.Display)
	}
	dir, err := w.openDir(filepath.Dir(place), nil)
	if err != nil {
		return nil, sentence(p, err)
	}
	defer dir.Close()
	info, err := dir.Lstat(baseName(place))
	if err != nil {
		return nil, sentence(p, err)
	}
	a, err := w.setAside(p, dir, baseName(place), info)
	if err != nil {
		return nil, err
	}
	return a, nil
}

// aside is a file or link under another name in its folder.
type aside struct {
	w          *Workspace
	path       tools.Path
	dir        *dirHandle
	name, temp string
	forget     func()
}

// setAside gives the name in dir, that of what info describes, to nobody.
func (w *Workspace) setAside(p tools.Path, dir *dirHandle, name string, info fs.FileInfo) (_ *aside, err error) {
	if err := stillThere(dir, name, info); err != nil {
		return nil, sentence(p, err)
	}
	a := &aside{w: w, path: p, name: name}
	if a.dir, err = dir.OpenRoot("."); err != nil {
		return nil, sentence(p, err)
	}
	a.temp, a.forget = w.temp(dir)
	if err := renameNew(dir, name, dir, a.temp); err != nil {
		a.close()
		return nil, sentence(p, err)
	}
	w.last(dir)
	return a, nil
}

// PutBack implements tools.Aside.
func (a *aside) PutBack() error {
	defer a.close()
	if err := tryAgain(func() error { return renameNew(a.dir, a.temp, a.dir, a.name) }); err != nil {
		return fmt.Errorf("%w; what it was is in %q now", sentence(a.path, err), filepath.Join(filepath.Dir(a.path.Display), a.temp))
	}
	a.w.last(a.dir)
	return nil
}

// Drop implements tools.Aside.
func (a *aside) Drop() error {
	defer a.close()
	if err := tryAgain(func() error { return a.dir.Remove(a.temp) }); err != nil {
		return fmt.Errorf("%w; it is %q now", sentence(a.path, err), filepath.Join(filepath.Dir(a.path.Display), a.temp))
	}
	a.w.last(a.dir)
	a.w.dropMade(filepath.Clean(a.dir.Name()))
	a.w.letGo(context.Background(), a.path) // the editor has its own limit
	return nil
}

func (a *aside) close() {
	a.forget()
	a.dir.Close()
}
