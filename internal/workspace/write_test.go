package workspace

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"clined/internal/diffedit"
	"clined/internal/tools"
)

// noLeftovers fails if a folder holds anything beside the names given.
func noLeftovers(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(names, " ") {
		t.Errorf("%s holds %q, want %q", dir, got, names)
	}
}

// Bytes that an edit does not touch stay.
func TestWriteKeepsBytes(t *testing.T) {
	for _, tc := range []struct{ name, raw, search, replace, want string }{
		{"CRLF", "red\r\ngreen\r\nblue\r\n", "red\ngreen", "RED\nlime\nolive", "RED\r\nlime\r\nolive\r\nblue\r\n"},
		{"mixed", "a\r\nb\r\nc\nd\r\n", "b", "B", "a\r\nB\r\nc\nd\r\n"},
		{"byte order mark", "\xEF\xBB\xBFlet n = 7\n", "let n = 7", "let n = 8", "\xEF\xBB\xBFlet n = 8\n"},
		{"two byte order marks", "\xEF\xBB\xBF\xEF\xBB\xBFa\nb\n", "a", "c", "\xEF\xBB\xBF\xEF\xBB\xBFc\nb\n"},
		{"byte order mark and Windows-1252", "\xEF\xBB\xBFa\ncaf\xE9 \xFC\xF6\n", "a", "b", "\xEF\xBB\xBFb\ncaf\xE9 \xFC\xF6\n"},
		{"Windows-1252", "name=caf\xE9\nprice=1\n", "price=1", "price=2", "name=caf\xE9\nprice=2\n"},
		{"GBK", "// \xC4\xE3\xBA\xC3\nint a=1;\n", "int a=1;", "int a=2;", "// \xC4\xE3\xBA\xC3\nint a=2;\n"},
		{"Shift JIS", "\x95\x5C\na\n", "a", "b", "\x95\x5C\nb\n"},
		{"legacy text inside the edit", "caf\xE9 = 1\n", "café = 1", "café = 2", "caf\xE9 = 2\n"},
		{"ISO-2022-JP is ASCII with escapes", "\x1b$BF|K\\\x1b(B\na\n", "a", "b", "\x1b$BF|K\\\x1b(B\nb\n"},
		{"GB18030, four bytes", "\x81\x30\x81\x30 \xC4\xE3\na\n", "a", "b", "\x81\x30\x81\x30 \xC4\xE3\nb\n"},
		{"UTF-16", "\xFF\xFEa\x00\r\x00\n\x00b\x00", "a", "ü日", "\xFF\xFE\xFC\x00\xE5\x65\r\x00\n\x00b\x00"},
		{"UTF-8 with a bad byte", "日本 \xFF\na\n", "a", "日", "日本 \xFF\n日\n"},
		{"no last line end", "a\nb", "b", "c", "a\nc"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := realTemp(t)
			put(t, dir, "f", tc.raw)
			w := New(Options{Roots: []string{dir}})
			for range 3 { // there and back again: nothing may add up
				for _, e := range [][3]string{{tc.search, tc.replace, tc.want}, {tc.replace, tc.search, tc.raw}} {
					f := read(t, w, "f")
					if strings.Contains(f.Text, "\ufeff") {
						t.Fatalf("the model would see a byte order mark: %q", f.Text)
					}
					res, err := diffedit.Replace(f.Text, "------- SEARCH\n"+e[0]+"\n=======\n"+e[1]+"\n+++++++ REPLACE")
					if err != nil {
						t.Fatal(err)
					}
					if _, err := w.Write(context.Background(), f, res.Text); err != nil {
						t.Fatal(err)
					}
					if got := onDisk(t, dir, "f"); got != e[2] {
						t.Fatalf("got %q, want %q", got, e[2])
					}
				}
			}
			noLeftovers(t, dir, "f")
		})
	}
}

