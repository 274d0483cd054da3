package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"clined/internal/tools"
)

// version is where the text of a file came from.
type version struct {
	// doc is the open document, nil when there is none.
	doc *document
	// disk is the file on disk, nil when there is none or it is no text.
	disk *diskFile
	// dirty is true when the text is that of doc, which the disk does not have.
	dirty bool
}

// Read implements tools.Files.
func (w *Workspace) Read(ctx context.Context, p tools.Path) (*tools.File, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f, _, err := w.load(p)
	return f, err
}

// load reads a file as it is now. A document that is as it was when last on
// disk gives way to the disk: there the line ends and any change made
// meanwhile by others are. Else the document is the truth.
func (w *Workspace) load(p tools.Path) (*tools.File, *version, error) {
	v := &version{doc: w.s.docs.find(p.Real)}
	var err error
	v.disk, err = readDisk(w, p, v.doc)
	if v.doc == nil {
		if err != nil {
			return nil, nil, err
		}
		unseen := w.dirtyTab(p)
		f := &tools.File{Path: p, Text: v.disk.text, Encoding: v.disk.enc.String(), Exists: true, Open: unseen, Dirty: unseen}
		return withTell(f, v.disk), v, nil
	}
	saved := v.doc.saved != nil && *v.doc.saved == v.doc.text
	if v.disk != nil && !saved && v.disk.shown {
		w.s.docs.seenSaved(v.doc)
		saved = true
	}
	if v.disk != nil && saved {
		f := &tools.File{Path: p, Text: v.disk.text, Encoding: v.disk.enc.String(), Exists: true, Open: true}
		return withTell(f, v.disk), v, nil
	}
	if errors.Is(err, errMoved) {
		return nil, nil, err
	}
	v.dirty = true
	return &tools.File{Path: p, Text: strings.TrimLeft(v.doc.text, mark), Exists: true, Open: true, Dirty: true}, v, nil
}

// dirtyTab reports whether the editor shows unsaved changes of a file.
func (w *Workspace) dirtyTab(p tools.Path) bool {
	return slices.ContainsFunc(w.State().Tabs, func(t Tab) bool {
		return t.Dirty && (t.Path == p.Abs || realOrClean(t.Path) == p.Real)
	})
}

// sameText compares texts but for the kind of line ends and a byte order mark,
// which some editors keep away from the text.
func sameText(a, b string) bool {
	return a == b || plainText(a) == plainText(b)
}

func plainText(s string) string {
	return strings.ReplaceAll(strings.TrimLeft(s, mark), "\r\n", "\n")
}

// mark is the byte order mark, which some editors show as part of the text.
const mark = "\ufeff"

// Stat implements tools.Files. A document that is not on disk yet exists.
func (w *Workspace) Stat(ctx context.Context, p tools.Path) (tools.FileInfo, error) {
	if err := ctx.Err(); err != nil {
		return tools.FileInfo{}, err
	}
	info, err := os.Lstat(p.Real)
	if err == nil {
		return tools.FileInfo{Exists: true, Dir: info.IsDir(), Size: info.Size(), ID: fileID(info)}, nil
	}
	if d := w.s.docs.find(p.Real); d != nil {
		return tools.FileInfo{Exists: true, Size: int64(len(d.text))}, nil
	}
	if errors.Is(err, fs.ErrNotExist) || noFolder(filepath.Dir(p.Real)) {
		return tools.FileInfo{}, nil
	}
	return tools.FileInfo{}, sentence(p, err)
}

// noFolder reports whether something other than a folder stands on the way to dir.
func noFolder(dir string) bool {
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if info, err := os.Lstat(dir); err == nil {
			return !info.IsDir()
		}
	}
	return false
}
