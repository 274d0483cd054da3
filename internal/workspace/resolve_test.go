package workspace

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestResolve(t *testing.T) {
	dir := realTemp(t)
	ws, out := filepath.Join(dir, "app"), filepath.Join(dir, "OUT")
	put(t, dir, "app/a.txt", "x", "app/sub/b.txt", "x", "app2/c.txt", "x", "OUT/x", "x", "app/%2e%2e/p", "x",
		"app/two\nlines", "x", "app/sub/\xff", "x", "app/blank ", "x", "app/\"q\"", "x")
	link(t, out, filepath.Join(ws, "export"))
	link(t, filepath.Join(out, "later", "keys"), filepath.Join(ws, "conf.json"))
	link(t, "../OUT/not/there", filepath.Join(ws, "dangling"))
	link(t, "sub", filepath.Join(ws, "alias"))
	link(t, ws, filepath.Join(dir, "link"))
	link(t, "loop", filepath.Join(ws, "loop"))
	cwd := func(w *Workspace) *Workspace { return w.For(filepath.Join(ws, "sub"), nil) }
	plain := New(Options{Roots: []string{ws}})
	linked := New(Options{Roots: []string{filepath.Join(dir, "link")}})
	for _, tc := range []struct {
		name              string
		w                 *Workspace
		in                string
		display, abs, rel string // rel is Real relative to dir
		outside           bool
	}{
		{"relative", plain, "a.txt", "a.txt", "app/a.txt", "app/a.txt", false},
		{"messy", plain, "./sub/../sub//b.txt/", "sub/b.txt", "app/sub/b.txt", "app/sub/b.txt", false},
		{"root itself", plain, ".", ".", "app", "app", false},
		{"absolute inside", plain, ws + "/sub/b.txt", "sub/b.txt", "app/sub/b.txt", "app/sub/b.txt", false},
		{"sibling prefix", plain, "../app2/c.txt", dir + "/app2/c.txt", "app2/c.txt", "app2/c.txt", true},
		{"dots out", plain, "sub/../../OUT/x", dir + "/OUT/x", "OUT/x", "OUT/x", true},
		{"link out", plain, "export/x", "export/x", "app/export/x", "OUT/x", true},
		{"link out, new file", plain, "export/new/er.txt", "export/new/er.txt", "app/export/new/er.txt", "OUT/new/er.txt", true},
		{"link to nothing outside", plain, "conf.json", "conf.json", "app/conf.json", "OUT/later/keys", true},
		{"relative link to nothing", plain, "dangling", "dangling", "app/dangling", "OUT/not/there", true},
		{"link inside", plain, "alias/b.txt", "alias/b.txt", "app/alias/b.txt", "app/sub/b.txt", false},
		{"words before links for ..", plain, "export/../a.txt", "a.txt", "app/a.txt", "app/a.txt", false},
		{"below a file", plain, "a.txt/x", "a.txt/x", "app/a.txt/x", "app/a.txt/x", false},
		{"root is a link", linked, "a.txt", "a.txt", "link/a.txt", "app/a.txt", false},
		{"root is a link, real path", linked, ws + "/a.txt", "a.txt", "app/a.txt", "app/a.txt", false},
		{"percent escapes are text", plain, "%2e%2e/p", "%2e%2e/p", "app/%2e%2e/p", "app/%2e%2e/p", false},
		{"file URI", plain, "file://" + ws + "/s%75b/b.txt", "sub/b.txt", "app/sub/b.txt", "app/sub/b.txt", false},
		{"file URI leads out", plain, "file://" + ws + "/%2e%2e/OUT/x", dir + "/OUT/x", "OUT/x", "OUT/x", true},
		{"./~ is a name", plain, "./~/x", "./~/x", "app/~/x", "app/~/x", false},
		{"from a folder below", cwd(plain), "b.txt", "b.txt", "app/sub/b.txt", "app/sub/b.txt", false},
		{"from a folder below, up", cwd(plain), "../a.txt", "../a.txt", "app/a.txt", "app/a.txt", false},
		{"blanks and line ends around", plain, " \ta.txt\n", "a.txt", "app/a.txt", "app/a.txt", false},
		{"line end of a new file", plain, "new.txt\n", "new.txt", "app/new.txt", "app/new.txt", false},
		{"blank of a file", plain, "blank ", "blank ", "app/blank ", "app/blank ", false},
		{"two lines", plain, "two\nlines", `"two\nlines"`, "app/two\nlines", "app/two\nlines", false},
		{"no UTF-8", plain, `"sub/\xff"`, `"sub/\xff"`, "app/sub/\xff", "app/sub/\xff", false},
		{"quotes of a file", plain, `"q"`, `"q"`, `app/"q"`, `app/"q"`, false},
		{"quotes around", plain, `"sub/b.txt"`, "sub/b.txt", "app/sub/b.txt", "app/sub/b.txt", false},
		{"quotes hide nothing", plain, `"\x2e./OUT/x"`, dir + "/OUT/x", "OUT/x", "OUT/x", true},
		{"root by name", plain, "@app:a.txt", "a.txt", "app/a.txt", "app/a.txt", false},
		{"root by name leads out", plain, "@app:../OUT/x", dir + "/OUT/x", "OUT/x", "OUT/x", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := resolve(t, tc.w, tc.in)
			if p.Display != tc.display || p.Abs != filepath.Join(dir, tc.abs) || p.Real != filepath.Join(dir, tc.rel) || p.Outside != tc.outside {
				t.Errorf("%+v", p)
			}
			if again, err := tc.w.Resolve(p.Display); err != nil || again.Real != p.Real {
				t.Errorf("display %q does not lead back: %+v, %v", p.Display, again, err)
			}
		})
	}
	for _, tc := range []struct{ in, says string }{
		{"", "empty"}, {" \n", "empty"}, {"a\x00b", "NUL"},
		{"~", "not expanded"}, {"~/.ssh/id", "not expanded"},
		{"untitled:Untitled-1", "not a file"}, {"vscode-remote://ssh/x", "not a file"}, {"git:/x", "not a file"}, {"https://a/b", "not a file"},
		{"file://srv/share/x", "not a file"}, {"loop/x", "symbolic links"},
	} {
		if _, err := plain.Resolve(tc.in); err == nil || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%q: %v, want %q", tc.in, err, tc.says)
		}
	}
	if _, err := New(Options{}).Resolve("a.txt"); err == nil || !strings.Contains(err.Error(), "no folder") {
		t.Errorf("without folders: %v", err)
	}
}

