package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a shell or Windows would read otherwise makes no file of that name, and one
// that has it is found.
func TestForeignPaths(t *testing.T) {
	dir := realTemp(t)
	put(t, dir, `has\it.txt`, "1\n", "$THERE/x", "2\n", `d\e/y`, "3\n")
	t.Setenv("HOME", "/home/dev")
	w := New(Options{Roots: []string{dir}})
	for path, says := range map[string]string{
		"$HOME/h.txt":           "variables are not expanded, write the path out; the home directory is /home/dev",
		"${HOME}/h.txt":         "the home directory is /home/dev",
		"$HOME":                 "not expanded",
		"$PWD/sub/x":            "not expanded",
		"$TMPDIR/x":             "not expanded",
		"%APPDATA%/x":           "not expanded",
		`%USERPROFILE%\x`:       "not expanded",
		`$env:HOME\x`:           "not expanded",
		`sub\b.txt`:             `write "sub/b.txt"`,
		`.\sub\b.txt`:           `write "./sub/b.txt"`,
		`sub/deep\b.txt`:        `write "sub/deep/b.txt"`,
		`my\ file.txt`:          `write "my file.txt"`,
		`C:\x.txt`:              "is a path of Windows",
		`c:/src/x.txt`:          "is a path of Windows",
		`\\server\share\x`:      "is a path of Windows",
		dir + `/n\x`:            "has backslashes",
		`has\it.txt`:            "",
		`d\e/new`:               "",
		"$THERE/new":            "",
		"./$HOME":               "",
		"src/$HOME/x":           "",
		"routes/$id.tsx":        "",
		"$id.tsx":               "",
		"$lib/x.ts":             "",
		"$RefreshReg$.js":       "",
		"a$HOME":                "",
		"100%/x":                "",
		"%20/x":                 "",
		"file:///tmp/a%5Cb.txt": "",
		"c:x":                   "",
	} {
		_, err := w.Resolve(path)
		if (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", path, err, says)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, `new\name`), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if p := resolve(t, w, `new\name`); p.Abs != filepath.Join(dir, `new\name`) {
		t.Error(p.Abs)
	}
}
