package workspace_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"clined/internal/tools"
	"clined/internal/workspace"
)

// plant makes a folder with the files named; a name that ends in a slash is a
// folder, "name -> target" a link, "name: text" a file with text.
func plant(t testing.TB, names ...string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range names {
		name, target, link := strings.Cut(name, " -> ")
		name, text, _ := strings.Cut(name, ": ")
		path := filepath.Join(dir, name)
		check(os.MkdirAll(filepath.Dir(path), 0o755))
		switch {
		case link:
			check(os.Symlink(target, path))
		case strings.HasSuffix(name, "/"):
			check(os.MkdirAll(path, 0o755))
		default:
			check(os.WriteFile(path, []byte(text), 0o644))
		}
	}
	return dir
}

func at(dir, display string) tools.Path {
	path := filepath.Join(dir, display)
	real, err := filepath.EvalSymlinks(path)
	if err != nil { // of what is not there
		real = path
	}
	return tools.Path{Display: display, Abs: path, Real: real}
}

func rootTree(dir string) *workspace.Tree {
	return workspace.NewTree(workspace.TreeOptions{Roots: func() []string { return []string{dir} }})
}

func TestList(t *testing.T) {
	project := []string{
		".git/config", ".git/hooks/pre-commit",
		".gitignore: *.log\n/.cache-dir/\nsecret/\n",
		".github/workflows/ci.yml", ".env", "a.log", ".cache-dir/x",
		"src/file10.go", "src/file9.go", "src/File1.go", "src/b.log", "src/sub/x.go", "src/sub/.gitignore: !keep.log\n", "src/sub/keep.log",
		"secret/deep/x", "secret/y.go", "node_modules/a/index.js", "dist/x.js", ".venv/bin/python",
		"target/x", "build/x", "README.md",
		"link -> src", "readme-link -> README.md", "broken -> nowhere",
		"rust/Cargo.toml", "rust/target/debug/x", "rust/src/main.rs",
		"empty/",
	}
	tests := []struct {
		name, dir string
		recursive bool
		want      string
	}{
		{"top", ".", false, `.cache-dir/ .env .git/ .github/ .gitignore .venv/ a.log broken build/ dist/ empty/ link/ node_modules/ readme-link README.md rust/ secret/ src/ target/`},
		{"recursive", ".", true, `.cache-dir/ .env .git/ .github/ .github/workflows/ .github/workflows/ci.yml .gitignore .venv/ broken build/ build/x dist/ empty/ link/ node_modules/ readme-link README.md
			rust/ rust/Cargo.toml rust/src/ rust/src/main.rs rust/target/ secret/ src/ src/File1.go src/file9.go src/file10.go src/sub/ src/sub/.gitignore src/sub/keep.log src/sub/x.go target/ target/x`},
		{"hidden folder", ".github", true, `workflows/ workflows/ci.yml`},
		{"ignored folder", "secret", true, `deep/ deep/x y.go`},
		{"inside an ignored folder", "secret/deep", true, `x`},
		{"bulky folder", "node_modules", true, `a/ a/index.js`},
		{"git's own", ".git", true, `config hooks/ hooks/pre-commit`},
		{"nested rules", "src/sub", true, `.gitignore keep.log x.go`},
		{"link to a folder", "link", false, `b.log File1.go file9.go file10.go sub/`},
		{"empty", "empty", true, ``},
	}
	dir := plant(t, project...)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, more, err := rootTree(dir).List(t.Context(), at(dir, tt.dir), tt.recursive, 100)
			if want := strings.Fields(tt.want); err != nil || more || !slices.Equal(got, want) {
				t.Errorf("got  %q, %v, %v\nwant %q", got, more, err, want)
			}
		})
	}
}

func TestListErrors(t *testing.T) {
	dir := plant(t, "file")
	for name, want := range map[string]string{"none": "none does not exist", "file": "file is not a directory"} {
		_, _, err := rootTree(dir).List(t.Context(), at(dir, name), false, 10)
		if err == nil || err.Error() != want {
			t.Errorf("%s: error = %v, want %q", name, err, want)
		}
	}
	if _, _, err := rootTree(dir).List(t.Context(), tools.Path{Display: "x", Abs: "x"}, false, 10); err == nil {
		t.Error("a relative path was listed")
	}
}

