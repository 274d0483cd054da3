package ignore_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"clined/internal/ignore"
)

// A repo is a git repository whose every path is put to git and to us.
type repo struct {
	t   testing.TB
	dir string
}

func newRepo(t testing.TB) *repo {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	r := &repo{t: t, dir: t.TempDir()}
	r.git("", "init", "-q")
	return r
}

func (r *repo) git(stdin string, args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = r.dir
	cmd.Stdin = strings.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	// check-ignore exits with 1 when nothing is ignored.
	if exit, ok := err.(*exec.ExitError); err != nil && !(ok && exit.ExitCode() == 1) {
		r.t.Fatalf("git %q: %v\n%s", args, err, stderr.String())
	}
	return string(out)
}

func (r *repo) write(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

// ours walks the tree as its users do: what is below an ignored directory is
// not asked for.
func (r *repo) ours() (all, out []string) {
	r.t.Helper()
	top, _ := ignore.Load(r.dir, r.dir)
	var walk func(d *ignore.Dir, rel string, hidden bool)
	walk = func(d *ignore.Dir, rel string, hidden bool) {
		entries, err := os.ReadDir(filepath.Join(r.dir, rel))
		if err != nil {
			r.t.Fatal(err)
		}
		if rel != "" {
			d = d.Child(filepath.Base(rel), entries)
		}
		for _, e := range entries {
			path := filepath.Join(rel, e.Name())
			if path == ".git" {
				continue
			}
			skip := hidden || d.Ignored(e.Name(), e.IsDir())
			all = append(all, path)
			if skip {
				out = append(out, path)
			}
			if e.IsDir() {
				walk(d, path, skip)
			}
		}
	}
	walk(top, "", false)
	return all, out
}

// compare asks git of every path, and fails where the answers differ.
func (r *repo) compare(what string) {
	r.t.Helper()
	all, got := r.ours()
	answer := r.git(strings.Join(all, "\x00")+"\x00", "check-ignore", "--no-index", "--stdin", "-z")
	want := strings.FieldsFunc(answer, func(c rune) bool { return c == 0 })
	slices.Sort(got)
	slices.Sort(want)
	if slices.Equal(got, want) {
		return
	}
	for _, path := range all {
		g, w := slices.Contains(got, path), slices.Contains(want, path)
		if g != w {
			r.t.Errorf("%s\n%q ignored = %v, git says %v", what, path, g, w)
			return
		}
	}
}

var trickyNames = []string{
	"a", "b", "ab", "abc", "A", "a.b", ".a", "foo", "bar", "foo.log", "x y", "a ", "#a", "!a", "[a]", "a*b", "a?",
	`a\b`, "ü", "ü.log", "-", "]", "a\tb", "[", "build", "1", "1a", "a-b", "^a", "foo\nbar",
}

var trickyPatterns = []string{
	"*", "!*", "/*", "*/", "!*/", "**", "**/", "/**", "**/a", "a/**", "a/**/b", "**/a/**", "a/**b", "a**/b", "/a**", "***/a",
	"a/*", "a/*/b", "/a/b", "a/b/", "b", "/b", "b/", "!b", "!/b", "!b/", "*.log", "!*.log", "foo*", "*foo", "f?o", "???",
	"[ab]", "[!ab]", "[^ab]*", "[a-c]", "[c-a]", "[a-]", "[-a]", "[]]", "[]-a]", "[!]a]", `[\]a]`, `[\a-c]`, `[a-\c]`, "[", "a[", "[a", "[]", "[!]",
	"[[:alpha:]]", "[[:digit:]]*", "[![:alpha:]]*", "[[:nope:]]", "[[:alpha:]", "[[:punct:]]*", "[[:space:]]*", "[[:]", "[[a]]", "[[]*", "a[[:space:]]b", "[[:upper:][:digit:]]",
	`\#a`, "#a", `\!a`, "!a", "! a", `a\ `, "a ", "a  ", `a\  `, `a\\ `, "a\t", `\a`, `a\`, `a\*b`, `a\?`, `\[a\]`, `a\\b`, `foo\/bar`, `foo/\bar`,
	"/", "//", "///", "a//", "//a", "a//b", "./a", "a/.", "../a", "x y", "x y/", "ü", "?.log", "??.log", "[ü]", "ü*",
	" a", "", " ", "a\r", "foo\x00bar", "*a*b*", "*a*a*a*a*a*b", "?*", "*?", "*/*", "*/*/*", "/*/a", "**/*.log", "foo/**/*.log", "foo**bar", "foo/**/**/bar", "/**/b", "**/**", "a/**/",
}

func fixedTree(r *repo) {
	// Directories first, so that names are files only where they are free.
	for _, dir := range []string{"a/b", "a/a", "b/ab/a", "foo/bar", "foo/a/b", "x y", "#a", "build"} {
		if err := os.MkdirAll(filepath.Join(r.dir, dir), 0o755); err != nil {
			r.t.Fatal(err)
		}
	}
	for _, a := range []string{"", "a", "b", "foo", "x y", "#a", "build", "a/b", "a/a", "foo/bar", "foo/a/b", "b/ab/a"} {
		for _, name := range trickyNames {
			path := filepath.Join(r.dir, a, name)
			if _, err := os.Lstat(path); err != nil {
				r.write(filepath.Join(a, name), "")
			}
		}
	}
}

func TestSinglePatternsAsGit(t *testing.T) {
	r := newRepo(t)
	fixedTree(r)
	for _, p := range trickyPatterns {
		for _, text := range []string{p, p + "\n", "*\n!*/\n!" + p, "/a/b/\n" + p + "\n!foo\n"} {
			r.write(".gitignore", text)
			r.compare(fmt.Sprintf("patterns %q", text))
		}
	}
}

// Trees, nested files and patterns by chance.
func TestRandomTreesAsGit(t *testing.T) {
	for seed := range uint64(20) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(seed, 89))
			r := newRepo(t)
			files := map[string]string{}
			dirs := []string{""}
			for range 60 {
				dir := dirs[rnd.IntN(len(dirs))]
				path := filepath.Join(dir, trickyNames[rnd.IntN(len(trickyNames))])
				if rnd.IntN(3) > 0 || strings.Count(path, "/") > 4 {
					if _, err := os.Lstat(filepath.Join(r.dir, path)); err != nil {
						r.write(path, "")
					}
				} else if err := os.MkdirAll(filepath.Join(r.dir, path), 0o755); err == nil {
					dirs = append(dirs, path)
				}
			}
			if seed%5 == 0 {
				r.git("", "config", "core.ignoreCase", "true")
			}
			for range 5 {
				for _, dir := range dirs {
					if dir == "" || rnd.IntN(2) == 0 {
						name := filepath.Join(dir, ".gitignore")
						files[name] = randomPatterns(rnd)
						r.write(name, files[name])
					}
				}
				for _, name := range []string{".git/info/exclude", ".git/excludes"} {
					files[name] = randomPatterns(rnd)
					r.write(name, files[name])
				}
				r.git("", "config", "core.excludesFile", filepath.Join(r.dir, ".git/excludes"))
				r.compare(fmt.Sprintf("%q", files))
			}
		})
	}
}

func randomPatterns(rnd *rand.Rand) string {
	var b strings.Builder
	for range rnd.IntN(5) {
		if rnd.IntN(4) == 0 {
			b.WriteByte('!')
		}
		switch rnd.IntN(3) {
		case 0:
			b.WriteString(trickyPatterns[rnd.IntN(len(trickyPatterns))])
		case 1:
			b.WriteString(trickyNames[rnd.IntN(len(trickyNames))])
		default:
			parts := []string{"a", "b", "foo", "*", "**", "/", "/", "?", "[a-f]", ".log", "ab", `\`, "[!b]"}
			for range 1 + rnd.IntN(6) {
				b.WriteString(parts[rnd.IntN(len(parts))])
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func FuzzPatternsAsGit(f *testing.F) {
	for _, p := range trickyPatterns {
		f.Add(p)
	}
	f.Add("*\n!a/\n!*.log\n")
	f.Fuzz(func(t *testing.T, text string) {
		r := newRepo(t)
		for _, name := range []string{"a/b/ab", "a/foo.log", "foo/a/b/x y", "ab/1a", "abc", "[a]", "ü"} {
			r.write(name, "")
		}
		r.write(".gitignore", text)
		r.compare(fmt.Sprintf("patterns %q", text))
	})
}
