package workspace

// Reasons why a path is protected: changing it changes what the agent may do,
// or what runs later without anybody asking.
const (
	reasonGit     = "it is git's own data, where hooks and settings can run programs"
	reasonHead    = "git takes a folder with such a file for a repository, whose settings can run programs"
	reasonHooks   = "it says what git runs"
	reasonEditor  = "it is editor configuration that can run programs"
	reasonVim     = "the editor runs it when the folder is opened"
	reasonShell   = "the shell runs it"
	reasonLogin   = "it says what is started with the session, or how"
	reasonTool    = "it can make a development tool run other programs"
	reasonServer  = "it says what a server runs with the project's secrets"
	reasonKeys    = "it says who may log in, and how"
	reasonBox     = "it says what runs when the folder is opened in a container"
	reasonRules   = "it holds rules for the agent"
	reasonIgnore  = "it says what the agent may see"
	reasonServers = "it says which MCP servers are started"
	reasonOwn     = "it is clined's own configuration"
)

// protectedNames are names, as plainName has them, that protect a path wherever
// they stand in it: a folder protects all that is in it.
var protectedNames = map[string]string{
	".git": reasonGit, ".gitconfig": reasonGit,
	".husky": reasonHooks, ".githooks": reasonHooks, ".git-hooks": reasonHooks, ".pre-commit-config.yaml": reasonHooks,
	"lefthook.yml": reasonHooks, "lefthook.yaml": reasonHooks, ".lefthook.yml": reasonHooks, ".lefthook.yaml": reasonHooks, ".lefthook": reasonHooks,

	".envrc": reasonShell, ".direnvrc": reasonShell, ".profile": reasonShell,
	".bashrc": reasonShell, ".bash_profile": reasonShell, ".bash_login": reasonShell, ".bash_logout": reasonShell, ".bash_aliases": reasonShell,
	".zshrc": reasonShell, ".zshenv": reasonShell, ".zprofile": reasonShell, ".zlogin": reasonShell, ".zlogout": reasonShell,
	".kshrc": reasonShell, ".cshrc": reasonShell, ".tcshrc": reasonShell, ".login": reasonShell, ".logout": reasonShell, ".inputrc": reasonShell,
	".mise.toml": reasonShell, "mise.toml": reasonShell, ".mise": reasonShell,

	".xprofile": reasonLogin, ".xinitrc": reasonLogin, ".xsession": reasonLogin, ".xsessionrc": reasonLogin, ".pam_environment": reasonLogin,
	".tmux.conf": reasonLogin, ".screenrc": reasonLogin, "launchagents": reasonLogin,

	".ssh": reasonKeys, ".gnupg": reasonKeys, ".netrc": reasonKeys, ".git-credentials": reasonKeys, ".aws": reasonKeys, ".kube": reasonKeys, ".pypirc": reasonKeys,

	".exrc": reasonVim, ".vimrc": reasonVim, ".lvimrc": reasonVim, ".nvimrc": reasonVim, ".nvim.lua": reasonVim, ".vim": reasonVim,
	".emacs": reasonVim, ".emacs.d": reasonVim, ".dir-locals.el": reasonVim, ".dir-locals-2.el": reasonVim,
	".idea": reasonEditor, ".zed": reasonEditor,

	".devcontainer": reasonBox, ".devcontainer.json": reasonBox, ".gitpod.yml": reasonBox,

	".npmrc": reasonTool, ".yarnrc": reasonTool, ".yarnrc.yml": reasonTool, ".pnpmfile.cjs": reasonTool, ".mvn": reasonTool,
	".gdbinit": reasonTool, ".lldbinit": reasonTool, ".pdbrc": reasonTool, ".rprofile": reasonTool, ".irbrc": reasonTool,
	".gitlab-ci.yml": reasonServer, ".circleci": reasonServer,

	"agents.md": reasonRules, "agents.override.md": reasonRules, "agent.md": reasonRules, "claude.md": reasonRules, "claude.local.md": reasonRules, "gemini.md": reasonRules,
	".agents": reasonRules, ".claude": reasonRules, ".cline": reasonRules, ".cursor": reasonRules, ".cursorrules": reasonRules,
	".windsurf": reasonRules, ".roo": reasonRules, ".kilocode": reasonRules, ".codex": reasonRules, ".gemini": reasonRules, ".opencode": reasonRules,

	ignoreFile:  reasonIgnore,
	".mcp.json": reasonServers, "cline_mcp_settings.json": reasonServers,
	".clined": reasonOwn,
}

// rulePrefixes begin names of files with rules, which some tools have per mode.
var rulePrefixes = []string{".clinerules", ".windsurfrules", ".roorules", ".kilocoderules"}

// protectedIn are files and folders protected only in a certain folder.
var protectedIn = map[string]map[string]string{
	".vscode": {"tasks.json": reasonEditor, "launch.json": reasonEditor, "settings.json": reasonEditor, "extensions.json": reasonEditor, "mcp.json": reasonServers},
	".fleet":  {"run.json": reasonEditor, "settings.json": reasonEditor},
	".config": {
		"fish": reasonShell, "direnv": reasonShell, "mise": reasonShell, "autostart": reasonLogin, "systemd": reasonLogin, "environment.d": reasonLogin,
		"git": reasonGit, "nvim": reasonVim, "pip": reasonTool, "clined": reasonOwn, // with CLINED_HOME, too: another clined starts without it
	},
	".github": {
		"workflows": reasonServer, "actions": reasonServer,
		"copilot-instructions.md": reasonRules, "instructions": reasonRules, "prompts": reasonRules, "agents": reasonRules, "chatmodes": reasonRules,
	},
	".cargo":  {"config": reasonTool, "config.toml": reasonTool},
	".bundle": {"config": reasonTool},
	".docker": {"config.json": reasonKeys},
}
