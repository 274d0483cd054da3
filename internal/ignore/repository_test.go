package ignore_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The user's patterns are found where git finds them.
func TestConfigsAsGit(t *testing.T) {
	r := newRepo(t)
	home := os.Getenv("HOME")
	inHome := &repo{t: t, dir: home}
	inHome.write("mine", "*.mine\n")
	inHome.write("a dir/other", "*.other\n")
	inHome.write(".config/git/ignore", "*.default\n")
	inHome.write("excl.inc", "[core]\nexcludesFile = \"~/a dir/other\" ; why\n")
	inHome.write("loop", "[include]\npath = loop\n[core]\nexcludesFile = ~/mine\n")
	r.write("rel", "*.rel\n")
	for _, name := range []string{"mine", "other", "default", "rel"} {
		r.write("a."+name, "")
		r.write("sub/A."+strings.ToUpper(name), "")
	}
	here, err := filepath.EvalSymlinks(r.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ user, xdg, repository string }{
		{}, {user: "[core]\nexcludesfile = ~/mine\n"}, {user: "[core]\nexcludesfile =\n"}, {user: "[core]\nexcludesfile = ~/none\n"},
		{user: "[core]\nexcludesfile = ~/mine\n", repository: "[core]\nexcludesFile = ~/a\\\n dir/other\n"},
		{xdg: "[core]\nexcludesfile = ~/mine\n"}, {xdg: "[core]\nexcludesfile = ~/mine\n", user: "[core]\nexcludesfile = rel\n"},
		{user: "[include]\npath = excl.inc\n"}, {user: "[include]\npath = ~/excl.inc\n[core]\nexcludesfile = ~/mine\n"}, {user: "[include]\npath = none\n"},
		{user: "[includeIf \"gitdir:" + here + "/\"]\npath = excl.inc\n"}, {user: "[includeIf \"gitdir:/elsewhere/\"]\npath = excl.inc\n"},
		{user: "[includeIf \"gitdir:" + filepath.Base(here) + "/.git\"]\npath = excl.inc\n"}, {user: "[includeIf \"gitdir/i:" + strings.ToUpper(filepath.Base(here)) + "/\"]\npath = excl.inc\n"},
		{user: "[includeIf \"gitdir:" + strings.ToUpper(filepath.Base(here)) + "/\"]\npath = excl.inc\n"}, {user: "[includeIf \"gitdir:/tmp/*\"]\npath = excl.inc\n"},
		{user: "[core]\nignorecase = true\nexcludesfile = ~/mine\n"}, {user: "[core]\nignorecase = true\nexcludesfile = ~/mine\n", repository: "[core]\nignorecase = no\n"},
	} {
		inHome.write(".gitconfig", c.user)
		inHome.write(".config/git/config", c.xdg)
		r.write(".git/config", "[core]\nrepositoryformatversion = 0\nbare = false\n"+c.repository)
		r.compare(fmt.Sprintf("%+v", c))
	}
	inHome.write(".gitconfig", "[include]\npath = loop\n") // git gives up
	r.ours()
	inHome.write("loop", strings.Repeat("[include]\npath = loop\n", 20)) // without a limit it would take years
	r.ours()
}

// A linked work tree, a submodule and a repository that lies in another are each
// as git sees them from inside.
func TestOtherWorkTreesAsGit(t *testing.T) {
	r := newRepo(t)
	r.git("", "config", "user.email", "a@b")
	r.git("", "config", "user.name", "a")
	r.git("", "config", "extensions.worktreeConfig", "true")
	r.write(".git/info/exclude", "*.shared\n")
	r.write(".gitignore", "*.main\nplain/\n")
	r.git("", "add", ".gitignore")
	r.git("", "commit", "-qm", "first")
	r.git("", "init", "-q", "nested")
	r.write("nested/.git/info/exclude", "*.nested\n")
	r.write("plain/.git/x", "") // no repository, whatever its name
	r.git("", "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", r.dir, "sub")
	r.write(".git/modules/sub/info/exclude", "*.sub\n")
	r.git("", "worktree", "add", "-q", "tree")
	tree := &repo{t: t, dir: filepath.Join(r.dir, "tree")}
	tree.git("", "config", "--worktree", "core.ignoreCase", "true")
	for _, dir := range []string{".", "nested", "sub", "tree", "plain"} {
		for _, end := range []string{"shared", "main", "nested", "sub", "x", "SHARED"} {
			r.write(filepath.Join(dir, "a."+end), "")
		}
	}
	for _, dir := range []string{"nested", "sub", "tree"} {
		(&repo{t: t, dir: filepath.Join(r.dir, dir)}).compare(dir)
		if err := os.RemoveAll(filepath.Join(r.dir, dir)); err != nil {
			t.Fatal(err)
		}
	}
	r.compare("the outer one")
}
