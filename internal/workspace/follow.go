package workspace

import (
	"context"
	"crypto/sha256"
	"errors"

	"clined/internal/tools"
)

// Follower is an Editor whose buffers can go with their files. Paths are absolute,
// and of files that are open; the methods return false when the editor cannot or
// did not, and the file is looked at then, for it may have been done all the same.
type Follower interface {
	// RenameFile gives a file another path, on disk and in the editor. Nothing is
	// there, but for its folder.
	RenameFile(ctx context.Context, from, to string) bool
	// DeleteFile lets go of what is open of a file that is gone from disk.
	DeleteFile(ctx context.Context, path string) bool
}

// letGo has the editor close what is open of a file that is gone.
func (w *Workspace) letGo(ctx context.Context, p tools.Path) {
	if f, ok := w.s.opts.Editor.(Follower); ok && !exists(p.Real) {
		if doc := w.s.docs.find(p.Real); doc != nil {
			f.DeleteFile(ctx, doc.path)
		}
	}
}

// moveInEditor has the editor move a file that it has open, when it can and would
// change no byte of it, to dir, and then gives file and buffer the new text. done is
// false when all is as before.
func (w *Workspace) moveInEditor(ctx context.Context, n *named, v *version, dir *dirHandle, base *tools.File, to tools.Path, text string) (done bool, err error) {
	f, ok := w.s.opts.Editor.(Follower)
	if !ok || v.doc == nil || n.file == nil || linkCount(n.info) > 1 || !w.editorCan(v) {
		return false, nil
	}
	f.RenameFile(ctx, v.doc.path, to.Real)
	if _, err := n.dir.Lstat(n.name); err == nil {
		return false, nil
	}
	raw, err := dir.ReadFile(baseName(to.Real))
	switch {
	case err != nil:
		return true, errors.New("the editor moved it, and it is not where it should be")
	case sha256.Sum256(raw) != n.sum:
		return true, errors.New("the editor moved it, and wrote another text than it had")
	}
	if err := w.edit(ctx, base, to, text); err != nil {
		if !f.RenameFile(ctx, to.Real, v.doc.path) {
			err = errors.Join(err, renameNew(dir, baseName(to.Real), n.dir, n.name))
		}
		return true, err
	}
	return true, nil
}

// edit gives a file that was moved its new text: the buffer first, so that an editor
// that looks at the disk finds what it has.
func (w *Workspace) edit(ctx context.Context, base *tools.File, to tools.Path, text string) error {
	now, v, err := w.load(to)
	switch {
	case err != nil:
		return err
	case now.Text != base.Text || now.Dirty:
		return tools.ErrChanged
	case text == base.Text:
		return nil
	}
	if v.doc != nil && w.editorCan(v) {
		if _, err := w.writeInEditor(ctx, to, v, text); err != nil {
			return err
		}
	}
	return w.writeDisk(to, v.disk, text)
}