// A write that fails leaves bytes, time and mode alone, and
// nothing behind.
func TestWriteRefuses(t *testing.T) {
	old := time.Unix(1_000_000_000, 0)
	ctx := context.Background()
	for _, tc := range []struct {
		name, text string
		prepare    func(t *testing.T, w *Workspace, dir string)
		changed    bool
		says       string
	}{
		{"does not fit the encoding", "日本", nil, false, "cannot be written"},
		{"changed on disk", "x", func(t *testing.T, w *Workspace, dir string) { put(t, dir, "f", "elk") }, true, "changed since"},
		{"changed on disk at the same time of day", "x", func(t *testing.T, w *Workspace, dir string) { put(t, dir, "f", "caf\xE8\n") }, true, "changed since"},
		{"changed in the editor", "x", func(t *testing.T, w *Workspace, dir string) { w.Open(filepath.Join(dir, "f"), "", 1, "elk") }, true, "changed since"},
		{"removed", "x", func(t *testing.T, w *Workspace, dir string) { os.Remove(filepath.Join(dir, "f")) }, true, "is gone"},
		{"became a folder", "x", func(t *testing.T, w *Workspace, dir string) {
			os.Remove(filepath.Join(dir, "f"))
			os.Mkdir(filepath.Join(dir, "f"), 0o755)
		}, false, "directory"},
		{"became a link", "x", func(t *testing.T, w *Workspace, dir string) {
			os.Rename(filepath.Join(dir, "f"), filepath.Join(dir, "g"))
			link(t, "g", filepath.Join(dir, "f"))
		}, true, "leads elsewhere"},
		{"unsaved changes not shared", "x", func(t *testing.T, w *Workspace, dir string) {
			w.SetState(State{Tabs: []Tab{{Path: filepath.Join(dir, "f"), Dirty: true}}})
		}, false, "unsaved changes"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := realTemp(t)
			put(t, dir, "f", "caf\xE9\n")
			w := New(Options{Roots: []string{dir}})
			f := read(t, w, "f")
			if tc.prepare != nil {
				tc.prepare(t, w, dir)
			}
			path := filepath.Join(dir, "f")
			os.Chmod(path, 0o640)
			os.Chtimes(path, old, old)
			before, _ := os.Stat(path)
			names, _ := os.ReadDir(dir)
			_, err := w.Write(ctx, f, tc.text)
			if err == nil || errors.Is(err, tools.ErrChanged) != tc.changed || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("err = %v, want %q", err, tc.says)
			}
			after, _ := os.Stat(path)
			if before != nil && (after == nil || !after.ModTime().Equal(before.ModTime()) || after.Mode() != before.Mode() || after.Size() != before.Size()) {
				t.Errorf("touched: %v, was %v", after, before)
			}
			if now, _ := os.ReadDir(dir); len(now) != len(names) {
				t.Errorf("leftovers: %v", now)
			}
		})
	}
}

func TestWriteNew(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o027))
	dir := realTemp(t)
	put(t, dir, "file", "x", "there", "x")
	w := New(Options{Roots: []string{dir}})
	ctx := context.Background()
	res, err := w.Write(ctx, &tools.File{Path: resolve(t, w, "a/b/new.txt")}, "text\n")
	if err != nil || !res.Saved || res.Text != "text\n" {
		t.Fatalf("%+v, %v", res, err)
	}
	info, err := os.Stat(filepath.Join(dir, "a/b/new.txt"))
	if err != nil || info.Mode() != 0o640 || onDisk(t, dir, "a/b/new.txt") != "text\n" {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	noLeftovers(t, filepath.Join(dir, "a/b"), "new.txt")
	if _, err := w.Write(ctx, &tools.File{Path: resolve(t, w, "there")}, "y"); !errors.Is(err, tools.ErrChanged) || onDisk(t, dir, "there") != "x" {
		t.Errorf("a file that exists by now: %v", err)
	}
	if _, err := w.Write(ctx, &tools.File{Path: resolve(t, w, "file/below/x")}, "y"); err == nil || !strings.Contains(err.Error(), "stands where a folder") {
		t.Errorf("below a file: %v", err)
	}
	if _, err := w.Write(ctx, &tools.File{Path: resolve(t, w, "c/d/"+strings.Repeat("n", 300))}, "y"); err == nil {
		t.Error("a name that is too long was written")
	}
	noLeftovers(t, dir, "a", "file", "there")
	done, cancel := context.WithCancel(ctx)
	cancel()
	unlock, err := w.s.locks.lock(ctx, filepath.Join(dir, "c"))
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	if _, err := w.Write(done, &tools.File{Path: resolve(t, w, "c")}, "y"); !errors.Is(err, context.Canceled) {
		t.Errorf("waiting for another write: %v", err)
	}
}

