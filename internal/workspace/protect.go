package workspace

import (
	"path/filepath"
	"slices"
	"strings"
)

// ignoreFile is the name of the file that hides paths from the model.
const ignoreFile = ".clineignore"

// Reasons why a path is protected: changing it changes what the agent may do,
// or what runs later without anybody asking.
const (
	reasonGit     = "it is git's own data, where hooks and settings can run programs"
	reasonEditor  = "it is editor configuration that can run programs"
	reasonShell   = "it is run by the shell when the folder is entered"
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
	".envrc":                  reasonShell,
	".clinerules":             reasonRules,
	".cursorrules":            reasonRules,
	".windsurfrules":          reasonRules,
	"agents.md":               reasonRules,
	".agents":                 reasonRules,
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
	".claude": {"skills": reasonRules},
}

// protected says why a path is protected, "" when it is not. Both the path as
// written and where it leads count.
func (w *Workspace) protected(abs, real string) string {
	for _, p := range []string{real, abs} {
		if slices.ContainsFunc(w.s.own, func(own string) bool { return within(own, p) }) {
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

// protectedElements ignores case: some file systems do.
func protectedElements(elements []string) string {
	for i, e := range elements {
		e = strings.ToLower(e)
		if r := protectedNames[e]; r != "" {
			return r
		}
		if strings.HasSuffix(e, ".code-workspace") {
			return reasonEditor
		}
		if i > 0 {
			if r := protectedIn[strings.ToLower(elements[i-1])][e]; r != "" {
				return r
			}
		}
	}
	return ""
}
