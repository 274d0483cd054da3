package builtin

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"clined/internal/llm"
	"clined/internal/tools"
)

// view is an editor's diff view over a world: it keeps what it was told.
type view struct {
	w *world
	// hidden is unsaved text that nobody else knows, by path.
	hidden map[string]string
	// user is what the user made of the proposal, nil for nothing.
	user *string
	// no: nothing is shown. saveErr fails a save, before it begins; lie has it
	// say that it was done, silent without a word of what was saved.
	no, lie, silent bool
	saveErr         error

	// unclear: the editor has that text, and nobody knows what it is.
	unclear *string
	// touched is what the user made of it after the yes, by path, and misfit says
	// that it cannot be joined with that; late is it while it was saved.
	touched map[string]string
	misfit  bool
	late    *string

	shown  []string // the texts, partial ones with a …
	given  []bool   // of each save, whether it brought a text
	closed []bool   // accepted or not
	// open has the texts of the open views, by path, look those that are only to be
	// looked at.
	open map[string]string
	look map[string]bool
}

func (v *view) Show(_ context.Context, p tools.Proposal) (*string, bool) {
	if v.no || v.unclear != nil {
		return v.unclear, false
	}
	if v.open == nil {
		v.open, v.look = map[string]string{}, map[string]bool{}
	}
	v.open[p.Base.Path.Abs] = p.Text
	v.look[p.Base.Path.Abs] = p.Gone || p.To != nil
	mark := ""
	if p.Growing {
		mark = "…"
	}
	if p.Gone {
		mark += " gone"
	}
	if p.To != nil {
		mark += " to " + p.To.Display
	}
	v.shown = append(v.shown, p.Text+mark)
	if text, ok := v.hidden[p.Base.Path.Abs]; ok && lf(p.Base.Text) != text {
		return &text, true
	}
	return nil, true
}

func (v *view) Save(_ context.Context, _ string, base *tools.File, text *string) (*tools.Shown, error) {
	v.given = append(v.given, text != nil)
	own, ok := v.open[base.Path.Abs]
	if !ok || v.look[base.Path.Abs] {
		return nil, tools.ErrNoView
	}
	if v.saveErr != nil {
		return nil, v.saveErr
	}
	switch {
	case text != nil:
		own = *text
	case v.user != nil:
		own = *v.user
	}
	s := &tools.Shown{User: lf(own), Final: lf(own), Late: v.late}
	if v.w.format != nil {
		s.Final = v.w.format(s.Final)
	}
	if v.silent {
		s.Final = ""
	}
	if !v.lie {
		disk := s.Final
		if strings.Contains(v.w.files[base.Path.Abs], "\r\n") {
			disk = strings.ReplaceAll(disk, "\n", "\r\n")
		}
		v.w.files[base.Path.Abs] = disk
	}
	return s, nil
}

func (v *view) Touched(_ string, base *tools.File, text string) (string, error) {
	if now, ok := v.touched[base.Path.Abs]; ok && v.misfit {
		return now, tools.ErrTouched
	} else if ok {
		return now, nil
	}
	return text, nil
}

func (v *view) Close(_ string, accepted bool, files ...string) {
	if len(files) == 0 {
		files = slices.Sorted(maps.Keys(v.open))
	}
	for _, f := range files {
		if _, ok := v.open[f]; ok {
			v.closed = append(v.closed, accepted)
		}
		delete(v.open, f)
	}
}

// newViewTask is a task with a diff view.
func newViewTask(t *testing.T, files map[string]string) (*task, *view) {
	t.Helper()
	w := newWorld(files)
	v := &view{w: w, hidden: map[string]string{}}
	k := newTaskWith(t, Deps{
		Files: w, Diffs: v, Images: w, Lister: w, Searcher: w, Definitions: w, Commands: w, Servers: w, Asker: w, CWD: "/w",
	}, nil)
	k.w = w
	return k, v
}

func (v *view) want(t *testing.T, shown []string, given, closed []bool) {
	t.Helper()
	if !reflect.DeepEqual(v.shown, shown) || !reflect.DeepEqual(v.given, given) || !reflect.DeepEqual(v.closed, closed) {
		t.Errorf("shown %q, saved %v, closed %v;\nwant  %q, %v, %v", v.shown, v.given, v.closed, shown, given, closed)
	}
}

