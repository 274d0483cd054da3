package builtin

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"

	"clined/internal/llm"
	"clined/internal/tools"
	"clined/internal/transcript"
)

// world is a fake of all ports over a map of files below /w.
type world struct {
	mu     sync.Mutex
	files  map[string]string // by absolute path
	hidden map[string]bool
	dirty  map[string]bool
	// format, if set, is what the editor does on save.
	format         func(string) string
	problems, gone string
	unsaved        bool
	// kept is what was to be on disk, too, which fails with keepErr.
	kept     []string
	keepErr  error
	writeErr error
	// failAt is the path whose change fails, by writeErr or, without one, as if it
	// had changed.
	failAt string
	// beforeWrite runs when a write arrives, before it looks at the file.
	beforeWrite func()
	writes      int

	listErr error
	search  *tools.SearchResult
	command *tools.CommandResult
	ran     []tools.CommandLine
	sandbox string
	servers []tools.MCPServer
	called  []string
	mcp     *tools.MCPResult
	mcpErr  error
	answer  tools.Answer
	askErr  error
	asked   tools.Question
}

func newWorld(files map[string]string) *world {
	w := &world{files: map[string]string{}, hidden: map[string]bool{}, dirty: map[string]bool{}}
	for name, text := range files {
		w.files["/w/"+name] = text
	}
	return w
}

// set changes a file behind the model's back.
func (w *world) set(name, text string) { w.files["/w/"+name] = text }

func (w *world) Resolve(p string) (tools.Path, error) {
	if p == "" {
		return tools.Path{}, fmt.Errorf("the path is empty")
	}
	abs := p
	if !path.IsAbs(p) {
		abs = path.Join("/w", p)
	}
	if w.hidden[abs] {
		return tools.Path{}, fmt.Errorf("%s is hidden by the ignore file", p)
	}
	display, inside := strings.CutPrefix(path.Clean(abs), "/w/")
	if path.Clean(abs) == "/w" {
		display, inside = ".", true
	}
	return tools.Path{Display: display, Abs: path.Clean(abs), Real: path.Clean(abs), Outside: !inside}, nil
}

func (w *world) isDir(abs string) bool {
	for name := range w.files {
		if abs == "/w" || strings.HasPrefix(name, abs+"/") {
			return true
		}
	}
	return false
}

func (w *world) Stat(_ context.Context, p tools.Path) (tools.FileInfo, error) {
	text, ok := w.files[p.Abs]
	dir := !ok && w.isDir(p.Abs)
	return tools.FileInfo{Exists: ok || dir, Dir: dir, Size: int64(len(text))}, nil
}

func (w *world) Read(ctx context.Context, p tools.Path) (*tools.File, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	text, ok := w.files[p.Abs]
	if !ok {
		return nil, fmt.Errorf("%s does not exist", p.Display)
	}
	if strings.Contains(text, "\x00") {
		return nil, fmt.Errorf("%s %w", p.Display, tools.ErrBinary)
	}
	return &tools.File{Path: p, Text: text, Exists: true, Dirty: w.dirty[p.Abs]}, nil
}

// Window gives whole lines, however long they are.
func (w *world) Window(ctx context.Context, p tools.Path, from tools.Place, lines, _ int) (*tools.Window, error) {
	f, err := w.Read(ctx, p)
	if err != nil {
		return nil, err
	}
	all := strings.SplitAfter(strings.TrimSuffix(f.Text, "\n"), "\n")
	win := &tools.Window{Lines: len(all), Size: int64(len(f.Text)), Dirty: f.Dirty}
	if from.Line > len(all) {
		return win, nil
	}
	last := min(from.Line-1+lines, len(all))
	if win.Text = strings.Join(all[from.Line-1:last], ""); last < len(all) {
		win.Next = tools.Place{Line: last + 1}
	}
	return win, nil
}

func (w *world) check(context.Context) tools.Checked {
	return tools.Checked{New: w.problems, Gone: w.gone}
}

func (w *world) Write(_ context.Context, base *tools.File, text string) (*tools.Written, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.beforeWrite != nil {
		w.beforeWrite()
	}
	if err := w.fails(base.Path.Abs); err != nil {
		return nil, err
	}
	now, ok := w.files[base.Path.Abs]
	if ok != base.Exists || ok && now != base.Text {
		return nil, fmt.Errorf("write %s: %w", base.Path.Display, tools.ErrChanged)
	}
	if w.format != nil {
		text = w.format(text)
	}
	w.writes++
	w.files[base.Path.Abs] = text
	return &tools.Written{Text: text, Check: w.check, Saved: !w.unsaved}, nil
}

