package sandbox

import (
	"os"
	"path/filepath"
	"strings"
)

// gitFolder is the folder of the git repository that root belongs to, where that
// lies outside of root: of a parent folder, a worktree's, or a submodule's.
// Without it git could commit nothing. A home folder that is a repository is
// not root's.
//
// A command can write the file .git of its worktree, so that is believed only if
// the folder it names points back (gitrepository-layout(5)).
func gitFolder(root string) string {
	home, _ := os.UserHomeDir()
	for at := filepath.Clean(root); at != home; at = filepath.Dir(at) {
		dotGit := filepath.Join(at, ".git")
		info, err := os.Lstat(dotGit)
		switch {
		case err == nil && info.IsDir():
			return dotGit
		case err == nil && info.Mode().IsRegular():
			return linkedGitFolder(at, dotGit)
		case err == nil || at == filepath.Dir(at):
			return ""
		}
	}
	return ""
}

// linkedGitFolder follows the file .git of a worktree or a submodule at top.
func linkedGitFolder(top, dotGit string) string {
	named, ok := strings.CutPrefix(firstLine(dotGit), "gitdir: ")
	if !ok {
		return ""
	}
	dir := from(top, named)
	if back := firstLine(filepath.Join(dir, "gitdir")); back != "" {
		common := filepath.Dir(filepath.Dir(dir))
		if same(from(dir, back), dotGit) && filepath.Base(filepath.Dir(dir)) == "worktrees" && same(from(dir, firstLine(filepath.Join(dir, "commondir"))), common) {
			return common
		}
		return ""
	}
	for line := range strings.Lines(small(filepath.Join(dir, "config"))) {
		key, value, _ := strings.Cut(line, "=")
		if strings.TrimSpace(key) == "worktree" && same(from(dir, strings.Trim(strings.TrimSpace(value), `"`)), top) {
			return dir
		}
	}
	return ""
}

func from(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

func same(a, b string) bool {
	x, err := os.Stat(a)
	y, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(x, y)
}

func firstLine(file string) string {
	line, _, _ := strings.Cut(small(file), "\n")
	return strings.TrimRight(line, "\r")
}

// maxGitFile bounds what is read of git's files: they are lines, or settings.
const maxGitFile = 64 << 10

// small is the beginning of a regular file, "" when it cannot be read.
func small(file string) string {
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	buf := make([]byte, maxGitFile)
	n, _ := f.Read(buf)
	return string(buf[:n])
}
