package border

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"clined/internal/tools"
)

// writes are the ways to make, change, move and remove a file at a path, which
// holds fileText if present.
func writes(path string, present bool) []call {
	list := []call{
		{"write_to_file", map[string]any{"path": path, "content": "taken\n"}},
		{"apply_patch", map[string]any{"input": patch("*** Update File: open.txt\n*** Move to: "+path+"\n@@\n", "-open\n+taken\n")}},
		{"apply_patch", map[string]any{"input": patch("*** Update File: open.txt\n@@\n-open\n", "+opened\n", "*** Add File: "+path+"\n+taken\n")}},
	}
	if present {
		list = []call{
			list[0],
			{"replace_in_file", map[string]any{"path": path, "diff": searchMark + "first\n" + divider + "taken\n" + replaceMark}},
			{"apply_patch", map[string]any{"input": patch("*** Update File: "+path+"\n@@\n-first\n", "+taken\n")}},
			{"apply_patch", map[string]any{"input": patch("*** Delete File: " + path + "\n")}},
			{"apply_patch", map[string]any{"input": patch("*** Update File: "+path+"\n*** Move to: moved.txt\n@@\n-first\n", "+taken\n")}},
		}
	}
	return list
}

// Edits are approved, but not those of what says what the agent may do or of what
// runs later: they ask, with the reason, and after a no nothing is changed.
func TestProtectedAlwaysAsk(t *testing.T) {
	paths := []string{
		".git/hooks/pre-commit", ".git/config", "sub/.git", ".vscode/tasks.json", ".vscode/settings.json", ".vscode/launch.json", ".vscode/extensions.json", ".idea/workspace.xml",
		".envrc", ".bashrc", ".ssh/config", ".clinerules/x.md", ".clinerules-code", ".clined/settings.json", ".clineignore", "AGENTS.md", "docs/AGENTS.md", "CLAUDE.md", ".cursor/rules/x.mdc", ".mcp.json",
		".github/workflows/ci.yml", ".husky/pre-commit", ".pre-commit-config.yaml", ".devcontainer/devcontainer.json", ".npmrc", ".GIT/hooks/x", ".VSCODE/Tasks.json", "link/hooks/x", "settings.txt", "data/hooks/x",
		"../config/settings.json", "HEAD",
	}
	b := newBench(t)
	b.put("ws/.git/HEAD", "ref: x\n", "ws/data/HEAD", "", "ws/data/objects/x", "", "ws/data/refs/x", "", "config/mcp.json", "{}", "ws/.vscode/x", "")
	b.link(".git", "ws/link")
	b.link(".vscode/settings.json", "ws/settings.txt")
	for _, path := range paths {
		for _, present := range []bool{false, true} {
			real := b.onDisk(path)
			for _, c := range writes(path, present) {
				b.put("ws/open.txt", "open\n")
				if os.Remove(filepath.Join(b.dir, "moved.txt")); present {
					b.put(strings.TrimPrefix(real, b.top+"/"), fileText)
					b.run(call{"read_file", map[string]any{"path": path}}) // of an edit without a look another question is asked
					b.questions()
				}
				before := b.tree([]string{"ws", "config"})
				res := b.run(c)
				asked := b.questions()
				if len(asked) != 1 || !strings.Contains(asked[0].Reason, "protected: ") || len(asked[0].Offers) > 0 || res.Outcome != tools.Denied {
					t.Errorf("%s %v (there: %v): asked %+v, %s %s", c.tool, c.args, present, asked, res.Outcome, res.Text)
				}
				if after := b.tree([]string{"ws", "config"}); after != before {
					t.Fatalf("%s %v changed something after a no", c.tool, c.args)
				}
			}
			if present {
				os.Remove(real)
			}
		}
	}
	for _, c := range writes("plain.txt", false)[:1] { // and nothing else is asked about
		if res := b.run(c); res.Outcome != tools.OK || len(b.questions()) > 0 {
			t.Errorf("an ordinary edit: %s", res.Text)
		}
	}
}