var yes, no = []bool{true}, []bool{false}

func TestSavedByTheView(t *testing.T) {
	k, v := newViewTask(t, map[string]string{"a": "1\r\n2\r\n3\r\n"})
	res := k.call("replace_in_file", "path", "a", "diff", replace("2", "two"))
	wantText(t, res, tools.OK, "1 added, 1 removed", "+2 | two")
	if strings.Contains(res.Text, "user") || strings.Contains(res.Text, "formatted") {
		t.Errorf("phantom edits:\n%s", res.Text)
	}
	k.wantFile("a", "1\r\ntwo\r\n3\r\n")
	v.want(t, []string{"1\r\ntwo\r\n3\r\n"}, no, yes)
	if k.w.writes != 0 {
		t.Error("it was written beside the editor")
	}
}

// The user's edit that only the save tells of, and the formatter's.
func TestViewTellsOfUserAndFormatter(t *testing.T) {
	k, v := newViewTask(t, map[string]string{"a": "x = 'a'\ny = 1\n"})
	mine := "x = 'a'\ny = 2\nz = 'z'\n"
	v.user = &mine
	k.w.format = func(s string) string { return strings.ReplaceAll(s, "'", "\"") }
	res := k.call("replace_in_file", "path", "a", "diff", replace("y = 1", "y = 2"))
	wantText(t, res, tools.OK, "The user changed your proposal", "+z = 'z'", "The editor formatted the file", "+z = \"z\"")
	k.wantFile("a", "x = \"a\"\ny = 2\nz = \"z\"\n")

	v.user, k.w.format = nil, nil
	k.decision.Edited = map[string]string{"/w/a": "approved\n"}
	res = k.call("write_to_file", "path", "a", "content", "proposed\n")
	wantText(t, res, tools.OK, "The user changed your proposal", "-proposed\n+approved")
	k.wantFile("a", "approved\n")
	if !reflect.DeepEqual(v.given, []bool{false, true}) {
		t.Errorf("%v: what was approved is what is saved", v.given)
	}
}

// A formatter may take back what the model wanted: what was saved stays, and is told.
func TestFormatterTakesItBack(t *testing.T) {
	k, v := newViewTask(t, map[string]string{"a": "x = \"a\"\n"})
	k.w.format = func(s string) string { return strings.ReplaceAll(s, "'", "\"") }
	res := k.call("replace_in_file", "path", "a", "diff", replace(`x = "a"`, "x = 'a'"))
	wantText(t, res, tools.OK, "Edited a: 0 added, 0 removed.", "The editor formatted the file", "-x = 'a'\n+x = \"a\"")
	k.wantFile("a", "x = \"a\"\n")
	if k.w.writes > 0 || !reflect.DeepEqual(v.closed, yes) {
		t.Errorf("%d writes, closed %v", k.w.writes, v.closed)
	}
}

// What an editor cannot keep byte for byte the daemon writes, beside the view.
func TestViewOfWhatTheEditorCannotKeep(t *testing.T) {
	for name, c := range map[string]struct{ file, content, want string }{
		"mixed":              {"1\r\n2\n3\r\n", "1\nTWO\n3\n", "1\r\nTWO\n3\r\n"},
		"new with CRLF":      {"", "1\r\n2\r\n", "1\r\n2\r\n"},
		"lone CR":            {"1\n", "1\r2\n", "1\r2\n"},
		"lone CR among CRLF": {"1\r2\r\n", "one\n", "one\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{"a": c.file}
			if c.file == "" {
				files = nil
			}
			k, v := newViewTask(t, files)
			wantText(t, k.call("write_to_file", "path", "a", "content", c.content), tools.OK)
			k.wantFile("a", c.want)
			if v.given != nil || !reflect.DeepEqual(v.closed, yes) || k.w.writes != 1 {
				t.Errorf("saves %v, closed %v, %d writes", v.given, v.closed, k.w.writes)
			}
		})
	}
}

