package host

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"go.uber.org/goleak"

	"clined/internal/prompt"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

func TestInstalled(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	write(t, filepath.Join(b, "git"), "", 0o755)
	write(t, filepath.Join(a, "go"), "", 0o755)
	write(t, filepath.Join(a, "jq"), "no program", 0o644)
	write(t, filepath.Join(a, "make", "file"), "", 0o755)
	write(t, filepath.Join(a, "unheard-of"), "", 0o755)
	t.Chdir(a)
	path := strings.Join([]string{a, filepath.Join(a, "missing"), b, ".", ""}, string(filepath.ListSeparator))
	c := NewCLI(func(context.Context) string { return path })
	defer c.Close()
	if got := c.Installed(t.Context()); !slices.Equal(got, []string{"git", "go"}) {
		t.Errorf("found %q", got)
	}
	write(t, filepath.Join(a, "cmake"), "", 0o755)
	if got := c.Installed(t.Context()); len(got) != 2 {
		t.Errorf("it looked again: %q", got)
	}
}

// Relative folders of PATH mean the current directory: a program there is the
// project's own, not one of the machine.
func TestRelativeFoldersDoNotCount(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "git"), "", 0o755)
	t.Chdir(dir)
	c := NewCLI(func(context.Context) string { return "." })
	defer c.Close()
	if got := c.Installed(t.Context()); len(got) != 0 {
		t.Errorf("found %q", got)
	}
}

// A PATH that does not come holds up a request for a second at most, and Close
// does not wait for it.
func TestSlowPath(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := NewCLI(func(ctx context.Context) string { <-ctx.Done(); return "" })
		if got := c.Installed(t.Context()); got != nil {
			t.Errorf("found %q", got)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if got := c.Installed(ctx); got != nil {
			t.Errorf("found %q", got)
		}
		c.Close()
	})
}

func TestOS(t *testing.T) {
	if s := OS(); !strings.Contains(s, "/") || strings.ContainsAny(s, "\n\"") {
		t.Errorf("%q", s)
	}
}

const (
	one = "1111111111111111111111111111111111111111"
	two = "2222222222222222222222222222222222222222"
)

func TestRepository(t *testing.T) {
	const config = "[core]\n\tbare = false\n[remote \"origin\"]\n\turl = https://h/o.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n" +
		"[branch \"main\"]\n\tremote = origin\n\turl = no\n[remote \"my fork\"]\n\tURL=\"git@h:o/r\"\n"
	remotes := []prompt.Remote{{Name: "origin", URL: "https://h/o.git"}, {Name: "my fork", URL: "git@h:o/r"}}
	tests := []struct {
		name  string
		files map[string]string
		dir   string
		want  prompt.Repository
		none  bool
	}{
		{name: "none", dir: "a", files: map[string]string{"a/x": ""}, none: true},
		{name: "loose ref, from below", dir: "a/b", files: map[string]string{"a/b/x": "", ".git/config": config,
			".git/HEAD": "ref: refs/heads/feature/x\n", ".git/refs/heads/feature/x": one + "\n"}, want: prompt.Repository{Remotes: remotes, Branch: "feature/x", Head: one}},
		{name: "packed ref", files: map[string]string{".git/HEAD": "ref: refs/heads/main", ".git/packed-refs": "# pack-refs with: peeled\n" + two + " refs/heads/main2\n" + one + " refs/heads/main\n^" + two + "\n"},
			want: prompt.Repository{Branch: "main", Head: one}},
		{name: "detached", files: map[string]string{".git/HEAD": two + "\n"}, want: prompt.Repository{Head: two}},
		{name: "before the first commit", files: map[string]string{".git/HEAD": "ref: refs/heads/main\n"}, want: prompt.Repository{Branch: "main"}},
		{name: "worktree", dir: "w", files: map[string]string{"w/.git": "gitdir: ../r/.git/worktrees/w\n", "r/.git/config": config,
			"r/.git/worktrees/w/HEAD": "ref: refs/heads/w\n", "r/.git/worktrees/w/commondir": "../..\n", "r/.git/refs/heads/w": one},
			want: prompt.Repository{Remotes: remotes, Branch: "w", Head: one}},
		{name: "reftable", files: map[string]string{".git/HEAD": "ref: refs/heads/.invalid\n"}, want: prompt.Repository{}},
		{name: "a ref that leads away", files: map[string]string{".git/HEAD": "ref: refs/../../secret\n", "secret": one}, want: prompt.Repository{Branch: "refs/../../secret"}},
		{name: "garbage", files: map[string]string{".git/HEAD": "\x00\xff", ".git/config": "[remote \"x\nurl = y\n[remote]\nurl=z"}, want: prompt.Repository{}},
		{name: "a file that is no link", dir: "w", files: map[string]string{"w/.git": "hello"}, none: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			for path, text := range tt.files {
				write(t, filepath.Join(root, filepath.FromSlash(path)), text, 0o644)
			}
			got, ok := Git{}.Repository(t.Context(), filepath.Join(root, tt.dir))
			if ok == tt.none || !slices.Equal(got.Remotes, tt.want.Remotes) || got.Branch != tt.want.Branch || got.Head != tt.want.Head {
				t.Errorf("%+v, %v", got, ok)
			}
		})
	}
}