// In plan mode no tool changes anything, and nobody is asked whether it may.
func TestPlanModeWritesNothing(t *testing.T) {
	b := newBench(t)
	b.mode = tools.Plan
	b.put("ws/a.txt", fileText, "ws/open.txt", "open\n", "ws/src/a.go", "package a\n\nfunc A() {}\n")
	before := b.tree([]string{"ws"})
	refused := slices.Concat(writes("a.txt", true), writes("new/x.txt", false), []call{
		{"new_rule", map[string]any{"path": ".clinerules/x.md", "content": "x"}}, {"execute_command", map[string]any{"command": "touch made", "requires_approval": false}},
		{"execute_command", map[string]any{"command": "cat a.txt > b.txt", "requires_approval": false}}, {"execute_command", map[string]any{"command": "git status; rm -r src", "requires_approval": true}},
	})
	for _, c := range refused {
		if res := b.run(c); res.Outcome != tools.Denied || !strings.Contains(strings.ToLower(res.Text), "plan mode") {
			t.Errorf("%s %v: %s %s", c.tool, c.args, res.Outcome, res.Text)
		}
	}
	for _, c := range []call{
		{"read_file", map[string]any{"path": "a.txt"}}, {"list_files", map[string]any{"path": "."}}, {"search_files", map[string]any{"path": ".", "regex": "first"}},
		{"list_code_definition_names", map[string]any{"path": "src"}}, {"plan_mode_respond", map[string]any{"response": "Done."}},
	} {
		if res := b.run(c); res.Outcome != tools.OK {
			t.Errorf("%s: %s", c.tool, res.Text)
		}
	}
	if after := b.tree([]string{"ws"}); after != before || len(b.questions()) > 0 {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
}

// However a path out of the workspace is written, somebody is asked, and after a
// no nothing of what is there is seen or changed.
func TestOutsideAsks(t *testing.T) {
	b := newBench(t, "ws/inner", "ws2")
	b.put("ws/open.txt", "open\n", "out/x.txt", fileText, "out/CANARY.txt", "", "ws-sibling/x.txt", fileText)
	b.link("../out", "ws/export")
	b.link("../out/x.txt", "ws/conf.json")
	b.link(filepath.Join(b.top, "out"), "ws/inner/export")
	b.link("../out/new/deep.txt", "ws/dangling")
	b.link("/", "ws/root")
	out := filepath.Join(b.top, "out/x.txt")
	for _, form := range []string{
		"./export/x.txt", "@ws:export/x.txt", "./conf.json", "@ws:conf.json", "@inner:export/x.txt", "../out/x.txt", "./open.txt/../../out/x.txt", out, "//" + out, "file://" + out, "file://" + b.dir + "/%2e%2e/out/x.txt", "file:" + out,
		"@ws:../out/x.txt", "@inner:../../out/x.txt", "@ws2:../out/x.txt", `"../out/x.txt"`, `"\x2e\x2e/out/x.txt"`, " ../out/x.txt", "../out/x.txt\n", "./root" + out, "/proc/self/root" + out, "../ws-sibling/x.txt", b.dir + "-sibling/x.txt",
		"./export", "@inner:export", "../out", "./root/", "/proc/self/root" + b.top + "/out", "./dangling", "./export/new/y.txt", "../ws3", "/dev/fd/0/../../.." + out, b.dir + "/../out/x.txt", "export/./../export/x.txt",
	} {
		for _, c := range calls(form) {
			before := b.tree([]string{"out", "ws-sibling", "ws"})
			res := b.run(c)
			if b.questions(); strings.Contains(res.Text, "CANARY") {
				t.Errorf("%s %v: %s", c.tool, c.args, res.Text)
			}
			if after := b.tree([]string{"out", "ws-sibling", "ws"}); before != after {
				t.Fatalf("%s %v\nbefore:\n%s\nafter:\n%s", c.tool, c.args, before, after)
			}
		}
	}
}
