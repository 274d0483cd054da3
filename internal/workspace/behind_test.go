package workspace

import "testing"

func TestBehind(t *testing.T) {
	dir := realTemp(t)
	put(t, dir, "a", "one\r\ntwo\r\n")
	w := New(Options{Roots: []string{dir}})
	name := dir + "/a"
	for _, step := range []struct {
		what   string
		do     func() error
		behind bool
	}{
		{"closed", func() error { return nil }, false},
		{"open", func() error { w.Open(name, "", 1, "one\ntwo\n"); return nil }, false},
		{"unsaved", func() error { return w.Change(name, 2, "one\ntwo\nmine\n") }, false},
		{"touched", func() error { put(t, dir, "a", "one\r\ntwo\r\n"); return nil }, false},
		{"changed on disk", func() error { put(t, dir, "a", "zero\r\none\r\ntwo\r\n"); return nil }, true},
		{"the same as the buffer", func() error { put(t, dir, "a", "one\r\ntwo\r\nmine\r\n"); return nil }, false},
		{"changed again", func() error { put(t, dir, "a", "else\n"); return nil }, true},
		{"taken back", func() error { return w.Change(name, 3, "one\ntwo\n") }, false},
		{"unsaved once more", func() error { return w.Change(name, 4, "two\n") }, true},
		{"saved", func() error { put(t, dir, "a", "two\n"); w.Saved(name); return nil }, false},
		{"never seen on disk", func() error { w.Open(name, "", 1, "other\n"); return nil }, false},
	} {
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		if got := w.Behind(resolve(t, w, "a")); got != step.behind {
			t.Errorf("%s: %v", step.what, got)
		}
	}
}
