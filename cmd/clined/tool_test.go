package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// arguments writes the arguments of a call, given as names and values.
func arguments(t *testing.T, pairs ...string) string {
	t.Helper()
	args := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		args[pairs[i]] = pairs[i+1]
	}
	raw, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func blockOf(old, fresh string) string {
	return "------- SEARCH\n" + old + "\n=======\n" + fresh + "\n+++++++ REPLACE\n"
}

func patchOf(sections string) string { return "*** Begin Patch\n" + sections + "*** End Patch\n" }

// What editing tools do in a terminal: the file's bytes, the words and the code.
func TestEditsInATerminal(t *testing.T) {
	for name, c := range map[string]struct {
		tool, before string
		args         []string
		code         int
		after        string
		out          []string
	}{
		"CRLF": {"replace_in_file", "red\r\ngreen\r\nblue\r\n", []string{"path", "f", "diff", blockOf("red\ngreen", "RED\nlime\nolive")}, 0,
			"RED\r\nlime\r\nolive\r\nblue\r\n", []string{"Edited f: 3 added, 2 removed.", "+2 | lime"}},
		"byte order mark": {"apply_patch", "\xEF\xBB\xBFlet n = 7\n", []string{"input", patchOf("*** Update File: f\n@@\n-let n = 7\n+let n = 8\n")}, 0,
			"\xEF\xBB\xBFlet n = 8\n", []string{"Edited f"}},
		"a legacy encoding": {"apply_patch", "name=caf\xE9\nprice=1\n", []string{"input", patchOf("*** Update File: f\n@@\n-price=1\n+price=2\n")}, 0,
			"name=caf\xE9\nprice=2\n", []string{"Edited f"}},
		"conflict markers": {"replace_in_file", "<<<<<<< HEAD\na=1\n=======\na=2\n>>>>>>> up\n",
			[]string{"path", "f", "diff", "<<<<<<< SEARCH\n<<<<<<< HEAD\na=1\n=======\na=2\n>>>>>>> up\n=======\na=3\n>>>>>>> REPLACE"}, 0, "a=3\n", []string{"Edited f"}},
		"twins": {"replace_in_file", "x\ny\nx\n", []string{"path", "f", "diff", blockOf("x", "z")}, 1, "x\ny\nx\n", []string{"2 places, at lines 1, 3", "nothing was changed"}},
		"tabs": {"replace_in_file", "\tif a {\n\t\tb()\n\t}\n", []string{"path", "f", "diff", blockOf("    if a {\n        b()\n    }", "    if a {\n        c()\n    }")}, 0,
			"\tif a {\n\t\tc()\n\t}\n", []string{"the file's indentation"}},
		"a miss":         {"apply_patch", "a\n", []string{"input", patchOf("*** Update File: f\n@@\n-b\n+c\n")}, 1, "a\n", []string{"f: ", "nothing was changed"}},
		"emptied":        {"write_to_file", "junk\n", []string{"absolutePath", "f", "content", ""}, 0, "", []string{"Edited f: 0 added, 1 removed."}},
		"the same":       {"write_to_file", "a\n", []string{"path", "f", "content", "a\n"}, 0, "a\n", []string{"already holds exactly this text"}},
		"nothing there":  {"replace_in_file", "a\n", []string{"path", "g", "diff", blockOf("a", "b")}, 1, "a\n", []string{"g does not exist"}},
		"a whole folder": {"write_to_file", "a\n", []string{"path", ".", "content", "x"}, 1, "a\n", []string{"is a directory"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := workspace(t, "f", c.before)
			if len(c.args) > 0 && c.args[0] == "absolutePath" {
				c.args[1] = filepath.Join(dir, "f")
			}
			command(t, "", "tool", c.tool, arguments(t, c.args...), "--cwd", dir, "--yes").want(t, c.code, c.out, nil)
			if got, err := os.ReadFile(filepath.Join(dir, "f")); err != nil || string(got) != c.after {
				t.Errorf("%q, %v; want %q", got, err, c.after)
			}
		})
	}
}

