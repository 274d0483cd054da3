package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// Which folders hold what is hidden, by themselves, below, and through links.
func TestFoldersThatHoldHiddenFiles(t *testing.T) {
	dir := realOrClean(t.TempDir())
	root, out := filepath.Join(dir, "w"), filepath.Join(dir, "out")
	for name, text := range map[string]string{
		"w/.clineignore": "/svc/deep/er/.env\n*.pem\n", "w/.gitignore": "src\n", "w/svc/deep/er/.env": "", "w/svc/open/a": "", "w/src/a.go": "", "w/.git/x.pem": "", "out/x.pem": "",
		"w/to-file/b": "", "w/to-dir/b": "", "w/odd*/k.pem": "", "w/sx/a": "", "w/to-git/.git/x.pem": "",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{"to-file/l": "../svc/deep/er/.env", "to-dir/l": "../svc/deep", "src/loop": ".", "src/far": out, "src/none": "none", "link": "svc"} {
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	w := New(Options{Roots: []string{root}})
	for word, want := range map[string]string{
		".": holdsHidden, "": holdsHidden, root: holdsHidden, dir: holdsHidden, "/": holdsHidden, "..": holdsHidden, "svc": holdsHidden, "svc/": holdsHidden, "svc/deep/er": holdsHidden, "./src/../svc": holdsHidden,
		"to-file": holdsHidden, "to-dir": holdsHidden, "link": holdsHidden, "link/deep": holdsHidden, "s*": holdsHidden, "{src,svc}": holdsHidden, "odd*": holdsHidden, "**": maybeHolds,
		"src": "", "src/a.go": "", "svc/open": "", "none": "", out: "", "../out": "", "to-git": "", "s[x]": "", "svc/deep/er/.env": "",
	} {
		if got := w.Words().Holds(word, false); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
	for word, want := range map[string]string{"s*": "", "**": "", "odd*": holdsHidden, "svc": holdsHidden} {
		if got := w.Words().Holds(word, true); got != want {
			t.Errorf("%q as it stands: %q, want %q", word, got, want)
		}
	}
	if err := os.Remove(filepath.Join(root, ".clineignore")); err != nil {
		t.Fatal(err)
	}
	if got := w.Words().Holds(".", true); got != "" {
		t.Errorf("without an ignore file: %q", got)
	}
}

// A look into a large folder ends, and what it did not see may be hidden.
func TestHugeFoldersMayHoldAnything(t *testing.T) {
	root := realOrClean(t.TempDir())
	if err := os.WriteFile(filepath.Join(root, ".clineignore"), []byte("secret\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"many", "few"} {
		if err := os.Mkdir(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 60 {
		if err := os.WriteFile(filepath.Join(root, "many", fmt.Sprint(i)), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w := New(Options{Roots: []string{root}})
	words := w.Words()
	words.walked = maxBelow - 50
	if got := words.Holds("few", true); got != "" {
		t.Error(got)
	}
	for range 2 {
		if got := words.Holds("many", true); got != maybeHolds {
			t.Error(got)
		}
	}
	if words.walked > maxBelow+10 {
		t.Errorf("%d entries were looked at", words.walked)
	}
	if err := os.WriteFile(filepath.Join(root, "secret"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if got := w.Words().Holds(".", true); got != holdsHidden {
		t.Errorf("what is near is found first: %q", got)
	}
}
