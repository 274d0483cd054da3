package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestPolicyExplainCommand(t *testing.T) {
	for name, tc := range map[string]struct {
		args []string
		code int
		out  []string
	}{
		"allowed":              {[]string{"--allow", "ls", "--", "ls -la"}, 0, []string{"allow: by permissions.allow `ls`", "  allow  ls -la  by"}},
		"asked":                {[]string{"--allow", "ls", "--", "ls && rm -rf x"}, 3, []string{"ask: `rm` changes files", "  allow  ls", "  ask    rm -rf x  `rm` changes"}},
		"denied":               {[]string{"--allow", "rm", "--deny", "rm", "--", "ls; rm x"}, 4, []string{"deny: The user's settings deny commands that start with `rm`.", "  deny  rm x"}},
		"nothing allowed":      {[]string{"--", "git status"}, 3, []string{"could always be allowed: commands that start with `git status`", "could always be allowed: exactly `git status`"}},
		"flags behind":         {[]string{"git status", "--allow", "git status", "--mode", "act"}, 0, []string{"allow"}},
		"several rules":        {[]string{"--allow", "ls", "--allow", "head -c 1,2", "--", "ls | head -c 1,2 2>/dev/null"}, 0, []string{"head -c 1,2 2>/dev/null"}},
		"an ask":               {[]string{"--allow", "git", "--ask", "git log", "--", "git log"}, 3, []string{"ask before commands that start with `git log`"}},
		"plan mode":            {[]string{"--mode", "plan", "--allow", "touch", "--", "touch x"}, 4, []string{"deny: In plan mode", "deny  touch x"}},
		"dashes in a command":  {[]string{"--allow", "ls", "--", "--version"}, 3, []string{"ask"}},
		"lines and escapes":    {[]string{"--", "ls\nrm\x1b[2K x"}, 3, []string{"U+001B", `rm\x1b[2K x`}},
		"an exact rule":        {[]string{"--allow", "exact: make test", "--", "make test"}, 0, []string{"`make test`"}},
		"more than exact":      {[]string{"--allow", "exact: make test", "--", "make test SHELL=x"}, 3, nil},
		"a rule on paths":      {[]string{"--deny", "edit: *.lock", "--write", "go.lock"}, 4, []string{"deny editing files that match *.lock"}},
		"unreadable to shells": {[]string{"--allow", "ls", "--", "ls 'x"}, 3, []string{"could not be parsed"}},
	} {
		t.Run(name, func(t *testing.T) {
			args := append([]string{"policy", "explain", "--cwd", t.TempDir()}, tc.args...)
			command(t, "", args...).want(t, tc.code, tc.out, nil)
		})
	}
}

func TestPolicyExplainUsage(t *testing.T) {
	for name, args := range map[string][]string{
		"nothing":         {},
		"blank":           {"--", " "},
		"two":             {"ls", "-l"[1:]},
		"both":            {"--read", "a", "--", "ls"},
		"read and write":  {"--read", "a", "--write", "b"},
		"a bad rule":      {"--allow", "ls | rm", "--", "ls"},
		"an MCP allow":    {"--allow", "mcp: x/y", "--", "ls"},
		"a bad glob":      {"--deny", "read: [", "--", "ls"},
		"no path":         {"--read", "untitled:x"},
		"no such mode":    {"--mode", "yolo", "--", "ls"},
		"no such command": {"--nope", "--", "ls"},
	} {
		t.Run(name, func(t *testing.T) {
			command(t, "", append([]string{"policy", "explain"}, args...)...).want(t, 2, nil, []string{"clined: ", "hint: "})
		})
	}
}

