package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"clined/internal/tools"
)

func move(t *testing.T, w *Workspace, from, to string, text func(string) string) error {
	t.Helper()
	f := read(t, w, from)
	want := text(f.Text)
	got, err := w.Move(t.Context(), f, resolve(t, w, to), want)
	if err == nil && (got.Text != want || !got.Saved) {
		t.Errorf("moved %s: %+v", from, got)
	}
	return err
}

func as(s string) string    { return s }
func plus(s string) string  { return s + "more\n" }
func japan(s string) string { return s + "日本\n" }

func TestRemove(t *testing.T) {
	dir := realTemp(t)
	at := func(name string) string { return filepath.Join(dir, name) }
	put(t, dir, "plain", "1\n", "target", "2\n", "h1", "3\n", "d/e/in", "4\n", "open", "5\n")
	link(t, "target", at("link"))
	link(t, "link", at("chain"))
	link(t, "d/e", at("folder"))
	if err := os.Link(at("h1"), at("h2")); err != nil {
		t.Fatal(err)
	}
	w := New(Options{Roots: []string{dir}})
	w.Open(at("open"), "", 1, "5\n")
	for _, name := range []string{"plain", "chain", "link", "h1", "folder/in", "open"} {
		if err := w.Remove(t.Context(), read(t, w, name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	noLeftovers(t, dir, "d", "folder", "h2", "target")
	noLeftovers(t, at("d/e"))
	if onDisk(t, dir, "target") != "2\n" || onDisk(t, dir, "h2") != "3\n" {
		t.Error("more than the name is gone")
	}
}

func TestMove(t *testing.T) {
	for _, tc := range []struct {
		name, raw, want string
		text            func(string) string
		sameFile        bool
	}{
		{"as it is", "a\r\nb\n", "a\r\nb\n", as, true},
		{"edited", "a\n", "a\nmore\n", plus, false},
		{"mark", "\xEF\xBB\xBFa\n", "\xEF\xBB\xBFa\nmore\n", plus, false},
		{"UTF-16", "\xFF\xFEa\x00\n\x00", "\xFF\xFEa\x00\n\x00m\x00o\x00r\x00e\x00\n\x00", plus, false},
		{"unknown bytes", "\x81\x00caf\xE9\n"[2:], "caf\xE9\nmore\n", plus, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := realTemp(t)
			put(t, dir, "old", tc.raw)
			at := func(name string) string { return filepath.Join(dir, name) }
			if err := errors.Join(os.Chown(at("old"), 1234, 2345), os.Chmod(at("old"), 0o751|os.ModeSetuid)); err != nil {
				t.Fatal(err)
			}
			before, _ := os.Stat(at("old"))
			w := New(Options{Roots: []string{dir}})
			if err := move(t, w, "old", "a/b/new", tc.text); err != nil {
				t.Fatal(err)
			}
			after, err := os.Stat(at("a/b/new"))
			if err != nil {
				t.Fatal(err)
			}
			st := after.Sys().(*syscall.Stat_t)
			if onDisk(t, dir, "a/b/new") != tc.want || after.Mode() != 0o751|os.ModeSetuid || st.Uid != 1234 || st.Gid != 2345 {
				t.Errorf("%q, %v, %d:%d", onDisk(t, dir, "a/b/new"), after.Mode(), st.Uid, st.Gid)
			}
			if os.SameFile(before, after) != tc.sameFile {
				t.Errorf("the same file: %v", !tc.sameFile)
			}
			noLeftovers(t, dir, "a")
			noLeftovers(t, at("a/b"), "new")
		})
	}
}

// The other names of a file and what a link leads to stay what they are.
func TestMoveOfLinks(t *testing.T) {
	dir := realTemp(t)
	at := func(name string) string { return filepath.Join(dir, name) }
	put(t, dir, "target", "1\n", "h1", "2\n", "sub/x", "")
	link(t, "target", at("near"))
	link(t, at("target"), at("far"))
	if err := os.Link(at("h1"), at("h2")); err != nil {
		t.Fatal(err)
	}
	w := New(Options{Roots: []string{dir}})
	for _, tc := range []struct {
		from, to string
		text     func(string) string
		says     string
	}{
		{"near", "sub/near", as, "leads elsewhere from another folder"},
		{"near", "near2", plus, "cannot be moved with another text"},
		{"near", "near3", as, ""},
		{"far", "sub/far", as, ""},
		{"h1", "sub/h3", plus, ""},
	} {
		err := move(t, w, tc.from, tc.to, tc.text)
		if (err == nil) != (tc.says == "") || err != nil && !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s to %s: %v", tc.from, tc.to, err)
		}
	}
	noLeftovers(t, dir, "h2", "near3", "sub", "target")
	noLeftovers(t, at("sub"), "far", "h3", "x")
	a, _ := os.Stat(at("h2"))
	b, _ := os.Stat(at("sub/h3"))
	if !os.SameFile(a, b) || onDisk(t, dir, "h2") != "2\nmore\n" || onDisk(t, dir, "near3") != "1\n" || onDisk(t, dir, "sub/far") != "1\n" {
		t.Error("links were not kept")
	}
}

// What is refused leaves everything as it was.
func TestTakingRefused(t *testing.T) {
	type world struct {
		w   *Workspace
		dir string
		f   *tools.File
	}
	for _, tc := range []struct {
		name, to string
		text     func(string) string
		prepare  func(t *testing.T, x world)
		changed  bool
		says     string
		both     bool // a removal is refused too
	}{
		{"something there", "there", as, nil, true, "exists by now", false},
		{"a link to nothing there", "dangling", as, nil, true, "exists by now", false},
		{"a folder there", "sub", as, nil, false, "directory", false},
		{"a buffer there", "sub/new", as, func(t *testing.T, x world) { x.w.Open(filepath.Join(x.dir, "sub/new"), "", 1, "") }, true, "exists by now", false},
		{"below a file", "there/a/new", as, nil, false, "stands where a folder", false},
		{"a name that is too long", "a/b/" + strings.Repeat("n", 300), plus, nil, false, "too long", false},
		{"does not fit the encoding", "a/b/new", japan, nil, false, "cannot be written", false},
		{"changed on disk", "a/new", as, func(t *testing.T, x world) { put(t, x.dir, "f", "caf\xE8\n") }, true, "changed since", true},
		{"unsaved changes", "a/new", as, func(t *testing.T, x world) {
			x.w.Open(filepath.Join(x.dir, "f"), "", 1, "typed")
			*x.f = *read(t, x.w, "f")
		}, false, "unsaved changes", true},
		{"unsaved changes not shared", "a/new", as, func(t *testing.T, x world) {
			x.w.SetState(State{Tabs: []Tab{{Path: filepath.Join(x.dir, "f"), Dirty: true}}})
		}, false, "unsaved changes", true},
		{"gone", "a/new", as, func(t *testing.T, x world) { os.Remove(filepath.Join(x.dir, "f")) }, true, "is gone", true},
		{"became a link", "a/new", as, func(t *testing.T, x world) {
			os.Rename(filepath.Join(x.dir, "f"), filepath.Join(x.dir, "g"))
			link(t, "g", filepath.Join(x.dir, "f"))
		}, true, "leads elsewhere", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := realTemp(t)
			put(t, dir, "f", "caf\xE9\n", "there", "x", "sub/x", "")
			link(t, "nowhere", filepath.Join(dir, "dangling"))
			w := New(Options{Roots: []string{dir}})
			f := read(t, w, "f")
			if tc.prepare != nil {
				tc.prepare(t, world{w, dir, f})
			}
			before := snapshot(t, dir)
			check := func(err error) {
				t.Helper()
				if err == nil || errors.Is(err, tools.ErrChanged) != tc.changed || !strings.Contains(err.Error(), tc.says) {
					t.Errorf("err = %v, want %q", err, tc.says)
				}
				if now := snapshot(t, dir); now != before {
					t.Errorf("now:\n%s\nwas:\n%s", now, before)
				}
			}
			_, err := w.Move(t.Context(), f, resolve(t, w, tc.to), tc.text(f.Text))
			check(err)
			if tc.both {
				check(w.Remove(t.Context(), f))
			}
		})
	}
}

