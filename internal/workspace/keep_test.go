package workspace

import (
	"errors"
	"testing"

	"clined/internal/tools"
)

func TestKeep(t *testing.T) {
	for _, tc := range []struct {
		name, disk, buffer, base, want string
		fails                          bool
	}{
		{"unsaved", "new\n", "old\n", "old\n", "old\n", false},
		{"saved by now", "old\n", "old\n", "old\n", "old\n", false},
		{"shown with LF", "new\r\nb\r\n", "old\nb\n", "old\nb\n", "old\r\nb\r\n", false},
		{"marked", "\xEF\xBB\xBFnew\n", "old\n", "old\n", "\xEF\xBB\xBFold\n", false},
		{"typed in", "new\n", "typed\n", "old\n", "new\n", true},
		{"mixed line ends", "new\r\nb\n", "old\nb\n", "old\nb\n", "new\r\nb\n", true},
		{"gone from disk", "", "old\n", "old\n", "old\n", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := realTemp(t)
			if tc.disk != "" {
				put(t, dir, "a", tc.disk)
			}
			w := New(Options{Roots: []string{dir}})
			w.Open(dir+"/a", "", 1, tc.buffer)
			err := w.Keep(t.Context(), &tools.File{Path: resolve(t, w, "a"), Text: tc.base, Exists: true})
			if (err != nil) != tc.fails || tc.name == "typed in" && !errors.Is(err, tools.ErrChanged) {
				t.Error(err)
			}
			if got := onDisk(t, dir, "a"); got != tc.want {
				t.Errorf("on disk: %q", got)
			}
			if f := read(t, w, "a"); !tc.fails && f.Dirty {
				t.Errorf("it still is unsaved: %+v", f)
			}
		})
	}
}