// An editor that fails costs no edit: the view goes, then the file is written.
func TestViewFails(t *testing.T) {
	for name, spoil := range map[string]func(k *task, v *view){
		"error":     func(_ *task, v *view) { v.saveErr = errors.New("the disk is full") },
		"lie":       func(_ *task, v *view) { v.lie = true },
		"silent":    func(_ *task, v *view) { v.lie, v.silent = true, true },
		"left":      func(k *task, v *view) { k.between = func() { v.open = nil } },
		"not shown": func(_ *task, v *view) { v.no = true },
	} {
		t.Run(name, func(t *testing.T) {
			k, v := newViewTask(t, map[string]string{"a": "1\n"})
			spoil(k, v)
			wantText(t, k.call("write_to_file", "path", "a", "content", "2\n"), tools.OK, "1 added, 1 removed")
			k.wantFile("a", "2\n")
			if k.w.writes != 1 || len(v.open) > 0 {
				t.Errorf("%d writes, open: %v", k.w.writes, v.open)
			}
		})
	}
	k, v := newViewTask(t, map[string]string{"a": "1\n"})
	v.saveErr = tools.ErrChanged
	wantText(t, k.call("write_to_file", "path", "a", "content", "2\n"), tools.Failed, "it changed since you read it")
	k.wantFile("a", "1\n")

	// It said no, and did: that is no change by somebody else.
	k, v = newViewTask(t, map[string]string{"a": "1\n"})
	k.w.beforeWrite = func() { t.Error("it was written twice") }
	k2 := newTaskWith(t, Deps{Files: k.w, Diffs: &lateView{v}, Lister: k.w, CWD: "/w"}, nil)
	k2.w = k.w
	wantText(t, k2.call("write_to_file", "path", "a", "content", "2\n"), tools.OK, "1 added, 1 removed")
	k2.wantFile("a", "2\n")
}

// A save that fails or has no answer may have been done, and formatted; it may also
// be that somebody else wrote meanwhile.
func TestSavedForAllThat(t *testing.T) {
	quotes := func(s string) string { return strings.ReplaceAll(s, "'", "\"") }
	for name, c := range map[string]struct {
		format  func(string) string
		foreign string
		outcome tools.Outcome
		want    string
		tells   []string
	}{
		"formatted": {format: quotes, want: "one\n\"TWO\"\n", tells: []string{
			"Edited a: 1 added, 1 removed. The editor did not say that it saved it (no answer), but the file holds it.", "The editor formatted the file", "-'TWO'\n+\"TWO\""}},
		"beside it": {foreign: "one\ntwo\nthree\n", outcome: tools.Failed, tells: []string{"look whether it did", "three"}},
		"the line":  {foreign: "one\nzwei\n", outcome: tools.Failed, tells: []string{"look whether it did", "zwei"}},
		"reordered": {format: func(string) string { return "'TWO'\none\n" }, want: "'TWO'\none\n", tells: []string{
			"(no answer), but the file holds it", "The editor formatted the file", "+'TWO'\n one"}},
		"other words": {format: func(string) string { return "TWO2\none\n" }, want: "TWO2\none\n", outcome: tools.Failed, tells: []string{"look whether it did", "TWO2"}},
		"as written":  {want: "one\n'TWO'\n", tells: []string{"Edited a: 1 added, 1 removed.\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			k, v := newViewTask(t, map[string]string{"a": "one\ntwo\n"})
			var late tools.Diffs = &lateView{v}
			if c.foreign != "" {
				c.want = c.foreign
				late = &foreignView{v, c.foreign}
			}
			k2 := newTaskWith(t, Deps{Files: k.w, Diffs: late, Lister: k.w, CWD: "/w"}, nil)
			k.w.format, k2.w = c.format, k.w
			k.w.beforeWrite = func() { k.w.format = nil }
			wantText(t, k2.call("replace_in_file", "path", "a", "diff", replace("two", "'TWO'")), c.outcome, c.tells...)
			k2.wantFile("a", c.want)
			if k.w.writes > 0 || len(v.open) > 0 {
				t.Errorf("%d writes, open %v", k.w.writes, v.open)
			}
		})
	}
}

