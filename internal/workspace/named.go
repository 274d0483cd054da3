package workspace

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"clined/internal/tools"
)

// named is a file or a link by one of its names.
type named struct {
	dir  *dirHandle
	name string
	// file is open, nil for a link; old are its bytes.
	file *fileHandle
	old  []byte
	info fs.FileInfo
	// link is what a link says, sum that of the bytes of the file it leads to.
	link string
	sum  [sha256.Size]byte
}

// openName opens what stands at place and leads to p, a file whose bytes have
// the sum was.
func (w *Workspace) openName(p tools.Path, place string, was [sha256.Size]byte) (_ *named, err error) {
	n := &named{name: baseName(place), sum: was}
	if n.dir, err = w.openDir(filepath.Dir(place), nil); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			n.close()
		}
	}()
	if place != p.Real {
		if n.info, err = n.dir.Lstat(n.name); err != nil {
			return nil, err
		}
		n.link, err = n.dir.Readlink(n.name)
		return n, err
	}
	if n.file, n.info, err = openIn(n.dir, n.name, os.O_RDONLY); err != nil {
		return nil, err
	}
	if n.old, err = io.ReadAll(io.LimitReader(n.file, MaxFile+1)); err != nil {
		return nil, err
	}
	if sha256.Sum256(n.old) != was {
		return nil, tools.ErrChanged
	}
	return n, nil
}

// reopen opens the file for writing too.
func (n *named) reopen() error {
	f, info, err := openIn(n.dir, n.name, os.O_RDWR)
	if err != nil {
		return err
	}
	n.file.Close()
	n.file = f
	if !os.SameFile(info, n.info) {
		return tools.ErrChanged
	}
	return nil
}

func (n *named) close() {
	if n.file != nil {
		n.file.Close()
	}
	n.dir.Close()
}

// remove takes the name away. When it fails the name still stands, or somebody else
// took it.
func (w *Workspace) remove(n *named) error {
	if err := stillThere(n.dir, n.name, n.info); err != nil {
		return err
	}
	if err := n.dir.Remove(n.name); err != nil {
		return err
	}
	w.last(n.dir)
	return nil
}

// move gives n the name name in to and the bytes raw.
func (w *Workspace) move(n *named, to *dirHandle, name string, raw []byte) error {
	same := sha256.Sum256(raw) == n.sum
	if n.file == nil {
		return w.moveLink(n, to, name, same)
	}
	if !same {
		if err := n.reopen(); err != nil {
			return err
		}
	}
	if same || linkCount(n.info) > 1 {
		if err := w.rename(n, to, name, raw); !errors.Is(err, syscall.EXDEV) {
			return err
		}
	}
	err := w.moveToNew(n, to, name, raw)
	if errors.Is(err, fs.ErrPermission) && !errors.Is(err, tools.ErrHalfDone) { // perhaps only for the owner
		return w.rename(n, to, name, raw)
	}
	return err
}

// moveToNew moves by making a new file. As long as the old name stands the new one
// can be taken back; without it the new one is all there is.
func (w *Workspace) moveToNew(n *named, to *dirHandle, name string, raw []byte) error {
	temp, done := w.temp(to)
	defer done()
	if err := writeTemp(to, temp, raw, n.file, n.info); err != nil {
		return err
	}
	if err := renameNew(to, temp, to, name); err != nil {
		_ = to.Remove(temp)
		return err
	}
	w.last(to)
	err := w.remove(n)
	if err == nil {
		return nil
	}
	_, gone := n.dir.Lstat(n.name)
	if errors.Is(gone, fs.ErrNotExist) {
		return nil
	}
	if gone == nil {
		gone = to.Remove(name)
	}
	if gone != nil {
		return fmt.Errorf("%w; it is %w: %w", err, errTwice, gone)
	}
	return err
}

// rename moves the file itself, and writes raw in it.
func (w *Workspace) rename(n *named, to *dirHandle, name string, raw []byte) error {
	if err := stillThere(n.dir, n.name, n.info); err != nil {
		return err
	}
	if err := renameNew(n.dir, n.name, to, name); err != nil {
		return err
	}
	if sha256.Sum256(raw) != n.sum {
		if err := w.inPlace(to, name, n.file, n.info, n.old, raw); err != nil {
			if back := renameNew(to, name, n.dir, n.name); back != nil {
				return fmt.Errorf("%w; and it %w: %w", err, errMovedOnly, back)
			}
			return err
		}
	}
	w.last(to, n.dir)
	return nil
}

func (w *Workspace) moveLink(n *named, to *dirHandle, name string, same bool) error {
	here, err := n.dir.Stat(".")
	if err != nil {
		return err
	}
	there, err := to.Stat(".")
	switch {
	case err != nil:
		return err
	case !same:
		return fmt.Errorf("is a link to %q, so it cannot be moved with another text; edit that file, and move the link without an edit", n.link)
	case !filepath.IsAbs(n.link) && !os.SameFile(here, there):
		return fmt.Errorf("is a link to %q, which leads elsewhere from another folder; make a new link with a command and remove this one", n.link)
	}
	if err := stillThere(n.dir, n.name, n.info); err != nil {
		return err
	}
	if err := renameNew(n.dir, n.name, to, name); err != nil {
		return err
	}
	w.last(to, n.dir)
	return nil
}

// renameByName renames where the system cannot refuse to replace by itself:
// what comes to stand there at the same time may be replaced.
func renameByName(from *dirHandle, name string, to *dirHandle, newName string) error {
	if from == to {
		switch err := from.Link(name, newName); {
		case err == nil:
			if err = from.Remove(name); err != nil {
				_ = to.Remove(newName)
			}
			return err
		case errors.Is(err, fs.ErrExist):
			return tools.ErrChanged
		}
	}
	if _, err := to.Lstat(newName); err == nil {
		return tools.ErrChanged
	}
	return os.Rename(filepath.Join(from.Name(), name), filepath.Join(to.Name(), newName))
}
