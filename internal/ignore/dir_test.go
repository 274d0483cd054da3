package ignore_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clined/internal/ignore"
)

// tree writes files (name, text, …) into a folder without any git around.
func tree(t *testing.T, files ...string) string {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", "")
	r := &repo{t: t, dir: t.TempDir()}
	for i := 0; i < len(files); i += 2 {
		r.write(files[i], files[i+1])
	}
	return r.dir
}

func TestLoad(t *testing.T) {
	files := []string{
		"top/.git/HEAD", "ref: refs/heads/main\n",
		"top/sub/deep/.git/x", "", // not a repository
		"top/.git/info/exclude", "*.tmp\n!kept.log\n",
		"top/.gitignore", "*.log\n/out/\nsub/*.o\n",
		"top/sub/.gitignore", "!kept.log\n",
		"top/sub/deep/x", "",
		"top/out/deep/x", "",
		"top/inner/.git/HEAD", "ref: refs/heads/main\n",
		"top/inner/.git/info/exclude", "*.inner\n",
		"top/inner/x", "",
		"plain/.gitignore", "*.log\n",
		"plain/sub/.gitignore", "*.o\n",
	}
	tests := []struct {
		root, dir, name string
		want, dirGone   bool
	}{
		{"top", "top", "a.log", true, false},
		{"top", "top", "a.tmp", true, false},
		{"top", "top", "kept.log", true, false}, // .gitignore beats info/exclude
		{"top", "top/sub", "kept.log", false, false},
		{"top", "top/sub", "a.o", true, false},
		{"top", "top/sub/deep", "a.o", false, false},
		{"top", "top/sub/deep", "a.log", true, false},
		// A workspace folder inside a repository has the rules of all of it.
		{"top/sub", "top/sub", "a.log", true, false},
		{"top", "top/out/deep", "a.go", false, true},
		// A repository inside a repository has its own rules alone.
		{"top", "top/inner", "a.log", false, false},
		{"top", "top/inner", "a.inner", true, false},
		// Without a repository the rules start at the workspace folder.
		{"plain", "plain/sub", "a.log", true, false},
		{"plain", "plain/sub", "a.o", true, false},
		{"plain/sub", "plain/sub", "a.log", false, false},
		{"top", "plain/sub", "a.log", false, false},
		{"top", "missing", "a.log", false, false},
	}
	base := tree(t, files...)
	for _, tt := range tests {
		d, gone := ignore.Load(filepath.Join(base, tt.root), filepath.Join(base, tt.dir))
		if got := d.Ignored(tt.name, false); got != tt.want || gone != tt.dirGone {
			t.Errorf("in %s: %s ignored = %v, want %v; directory ignored = %v, want %v",
				tt.dir, tt.name, got, tt.want, gone, tt.dirGone)
		}
	}
}

func TestLoadLinkedWorkTree(t *testing.T) {
	base := tree(t,
		"main/.git/HEAD", "", "main/.git/info/exclude", "*.shared\n",
		"main/.git/worktrees/w/commondir", "../..\n",
		"w/.git", "gitdir: ../main/.git/worktrees/w\n",
	)
	if d, _ := ignore.Load(base, filepath.Join(base, "w")); !d.Ignored("a.shared", false) {
		t.Error("the main repository's info/exclude does not hold in a linked work tree")
	}
}

func TestLoadUsersExcludesFile(t *testing.T) {
	base := tree(t, "r/.git/HEAD", "", "r/.git/config", "[core]\n\tbare = false\n")
	home := os.Getenv("HOME")
	write := func(name, text string) {
		(&repo{t: t, dir: home}).write(name, text)
	}
	ignored := func(name string) bool {
		d, _ := ignore.Load(base, filepath.Join(base, "r"))
		return d.Ignored(name, false)
	}
	write(".config/git/ignore", "*.default\n")
	write("mine", "*.mine\n")
	if !ignored("a.default") {
		t.Error("git's default excludes file is not read")
	}
	write(".gitconfig", "[user]\n\texcludesfile = /none\n[Core]\n\texcludesFile = ~/mine\n")
	if !ignored("a.mine") || ignored("a.default") {
		t.Error("core.excludesFile of ~/.gitconfig does not replace the default")
	}
}

func TestLoadDoesNotReadLinkedGitignore(t *testing.T) {
	base := tree(t, "real", "*.log\n")
	if err := os.Symlink("real", filepath.Join(base, ".gitignore")); err != nil {
		t.Fatal(err)
	}
	if d, _ := ignore.Load(base, base); d.Ignored("a.log", false) {
		t.Error("a .gitignore that is a link was read; git does not")
	}
}

