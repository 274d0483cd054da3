package ignore

import (
	"os"
	"path/filepath"
	"strings"
)

// gitConfig is what git's configuration says of ignoring. Of its conditions for
// including files it knows gitdir; onbranch and hasconfig count as not met.
type gitConfig struct {
	excludesFile                *string // nil when not set
	ignoreCase, worktreeEntries bool

	gitDir, home string
	depth, files int
}

// maxConfigDepth is how deep configuration files may include others, as for git;
// maxConfigFiles how many are read in all, for each may include many.
const maxConfigDepth, maxConfigFiles = 10, 1000

// readConfig reads the files that hold for a repository, the weakest first:
// common is its directory, gitDir that of the work tree.
func readConfig(common, gitDir string) *gitConfig {
	home, _ := os.UserHomeDir()
	c := &gitConfig{gitDir: gitDir, home: home}
	if no := strings.ToLower(os.Getenv("GIT_CONFIG_NOSYSTEM")); no == "" || no == "0" || no == "false" {
		c.read("/etc/gitconfig")
	}
	if global, ok := os.LookupEnv("GIT_CONFIG_GLOBAL"); ok {
		c.read(global)
	} else {
		c.read(joined(userConfig(home), "git/config"))
		c.read(joined(home, ".gitconfig"))
	}
	c.read(filepath.Join(common, "config"))
	if c.worktreeEntries {
		c.read(filepath.Join(gitDir, "config.worktree"))
	}
	return c
}

func userConfig(home string) string {
	if dir := os.Getenv("XDG_CONFIG_HOME"); dir != "" || home == "" {
		return dir
	}
	return filepath.Join(home, ".config")
}

// userExcludes returns the path that core.excludesFile names, or git's default
// for it. A relative one starts at the top of the work tree.
func (c *gitConfig) userExcludes(top string) string {
	if c.excludesFile == nil {
		return joined(userConfig(c.home), "git/ignore")
	}
	if *c.excludesFile == "" {
		return ""
	}
	return joined(top, c.expand(*c.excludesFile))
}

// expand puts the home directory in the place of "~".
func (c *gitConfig) expand(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && c.home != "" {
		return filepath.Join(c.home, rest)
	}
	return path
}

func (c *gitConfig) read(path string) {
	if path == "" || c.depth > maxConfigDepth || c.files == maxConfigFiles {
		return
	}
	c.files++
	c.depth++
	defer func() { c.depth-- }()
	scanConfig(readText(path), func(section, sub, key, value string) {
		switch section + "." + key {
		case "core.excludesfile":
			c.excludesFile = &value
		case "core.ignorecase":
			c.ignoreCase = isTrue(value)
		case "extensions.worktreeconfig":
			c.worktreeEntries = isTrue(value)
		case "include.path":
			c.read(joined(filepath.Dir(path), c.expand(value)))
		case "includeif.path":
			if c.holds(sub, filepath.Dir(path)) {
				c.read(joined(filepath.Dir(path), c.expand(value)))
			}
		}
	})
}

// holds tells whether a condition of includeIf is met; dir is that of the file
// it is in.
func (c *gitConfig) holds(condition, dir string) bool {
	pattern, fold := "", false
	if rest, ok := strings.CutPrefix(condition, "gitdir:"); ok {
		pattern = rest
	} else if rest, ok := strings.CutPrefix(condition, "gitdir/i:"); ok {
		pattern, fold = rest, true
	} else {
		return false
	}
	if rest, ok := strings.CutPrefix(pattern, "./"); ok {
		pattern = dir + "/" + rest
	}
	if pattern = c.expand(pattern); !filepath.IsAbs(pattern) {
		pattern = "**/" + pattern
	}
	if strings.HasSuffix(pattern, "/") {
		pattern += "**"
	}
	m := Parse(filepath.ToSlash(pattern), Options{FoldCase: fold})
	real, err := filepath.EvalSymlinks(c.gitDir)
	met := func(path string) bool {
		return m.decide(strings.TrimPrefix(filepath.ToSlash(path), "/"), true) == ignored
	}
	return met(c.gitDir) || err == nil && met(real)
}

func isTrue(value string) bool {
	switch strings.ToLower(value) {
	case "true", "yes", "on", "1":
		return true
	}
	return false
}

// scanConfig tells each variable of a git configuration (git-config(1), Syntax),
// section and key in lower case. What cannot be read is passed over.
func scanConfig(text string, tell func(section, sub, key, value string)) {
	text = strings.TrimPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "\ufeff")
	section, sub := "", ""
	for text != "" {
		text = strings.TrimLeft(text, " \t\n")
		switch {
		case strings.HasPrefix(text, "["):
			section, sub, text = sectionHead(text[1:])
		case strings.HasPrefix(text, "#"), strings.HasPrefix(text, ";"):
			_, text, _ = strings.Cut(text, "\n")
		default:
			n := strings.IndexAny(text, "=\n#;")
			if n < 0 {
				n = len(text)
			}
			key, value := strings.ToLower(strings.TrimSpace(text[:n])), "true"
			if text = text[n:]; strings.HasPrefix(text, "=") {
				value, text = configValue(text[1:])
			}
			if key != "" {
				tell(section, sub, key, value)
			}
		}
	}
}

// sectionHead reads `name]` or `name "sub"]` and returns what follows.
func sectionHead(text string) (section, sub, rest string) {
	n := strings.IndexAny(text, "]\"\n")
	if n < 0 {
		return "", "", ""
	}
	section = strings.ToLower(strings.TrimSpace(text[:n]))
	if text[n] == '"' {
		var b strings.Builder
		for n++; n < len(text) && text[n] != '"' && text[n] != '\n'; n++ {
			if text[n] == '\\' && n+1 < len(text) {
				n++
			}
			b.WriteByte(text[n])
		}
		sub = b.String()
		n = min(n+1, len(text))
	}
	_, rest, _ = strings.Cut(text[n:], "]")
	return section, sub, rest
}

// configValue reads a value up to its end of line, and returns what follows.
func configValue(text string) (value, rest string) {
	var b strings.Builder
	quoted, kept := false, 0 // kept is how much of b stays when blanks go
	i := 0
	for ; i < len(text) && text[i] != '\n'; i++ {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
			kept = b.Len()
		case c == '\\' && i+1 < len(text):
			i++
			if text[i] == '\n' { // goes on in the next line
				continue
			}
			if n := strings.IndexByte("ntb", text[i]); n >= 0 {
				b.WriteByte("\n\t\b"[n])
			} else {
				b.WriteByte(text[i])
			}
			kept = b.Len()
		case !quoted && (c == '#' || c == ';'):
			_, rest, _ = strings.Cut(text[i:], "\n")
			return b.String()[:kept], rest
		case !quoted && (c == ' ' || c == '\t'):
			if b.Len() > 0 {
				b.WriteByte(c)
			}
		default:
			b.WriteByte(c)
			kept = b.Len()
		}
	}
	return b.String()[:kept], text[i:]
}
