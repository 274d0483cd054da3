package workspace

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clined/internal/tools"
)

// mover is an editor that moves and closes what it has open.
type mover struct {
	w        *Workspace
	rename   func(from, to string) bool
	deleted  []string
	renamed  int
	applied  int
	notApply error
}

func (m *mover) ApplyEdit(_ context.Context, path string, version int32, oldText, newText string) (string, bool, error) {
	if m.notApply != nil {
		return "", false, m.notApply
	}
	m.applied++
	return newText, false, m.w.Change(path, version+1, newText)
}

func (m *mover) RenameFile(_ context.Context, from, to string) bool {
	m.renamed++
	return m.rename(from, to)
}

func (m *mover) DeleteFile(_ context.Context, path string) bool {
	m.deleted = append(m.deleted, path)
	m.w.Close(path)
	return true
}

// moves renames as editors do.
func (m *mover) moves(from, to string) bool {
	if os.Rename(from, to) != nil {
		return false
	}
	d, _ := m.w.Document(from)
	m.w.Close(from)
	m.w.Open(to, "", 1, d.Text)
	return true
}

func TestMoveInEditor(t *testing.T) {
	const raw = "one\r\ntwo\r\n"
	for _, tc := range []struct {
		name, buffer string
		text         func(string) string
		rename       func(m *mover, from, to string) bool
		notApply     error
		says         string // of the error
		applied      int
		open         string // which document there is then
	}{
		{name: "as it is", text: as, open: "a/new"},
		{name: "edited", text: plus, applied: 1, open: "a/new"},
		{name: "shown with LF", buffer: "one\ntwo\n", text: plus, applied: 1, open: "a/new"},
		{name: "refused", text: plus, rename: func(*mover, string, string) bool { return false }, open: "old"},
		{name: "not opened again", text: plus, rename: func(m *mover, from, to string) bool {
			_ = os.Rename(from, to)
			m.w.Close(from)
			return true
		}},
		{name: "moved elsewhere", text: plus, open: "a/new2", says: "not where it should be", rename: func(m *mover, from, to string) bool {
			return m.moves(from, to+"2")
		}},
		{name: "damaged", text: plus, open: "a/new", says: "wrote another text", rename: func(m *mover, from, to string) bool {
			m.moves(from, to)
			return os.WriteFile(to, []byte("else\n"), 0o644) == nil
		}},
		{name: "typed in meanwhile", text: plus, says: tools.ErrChanged.Error(), open: "old", rename: func(m *mover, from, to string) bool {
			ok := m.moves(from, to)
			if m.renamed == 1 {
				_ = m.w.Change(to, 2, "typed\n")
			}
			return ok
		}},
		{name: "no edit", text: plus, notApply: errors.New("the edit was refused"), says: "refused", open: "old"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := realTemp(t)
			put(t, dir, "old", raw)
			m := &mover{notApply: tc.notApply}
			m.rename = m.moves
			if tc.rename != nil {
				m.rename = func(from, to string) bool { return tc.rename(m, from, to) }
			}
			w := New(Options{Roots: []string{dir}, Editor: m})
			m.w = w
			if tc.buffer == "" {
				tc.buffer = raw
			}
			w.Open(filepath.Join(dir, "old"), "", 1, tc.buffer)
			err := move(t, w, "old", "a/new", tc.text)
			if (err == nil) != (tc.says == "") || err != nil && !strings.Contains(err.Error(), tc.says) {
				t.Fatal(err)
			}
			if m.applied != tc.applied {
				t.Errorf("%d edits", m.applied)
			}
			for _, d := range w.Documents() {
				if want := filepath.Join(dir, tc.open); d.Path != want {
					t.Errorf("%s is open, not %s", d.Path, want)
				}
			}
			switch {
			case err == nil:
				if got := onDisk(t, dir, "a/new"); got != tc.text(raw) || exists(filepath.Join(dir, "old")) {
					t.Errorf("moved: %q", got)
				}
				if f := read(t, w, "a/new"); f.Dirty {
					t.Errorf("buffer and disk differ: %+v", f)
				}
			case tc.open == "old":
				if got := onDisk(t, dir, "old"); got != raw || exists(filepath.Join(dir, "a")) {
					t.Errorf("put back: %q", got)
				}
			}
		})
	}
}

// What is open of a file that goes is let go of when it is gone for good.
func TestLetGo(t *testing.T) {
	dir := realTemp(t)
	put(t, dir, "a", "1\n", "b", "2\n", "c", "3\n", "shut", "4\n")
	m := &mover{}
	m.w = New(Options{Roots: []string{dir}, Editor: m})
	for _, name := range []string{"a", "b", "c"} {
		m.w.Open(filepath.Join(dir, name), "", 1, onDisk(t, dir, name))
	}
	if err := errors.Join(m.w.Remove(t.Context(), read(t, m.w, "a")), m.w.Remove(t.Context(), read(t, m.w, "shut"))); err != nil {
		t.Fatal(err)
	}
	dropped, err1 := m.w.SetAside(t.Context(), read(t, m.w, "b"))
	back, err2 := m.w.SetAside(t.Context(), read(t, m.w, "c"))
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	if len(m.deleted) != 1 {
		t.Errorf("let go of %q", m.deleted)
	}
	if err := errors.Join(back.PutBack(), dropped.Drop()); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(m.deleted, " "); got != filepath.Join(dir, "a")+" "+filepath.Join(dir, "b") {
		t.Errorf("let go of %s", got)
	}
}