// A person runs any tool, whatever model the settings name.
func TestToolsOfEveryFamily(t *testing.T) {
	patch := arguments(t, "input", patchOf("*** Update File: f\n*** Move to: sub/g\n@@\n-a\n+b\n*** Add File: n\n+x\n*** Delete File: old\n"))
	for _, model := range []string{"", "gpt-5", "gpt-oss:20b", "gpt-4.1", "claude-sonnet-4", "qwen3:8b", "o1-mini"} {
		t.Run(model, func(t *testing.T) {
			dir := workspace(t, "f", "a\n", "old", "x\n")
			if model != "" {
				t.Setenv("CLINED_MODEL", model)
				t.Setenv("CLINED_BASE_URL", "http://127.0.0.1:1/v1")
			}
			command(t, "", "tool", "apply_patch", patch, "--cwd", dir, "--yes").want(t, 0, []string{"Changed 3 files", "Moved f to sub/g", "Created n", "Deleted old"}, nil)
			command(t, "", "tool", "replace_in_file", arguments(t, "path", "n", "diff", blockOf("x", "y")), "--cwd", dir, "--yes").want(t, 0, []string{"Edited n"}, nil)
			command(t, "", "tool", "new_rule", arguments(t, "path", ".clinerules/a.md", "content", "# A\n"), "--cwd", dir, "--yes").want(t, 0, []string{"Created .clinerules/a.md"}, nil)
			if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 3 {
				t.Errorf("there is %v", left)
			}
		})
	}
}

// What is asked shows all that would happen; a no leaves everything as it was.
func TestPatchIsAsked(t *testing.T) {
	dir := workspace(t, "f", "a\n", "old", "x\n")
	call := []string{"tool", "apply_patch", arguments(t, "input", patchOf("*** Update File: f\n*** Move to: sub/g\n@@\n-a\n+b\n*** Add File: .envrc\n+x\n*** Delete File: old\n")), "--cwd", dir}
	r := command(t, "no, wait\n", append(call, "--auto", "edit")...)
	r.want(t, 3, []string{"wait"}, []string{"? Move f to sub/g, create .envrc, delete old", "rename to sub/g", "-a", "+b", ".envrc is protected: the shell runs it"})
	r = command(t, "", append(call, "--auto", "edit")...)
	r.want(t, 3, nil, []string{"hint: run it in a terminal, or allow everything beforehand with --yes"})
	if strings.Contains(r.err, "--auto edit") {
		t.Errorf("the hint names what does not help:\n%s", r.err)
	}
	left, _ := filepath.Glob(filepath.Join(dir, "*"))
	if text, _ := os.ReadFile(filepath.Join(dir, "f")); len(left) != 2 || string(text) != "a\n" {
		t.Errorf("there is %v, %q", left, text)
	}
	command(t, "y\n", call...).want(t, 0, []string{"Changed 3 files"}, nil)
}

// What a kind's flag would not allow, the hint does not advise.
func TestHintForCommandsThatAskAnyway(t *testing.T) {
	dir := workspace(t, ".clineignore", "*.key\n", "a.key", "x\n")
	t.Setenv("CLINED_PERMISSIONS_ASK", `["mkdir"]`)
	for line, helps := range map[string]bool{
		"touch b; ls": true, "ls; touch AGENTS.md": false, "cat a.key; ls": false, "ls -R | wc -l": false, "ls; mkdir c": false,
		"git config core.pager ./x": false, `grep -r x "$D"`: false, `cd "$D"; cat *`: false,
	} {
		hint := []string{"hint: run it in a terminal, or allow everything beforehand with --yes"}
		if helps {
			hint = []string{"or allow it beforehand with --auto command, or everything with --yes"}
		}
		call := []string{"tool", "execute_command", arguments(t, "command", line), "--cwd", dir}
		command(t, "", call...).want(t, 3, nil, hint)
		if !helps {
			command(t, "", append(call, "--auto", "command")...).want(t, 3, nil, hint)
		}
	}
}

// Documents are read by a child, which the test binary plays.
func TestDocumentsInATerminal(t *testing.T) {
	dir := filepath.Join("..", "..", "internal", "doctext", "testdata")
	for name, c := range map[string]struct {
		code int
		out  string
	}{
		"cairo.pdf":        {0, "cairo.pdf (PDF, 2 pages), 6 lines\n1 | === page 1 of 2 ===\n2 | Cairo says: Łódź has 301 ships\n"},
		"libreoffice.docx": {0, "libreoffice.docx (Word document), 11 lines\n1 | # Report\n"},
		"libreoffice.xlsx": {0, "\n5 | 5: B5: 378 (=SUM(B2:B3))\n"},
		"nbformat.ipynb":   {0, "\n6 | import sys\n"},
		"password.pdf":     {1, "is a PDF that is protected by a password"},
		"old.doc":          {1, "is an old Word document (.doc)"},
	} {
		command(t, "", "tool", "read_file", arguments(t, "path", name), "--cwd", dir).want(t, c.code, []string{c.out}, nil)
	}
}