// What the user goes on to change after their yes, while an earlier file is saved,
// is their version.
func TestUserGoesOnWhileSaving(t *testing.T) {
	k, v := newViewTask(t, map[string]string{"a": "1\n", "b": "1\r\n"})
	k2 := newTaskWith(t, Deps{Files: k.w, Diffs: &typingView{v, "2 first and second\n"}, Lister: k.w, CWD: "/w"}, nil)
	k2.w = k.w
	k2.decision.Edited = map[string]string{"/w/b": "2 first\n"}
	res := k2.call("apply_patch", "input", envelope(update("a", "@@\n-1\n+2\n"), update("b", "@@\n-1\n+2\n")))
	wantText(t, res, tools.OK, "Changed 2 files: 2 added, 2 removed.", "The user changed your proposal", "-2\n+2 first and second")
	if strings.Contains(res.Text, "formatted") {
		t.Errorf("it tells:\n%s", res.Text)
	}
	k2.wantFile("a", "2\n")
	k2.wantFile("b", "2 first and second\r\n")
}

// typingView saves a newer text than it is given.
type typingView struct {
	*view
	newer string
}

func (v *typingView) Save(ctx context.Context, callID string, base *tools.File, text *string) (*tools.Shown, error) {
	if text != nil {
		text = &v.newer
	}
	return v.view.Save(ctx, callID, base, text)
}

// What a save is not made by, too: the daemon writes it, or moves the file.
func TestUserGoesOnBeforeTheDaemonWrites(t *testing.T) {
	k, v := newViewTask(t, map[string]string{"a": "1\r\n2\n", "b": "1\n", "c": "1\n"})
	v.touched = map[string]string{"/w/a": "one, mine\n2\n", "/w/b": "2, mine\n", "/w/c": "kept\n"}
	res := k.call("apply_patch", "input", envelope(
		update("a", "@@\n-1\n+one\n"), moved("b", "d/b", "@@\n-1\n+2\n"), deletion("c")))
	wantText(t, res, tools.OK, "Changed 3 files", "+one, mine", "+2, mine", "+kept")
	k.wantFile("a", "one, mine\r\n2\n")
	k.wantFile("d/b", "2, mine\n")
	k.wantFile("c", "kept\n")
}

// What cannot be joined with what the user had chosen, what comes too late, and
// what stood in files that fell with another one is told: nothing they typed is lost.
func TestNothingTypedIsLost(t *testing.T) {
	patch := envelope(update("a", "@@\n-1\n+2\n"), update("b", "@@\n-1\n+2\n"))
	stage := func(t *testing.T) (*task, *view) {
		return newViewTask(t, map[string]string{"a": "1\n", "b": "1\n"})
	}
	t.Run("misfit", func(t *testing.T) {
		k, v := stage(t)
		v.touched, v.misfit = map[string]string{"/w/b": "2, mine\n"}, true
		wantText(t, k.call("apply_patch", "input", patch), tools.Failed,
			"b was not written: the user went on changing the proposal", "taken back: a", "+2, mine")
		k.wantFile("a", "1\n")
		k.wantFile("b", "1\n")
	})
	t.Run("late", func(t *testing.T) {
		k, v := stage(t)
		v.late = new(string)
		*v.late = "2, later\n"
		wantText(t, k.call("replace_in_file", "path", "a", "diff", replace("1", "2")), tools.OK, "not in the file", "-2\n+2, later")
		k.wantFile("a", "2\n")
	})
	t.Run("another fails", func(t *testing.T) {
		k, _ := stage(t)
		k.decision.Edited = map[string]string{"/w/a": "2, mine\n"}
		k.w.failAt, k.w.writeErr = "/w/b", errors.New("no space left on device")
		res := k.call("apply_patch", "input", envelope(update("a", "@@\n-1\n+2\n"), deletion("b")))
		wantText(t, res, tools.Failed, "no space left", "taken back: a", "+2, mine")
		k.wantFile("a", "1\n")
	})
	t.Run("another changed", func(t *testing.T) {
		k, _ := stage(t)
		k.decision.Edited = map[string]string{"/w/b": "2, mine\n"}
		k.between = func() { k.w.set("a", "else\n") }
		wantText(t, k.call("apply_patch", "input", patch), tools.Failed, "a changed while", "+2, mine")
	})
}