func TestWriteKeepsTheFileItself(t *testing.T) {
	dir := realTemp(t)
	put(t, dir, "run.sh", "one\n", "target", "one\n", "h1", "one\n", "owned", "one\n")
	at := func(name string) string { return filepath.Join(dir, name) }
	link(t, "target", at("link"))
	if err := errors.Join(os.Link(at("h1"), at("h2")), os.Chmod(at("run.sh"), 0o751|os.ModeSetgid), os.Chmod(at("owned"), 0o604), os.Chown(at("owned"), 1234, 2345)); err != nil {
		t.Fatal(err)
	}
	w := New(Options{Roots: []string{dir}})
	for _, name := range []string{"run.sh", "link", "h1", "owned"} {
		write(t, w, name, "one", "two and more")
		if got := onDisk(t, dir, name); got != "two and more\n" {
			t.Errorf("%s: %q", name, got)
		}
	}
	write(t, w, "h2", "two and more", "2")
	if info, _ := os.Stat(at("run.sh")); info.Mode() != 0o751|os.ModeSetgid {
		t.Errorf("mode %v", info.Mode())
	}
	if info, _ := os.Lstat(at("link")); info.Mode()&os.ModeSymlink == 0 || onDisk(t, dir, "target") != "two and more\n" {
		t.Error("the link was replaced, not its target written")
	}
	if onDisk(t, dir, "h1") != "2\n" {
		t.Errorf("the other name holds %q", onDisk(t, dir, "h1"))
	}
	info, _ := os.Stat(at("owned"))
	if st := info.Sys().(*syscall.Stat_t); st.Uid != 1234 || st.Gid != 2345 || info.Mode() != 0o604 {
		t.Errorf("owner %d:%d, mode %v", st.Uid, st.Gid, info.Mode())
	}
	before, _ := os.Stat(at("target"))
	write(t, w, "target", "two", "two")
	if after, _ := os.Stat(at("target")); !os.SameFile(before, after) || !before.ModTime().Equal(after.ModTime()) {
		t.Error("a write of the same text touched the file")
	}
}

// A link is written through and stays; one that leads to nothing says where a new
// file goes. Names are no obstacle.
func TestWriteThroughLinks(t *testing.T) {
	dir := realTemp(t)
	put(t, dir, "target", "old\n", "two\nlines", "old\n", "not \xFF UTF-8", "old\n", "-rf", "old\n")
	at := func(name string) string { return filepath.Join(dir, name) }
	link(t, "target", at("one"))
	link(t, at("one"), at("chain"))
	link(t, "made/by/link", at("dangling"))
	link(t, "loop", at("loop"))
	w := New(Options{Roots: []string{dir}})
	for _, name := range []string{"chain", "two\nlines", `"two\nlines"`, "not \xFF UTF-8", "-rf"} {
		f := read(t, w, name)
		if _, err := w.Write(t.Context(), f, f.Text+"new\n"); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := w.Write(t.Context(), &tools.File{Path: resolve(t, w, "dangling")}, "new\n"); err != nil {
		t.Error(err)
	}
	if _, err := w.Resolve("loop"); err == nil || !strings.Contains(err.Error(), "too many") {
		t.Errorf("a loop of links: %v", err)
	}
	for name, want := range map[string]string{"target": "old\nnew\n", "two\nlines": "old\nnew\nnew\n", "not \xFF UTF-8": "old\nnew\n", "-rf": "old\nnew\n", "made/by/link": "new\n"} {
		if got := onDisk(t, dir, name); got != want {
			t.Errorf("%q holds %q", name, got)
		}
	}
	for _, name := range []string{"one", "chain", "dangling"} {
		if info, err := os.Lstat(at(name)); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s is no link any more", name)
		}
	}
	noLeftovers(t, dir, "-rf", "chain", "dangling", "loop", "made", "not \xFF UTF-8", "one", "target", "two\nlines")
}

// What leads out of the workspace is for the policy to judge; once allowed it
// is written where it leads.
func TestWriteOutside(t *testing.T) {
	dir := realTemp(t)
	put(t, dir, "ws/x", "", "out/f", "old\n")
	link(t, filepath.Join(dir, "out"), filepath.Join(dir, "ws", "export"))
	w := New(Options{Roots: []string{filepath.Join(dir, "ws")}})
	write(t, w, "export/f", "old", "new")
	for _, path := range []string{"export/a/b.txt", filepath.Join(dir, "out/c/d.txt"), "../out/e.txt"} {
		p := resolve(t, w, path)
		if _, err := w.Write(context.Background(), &tools.File{Path: p}, path); err != nil || !p.Outside {
			t.Errorf("%s: %v, outside %v", path, err, p.Outside)
		}
	}
	if onDisk(t, dir, "out/f") != "new\n" || onDisk(t, dir, "out/a/b.txt") != "export/a/b.txt" {
		t.Error("not written where it leads")
	}
	noLeftovers(t, filepath.Join(dir, "out"), "a", "c", "e.txt", "f")
}

// fakeEditor keeps buffers as an editor would.
type fakeEditor struct {
	w *Workspace
	// format is what saving does to a text; nil when the editor cannot save.
	format func(string) string
	err    error

	mu   sync.Mutex
	asks []string
}