// snapshot tells all about the files below dir.
func snapshot(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		raw, _ := os.ReadFile(path)
		if e.IsDir() {
			fmt.Fprintf(&b, "%s %v\n", path, info.Mode())
		} else {
			fmt.Fprintf(&b, "%s %v %v %q\n", path, info.Mode(), info.ModTime(), raw)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A link is judged by where it leads, so the link itself must not be under
// stricter rules.
func TestTakingLinksUnderOtherRules(t *testing.T) {
	dir := realTemp(t)
	put(t, dir, "ws/f", "x\n", "ws/.git/HEAD", "x", "ws/secret/x", "x", "ws/.clineignore", "/secret/\n", "out/x", "")
	ws := filepath.Join(dir, "ws")
	for _, at := range []string{"out/link", "ws/.git/link", "ws/secret/link"} {
		link(t, filepath.Join(ws, "f"), filepath.Join(dir, at))
	}
	link(t, ".git", filepath.Join(ws, "g"))
	link(t, "secret", filepath.Join(ws, "s"))
	w := New(Options{Roots: []string{ws}})
	for _, path := range []string{filepath.Join(dir, "out/link"), "g/link", "s/link"} {
		f := read(t, w, path)
		if err := w.Remove(t.Context(), f); err == nil || !strings.Contains(err.Error(), "other rules") {
			t.Errorf("%s: %v", path, err)
		}
		if _, err := w.Move(t.Context(), f, resolve(t, w, "new"), f.Text); err == nil {
			t.Errorf("%s was moved", path)
		}
	}
}

// Moves in opposite directions neither wait for each other for ever nor lose a
// text.
func TestMovesCross(t *testing.T) {
	dir := realTemp(t)
	w := New(Options{Roots: []string{dir}})
	put(t, dir, "a", "text", "b", "text")
	ctx := context.Background()
	a, b := resolve(t, w, "a"), resolve(t, w, "b")
	var wg sync.WaitGroup
	for i := range 8 {
		from, to := a, b
		if i%2 == 0 {
			from, to = b, a
		}
		wg.Go(func() {
			for range 200 {
				base := &tools.File{Path: from, Text: "text", Exists: true}
				if i < 2 && i%2 == 0 {
					_ = w.Remove(ctx, base)
				} else if _, err := w.Move(ctx, base, to, "text"); err != nil && !errors.Is(err, tools.ErrChanged) {
					t.Error(err)
				}
				if _, err := w.Write(ctx, &tools.File{Path: b}, "text"); err != nil && !errors.Is(err, tools.ErrChanged) {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if len(w.s.locks.held) > 0 {
		t.Errorf("locks are held: %v", w.s.locks.held)
	}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if onDisk(t, dir, e.Name()) != "text" {
			t.Errorf("%s holds %q", e.Name(), onDisk(t, dir, e.Name()))
		}
	}
}