func TestListLimit(t *testing.T) {
	dir := plant(t, "a/1", "a/2", "b/1", "c")
	tests := []struct {
		limit int
		want  string
		more  bool
	}{
		// What is near comes first: c before what is in a.
		{3, "a/ b/ c", true},
		{4, "a/ a/1 b/ c", true},
		{6, "a/ a/1 a/2 b/ b/1 c", false},
		{0, "a/ a/1 a/2 b/ b/1 c", false},
	}
	for _, tt := range tests {
		got, more, err := rootTree(dir).List(t.Context(), at(dir, "."), true, tt.limit)
		if err != nil || more != tt.more || strings.Join(got, " ") != tt.want {
			t.Errorf("limit %d: %q, %v, %v; want %q, %v", tt.limit, got, more, err, tt.want, tt.more)
		}
	}
}

func TestListQuotesWhatCannotBeSeen(t *testing.T) {
	dir := plant(t, "a\nb", "c\x1bd/", "\xff", "ü x")
	got, _, err := rootTree(dir).List(t.Context(), at(dir, "."), false, 10)
	want := []string{`"a\nb"`, `"c\x1bd/"`, "ü x", `"\xff"`}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
}

// What is hidden is not listed.
func TestListLeavesOutHidden(t *testing.T) {
	dir := plant(t, "audit/a.log", "audit/keep.txt", "svc/.env.prod", "svc/main.go", "x.pem", "link -> svc/.env.prod", "dir-link -> audit",
		".clineignore: /svc/.env.prod\naudit/\n!audit/keep.txt\n*.pem\n")
	tree := workspace.New(workspace.Options{Roots: []string{dir}}).Tree()
	got, _, err := tree.List(t.Context(), at(dir, "."), true, 100)
	if want := []string{".clineignore", "svc/", "svc/main.go"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
	for name, hides := range map[string]bool{"keys": true, "empty": false} {
		dir := plant(t, "keys/a.pem", "empty/", ".clineignore: *.pem\n")
		got, more, err := workspace.New(workspace.Options{Roots: []string{dir}}).Tree().List(t.Context(), at(dir, name), false, 10)
		if len(got) != 0 || more != hides || err != nil {
			t.Errorf("%s: %q, %v, %v", name, got, more, err)
		}
	}
}

func TestListCancelled(t *testing.T) {
	dir := plant(t, "a")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := rootTree(dir).List(ctx, at(dir, "."), true, 10); !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v, want context.Canceled", err)
	}
}

// What is ignored is not even read.
func TestListDoesNotReadIgnoredFolders(t *testing.T) {
	dir := plant(t, ".gitignore: dump/\n", "dump/a/b", "src/x.go")
	// Root may read everything, so what is looked at is told by the questions
	// whether it is hidden.
	var seen []string
	tree := workspace.NewTree(workspace.TreeOptions{
		Hidden: func() func(string, bool) bool {
			return func(path string, _ bool) bool { seen = append(seen, path); return false }
		},
	})
	if _, _, err := tree.List(t.Context(), at(dir, "."), true, 100); err != nil {
		t.Fatal(err)
	}
	if _, err := tree.Search(t.Context(), at(dir, "."), "x", "", tools.SearchLimits{}); err != nil {
		t.Fatal(err)
	}
	for _, path := range seen {
		if strings.Contains(path, "dump/") {
			t.Errorf("%s was looked at", path)
		}
	}
	if len(seen) == 0 {
		t.Error("nothing was looked at")
	}
}

func BenchmarkList(b *testing.B) {
	dir := manyFiles(b)
	b.ResetTimer()
	for range b.N {
		if _, _, err := rootTree(dir).List(b.Context(), at(dir, "."), true, 100_000); err != nil {
			b.Fatal(err)
		}
	}
}

// manyFiles makes a tree of 30,000 files, 20,000 of them ignored.
func manyFiles(b *testing.B) string {
	names := []string{".gitignore: dump/\n*.log\n"}
	line := "func (s *Server) handle(ctx context.Context, req *Request) (*Response, error) { return s.next(ctx, req) }\n"
	for i := range 10_000 {
		text := strings.Repeat(line, 60)
		if i%1000 == 0 {
			text += "var needle = zebra // TODO\n"
		}
		names = append(names, fmt.Sprintf("src/p%d/q%d/file%d.go: %s", i%20, i%7, i, text))
	}
	for i := range 20_000 {
		names = append(names, fmt.Sprintf("dump/%d/%d", i%100, i))
	}
	return plant(b, names...)
}