func TestSeveralRoots(t *testing.T) {
	dir := realTemp(t)
	front, back := filepath.Join(dir, "front"), filepath.Join(dir, "back")
	put(t, dir, "front/package.json", "f", "back/package.json", "b", "back/only.go", "b", "front/sub/x", "1", "back/back/y", "y")
	w := New(Options{Roots: []string{front, back}})
	for _, tc := range []struct{ in, want, display string }{
		{"back/package.json", "back/package.json", "back/package.json"},
		{"@back:package.json", "back/package.json", "back/package.json"},
		{"@front:package.json", "front/package.json", "front/package.json"},
		{"./package.json", "front/package.json", "front/package.json"},
		{"only.go", "back/only.go", "back/only.go"},
		{"sub/x", "front/sub/x", "front/sub/x"},
		{"new.txt", "front/new.txt", "front/new.txt"},
		{"back/new.txt", "back/new.txt", "back/new.txt"},
		{"back/back/y", "back/back/y", "back/back/y"},
		{"back", "back", "back"},
		{back + "/package.json", "back/package.json", "back/package.json"},
	} {
		if p := resolve(t, w, tc.in); p.Abs != filepath.Join(dir, tc.want) || p.Display != tc.display || p.Outside {
			t.Errorf("%q: %+v", tc.in, p)
		}
	}
	_, err := w.Resolve("package.json")
	for _, s := range []string{"ambiguous", "@front:package.json", "@back:package.json"} {
		if err == nil || !strings.Contains(err.Error(), s) {
			t.Errorf("ambiguous path: %v, want %q in it", err, s)
		}
	}
	put(t, dir, "front/back/z", "z")
	if _, err := w.Resolve("back/new.txt"); err == nil {
		t.Error("a new file in two possible folders was taken for clear")
	}

	task := w.For("", nil)
	w.SetRoots([]string{back})
	if p := resolve(t, w, "package.json"); p.Abs != filepath.Join(back, "package.json") || p.Display != "package.json" {
		t.Errorf("after a folder went: %+v", p)
	}
	if w.Cwd() != back || task.Cwd() != front || len(task.Roots()) != 2 {
		t.Errorf("the task's view moved: %q %v; session %q", task.Cwd(), task.Roots(), w.Cwd())
	}
	w.SetRoots([]string{dir + "/back", dir + "/x/back", dir + "/y/back", "/", dir + "/back"})
	var names []string
	for _, r := range w.Roots() {
		names = append(names, r.Name)
	}
	if got := strings.Join(names, " "); got != filepath.Base(dir)+"/back x/back y/back /" {
		t.Errorf("names %q", got)
	}
}

