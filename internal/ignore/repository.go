package ignore

import (
	"os"
	"path/filepath"
	"strings"
)

// findTop returns the working directory of the git repository dir is in, or "".
func findTop(dir string) string {
	for {
		if exists(filepath.Join(dir, ".git")) {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// repositoryRules reads a repository's info/exclude and the user's
// core.excludesFile, the stronger first, and core.ignoreCase. Outside of a
// repository there are none.
func repositoryRules(top string) (shared []*Matcher, o Options) {
	common := commonDir(top)
	if common == "" {
		return nil, o
	}
	config := filepath.Join(common, "config")
	fold, _ := configValue(readText(config), "core", "ignorecase")
	o.FoldCase = strings.EqualFold(fold, "true")
	for _, path := range []string{filepath.Join(common, "info", "exclude"), excludesFile(config)} {
		if m := parseFile(path, o); m != nil {
			shared = append(shared, m)
		}
	}
	return shared, o
}

// commonDir returns the repository's .git directory, also where .git is a file
// that points to it (submodules, linked work trees).
func commonDir(top string) string {
	dir := filepath.Join(top, ".git")
	info, err := os.Stat(dir)
	if err != nil {
		return ""
	}
	if info.IsDir() {
		return dir
	}
	target, ok := strings.CutPrefix(readText(dir), "gitdir:")
	if !ok {
		return ""
	}
	dir = joined(top, strings.TrimSpace(target))
	if common := strings.TrimSpace(readText(filepath.Join(dir, "commondir"))); common != "" {
		return joined(dir, common)
	}
	return dir
}

// excludesFile returns the path core.excludesFile names in the repository's
// configuration or else the user's, or git's default for it.
func excludesFile(repositoryConfig string) string {
	home, _ := os.UserHomeDir()
	xdg := os.Getenv("XDG_CONFIG_HOME")
	if xdg == "" && home != "" {
		xdg = filepath.Join(home, ".config")
	}
	for _, config := range []string{
		repositoryConfig,
		joined(home, ".gitconfig"),
		joined(xdg, "git/config"),
	} {
		path, ok := configValue(readText(config), "core", "excludesfile")
		if !ok {
			continue
		}
		if rest, ok := strings.CutPrefix(path, "~/"); ok {
			path = joined(home, rest)
		}
		if !filepath.IsAbs(path) {
			return ""
		}
		return path
	}
	return joined(xdg, "git/ignore")
}

// configValue finds the last plain "key = value" of a section in a git
// configuration. It does not follow includes.
func configValue(text, section, key string) (value string, ok bool) {
	inside := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if name, isHead := strings.CutPrefix(line, "["); isHead {
			name, _, _ = strings.Cut(name, "]")
			inside = strings.EqualFold(strings.TrimSpace(name), section)
			continue
		}
		k, v, found := strings.Cut(line, "=")
		if inside && found && strings.EqualFold(strings.TrimSpace(k), key) {
			value, ok = strings.Trim(strings.TrimSpace(v), `"`), true
		}
	}
	return value, ok
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
