package workspace

import (
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// ignoreFile is the name of the file that hides paths from the model.
const ignoreFile = ".clineignore"

// Reasons why a path is protected: changing it changes what the agent may do,
// or what runs later without anybody asking.
const (
	reasonGit     = "it is git's own data, where hooks and settings can run programs"
	reasonEditor  = "it is editor configuration that can run programs"
	reasonVim     = "the editor runs it when the folder is opened"
	reasonShell   = "the shell runs it"
	reasonKeys    = "it says who may log in, and how"
	reasonBox     = "it says what runs when the folder is opened in a container"
	reasonRules   = "it holds rules for the agent"
	reasonIgnore  = "it says what the agent may see"
	reasonServers = "it says which MCP servers are started"
	reasonOwn     = "it is clined's own configuration"
)

// protectedNames are names that protect a path wherever they stand in it:
// a folder protects all that is in it.
var protectedNames = map[string]string{
	".git":                    reasonGit,
	".husky":                  reasonGit,
	".pre-commit-config.yaml": reasonGit,
	".gitconfig":              reasonGit,
	".envrc":                  reasonShell,
	".profile":                reasonShell,
	".bashrc":                 reasonShell,
	".bash_profile":           reasonShell,
	".bash_login":             reasonShell,
	".bash_logout":            reasonShell,
	".zshrc":                  reasonShell,
	".zshenv":                 reasonShell,
	".zprofile":               reasonShell,
	".zlogin":                 reasonShell,
	".zlogout":                reasonShell,
	".ssh":                    reasonKeys,
	".exrc":                   reasonVim,
	".vimrc":                  reasonVim,
	".lvimrc":                 reasonVim,
	".nvimrc":                 reasonVim,
	".nvim.lua":               reasonVim,
	".dir-locals.el":          reasonVim,
	".devcontainer":           reasonBox,
	".devcontainer.json":      reasonBox,
	".clinerules":             reasonRules,
	".cursorrules":            reasonRules,
	".windsurfrules":          reasonRules,
	"agents.md":               reasonRules,
	"claude.md":               reasonRules,
	".agents":                 reasonRules,
	".claude":                 reasonRules,
	".cline":                  reasonRules,
	ignoreFile:                reasonIgnore,
	".mcp.json":               reasonServers,
	"cline_mcp_settings.json": reasonServers,
	".clined":                 reasonOwn,
}

// protectedIn are files and folders protected only in a certain folder.
var protectedIn = map[string]map[string]string{
	".vscode": {"tasks.json": reasonEditor, "launch.json": reasonEditor, "settings.json": reasonEditor, "mcp.json": reasonServers},
	".cursor": {"rules": reasonRules, "mcp.json": reasonServers},
	".idea":   {"workspace.xml": reasonEditor, "watchertasks.xml": reasonEditor, "runconfigurations": reasonEditor},
	".zed":    {"tasks.json": reasonEditor, "settings.json": reasonEditor},
	".fleet":  {"run.json": reasonEditor, "settings.json": reasonEditor},
	".config": {"fish": reasonShell, "autostart": reasonShell},
}

// Protect adds to clined's own configuration, for all views of the session.
func (w *Workspace) Protect(paths ...string) {
	w.s.ownMu.Lock()
	defer w.s.ownMu.Unlock()
	for _, p := range paths {
		if real := realOrClean(p); !slices.Contains(w.s.own, real) {
			w.s.own = append(w.s.own, real)
		}
	}
}

// isOwn reports whether a path is clined's own configuration.
func (s *session) isOwn(path string) bool {
	s.ownMu.RLock()
	defer s.ownMu.RUnlock()
	return slices.ContainsFunc(s.own, func(own string) bool { return within(own, path) })
}

// protected says why a path is protected, "" when it is not. Both the path as
// written and where it leads count.
func (w *Workspace) protected(abs, real string) string {
	for _, p := range []string{real, abs} {
		if w.s.isOwn(p) {
			return reasonOwn
		}
		if r := protectedElements(split(w.inRoot(p))); r != "" {
			return r
		}
	}
	return ""
}

// inRoot returns the part of a path below its root, so that the names of the
// folders around a workspace do not count; all of it outside.
func (w *Workspace) inRoot(path string) string {
	for _, r := range w.Roots() {
		for _, dir := range []string{r.Path, r.Real} {
			if rel, ok := below(dir, path); ok {
				return rel
			}
		}
	}
	return path[len(filepath.VolumeName(path)):]
}

// protectedElements ignores what some file systems ignore in names: case, dots
// and blanks at the end, a stream after a colon, and letters that are not seen.
func protectedElements(elements []string) string {
	last := ""
	for _, e := range elements {
		e = plainName(e)
		if r := protectedNames[e]; r != "" {
			return r
		}
		if strings.HasSuffix(e, ".code-workspace") {
			return reasonEditor
		}
		if r := protectedIn[last][e]; r != "" {
			return r
		}
		last = e
	}
	return ""
}

func plainName(name string) string {
	name, _, _ = strings.Cut(strings.ToLower(name), ":")
	name = strings.TrimRight(name, ". ")
	if name == "git~1" { // the short name of .git on NTFS
		return ".git"
	}
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) { // left out by HFS+
			return -1
		}
		return r
	}, name)
}