// What becomes clined's own later is protected in views that were there before.
func TestProtectLater(t *testing.T) {
	dir := realTemp(t)
	put(t, dir, "servers.json", "{}")
	w := New(Options{Roots: []string{dir}})
	view := w.For("", nil)
	if p := resolve(t, view, "servers.json"); p.Protected != "" {
		t.Errorf("protected too early: %s", p.Protected)
	}
	w.Protect(filepath.Join(dir, "servers.json"))
	if p := resolve(t, view, "servers.json"); p.Protected == "" {
		t.Error("not protected")
	}
}

// What is hidden cannot be reached by the paths of tools either.
func TestHidden(t *testing.T) {
	dir := realTemp(t)
	put(t, dir, ".clineignore", "/svc/.env.prod\naudit/*\n!audit/keep.txt\n*.pem\n", "svc/.env.prod", "CANARY", "audit/a.log", "CANARY", "audit/keep.txt", "k",
		"x/k.pem", "CANARY", "ok.txt", "ok", "out/ok.txt", "")
	link(t, "svc/.env.prod", filepath.Join(dir, "innocent"))
	link(t, "ok.txt", filepath.Join(dir, "cert.pem"))
	link(t, "svc", filepath.Join(dir, "s"))
	w := New(Options{Roots: []string{dir}})
	for _, path := range []string{"svc/.env.prod", "./svc/../svc/.env.prod", dir + "/svc/.env.prod", "innocent", "s/.env.prod", "audit/a.log", "audit/new.log", "x/k.pem", "cert.pem", "file://" + dir + "/x/k.pem"} {
		p, err := w.Resolve(path)
		if !errors.Is(err, ErrHidden) || !p.Ignored {
			t.Errorf("%q: %+v, %v", path, p, err)
		}
	}
	for _, path := range []string{"ok.txt", "audit/keep.txt", "audit", "svc"} {
		if p, err := w.Resolve(path); err != nil || p.Ignored {
			t.Errorf("%q: %+v, %v", path, p, err)
		}
	}
	f := read(t, w, "ok.txt")
	put(t, dir, ".clineignore", "ok.txt\n")
	if _, err := w.Resolve("ok.txt"); !errors.Is(err, ErrHidden) {
		t.Errorf("a new rule does not hold: %v", err)
	}
	if _, err := w.Write(context.Background(), f, "changed"); !errors.Is(err, ErrHidden) || onDisk(t, dir, "ok.txt") != "ok" {
		t.Errorf("a file hidden since it was read was written: %v", err)
	}
	if p := resolve(t, w, "svc/.env.prod"); p.Ignored {
		t.Error("an old rule still holds")
	}
}

func TestReadable(t *testing.T) {
	dir := realTemp(t)
	put(t, dir, "state/tasks/1/out.txt", "long", "state2/x", "", "ws/a", "")
	w := New(Options{Roots: []string{filepath.Join(dir, "ws")}}).For("", nil, filepath.Join(dir, "state"))
	path := filepath.Join(dir, "state/tasks/1/out.txt")
	f := read(t, w, path)
	if f.Path.Outside || f.Text != "long" {
		t.Errorf("%+v", f)
	}
	if _, err := w.Write(context.Background(), f, "x"); err == nil || onDisk(t, path) != "long" {
		t.Errorf("a record was written: %v", err)
	}
	if p := resolve(t, w, filepath.Join(dir, "state2/x")); !p.Outside {
		t.Error("a sibling counts as inside")
	}
}

// realPath agrees with the library wherever everything exists.
func TestRealPathAgainstEvalSymlinks(t *testing.T) {
	dir := realTemp(t)
	put(t, dir, "a/b/c/f", "", "d/f", "")
	for name, target := range map[string]string{
		"l1": "a/b", "a/up": "..", "a/b/abs": filepath.Join(dir, "d"), "d/back": "../a/b/c/../../up/d", "d/self": ".", "a/b/c/l": "../abs/back",
	} {
		link(t, target, filepath.Join(dir, name))
	}
	names := []string{"a", "b", "c", "d", "f", "l1", "up", "abs", "back", "self", "l"}
	var walk func(path string, depth int)
	checked := 0
	walk = func(path string, depth int) {
		if _, err := os.Stat(path); err != nil {
			return
		}
		want, err := filepath.EvalSymlinks(path)
		got, err2 := realPath(path)
		if (err == nil) != (err2 == nil) || got != want {
			t.Errorf("%s: %q %v, want %q %v", path, got, err2, want, err)
		}
		checked++
		if depth > 0 {
			for _, n := range names {
				walk(path+"/"+n, depth-1)
			}
		}
	}
	walk(dir, 6)
	if checked < 200 {
		t.Errorf("only %d paths checked", checked)
	}
}