func TestLoadFile(t *testing.T) {
	base := tree(t,
		"a/.clineignore", "*.pem\n!include ../shared\n!include .clineignore\n!keep.key\n",
		"shared", "*.key\n!include more",
		"more", "/more-only\n",
		"broken", "*.pem\n!include nowhere\n*.key\n",
	)
	m, err := ignore.LoadFile(filepath.Join(base, "a/.clineignore"), ignore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{"x.pem": true, "d/x.key": true, "keep.key": false, "more-only": true, "x": false} {
		if m.Match(path, false) != want {
			t.Errorf("%s ignored = %v, want %v", path, !want, want)
		}
	}

	m, err = ignore.LoadFile(filepath.Join(base, "broken"), ignore.Options{})
	if err == nil || !strings.Contains(err.Error(), `include "nowhere"`) {
		t.Errorf("error = %v, want one that names the missing include", err)
	}
	if !m.Match("x.pem", false) || !m.Match("x.key", false) {
		t.Error("the rest of a file with a missing include does not hold")
	}

	m, err = ignore.LoadFile(filepath.Join(base, "none"), ignore.Options{})
	if err != nil || !m.Empty() {
		t.Errorf("a missing file: %v, %v; want no patterns and no error", m, err)
	}
	// What is there and cannot be read hides everything: it may name anything.
	(&repo{t: t, dir: base}).write("nested", "!include a\n!x\n")
	(&repo{t: t, dir: base}).write("huge", strings.Repeat("#\n", 3<<20))
	for _, name := range []string{"a", "nested", "huge"} {
		if m, err = ignore.LoadFile(filepath.Join(base, name), ignore.Options{}); err == nil || !m.Match("x", false) {
			t.Errorf("%s: %v; want an error and everything ignored", name, err)
		}
	}
	if m, _ := ignore.LoadFile(filepath.Join(base, "broken"), ignore.Options{}); m.Match("other", false) {
		t.Error("a missing include ignores everything")
	}
}

// What PowerShell's > writes hides as much as what an editor writes.
func TestLoadFileInUTF16(t *testing.T) {
	base := tree(t,
		"little", "\xff\xfe*\x00.\x00k\x00\r\x00\n\x00!\x00i\x00n\x00c\x00l\x00u\x00d\x00e\x00 \x00b\x00i\x00g\x00\r\x00\n\x00\xe9\x00",
		"big", "\xfe\xff\x00*\x00.\x00b\x00\n\xd8\x3c\xdf\x89\x00", // cut in the middle of the last character
		"marked", "\ufeff*.k\n", "mark", "\xff\xfe", "half", "\xff",
	)
	for name, paths := range map[string]map[string]bool{
		"little": {"x.k": true, "d/x.b": true, "é": true, "🎉": true, "x": false},
		"big":    {"x.b": true, "🎉": true, "x.k": false},
		"marked": {"x.k": true, "x": false},
		"mark":   {"x": false}, "half": {"x": false},
	} {
		m, err := ignore.LoadFile(filepath.Join(base, name), ignore.Options{})
		if err != nil {
			t.Error(err)
		}
		for path, want := range paths {
			if m.Match(path, false) != want {
				t.Errorf("%s: %s ignored = %v, want %v", name, path, !want, want)
			}
		}
	}
}

func BenchmarkIgnored(b *testing.B) {
	m := ignore.Parse("node_modules/\n*.py[cod]\n*.log\n/build/\n**/dist/*.map\ndocs/**/*.html\n.env\n.env.*\n!.env.example\n"+
		"*.swp\n.DS_Store\ncoverage/\n*.egg-info/\n__pycache__/\ntarget\n", ignore.Options{})
	paths := []string{"internal/workspace/list.go", "web/dist/app.js.map", ".env.example", "docs/a/b/c.md", "x/y/z/readme.txt"}
	b.ReportAllocs()
	for i := range b.N {
		m.Match(paths[i%len(paths)], false)
	}
}

// The figure for a large set: 300 patterns of all kinds, 10,000 paths.
func BenchmarkManyPatterns(b *testing.B) {
	var text strings.Builder
	for i := range 60 {
		fmt.Fprintf(&text, "name%d\n/top%d/\n*.ext%d\nsrc/**/gen%d/*.go\nlog-%d-*.txt\n", i, i, i, i, i)
	}
	m := ignore.Parse(text.String(), ignore.Options{})
	var paths []string
	for i := range 10_000 {
		paths = append(paths, fmt.Sprintf("src/pkg%d/inner/file_%d.go", i%100, i))
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, p := range paths {
			m.Match(p, false)
		}
	}
}