func (e *fakeEditor) ApplyEdit(_ context.Context, path string, version int32, oldText, newText string) (string, bool, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.asks = append(e.asks, newText)
	d, ok := e.w.Document(path)
	switch {
	case e.err != nil:
		return "", false, e.err
	case !ok || d.Version != version || d.Text != oldText:
		return "", false, errors.New("stale edit")
	}
	if e.format == nil {
		return newText, false, e.w.Change(path, version+1, newText)
	}
	newText = e.format(newText)
	if err := errors.Join(e.w.Change(path, version+1, newText), os.WriteFile(path, []byte(newText), 0o644)); err != nil {
		return "", false, err
	}
	e.w.Saved(path)
	return newText, true, nil
}

func TestWriteOpenDocuments(t *testing.T) {
	quotes := func(s string) string { return strings.ReplaceAll(s, "'", `"`) }
	for _, tc := range []struct {
		name, disk, buffer string // buffer differs from disk when dirty
		format             func(string) string
		new                string
		asked              string // "" when the editor is not asked
		text, onDisk       string
		saved              bool
	}{
		{"clean", "a\n", "a\n", quotes, "'b'\n", "'b'\n", "\"b\"\n", "\"b\"\n", true},
		{"dirty", "a\n", "typed\n", quotes, "b\n", "b\n", "b\n", "b\n", true},
		{"dirty, no save", "a\n", "typed\n", nil, "b\n", "b\n", "b\n", "a\n", false},
		{"CRLF shown as LF", "a\r\nc\r\n", "a\nc\n", nil, "b\r\nc\r\n", "b\nc\n", "b\nc\n", "a\r\nc\r\n", false},
		{"byte order marks", "\ufeff\ufeffa\n", "\ufeff\ufeffa\n", quotes, "b\n", "", "b\n", "\ufeff\ufeffb\n", true},
		{"byte order marks, dirty", "\ufeff\ufeffa\n", "\ufeff\ufefftyped\n", nil, "b\n", "\ufeff\ufeffb\n", "b\n", "\ufeff\ufeffa\n", false},
		{"mixed line ends", "a\r\nb\n", "a\nb\n", quotes, "x\r\nb\n", "", "x\r\nb\n", "x\r\nb\n", true},
		{"not UTF-8", "caf\xE9\n", "café\n", quotes, "é\n", "", "é\n", "\xE9\n", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := realTemp(t)
			put(t, dir, "f", tc.disk)
			e := &fakeEditor{format: tc.format}
			w := New(Options{Roots: []string{dir}, Editor: e})
			e.w = w
			w.Open(filepath.Join(dir, "f"), "", 1, tc.buffer)
			f := read(t, w, "f")
			res, err := w.Write(context.Background(), f, tc.new)
			if err != nil {
				t.Fatal(err)
			}
			if res.Text != tc.text || res.Saved != tc.saved || onDisk(t, dir, "f") != tc.onDisk || strings.Join(e.asks, "|") != tc.asked {
				t.Errorf("%+v, on disk %q, asked %q", res, onDisk(t, dir, "f"), e.asks)
			}
			if again := read(t, w, "f"); again.Text != tc.text && !sameText(again.Text, tc.text) {
				t.Errorf("then reads %q", again.Text)
			}
		})
	}
}

func TestWriteOpenDocumentsRefused(t *testing.T) {
	dir := realTemp(t)
	put(t, dir, "f", "a\n", "new", "n\n")
	e := &fakeEditor{err: errors.New("the buffer is read-only")}
	path := filepath.Join(dir, "f")
	w := New(Options{Roots: []string{dir}, Editor: e})
	e.w = w
	w.Open(path, "", 1, "typed\n")
	f := read(t, w, "f")
	if _, err := w.Write(context.Background(), f, "b\n"); err == nil || !strings.Contains(err.Error(), "read-only") || onDisk(t, dir, "f") != "a\n" {
		t.Errorf("refused by the editor: %v", err)
	}
	if err := w.Change(path, 2, "more\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(context.Background(), f, "b\n"); !errors.Is(err, tools.ErrChanged) {
		t.Errorf("typed since: %v", err)
	}
	alone := New(Options{Roots: []string{dir}})
	alone.Open(path, "", 1, "typed\n")
	if _, err := alone.Write(context.Background(), read(t, alone, "f"), "b\n"); err == nil || onDisk(t, dir, "f") != "a\n" {
		t.Errorf("under unsaved changes: %v", err)
	}
	alone.Open(path, "", 1, "a\n")
	if _, err := alone.Write(context.Background(), read(t, alone, "f"), "b\n"); err != nil || onDisk(t, dir, "f") != "b\n" {
		t.Errorf("clean, in an editor that takes no edits: %v", err)
	}
	if got := read(t, alone, "f"); got.Text != "b\n" || got.Dirty {
		t.Errorf("before the editor has reloaded: %+v", got)
	}
}
