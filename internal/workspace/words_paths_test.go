package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// wordsDir has a workspace "w" beside a folder "home".
func wordsDir(t *testing.T) (dir string, words func() *Words) {
	t.Helper()
	dir = realOrClean(t.TempDir())
	for _, name := range []string{
		"home/sec/a", "home/sec/deep/b", "home/open/c", "w/main.go", "w/src/app.js", "w/.git/hooks/x", "w/.vscode/tasks.json", "w/.vscode/notes.md",
		"w/sub/.vscode/notes.md", "w/.clineignore",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{"lnk": "../home/sec", "deep": "../home/sec/deep", "hooks": ".git/hooks", "round": "round", "tasks": ".vscode/tasks.json"} {
		if err := os.Symlink(target, filepath.Join(dir, "w", name)); err != nil {
			t.Fatal(err)
		}
	}
	w := New(Options{Roots: []string{filepath.Join(dir, "w")}})
	return dir, w.Words
}

// What names of files in commands may stand for, in the workspace and elsewhere.
func TestWordsPaths(t *testing.T) {
	dir, words := wordsDir(t)
	for word, want := range map[string]string{
		"main.go": "w/main.go", "./src/../main.go": "w/main.go", "lnk/a": "home/sec/a", "lnk/none": "home/sec/none", "l*/a": "home/sec/a", "{x,lnk}/a": "home/sec/a",
		dir + "/home/se*/a": "home/sec/a", dir + "/home/s?c/deep/../a": "home/sec/a", dir + "/ho*/[s]ec/*": "home/sec/a", dir + "/home/sec": "home/sec",
		"deep/../a": "home/sec/a", // where the system goes
	} {
		paths, all := words().Paths(word)
		if unclear := strings.ContainsAny(word, "*?[") && strings.Contains(word, ".."); all == unclear || !slices.Contains(paths, filepath.Join(dir, want)) {
			t.Errorf("%q: %q %v", word, paths, all)
		}
	}
	if paths, _ := words().Paths("deep/../a"); !slices.Contains(paths, filepath.Join(dir, "w/a")) { // where a cd goes
		t.Errorf("%q", paths)
	}
	for _, word := range []string{"**", "**/a", "round", "round/x", strings.Repeat("{a,b}", 20), "*/../a"} {
		if paths, all := words().Paths(word); all {
			t.Errorf("%q: all are %q", word, paths)
		}
	}
}

// What is protected, by whatever name a command has for it.
func TestWordsProtected(t *testing.T) {
	dir, words := wordsDir(t)
	for word, want := range map[string]bool{
		".git/hooks/post-commit": true, ".git": true, ".GIT/x": true, "hooks/x": true, "hooks": true, "h*/x": true, dir + "/w/.git/config": true, "src/../.git/x": true,
		".vscode/tasks.json": true, ".vscode": true, ".vscode/": true, ".vscode/t*": true, ".vs*/tasks.json": true, ".vscode/{a,tasks.json}": true, "tasks": true,
		".clineignore": true, "AGENTS.md": true, "sub/AGENTS.md": true, "~/.bashrc": true, ".cline*": true, "[.]git/hooks": true, dir + "/h*/../w/.git": true,
		"**": true, "**/*.json": true, "src/**": true, "**/tasks.j*": true, strings.Repeat("{a,b}", 20): true, "**/{x,tasks.json}": true,
		"sub/.vscode/": true, ".cargo/": true, "new/.VSCODE/": true, "{a,.cargo}/": true, "src/": false, "sub/": false, ".cargo": false, "./": false,
		"": false, ".": false, "main.go": false, "src": false, "src/*": false, "*.go": false, "./...": false, "**/*.js": false, "src/**/*.{js,ts}": false,
		".vscode/notes.md": false, "sub/.vscode": false, "sub/.vscode/*": false, "lnk/a": false, "/etc/passwd": false, "-m": false, "s/a/b/": false, "feature/x": false,
	} {
		if got := words().Protected(word); (got != "") != want {
			t.Errorf("%q: %q", word, got)
		}
	}
	for word, want := range map[string]string{".clinei*": "it stands for .clineignore: ", ".vscode/t*": "it stands for .vscode/tasks.json: ", "h*/x": "it stands for hooks/x: "} {
		if got := words().Protected(word); !strings.HasPrefix(got, want) {
			t.Errorf("%q: %q", word, got)
		}
	}
}