// An editor with another text that nobody can name has neither side lost.
func TestAnotherTextInTheEditor(t *testing.T) {
	k, v := newViewTask(t, map[string]string{"a": "1\n"})
	v.unclear = new(string)
	*v.unclear = "work or not\n"
	wantText(t, k.call("replace_in_file", "path", "a", "diff", replace("1", "2")), tools.Failed, "a: the editor shows another text", "ask the user to save")
	k.wantNoEdits()
	k.wantFile("a", "1\n")
}

// foreignView does not save while somebody else does.
type foreignView struct {
	*view
	text string
}

func (f *foreignView) Save(_ context.Context, _ string, base *tools.File, _ *string) (*tools.Shown, error) {
	f.w.files[base.Path.Abs] = f.text
	return nil, errors.New("no answer")
}

// lateView saves and then says that it did not.
type lateView struct{ *view }

func (l *lateView) Save(ctx context.Context, callID string, base *tools.File, text *string) (*tools.Shown, error) {
	_, _ = l.view.Save(ctx, callID, base, text)
	return nil, errors.New("no answer")
}

// Unsaved text that only the editor has is what the edit is made on; what is
// approved says so.
func TestUnsavedTextWins(t *testing.T) {
	k, v := newViewTask(t, map[string]string{"a": "1\r\n2\r\n"})
	v.hidden["/w/a"] = "mine\n2\n"
	wantText(t, k.call("replace_in_file", "path", "a", "diff", replace("2", "two")), tools.OK, "+2 | two")
	if e := k.action().Subject.Edits[0]; e.Base != "mine\r\n2\r\n" || e.Proposed != "mine\r\ntwo\r\n" {
		t.Errorf("approved: %+v", e)
	}
	k.wantFile("a", "mine\r\ntwo\r\n")
	v.want(t, []string{"1\r\ntwo\r\n", "mine\r\ntwo\r\n"}, no, yes)

	k, v = newViewTask(t, map[string]string{"a": "1\n2\n"})
	v.hidden["/w/a"] = "mine\n"
	wantText(t, k.call("replace_in_file", "path", "a", "diff", replace("2", "two")), tools.Failed, "unsaved changes in the editor", "nothing was changed")
	k.wantNoEdits()

	// A whole text goes over text that the model never saw, not over what it read.
	k, v = newViewTask(t, map[string]string{"a": "1\n", "b": "1\n"})
	v.hidden["/w/a"], v.hidden["/w/b"] = "mine\n", "mine\n"
	wantText(t, k.call("write_to_file", "path", "a", "content", "2\n"), tools.OK)
	k.call("read_file", "path", "b")
	wantText(t, k.call("write_to_file", "path", "b", "content", "2\n"), tools.Failed, "changed since you read it", "mine")
	k.wantFile("b", "1\n")

	// What it proposes is there already, unsaved.
	k, v = newViewTask(t, map[string]string{"a": "1\n"})
	v.hidden["/w/a"] = "2\n"
	wantText(t, k.call("write_to_file", "path", "a", "content", "2\n"), tools.OK, "already holds exactly this text")

	// A text that changes at each look is not shown; the file is written with its checks.
	k, v = newViewTask(t, map[string]string{"a": "1\n"})
	k2 := newTaskWith(t, Deps{Files: k.w, Diffs: &restless{view: v}, Lister: k.w, CWD: "/w"}, nil)
	k2.w = k.w
	wantText(t, k2.call("write_to_file", "path", "a", "content", "2\n"), tools.Failed, "was not written")
	k2.wantFile("a", "1\n")
}

// restless has another text each time.
type restless struct {
	*view
	n int
}

func (r *restless) Show(ctx context.Context, p tools.Proposal) (*string, bool) {
	r.n++
	r.hidden[p.Base.Path.Abs] = strings.Repeat("x", r.n)
	return r.view.Show(ctx, p)
}

// preview streams the arguments of a call in pieces and returns the tools.
func preview(k *kit, name string, args string, piece int) {
	show := (&Tools{k}).Begin("c1", name)
	for at := piece; at < len(args)+piece; at += piece {
		show(context.Background(), args[:min(at, len(args))])
	}
}

