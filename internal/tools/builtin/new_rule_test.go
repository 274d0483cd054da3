package builtin

import (
	"strings"
	"testing"

	"clined/internal/tools"
)

func TestNewRule(t *testing.T) {
	k := newTask(t, newWorld(nil))
	wantExactly(t, k.call("new_rule", "path", ".clinerules/style.md", "content", "# Style\n"), "Created .clinerules/style.md (1 line).")
	k.wantFile(".clinerules/style.md", "# Style\n")
	if a := k.action(); a.Title != "Create .clinerules/style.md" || a.Subject.Kind != tools.Edit || a.Subject.Tool != "new_rule" {
		t.Errorf("%q, %+v", a.Title, a.Subject)
	}
	wantText(t, k.call("new_rule", "absolutePath", "/w/.clinerules/deep/er.md", "content", "x\n"), tools.OK, "Created")
	wantText(t, k.call("new_rule", "path", ".clinerules/style.md", "content", "# Style\n\nShort names.\n"), tools.OK, "Edited .clinerules/style.md: 2 added")
	k.wantFile(".clinerules/style.md", "# Style\n\nShort names.\n")
}

func TestNewRuleRefuses(t *testing.T) {
	for path, want := range map[string]string{
		"style":                     "style is not in .clinerules; nothing was changed: send the path .clinerules/style.md",
		"src/a.go":                  "send the path .clinerules/a.md",
		".clinerules":               "is not in .clinerules",
		".clinerules/style.txt":     "does not end in .md; nothing was changed: send the path .clinerules/style.md",
		".clinerules/x":             "does not end in .md",
		".clinerules/../style.md":   "is not in .clinerules",
		".clinerules/hooks/x.md":    "a folder that holds no rules; nothing was changed: send the path .clinerules/x.md",
		".clinerules/workflows/.md": "send the path .clinerules/NAME.md",
		"/etc/.clinerules/x.md":     "outside the workspace",
		".clinerules/":              "ends in a slash",
		"":                          "empty",
	} {
		k := newTask(t, newWorld(nil))
		wantText(t, k.call("new_rule", "path", path, "content", "x"), tools.Failed, want)
		if k.wantNoEdits(); k.w.writes > 0 {
			t.Errorf("%q was written", path)
		}
	}
	k := newTask(t, newWorld(map[string]string{".clinerules": "Be kind.\n"}))
	wantText(t, k.call("new_rule", "path", ".clinerules/x.md", "content", "x"), tools.Failed, ".clinerules is a file with rules, not a folder", "write_to_file")
	k.wantNoEdits()
}

// The rules of a real project are protected, whatever tool writes them.
func TestRealRuleIsProtected(t *testing.T) {
	p := newProject(t, nil)
	p.deny = true
	for tool, args := range map[string][]any{
		"new_rule":      {"path", ".clinerules/x.md", "content", "x\n"},
		"write_to_file": {"path", ".clinerules/x.md", "content", "x\n"},
		"apply_patch":   {"input", envelope(addition("a.txt", "+x\n"), addition(".clinerules/x.md", "+x\n"))},
	} {
		p.call(tool, args...)
		paths := p.action().Subject.Paths
		if last := paths[len(paths)-1]; !strings.Contains(last.Protected, "rules for the agent") {
			t.Errorf("%s: %+v", tool, paths)
		}
	}
}
