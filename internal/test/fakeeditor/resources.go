package fakeeditor

import (
	"os"
	"path/filepath"
	"slices"

	"clined/internal/protocol"
)

// Resources are how an editor deals with changes to files in workspace/applyEdit.
type Resources struct {
	// Kinds are those that it announced.
	Kinds []string
	// Habit is "" or what is done instead: "refuse", or "lie": it says it did.
	Habit string
}

// HaveResources makes the editor one that changes files.
func (e *Editor) HaveResources(r Resources) { e.update(func() { e.resources = r }) }

// operate changes a file, and what is open of it.
func (e *Editor) operate(d protocol.DocumentEdit) (applied bool, err error) {
	e.mu.Lock()
	r := e.resources
	e.mu.Unlock()
	if !slices.Contains(r.Kinds, d.Kind) {
		e.t.Errorf("a %q of a file for an editor that announced %q", d.Kind, r.Kinds)
	}
	switch {
	case r.Habit == "refuse":
		return false, nil
	case r.Habit == "lie":
		return true, nil
	case d.Kind == protocol.ResourceDelete:
		if err := os.Remove(pathOf(d.URI)); err != nil && (d.Options == nil || !d.Options.IgnoreIfNotExists) {
			return false, nil
		}
		return true, e.CloseBuffer(d.URI)
	}
	from, to := pathOf(d.OldURI), pathOf(d.NewURI)
	if _, err := os.Lstat(to); err == nil {
		return false, nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return false, err
	}
	if err := os.Rename(from, to); err != nil {
		return false, nil
	}
	return true, e.renameBuffer(d.OldURI, d.NewURI)
}

// renameBuffer gives a buffer another name; its undo goes along.
func (e *Editor) renameBuffer(from, to string) error {
	e.mu.Lock()
	b := e.buffers[from]
	e.mu.Unlock()
	if b == nil {
		return nil
	}
	if err := e.CloseBuffer(from); err != nil {
		return err
	}
	if err := e.Open(to, b.Text); err != nil {
		return err
	}
	e.update(func() { e.buffers[to].undo, e.buffers[to].cursor = b.undo, b.cursor })
	return nil
}
