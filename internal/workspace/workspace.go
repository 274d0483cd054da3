package workspace

import (
	"context"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"clined/internal/tools"
)

// Editor changes buffers that are open in an editor.
type Editor interface {
	// ApplyEdit turns the open buffer of path, which holds oldText at version,
	// into newText as one undo step, and saves it if the editor can. It returns
	// what the buffer holds afterwards (a formatter may have been at work) and
	// whether that is on disk. On an error the buffer is as it was.
	ApplyEdit(ctx context.Context, path string, version int32, oldText, newText string) (text string, saved bool, err error)
}

// Options make a Workspace.
type Options struct {
	// Roots are the workspace folders, absolute. Without any, Cwd is the only one.
	Roots []string
	// Cwd is where relative paths start; default: the first root.
	Cwd string
	// Editor changes open buffers; nil when the editor cannot.
	Editor Editor
	// Own are clined's own configuration folders and files; they are protected.
	Own []string
	// Secrets are files with keys, which no tool reads or changes.
	Secrets []string
	// Private is clined's folder of its tasks. Documents in it are no work of
	// the user's: State does not tell of them.
	Private string
	// Unfinished remembers files that are being made or written in place; nil for
	// nobody.
	Unfinished Unfinished
	// Fault makes calls to the system fail; nil but in tests.
	Fault Fault
	// Log gets what neither user nor model can act on; nil means slog.Default.
	Log *slog.Logger
}

// Unfinished is told of each file that is being made or written in place, so that
// it can be removed, or the old bytes put back, should this process be killed
// before done.
type Unfinished interface {
	Note(path string) (done func())
	Keep(path string, old, after []byte) (done func(), err error)
}

// Root is a workspace folder.
type Root struct {
	// Name is unique among the roots: the last elements of Path, usually one.
	Name string
	// Path is as the editor gave it, Real where it leads.
	Path, Real string
}

// session is what all views of one editor session share.
type session struct {
	opts  Options
	ownMu sync.RWMutex
	own   []string // real paths
	// private is a real path, "" for none.
	private string
	docs    documents
	locks   pathLocks
	made    madeFolders
	tables  knownTables
	faults  ruleFaults

	stateMu sync.Mutex
	state   State
	told    bool // the editor tells its state
	// diagnostics are those of state and what was told besides.
	diagnostics diagnostics
	// next is closed when any of these changes; nil when nobody waits.
	next chan struct{}
}

// Workspace is the files of one editor session, seen from a working directory
// and a set of roots. It is safe for concurrent use.
type Workspace struct {
	s *session
	// readable are folders outside the roots that this view may read.
	readable []string

	rootsMu sync.RWMutex
	roots   []Root
	cwd     string
}

var _ tools.Files = (*Workspace)(nil)

// New returns the workspace of a new editor session. It reads no files.
func New(o Options) *Workspace {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	s := &session{opts: o}
	if o.Private != "" {
		s.private = realOrClean(o.Private)
	}
	w := &Workspace{s: s}
	w.Protect(o.Own...)
	w.set(o.Cwd, o.Roots)
	return w
}

// For returns a view of the same session with its own working directory and
// roots, which later calls of SetRoots on w leave alone: a task keeps its
// roots. Empty arguments mean those of w as they are now. readable are folders
// outside the roots that may be read as if inside, such as the one for the
// task's long outputs; they need not exist yet, and nothing is written there.
func (w *Workspace) For(cwd string, roots []string, readable ...string) *Workspace {
	if len(roots) == 0 {
		for _, r := range w.Roots() {
			roots = append(roots, r.Path)
		}
	}
	if cwd == "" {
		cwd = w.Cwd()
	}
	v := &Workspace{s: w.s, readable: readable}
	v.set(cwd, roots)
	return v
}

// SetRoots replaces the workspace folders. The working directory stays if it
// is in one of them, else it becomes the first.
func (w *Workspace) SetRoots(roots []string) {
	cwd := w.Cwd()
	if !slices.ContainsFunc(roots, func(r string) bool { return within(filepath.Clean(r), cwd) }) {
		cwd = ""
	}
	w.set(cwd, roots)
}

func (w *Workspace) set(cwd string, roots []string) {
	if len(roots) == 0 && cwd != "" {
		roots = []string{cwd}
	}
	var list []Root
	for _, p := range roots {
		p = filepath.Clean(p)
		if !slices.ContainsFunc(list, func(r Root) bool { return r.Path == p }) {
			list = append(list, Root{Path: p, Real: realOrClean(p)})
		}
	}
	nameRoots(list)
	if cwd == "" && len(list) > 0 {
		cwd = list[0].Path
	}
	w.rootsMu.Lock()
	defer w.rootsMu.Unlock()
	w.roots = list
	if w.cwd = ""; cwd != "" {
		w.cwd = filepath.Clean(cwd)
	}
}

// nameRoots gives each root as many of its last path elements as make its
// name unlike the others.
func nameRoots(roots []Root) {
	const deepest = 64
	for n := 1; n <= deepest; n++ {
		count := map[string]int{}
		for i := range roots {
			count[lastElements(roots[i].Path, n)]++
		}
		for i := range roots {
			if name := lastElements(roots[i].Path, n); roots[i].Name == "" && (count[name] == 1 || n == deepest) {
				roots[i].Name = name
			}
		}
	}
}

// lastElements returns the last n elements of a path with slashes.
func lastElements(path string, n int) string {
	elements := split(path)
	if len(elements) == 0 {
		return filepath.ToSlash(path)
	}
	return strings.Join(elements[max(0, len(elements)-n):], "/")
}

// Roots returns the workspace folders.
func (w *Workspace) Roots() []Root {
	w.rootsMu.RLock()
	defer w.rootsMu.RUnlock()
	return slices.Clone(w.roots)
}

// Cwd returns the working directory, "" when there is no folder at all.
func (w *Workspace) Cwd() string {
	w.rootsMu.RLock()
	defer w.rootsMu.RUnlock()
	return w.cwd
}

// SetState replaces what the user sees. s must not be changed afterwards.
func (w *Workspace) SetState(s State) {
	w.s.stateMu.Lock()
	defer w.s.stateMu.Unlock()
	w.s.state, w.s.told = s, true
	w.s.diagnostics.putState(s)
	w.s.tellLocked()
}

// tellLocked wakes who waits for news.
func (s *session) tellLocked() {
	if s.next != nil {
		close(s.next)
		s.next = nil
	}
}

// State returns what the user sees, as last told; it must not be changed. Of
// an editor that tells nothing it is what its open documents show.
func (w *Workspace) State() State {
	w.s.stateMu.Lock()
	state, told := w.s.state, w.s.told
	diagnostics := w.s.diagnostics.overlay(state.Diagnostics)
	w.s.stateMu.Unlock()
	if !told {
		state = w.s.docs.state(w.s.private)
	}
	state.Diagnostics = diagnostics
	return state
}
