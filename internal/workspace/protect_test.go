package workspace

import (
	"path/filepath"
	"strings"
	"testing"
)

// What changes the agent's rules, or runs later by itself.
func TestProtected(t *testing.T) {
	dir := realTemp(t)
	own := filepath.Join(dir, "config", "clined")
	put(t, dir, "ws/.git/config", "", "ws/x", "", ".git/outer", "", "ws/.clineignore", "!include rules/hidden\n", "ws/rules/hidden", "", "ws/.vscode/x", "",
		"ws/data/HEAD", "", "ws/data/objects/x", "", "ws/data/refs/x", "", "ws/data/hooks/x", "", "ws/half/HEAD", "", "ws/half/objects/x", "")
	ws := filepath.Join(dir, "ws")
	link(t, ".git", filepath.Join(ws, "dotgit"))
	link(t, ".vscode/tasks.json", filepath.Join(ws, "todo.json")) // to nothing yet
	link(t, "../x", filepath.Join(ws, ".vscode", "launch.json"))  // a protected name
	link(t, "data", filepath.Join(ws, "innocent"))
	link(t, "rules/hidden", filepath.Join(ws, "list"))
	w := New(Options{Roots: []string{ws}, Own: []string{own}})
	for _, path := range []string{
		".git", ".git/hooks/pre-commit", "sub/.git", "sub/.git/config", ".GIT/config", "dotgit/config", "dotgit/hooks/new", ".git/worktrees/w/config", ".git/modules/sub/hooks/x",
		"data/config", "data/hooks/post-checkout", "innocent/hooks/new", "data/x/y", "half/HEAD", "new.git/HEAD", "half/head",
		".husky/pre-push", ".githooks/pre-push", "sub/.pre-commit-config.yaml", "lefthook.yml",
		".vscode/tasks.json", ".vscode/settings.json", ".vscode/launch.json", ".vscode/extensions.json", ".vscode/mcp.json", ".VSCode/Tasks.JSON", "sub/.vscode/tasks.json", "todo.json", "x.code-workspace",
		".envrc", "sub/.envrc", ".direnvrc", ".mise.toml", ".bashrc", ".zshenv", ".profile", ".config/fish/config.fish", ".config/autostart/x.desktop", ".config/systemd/user/x.service",
		".config/clined/settings.json", ".config/clined", dir + "/home/.config/clined/mcp.json",
		".clinerules/x.md", ".clinerules", ".clinerules-code", ".clinerules-architect/x.md", "AGENTS.md", "docs/AGENTS.md", "agents.MD", "sub/CLAUDE.md", "GEMINI.md", ".claude/settings.json",
		".cursor/rules/a.mdc", ".cursor/mcp.json", ".cursorrules", ".windsurfrules", ".roorules-code", ".github/copilot-instructions.md", ".agents/skills/x/SKILL.md",
		".clineignore", "sub/.clineignore", "rules/hidden", "list", ".clined/settings.json", ".clined/mcp.json", ".clined", ".mcp.json", "cline_mcp_settings.json",
		".ssh/authorized_keys", ".netrc", ".aws/credentials", ".devcontainer/x.json", ".devcontainer.json", ".nvim.lua", ".exrc", ".idea/workspace.xml", ".idea/runConfigurations/x.xml", ".idea/x.iml", ".zed/tasks.json",
		".npmrc", "web/.yarnrc.yml", ".cargo/config.toml", ".gdbinit", ".github/workflows/ci.yml", ".github/actions/x/action.yml", ".gitlab-ci.yml", ".circleci/config.yml",
		".git /hooks/x", ".git./hooks/x", ".git::$INDEX_ALLOCATION/x", "GIT~1/config", ".g\u200bit/config", ".vscode./Tasks.json ", ".v\u017fcode/ta\u017fks.json", ".hu\u017f\u212ay/x",
		own + "/mcp.json", own, "../config/clined/settings.json", dir + "/.git/outer", "file://" + ws + "/.git/config", "sub/../.git/config", ws + "/.vscode/tasks.json",
	} {
		if p := resolve(t, w, path); p.Protected == "" {
			t.Errorf("%q is not protected", path)
		}
	}
	for _, path := range []string{
		"x", ".gitignore", ".gitattributes", ".github/ISSUE_TEMPLATE.md", ".vscode/snippets.json", "rules/x.md", "../config/clined2", "git/hooks", "tasks.json", ".config/app.toml", "git~2", "a.git", "hooks/pre-commit",
		"half/objects/x", "half/config", "components/Head/index.tsx", "head.go", "HEAD.md", "package.json", "Makefile", "cargo/config.toml", "workflows/ci.yml", "clinerules.md", "bashrc", ".env",
	} {
		if p := resolve(t, w, path); p.Protected != "" {
			t.Errorf("%q is protected: %s", path, p.Protected)
		}
	}
}

// The folders around a workspace do not count, whatever they are called.
func TestProtectedBelowTheRoot(t *testing.T) {
	dir := realTemp(t)
	put(t, dir, ".claude/HEAD", "", ".claude/objects/x", "", ".claude/refs/x", "", ".claude/ws/x", "")
	w := New(Options{Roots: []string{filepath.Join(dir, ".claude", "ws")}})
	for path, want := range map[string]bool{"x": false, "AGENTS.md": true, "../y": true} {
		if p := resolve(t, w, path); (p.Protected != "") != want {
			t.Errorf("%q: %q", path, p.Protected)
		}
	}
}

func TestPathsThatAreTooLong(t *testing.T) {
	w := New(Options{Roots: []string{realTemp(t)}})
	for path, want := range map[string]string{strings.Repeat("a/", 3000): "a path has at most 4095", strings.Repeat("../", 2000) + "etc": ""} {
		_, err := w.Resolve(path)
		if want == "" && err == nil {
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 300 {
			t.Errorf("%.20q: %v", path, err)
		}
	}
}