// The answer is that of a session in the folder: settings of the user and the
// workspace, ignore files, links.
func TestPolicyExplainPaths(t *testing.T) {
	t.Setenv("CLINED_HOME", t.TempDir())
	dir, out := workspace(t, ".clineignore", "secret*\n", "a.txt", "a", "secret.txt", "x"), t.TempDir()
	for from, to := range map[string]string{"export": out, "near": filepath.Join(dir, "a.txt")} {
		if err := os.Symlink(to, filepath.Join(dir, from)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, ".clined"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".clined", "settings.json"), []byte(`{"permissions": {"deny": ["rm"], "allow": ["make"]}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		args []string
		code int
		out  []string
	}{
		"read":               {[]string{"--read", "a.txt"}, 0, []string{"allow: by autoApprove.read", "inside the workspace"}},
		"write":              {[]string{"--write", "a.txt"}, 3, []string{"ask: Editing files asks first."}},
		"write, allowed":     {[]string{"--write", "a.txt", "--allow", "edit: *.txt"}, 0, []string{"editing files that match *.txt"}},
		"through a link":     {[]string{"--write", "near", "--allow", "edit: near"}, 3, []string{"real path", "a.txt"}},
		"outside by a link":  {[]string{"--read", "export/new.txt"}, 3, []string{"is outside the workspace", filepath.Join(out, "new.txt"), "real path"}},
		"outside":            {[]string{"--read", "/etc/hostname"}, 3, []string{"outside the workspace"}},
		"dots":               {[]string{"--read", "x/../../y"}, 3, []string{"outside the workspace"}},
		"a sibling":          {[]string{"--read", dir + "x/a"}, 3, []string{"outside the workspace"}},
		"hidden":             {[]string{"--read", "secret.txt"}, 4, []string{"hidden by the ignore file", "ignored"}},
		"protected":          {[]string{"--write", ".git/hooks/pre-commit", "--allow", "edit: **"}, 3, []string{"is protected", "hooks"}},
		"a home":             {[]string{"--read", "~/.ssh/id_rsa"}, 3, []string{"outside the workspace", ".ssh"}},
		"a denied command":   {[]string{"--", "rm x"}, 4, []string{"deny commands that start with `rm`"}},
		"an untrusted allow": {[]string{"--", "make"}, 3, []string{"`make` runs code"}},
		"a protected word":   {[]string{"--allow", "exact: touch .envrc", "--", "touch .envrc"}, 3, []string{`may change ".envrc", which is protected`}},
		"a denied link":      {[]string{"--allow", "cat", "--deny", "read: a.txt", "--", "cat ne*"}, 3, []string{`names "ne*"`, "deny reading files that match a.txt"}},
		"a hidden word":      {[]string{"--allow", "cat", "--", "cat secret.txt"}, 3, []string{`names "secret.txt"`}},
	} {
		t.Run(name, func(t *testing.T) {
			r := command(t, "", append([]string{"policy", "explain", "--cwd", dir}, tc.args...)...)
			r.want(t, tc.code, tc.out, nil)
		})
	}
}

// A rule says nothing of lines that another kind of shell reads.
func TestPolicyExplainForeignShell(t *testing.T) {
	for shell, code := range map[string]int{"pwsh": 3, "/opt/nu": 3, "/bin/sh": 0, "zsh": 0} {
		t.Setenv("CLINED_SHELL", shell)
		r := command(t, "", "policy", "explain", "--cwd", t.TempDir(), "--allow", "ls", "--", "ls")
		if r.code != code || strings.Contains(r.out, "whose lines cannot be judged") != (code == 3) {
			t.Errorf("%s: %+v", shell, r)
		}
	}
}

func TestPolicyExplainJSON(t *testing.T) {
	dir := workspace(t, "a.txt", "a")
	var got explanation
	r := command(t, "", "policy", "explain", "--cwd", dir, "--json", "--allow", "ls", "--", "ls; git add . | cat")
	if err := json.Unmarshal([]byte(r.out), &got); err != nil {
		t.Fatal(err)
	}
	want := explanation{
		Verdict: "ask", Reason: "Running commands asks first.",
		Parts: []explanationPart{
			{Command: "ls", Verdict: "allow", Rule: "permissions.allow `ls`"},
			{Command: "git add .", Verdict: "ask", Reason: "Running commands asks first."},
			{Command: "cat", Verdict: "ask", Reason: "Running commands asks first."},
		},
		Offers: []string{"commands that start with `git add` or `cat`", "exactly `git add .` or `cat`"},
	}
	if r.code != 3 || !reflect.DeepEqual(got, want) {
		t.Errorf("%d\n%+v\n%+v", r.code, got, want)
	}
	got = explanation{}
	r = command(t, "", "policy", "explain", "--cwd", dir, "--json", "--write", "/etc/x")
	if err := json.Unmarshal([]byte(r.out), &got); err != nil || r.code != 3 || got.Path == nil || !got.Path.Outside || got.Path.Real != "/etc/x" {
		t.Errorf("%d %s %v", r.code, r.out, err)
	}
}
