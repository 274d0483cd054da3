package workspace

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"clined/internal/tools"
)

// A save by somebody else has the checks of a write, and what the file holds
// then is told.
func TestSave(t *testing.T) {
	ctx := context.Background()
	broken := errors.New("the disk is full")
	for _, tc := range []struct {
		name, disk string
		base       tools.File
		buffer     string // open with that text
		saves      string // "" for a failure
		want       string
		saved      bool
		err        error
	}{
		{name: "as read", disk: "1\r\n", base: tools.File{Text: "1\r\n", Exists: true}, saves: "2\r\n", want: "2\r\n", saved: true},
		{name: "fails", disk: "1\n", base: tools.File{Text: "1\n", Exists: true}, want: "1\n", err: broken},
		{name: "changed", disk: "2\n", base: tools.File{Text: "1\n", Exists: true}, saves: "3\n", want: "2\n", err: tools.ErrChanged},
		{name: "gone", base: tools.File{Text: "1\n", Exists: true}, saves: "3\n", err: tools.ErrChanged},
		{name: "new", saves: "1\n", want: "1\n", saved: true},
		{name: "there by now", disk: "2\n", saves: "1\n", want: "2\n", err: tools.ErrChanged},
		{name: "unsaved, as told", disk: "1\n", buffer: "mine\n", base: tools.File{Text: "mine\n", Exists: true, Dirty: true}, saves: "2\n", want: "2\n"},
		{name: "unsaved, another", disk: "1\n", buffer: "mine\n", base: tools.File{Text: "else\n", Exists: true, Dirty: true}, saves: "2\n", want: "1\n", err: tools.ErrChanged},
		{name: "unsaved, only the editor's", disk: "1\n", base: tools.File{Text: "mine\n", Exists: true, Dirty: true}, saves: "2\n", want: "2\n", saved: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := realTemp(t)
			if tc.disk != "" {
				put(t, dir, "f", tc.disk)
			}
			w := New(Options{Roots: []string{dir}})
			p, err := w.Resolve("f")
			if err != nil {
				t.Fatal(err)
			}
			tc.base.Path = p
			if tc.buffer != "" {
				w.Open(p.Abs, "", 1, tc.buffer)
			}
			ran := false
			written, err := w.Save(ctx, &tc.base, func(context.Context) error {
				ran = true
				if tc.saves == "" {
					return broken
				}
				return os.WriteFile(filepath.Join(dir, "f"), []byte(tc.saves), 0o644)
			})
			if !errors.Is(err, tc.err) || ran == errors.Is(tc.err, tools.ErrChanged) {
				t.Errorf("%v, ran %v", err, ran)
			}
			raw, _ := os.ReadFile(filepath.Join(dir, "f"))
			if string(raw) != tc.want {
				t.Errorf("on disk: %q", raw)
			}
			if err == nil && (written.Saved != tc.saved || tc.saved && written.Text != tc.saves) {
				t.Errorf("%+v", written)
			}
		})
	}
	// An empty file that was made to show what will be in it is no change.
	dir := realTemp(t)
	w := New(Options{Roots: []string{dir}})
	p, err := w.Resolve("f")
	if err != nil {
		t.Fatal(err)
	}
	put(t, dir, "f", "")
	if _, err := w.Save(ctx, &tools.File{Path: p}, func(context.Context) error { return nil }); err != nil {
		t.Error(err)
	}
	if _, err := w.Write(ctx, &tools.File{Path: p}, "x"); !errors.Is(err, tools.ErrChanged) {
		t.Errorf("a write over it: %v", err)
	}
	if _, err := w.Save(ctx, &tools.File{Path: p}, func(context.Context) error { return os.Remove(filepath.Join(dir, "f")) }); err == nil {
		t.Errorf("a save that leaves nothing: %v", err)
	}
}
