package ignore

import (
	"os"
	"path/filepath"
	"strings"
)

// findTop returns the working directory of the git repository dir is in, or "".
func findTop(dir string) string {
	for {
		if isRepository(dir) {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// isRepository tells whether dir is the top of a work tree, as git would take
// it: an empty .git is none.
func isRepository(dir string) bool {
	_, common := gitDirs(dir)
	return common != "" && exists(filepath.Join(common, "HEAD"))
}

// repositoryRules reads a repository's info/exclude and the user's
// core.excludesFile, the stronger first, and core.ignoreCase. Outside of a
// repository there are none.
func repositoryRules(top string) (shared []*Matcher, o Options) {
	gitDir, common := gitDirs(top)
	if common == "" {
		return nil, o
	}
	config := readConfig(common, gitDir)
	o.FoldCase = config.ignoreCase
	for _, path := range []string{filepath.Join(common, "info", "exclude"), config.userExcludes(top)} {
		if m := parseFile(path, o); m != nil {
			shared = append(shared, m)
		}
	}
	return shared, o
}

// gitDirs returns the directory of git's data for the work tree top, also where
// .git is a file that points to it (submodules, linked work trees), and the
// directory that all work trees of the repository share; "" for no repository.
func gitDirs(top string) (gitDir, common string) {
	dir := filepath.Join(top, ".git")
	info, err := os.Stat(dir)
	if err != nil {
		return "", ""
	}
	if info.IsDir() {
		return dir, dir
	}
	target, ok := strings.CutPrefix(readText(dir), "gitdir:")
	if !ok {
		return "", ""
	}
	dir = joined(top, strings.TrimSpace(target))
	if common := strings.TrimSpace(readText(filepath.Join(dir, "commondir"))); common != "" {
		return dir, joined(dir, common)
	}
	return dir, dir
}

// readText returns what an ordinary file holds, "" when it cannot be read or is
// beyond maxFile.
func readText(path string) string {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxFile {
		return ""
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(text)
}

// joined resolves path against dir; "" where dir is not known.
func joined(dir, path string) string {
	switch {
	case filepath.IsAbs(path):
		return path
	case dir == "":
		return ""
	}
	return filepath.Join(dir, path)
}
