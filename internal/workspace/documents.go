package workspace

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"clined/internal/fileuri"
	"clined/internal/tools"
)

// documents is the overlay: what editors have open, saved or not.
type documents struct {
	mu   sync.RWMutex
	open map[string]*document // by key
	tick uint64
}

// document is never changed in place: a change puts a new one into the map,
// so that who holds one holds a snapshot.
type document struct {
	key      string // see documentKey
	id       string // as the editor spells it
	path     string // "" for what is no file on disk
	real     string
	language string
	version  int32
	text     string
	// saved is the text known to be on disk when the document was opened or
	// last saved; nil when it was never seen equal to the disk.
	saved *string
	// tick orders documents by their last change.
	tick uint64
}

// Document is a snapshot of a text open in an editor.
type Document struct {
	// URI is the name under which the editor opened it.
	URI string
	// Path is absolute, "" for documents that are no files on disk; Real is
	// where it leads.
	Path, Real string
	LanguageID string
	Version    int32
	Text       string
}

func (d *document) snapshot() Document {
	return Document{URI: d.id, Path: d.path, Real: d.real, LanguageID: d.language, Version: d.version, Text: d.text}
}

func (ds *documents) put(d *document) {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	if ds.open == nil {
		ds.open = map[string]*document{}
	}
	ds.tick++
	d.tick = ds.tick
	ds.open[d.key] = d
}

func (ds *documents) get(key string) *document {
	ds.mu.RLock()
	defer ds.mu.RUnlock()
	return ds.open[key]
}

// find returns the document of a file, the one changed last if the editor has
// it open under several names.
func (ds *documents) find(real string) *document {
	ds.mu.RLock()
	defer ds.mu.RUnlock()
	var best *document
	for _, d := range ds.open {
		if d.path != "" && d.real == real && (best == nil || d.tick > best.tick) {
			best = d
		}
	}
	return best
}

// state is what open files tell of the screen: a tab for each, by path, and
// the one that was opened, changed or touched last as what the user looks at.
func (ds *documents) state(private string) State {
	ds.mu.RLock()
	defer ds.mu.RUnlock()
	var s State
	var last uint64
	for _, d := range ds.open {
		if d.path == "" || private != "" && within(private, d.real) {
			continue
		}
		s.Tabs = append(s.Tabs, Tab{Path: d.path, Dirty: d.saved == nil || *d.saved != d.text})
		if d.tick > last {
			last, s.Active = d.tick, d.path
		}
	}
	slices.SortFunc(s.Tabs, func(a, b Tab) int { return cmp.Compare(a.Path, b.Path) })
	if s.Active != "" {
		s.Visible = []string{s.Active}
	}
	return s
}

// seenSaved notes that d, if it is still what is open, is the text on disk.
func (ds *documents) seenSaved(d *document) {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	if ds.open[d.key] == d {
		c := *d
		c.saved = &d.text
		ds.open[d.key] = &c
	}
}

// documentKey returns the one key of a document that an editor may spell in
// many ways, and its clean path, "" when it is no file on disk.
func documentKey(id string) (key, path string) {
	path, ok := id, filepath.IsAbs(id)
	if !ok {
		path, ok = fileuri.Path(id)
	}
	if !ok {
		return id, ""
	}
	path = filepath.Clean(path)
	return path, path
}

// Open tells of a document that an editor opened, named by URI or path. Open
// again means opened anew.
func (w *Workspace) Open(id, languageID string, version int32, text string) {
	key, path := documentKey(id)
	d := &document{key: key, id: id, path: path, language: languageID, version: version, text: text}
	if path != "" {
		d.real = realOrClean(path)
		if disk, err := readDisk(w, tools.Path{Abs: path, Real: d.real, Display: path}, d); err == nil && disk.shown {
			d.saved = &text
		}
	}
	w.s.docs.put(d)
}

// Change replaces the text of an open document.
func (w *Workspace) Change(id string, version int32, text string) error {
	return w.Edit(id, version, func(string) (string, error) { return text, nil })
}

// Edit changes the text of an open document. When edit fails nothing changes.
// Changes of one document must come from one goroutine at a time.
func (w *Workspace) Edit(id string, version int32, edit func(text string) (string, error)) error {
	key, _ := documentKey(id)
	old := w.s.docs.get(key)
	if old == nil {
		return fmt.Errorf("document %q is not open", id)
	}
	text, err := edit(old.text)
	if err != nil {
		return err
	}
	d := *old
	d.text, d.version = text, version
	w.s.docs.put(&d)
	return nil
}

// Saved tells that the editor wrote a document to disk.
func (w *Workspace) Saved(id string) {
	key, _ := documentKey(id)
	if old := w.s.docs.get(key); old != nil {
		d := *old
		d.saved = &old.text
		w.s.docs.put(&d)
	}
}

// Close tells that the editor closed a document; unsaved changes are gone.
func (w *Workspace) Close(id string) {
	key, _ := documentKey(id)
	w.s.docs.mu.Lock()
	defer w.s.docs.mu.Unlock()
	delete(w.s.docs.open, key)
}

// Touch tells that the user is at an open document.
func (w *Workspace) Touch(id string) {
	key, _ := documentKey(id)
	ds := &w.s.docs
	ds.mu.Lock()
	defer ds.mu.Unlock()
	if old := ds.open[key]; old != nil {
		d := *old
		ds.tick++
		d.tick = ds.tick
		ds.open[key] = &d
	}
}

// Document returns an open document by URI or path.
func (w *Workspace) Document(id string) (Document, bool) {
	key, _ := documentKey(id)
	if d := w.s.docs.get(key); d != nil {
		return d.snapshot(), true
	}
	return Document{}, false
}

// Documents returns all open documents, sorted by path and URI.
func (w *Workspace) Documents() []Document {
	w.s.docs.mu.RLock()
	defer w.s.docs.mu.RUnlock()
	var out []Document
	for _, d := range w.s.docs.open {
		out = append(out, d.snapshot())
	}
	slices.SortFunc(out, func(a, b Document) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.URI, b.URI))
	})
	return out
}