func (w *world) fails(abs string) error {
	if w.failAt != "" && w.failAt != abs {
		return nil
	}
	if w.failAt != "" && w.writeErr == nil {
		return fmt.Errorf("%s: %w", abs, tools.ErrChanged)
	}
	return w.writeErr
}

func (w *world) Save(ctx context.Context, base *tools.File, save func(context.Context) error) (*tools.Written, error) {
	abs := base.Path.Abs
	now, ok := w.files[abs]
	made := !base.Exists && now == ""
	if !made && !base.Dirty && (ok != base.Exists || now != base.Text) {
		return nil, fmt.Errorf("save %s: %w", base.Path.Display, tools.ErrChanged)
	}
	if err := save(ctx); err != nil {
		return nil, err
	}
	return &tools.Written{Text: w.files[abs], Check: w.check, Saved: true}, nil
}

func (w *world) Remove(_ context.Context, base *tools.File) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.still(base); err != nil {
		return err
	}
	w.writes++
	delete(w.files, base.Path.Abs)
	return nil
}

func (w *world) Move(_ context.Context, base *tools.File, to tools.Path, text string) (*tools.Written, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.still(base); err != nil {
		return nil, err
	}
	if _, ok := w.files[to.Abs]; ok {
		return nil, fmt.Errorf("move to %s: %w", to.Display, tools.ErrChanged)
	}
	w.writes++
	delete(w.files, base.Path.Abs)
	w.files[to.Abs] = text
	return &tools.Written{Text: text, Check: w.check, Saved: true}, nil
}

// still fails as a change that takes base's file away would.
func (w *world) still(base *tools.File) error {
	if w.beforeWrite != nil {
		w.beforeWrite()
	}
	if err := w.fails(base.Path.Abs); err != nil {
		return err
	}
	if now, ok := w.files[base.Path.Abs]; !ok || now != base.Text {
		return fmt.Errorf("%s: %w", base.Path.Display, tools.ErrChanged)
	}
	if w.dirty[base.Path.Abs] {
		return fmt.Errorf("%s has unsaved changes", base.Path.Display)
	}
	return nil
}

func (w *world) Image(_ context.Context, p tools.Path) (transcript.Image, error) {
	if !strings.HasPrefix(w.files[p.Abs], "PNG") {
		return transcript.Image{}, fmt.Errorf("%s is no picture", p.Display)
	}
	return transcript.Image{MediaType: "image/png", Data: []byte(w.files[p.Abs])}, nil
}

func (w *world) List(_ context.Context, dir tools.Path, recursive bool, limit int) ([]string, bool, error) {
	var names []string
	for name := range w.files {
		rel, ok := strings.CutPrefix(name, dir.Abs+"/")
		if !ok {
			continue
		}
		if first, _, deep := strings.Cut(rel, "/"); deep && !recursive {
			rel = first + "/"
		}
		if !slices.Contains(names, rel) {
			names = append(names, rel)
		}
	}
	slices.Sort(names)
	more := len(names) > limit
	return names[:min(len(names), limit)], more, w.listErr
}

func (w *world) Search(context.Context, tools.Path, string, string, tools.SearchLimits) (*tools.SearchResult, error) {
	if w.search == nil {
		return nil, fmt.Errorf("bad expression")
	}
	return w.search, nil
}

// Definitions knows lines "func name" of .go files.
func (w *world) Definitions(_ context.Context, p string, source []byte) ([]tools.Definition, bool, error) {
	if path.Ext(p) != ".go" {
		return nil, false, nil
	}
	if strings.Contains(string(source), "broken") {
		return nil, true, fmt.Errorf("too deep")
	}
	var defs []tools.Definition
	for i, l := range strings.Split(string(source), "\n") {
		if s := strings.TrimSpace(l); strings.HasPrefix(s, "func ") {
			defs = append(defs, tools.Definition{Kind: "function", Name: s[5:], Line: i + 1, EndLine: i + 1, Depth: strings.Count(l, "\t"), Signature: s})
		}
	}
	return defs, true, nil
}

func (w *world) Run(_ context.Context, c tools.CommandLine, output func(string)) (*tools.CommandResult, error) {
	w.ran = append(w.ran, c)
	if w.command == nil {
		return nil, fmt.Errorf("no shell")
	}
	output(w.command.Output)
	return w.command, nil
}

func (w *world) Servers(context.Context) []tools.MCPServer { return w.servers }