func arguments(pairs ...string) string {
	var b strings.Builder
	for i := 0; i < len(pairs); i += 2 {
		key, _ := json.Marshal(pairs[i])
		value, _ := json.Marshal(pairs[i+1])
		b.WriteString(", " + string(key) + ": " + string(value))
	}
	return "{" + b.String()[2:] + "}"
}

func newKit(files map[string]string) (*kit, *view) {
	w := newWorld(files)
	v := &view{w: w, hidden: map[string]string{}}
	return &kit{Deps: Deps{Files: w, Lister: w, Diffs: v}, seen: newMemory()}, v
}

func TestPreview(t *testing.T) {
	files := map[string]string{"a": "1\n2\n3\n", "crlf": "1\r\n2\r\n"}
	block := replace("1", "one") + "\n"
	for name, c := range map[string]struct {
		tool, args string
		shown      []string
	}{
		"write":            {"write_to_file", arguments("path", "a", "content", "one\ntwo\n"), []string{"one\n2\n3\n…", "one\ntwo\n3\n…", "one\ntwo\n…"}},
		"write past":       {"write_to_file", arguments("path", "a", "content", "1\n2\n3\n4\n5"), []string{"1\n2\n3\n…", "1\n2\n3\n4\n…", "1\n2\n3\n4\n5…"}},
		"write CRLF":       {"write_to_file", arguments("path", "crlf", "content", "one\r\nx"), []string{"one\n2\n…", "one\nx…"}},
		"content first":    {"write_to_file", arguments("content", "one\ntwo\n", "path", "new"), []string{"one\ntwo\n…"}},
		"other name":       {"write_to_file", arguments("absolutePath", "/w/new", "content", "x\n"), []string{"x\n…"}},
		"fence":            {"write_to_file", arguments("path", "new.go", "content", "```go\nx\n```"), nil},
		"replace":          {"replace_in_file", arguments("path", "a", "diff", block+replace("3", "three")), []string{"one\n2\n3\n…", "one\n2\nthree\n…"}},
		"replace, a miss":  {"replace_in_file", arguments("path", "a", "diff", block+replace("4", "four")), []string{"one\n2\n3\n…"}},
		"patch":            {"apply_patch", arguments("input", envelope(update("a", "@@\n-1\n+one\n 2\n@@\n-3\n+three\n"), addition("new", "+x\n+y\n"), deletion("crlf"))), []string{"one\n2\n3\n…", "one\n2\nthree\n…", "x\n…", "x\ny\n…"}},
		"patch, a move":    {"apply_patch", arguments("input", envelope(moved("crlf", "sub/b", "@@\n-1\n+one\n"))), []string{"one\n2\n… to sub/b"}},
		"patch, a miss":    {"apply_patch", arguments("input", envelope(update("a", "@@\n-9\n+nine\n"), update("crlf", "@@\n-2\n+two\n"))), []string{"1\ntwo\n…"}},
		"patch, hidden":    {"apply_patch", arguments("input", envelope(addition("secret", "+x\n"), addition("/etc/a", "+x\n"), addition("a", "+x\n"))), nil},
		"replace, nothing": {"replace_in_file", arguments("path", "new", "diff", block), nil},
		"hidden":           {"write_to_file", arguments("path", "secret", "content", "x\n"), nil},
		"outside":          {"write_to_file", arguments("path", "/etc/a", "content", "x\n"), nil},
		"a folder":         {"write_to_file", arguments("path", "/w", "content", "x\n"), nil},
		"no path":          {"write_to_file", arguments("content", "x\n"), nil},
		"no text":          {"write_to_file", `{"path":["a"],"content":"x\n"}`, nil},
		"no JSON":          {"write_to_file", `{"path":"new","content":"x\ny` + "\\q", []string{"x\n…"}},
	} {
		t.Run(name, func(t *testing.T) {
			k, v := newKit(files)
			k.Files.(*world).hidden["/w/secret"] = true
			preview(k, c.tool, c.args, 1)
			if !reflect.DeepEqual(v.shown, c.shown) {
				t.Errorf("shown %q, want %q", v.shown, c.shown)
			}
			if (&Tools{k}).Over("c1"); len(v.open) > 0 || v.closed != nil && v.closed[0] {
				t.Error("the view stays")
			}
		})
	}
	k, v := newKit(files)
	if (&Tools{k}).Begin("c", "read_file") != nil {
		t.Error("reading is shown")
	}
	v.no = true
	preview(k, "write_to_file", arguments("path", "a", "content", "1\n2\n3\n"), 1)
	k.Diffs = nil
	if (&Tools{k}).Begin("c", "write_to_file") != nil {
		t.Error("shown to nobody")
	}
	(&Tools{k}).Over("c")
}

