package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"clined/internal/ignore"
	"clined/internal/tools"
)

// TreeOptions make a Tree.
type TreeOptions struct {
	// Roots returns the workspace folders, absolute and without links. Where
	// there is no git repository, ignore files hold from them down. nil means
	// that there are none.
	Roots func() []string
	// Overlay returns the text of a file that is open in an editor, named by an
	// absolute path without links. nil means that none is.
	Overlay func(path string) (text string, open bool)
	// Hidden returns what must not be shown, as it is when an operation begins.
	// nil hides nothing.
	Hidden func() func(path string, isDir bool) bool
}

// Tree lists folders and searches files, on disk and in open buffers.
//
// Links are never followed on the way down; a linked folder is named like one
// that is not entered. It is safe for concurrent use.
type Tree struct {
	o TreeOptions
	// searchTime bounds a search.
	searchTime time.Duration
}

var (
	_ tools.Lister   = (*Tree)(nil)
	_ tools.Searcher = (*Tree)(nil)
)

// NewTree returns a Tree. It reads nothing yet.
func NewTree(o TreeOptions) *Tree {
	if o.Roots == nil {
		o.Roots = func() []string { return nil }
	}
	if o.Overlay == nil {
		o.Overlay = func(string) (string, bool) { return "", false }
	}
	if o.Hidden == nil {
		o.Hidden = func() func(string, bool) bool { return func(string, bool) bool { return false } }
	}
	return &Tree{o: o, searchTime: 20 * time.Second}
}

// Tree returns what lists and searches the files of w.
func (w *Workspace) Tree() *Tree {
	return NewTree(TreeOptions{
		Roots: func() (real []string) {
			for _, r := range w.Roots() {
				real = append(real, r.Real)
			}
			return real
		},
		Overlay: func(path string) (string, bool) {
			d := w.s.docs.find(path)
			if d == nil {
				return "", false
			}
			if f, _, err := w.load(tools.Path{Abs: path, Real: path, Display: path}); err == nil {
				return f.Text, true
			}
			return d.text, true
		},
		Hidden: func() func(string, bool) bool {
			hides, secret := w.Hiding().Hides, w.s.secrets()
			return func(path string, isDir bool) bool { return hides(path, isDir) || secret(path) }
		},
	})
}

// defaultEntries is the limit of a listing that asks for none.
const defaultEntries = 200

// List implements tools.Lister, breadth first: with a limit, what is near is
// shown rather than what is deep. Ignored and bulky folders are named and not
// entered, unless dir is in one itself. Ignored files are left out of a
// recursive listing. Together with an error, what was found is returned. More
// without entries means that all of what there is is left out.
func (t *Tree) List(ctx context.Context, dir tools.Path, recursive bool, limit int) (entries []string, more bool, err error) {
	if limit <= 0 {
		limit = defaultEntries
	}
	top, err := t.top(dir)
	if err != nil {
		return nil, false, err
	}
	defer top.root.Close()
	v := view{hidden: t.o.Hidden(), recursive: recursive}
	queue := []folder{top}
	for len(queue) > 0 && !more {
		f := queue[0]
		queue = queue[1:]
		kids, e := v.read(ctx, &f)
		if ctx.Err() != nil {
			err = ctx.Err()
			break
		}
		if e != nil && f.rel == "" {
			return nil, false, unreadable(dir, e)
		}
		more = f.rel == "" && len(kids) == 0 && v.leftOut
		for _, k := range kids {
			if more = len(entries) == limit; more {
				break
			}
			entries = append(entries, f.rel+k.shown())
			if k.enter && recursive {
				queue = append(queue, f.child(k.name))
			}
		}
	}
	slices.SortFunc(entries, comparePaths)
	for i, e := range entries {
		entries[i] = visible(e)
	}
	return entries, more, err
}

func unreadable(p tools.Path, err error) error {
	switch {
	case os.IsNotExist(err):
		return fmt.Errorf("%s does not exist", p.Display)
	case os.IsPermission(err):
		return fmt.Errorf("%s cannot be read: permission denied", p.Display)
	}
	if info, statErr := os.Stat(p.Abs); statErr == nil && !info.IsDir() {
		return fmt.Errorf("%s is not a directory", p.Display)
	}
	return fmt.Errorf("%s cannot be read: %w", p.Display, plain(err))
}

// A folder is a directory on the way down.
type folder struct {
	// root is the top, from which all is opened: a link that takes the place of
	// a folder meanwhile leads nowhere else.
	root *os.Root
	abs  string
	// rel is the path below the top with a slash at its end, "" for the top.
	rel, name string
	// rules hold inside the parent until the folder is read, then inside it.
	rules *ignore.Dir
}

func (f *folder) child(name string) folder {
	return folder{root: f.root, abs: filepath.Join(f.abs, name), rel: f.rel + name + "/", name: name, rules: f.rules}
}