func (w *world) CallTool(_ context.Context, server, tool string, args json.RawMessage, _ func(string)) (*tools.MCPResult, error) {
	w.called = append(w.called, fmt.Sprintf("%s/%s %s", server, tool, args))
	return w.mcp, w.mcpErr
}

func (w *world) ReadResource(_ context.Context, server, uri string) (*tools.MCPResult, error) {
	w.called = append(w.called, server+" reads "+uri)
	return w.mcp, w.mcpErr
}

func (w *world) Ask(_ context.Context, q tools.Question) (tools.Answer, error) {
	w.asked = q
	return w.answer, w.askErr
}

// task is the tools of one task in a world, behind a gate that allows what the
// policy of a trusting user would and keeps what it was asked.
type task struct {
	*tools.Set
	t        *testing.T
	w        *world
	mode     tools.Mode
	decision tools.Decision
	// asked are the actions that were judged.
	asked []*tools.Action
	// between runs after Prepare, while a person would think.
	between func()
	deny    bool
}

type gate struct{ k *task }

func (g gate) Run(ctx context.Context, t tools.Tool, call tools.Call) tools.Result {
	a, err := t.Prepare(ctx, call)
	if err != nil {
		return tools.Fail(err.Error())
	}
	g.k.asked = append(g.k.asked, a)
	if g.k.deny {
		return tools.Result{Text: "denied", Outcome: tools.Denied, Skip: true}
	}
	if g.k.between != nil {
		g.k.between()
	}
	return a.Run(ctx, g.k.decision)
}

func newTask(t *testing.T, w *world) *task {
	t.Helper()
	k := newTaskWith(t, Deps{
		Files: w, Images: w, Lister: w, Searcher: w, Definitions: w, Commands: w, Servers: w, Asker: w,
		Sandbox: func() string { return w.sandbox }, CWD: "/w", MCPFile: "/home/dev/.config/clined/mcp.json",
	}, nil)
	k.w = w
	return k
}

func newTaskWith(t *testing.T, d Deps, spill tools.Spill) *task {
	t.Helper()
	k := &task{t: t, mode: tools.Act}
	var r tools.Registry
	Register(&r, d)
	c := tools.SetConfig{
		Registry: &r, Runner: gate{k}, Spill: spill,
		Context: func() tools.Context { return tools.Context{Family: llm.NextGen, CWD: d.CWD, Images: true} },
	}
	if d.Servers != nil {
		c.Servers, c.MCPTool = d.Servers, MCPTool(d.Servers)
	}
	k.Set = tools.NewSet(c)
	return k
}

// call runs a tool with arguments given as pairs of name and value.
func (k *task) call(name string, pairs ...any) tools.Result {
	k.t.Helper()
	args := tools.Args{}
	for i := 0; i < len(pairs); i += 2 {
		raw, err := json.Marshal(pairs[i+1])
		if err != nil {
			k.t.Fatal(err)
		}
		args[pairs[i].(string)] = raw
	}
	return k.Run(k.t.Context(), tools.Call{ID: "c1", Name: name, Args: args, Mode: k.mode})
}

// wantNoEdits fails if somebody was asked for more than reading.
func (k *task) wantNoEdits() {
	k.t.Helper()
	for _, a := range k.asked {
		if a.Subject.Kind != tools.Read {
			k.t.Errorf("the user was asked to %s", a.Title)
		}
	}
}

func (k *task) action() *tools.Action {
	k.t.Helper()
	if len(k.asked) == 0 {
		k.t.Fatal("nothing was judged")
	}
	return k.asked[len(k.asked)-1]
}

func wantText(t *testing.T, res tools.Result, outcome tools.Outcome, parts ...string) {
	t.Helper()
	if res.Outcome != outcome {
		t.Errorf("outcome %q, want %q; text: %s", res.Outcome, outcome, res.Text)
	}
	for _, p := range parts {
		if !strings.Contains(res.Text, p) {
			t.Errorf("no %q in:\n%s", p, res.Text)
		}
	}
}

func wantExactly(t *testing.T, res tools.Result, text string) {
	t.Helper()
	if res.Outcome != tools.OK || res.Text != text {
		t.Errorf("outcome %q, text:\n%s\nwant:\n%s", res.Outcome, res.Text, text)
	}
}

func search(text string) string { return "------- SEARCH\n" + text + "\n=======\n" }

func replace(old, fresh string) string { return search(old) + fresh + "\n+++++++ REPLACE\n" }
