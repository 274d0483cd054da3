package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Where git keeps what lies outside of the workspace, commits can be made, and
// no more can be written than that.
func TestGitFolders(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	for k, v := range map[string]string{"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.com", "GIT_CONFIG_NOSYSTEM": "1"} {
		t.Setenv(k, v)
	}
	base := newPlace(t).outside
	git := func(dir string, args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "protocol.file.allow=always"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v: %s", args, err, out)
		}
	}
	repo, other := filepath.Join(base, "repo"), filepath.Join(base, "other")
	for _, dir := range []string{repo, other} {
		if err := os.MkdirAll(filepath.Join(dir, "packages/a"), 0o777); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, "packages/a/f"), "1")
		git(dir, "init", "-q")
		git(dir, "add", ".")
		git(dir, "commit", "-qm", "1")
		git(dir, "worktree", "add", "-q", dir+"-tree")
	}
	git(repo, "submodule", "--quiet", "add", other, "sub")
	commits := func(dir, why string, want bool) {
		t.Helper()
		plan := Plan{Workspace: []string{dir}, Network: true, Required: true}
		out, exit := sh(t, plan, "echo 2 > f && git add f && git commit -qm 2")
		if (exit == 0) != want || strings.Contains(out, setupFailed) {
			t.Errorf("%s: exit %d: %s", why, exit, out)
		}
		if out, exit := sh(t, plan, "echo x > "+base+"/new; echo x > "+other+"/.git/hooks/post-commit"); exit == 0 {
			t.Errorf("%s: %s", why, out)
		}
	}
	commits(filepath.Join(repo, "packages/a"), "a folder of a repository", true)
	commits(repo+"-tree", "a worktree", true)
	commits(filepath.Join(repo+"-tree", "packages/a"), "a folder of a worktree", true)
	commits(filepath.Join(repo, "sub"), "a submodule", true)
	// A command names the folders of other repositories.
	dotGit := filepath.Join(repo+"-tree", ".git")
	for _, forged := range []string{other + "/.git", other + "/.git/worktrees/other-tree", base, "/", ""} {
		if err := os.Remove(dotGit); err != nil {
			t.Fatal(err)
		}
		write(t, dotGit, "gitdir: "+forged+"\n")
		commits(repo+"-tree", "gitdir "+forged, false)
	}
	if err := os.Remove(dotGit); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other+"/.git", dotGit); err != nil {
		t.Fatal(err)
	}
	commits(repo+"-tree", "a link", false)
	// Nor is a home folder that is a repository the workspace's.
	t.Setenv("HOME", repo)
	commits(filepath.Join(repo, "packages/a"), "below a home folder", false)
}