// top opens the folder a listing or search starts at; its root must be closed.
// Ignore rules hold unless they leave out the folder itself: who names it wants
// to see it.
func (t *Tree) top(p tools.Path) (folder, error) {
	dir := p.Real
	if dir == "" {
		dir = p.Abs
	}
	if !filepath.IsAbs(dir) {
		return folder{}, fmt.Errorf("%q is not an absolute path", dir)
	}
	root := t.rootOf(dir)
	opened, err := t.openDir(dir)
	if errors.Is(err, errMoved) {
		return folder{}, sentence(p, err)
	}
	if err != nil {
		return folder{}, unreadable(p, err)
	}
	rules, ignored := ignore.Load(root, dir)
	if ignored || slices.ContainsFunc(split(dir), func(e string) bool { return e == ".git" }) {
		rules = ignore.All(dir)
	}
	return folder{root: opened, abs: dir, rules: rules}, nil
}

// rootOf returns the innermost root that a path is in, "" for none.
func (t *Tree) rootOf(path string) string {
	root := ""
	for _, r := range t.o.Roots() {
		if within(r, path) && len(r) > len(root) {
			root = r
		}
	}
	return root
}

// openDir opens the directory at a resolved path. Below a root that is done step by
// step: looking at the whole way before and after would not do, for a link may come
// and go between the looks. The way to a root is the user's.
func (t *Tree) openDir(dir string) (*os.Root, error) {
	base := cmp.Or(t.rootOf(dir), dir)
	opened, err := os.OpenRoot(base)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	if now, err := realPath(base); err != nil || now != base || !sameDir(opened, base) {
		return nil, errMoved
	}
	rel, _ := below(base, dir)
	if rel == "." {
		rel = ""
	}
	return openBelow(opened, rel)
}

// A view says what of a folder is shown.
type view struct {
	hidden    func(path string, isDir bool) bool
	recursive bool
	// searching leaves out ignored folders altogether, and enters those that
	// are merely bulky.
	searching bool
	// leftOut is set once an entry was not shown.
	leftOut bool
}

// An entry of a folder.
type entry struct {
	name string
	dir  bool
	// enter tells whether it is a folder to be looked into, file whether it is
	// an ordinary file.
	enter, file bool
}

func (e entry) shown() string {
	if e.dir {
		return e.name + "/"
	}
	return e.name
}

// read reads a folder and returns what is shown of it, sorted.
func (v *view) read(ctx context.Context, f *folder) ([]entry, error) {
	entries, err := readDir(ctx, f)
	if err != nil {
		return nil, err
	}
	if f.rel != "" {
		f.rules = f.rules.Child(f.name, entries)
	}
	var kids []entry
	for i, e := range entries {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		k, ok := v.entry(f, e, entries)
		if !ok {
			v.leftOut = true
			continue
		}
		kids = append(kids, k)
	}
	slices.SortFunc(kids, func(a, b entry) int { return compareNames(a.name, b.name) })
	return kids, nil
}

func (v *view) entry(f *folder, e fs.DirEntry, beside []fs.DirEntry) (k entry, ok bool) {
	k = entry{name: e.Name(), dir: e.IsDir(), enter: e.IsDir(), file: e.Type().IsRegular()}
	abs := filepath.Join(f.abs, k.name)
	ignored := f.rules.Ignored(k.name, k.dir)
	skip := k.dir && (ignored || isNoise(k.name) || !v.searching && isBulky(k.name, beside))
	switch {
	case v.searching && (skip || ignored || !k.dir && !k.file):
		return k, false
	case v.recursive && ignored && !k.dir:
		return k, false
	case v.hidden(abs, k.dir):
		return k, false
	}
	k.enter = k.dir && !skip
	if e.Type()&fs.ModeSymlink != 0 {
		real, err := filepath.EvalSymlinks(abs)
		if err != nil { // leads nowhere: still an entry
			return k, true
		}
		info, err := os.Stat(real)
		k.dir = err == nil && info.IsDir()
		return k, !v.hidden(real, k.dir)
	}
	return k, true
}

// openBelow opens a folder step by step from the top, and never a link: a root
// keeps links from leading out, not from leading to what is hidden.
func openBelow(top *os.Root, rel string) (*os.Root, error) {
	dir, err := top.OpenRoot(".")
	if err != nil {
		return nil, err
	}
	for _, name := range split(rel) {
		next, err := step(&dirHandle{Root: dir}, name, nil)
		dir.Close()
		if err != nil {
			return nil, err
		}
		dir = next.Root
	}
	return dir, nil
}

// readDir reads a directory in no order, in parts so that it can be stopped.
func readDir(ctx context.Context, f *folder) ([]fs.DirEntry, error) {
	dir, err := openBelow(f.root, f.rel)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	d, err := dir.Open(".")
	if err != nil {
		return nil, err
	}
	defer d.Close()
	var all []fs.DirEntry
	for {
		const part = 4096
		entries, err := d.ReadDir(part)
		all = append(all, entries...)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil && !errors.Is(err, io.EOF) && len(all) == 0:
			return nil, err
		case err != nil || len(entries) < part:
			return all, nil
		}
	}
}