// A protected file is asked about for its own sake: it is not shown before that.
func TestPreviewOfProtected(t *testing.T) {
	k, v := newKit(nil)
	k.Files = protecting{k.Files}
	preview(k, "write_to_file", arguments("path", "a", "content", "x\ny\n"), 3)
	if v.shown != nil {
		t.Errorf("shown: %q", v.shown)
	}
}

type protecting struct{ tools.Files }

func (p protecting) Resolve(path string) (tools.Path, error) {
	r, err := p.Files.Resolve(path)
	r.Protected = "it is"
	return r, err
}

// The model's text goes on over what the editor has unsaved; what the model read
// otherwise is not shown at all.
func TestPreviewOnUnsavedText(t *testing.T) {
	k, v := newKit(map[string]string{"a": "1\n2\n3\n"})
	v.hidden["/w/a"] = "1\nmine\n3\n"
	preview(k, "replace_in_file", arguments("path", "a", "diff", replace("3", "three")+"\n"), 1000)
	if want := []string{"1\n2\nthree\n…", "1\nmine\nthree\n…"}; !reflect.DeepEqual(v.shown, want) {
		t.Errorf("shown %q", v.shown)
	}
	k, v = newKit(map[string]string{"a": "1\n"})
	k.seen.saw("/w/a", "0\n")
	preview(k, "write_to_file", arguments("path", "a", "content", "x\ny\n"), 5)
	if v.shown != nil {
		t.Errorf("shown: %q", v.shown)
	}
}

// An editor that made the file it shows has not made the file exist.
func TestFileMadeForAView(t *testing.T) {
	k, v := newViewTask(t, nil)
	var r tools.Registry
	all := Register(&r, Deps{Files: k.w, Diffs: v, Lister: k.w, CWD: "/w"})
	k2 := &task{t: t, w: k.w}
	k2.Set = tools.NewSet(tools.SetConfig{Registry: &r, Runner: gate{k2}, Context: func() tools.Context { return tools.Context{Family: llm.NextGen, CWD: "/w"} }})
	show := all.Begin("c1", "write_to_file")
	show(t.Context(), `{"path":"new","content":"x\n`)
	k.w.set("new", "")
	res := k2.call("write_to_file", "path", "new", "content", "x\ny\n")
	wantExactly(t, res, "Created new (2 lines).")
	if e := k2.action().Subject.Edits[0]; e.Op != "create" {
		t.Errorf("%+v", e)
	}
	k.wantFile("new", "x\ny\n")
}

// The last text of a preview is what the whole call proposes, however it is cut.
func FuzzPreview(f *testing.F) {
	f.Add("one\ntwo\n", "1\n2\n3\n", 3)
	f.Add("a\u00e9\U0001F600\r\n\"", "", 1)
	f.Fuzz(func(t *testing.T, content, file string, piece int) {
		if piece < 1 || strings.HasPrefix(content, "```") || strings.Contains(file, "\x00") {
			return
		}
		args := arguments("path", "f", "content", content)
		k, v := newKit(map[string]string{"f": file})
		preview(k, "write_to_file", args, piece)
		var a tools.Args
		if err := json.Unmarshal([]byte(args), &a); err != nil {
			t.Fatal(err)
		}
		if want := lf(a.String("content")) + "…"; len(v.shown) > 0 && v.shown[len(v.shown)-1] != want {
			t.Errorf("%q on %q in pieces of %d ends with %q", content, file, piece, v.shown[len(v.shown)-1])
		}
	})
}
