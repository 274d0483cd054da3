package border

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"clined/internal/tools"
)

// forms are ways to write a path of the workspace.
func (b *bench) forms(path string) []string {
	dir, name := filepath.Split(path)
	abs := filepath.Join(b.dir, path)
	var percent strings.Builder
	for _, c := range []byte(path) {
		fmt.Fprintf(&percent, "%%%02x", c)
	}
	forms := []string{
		path, "./" + path, ".//" + path, "./" + dir + "../" + path, dir + "./" + name, "nowhere/../" + path, "../ws/" + path, path + "/", path + "/.", path + "/x/..", path + "//",
		abs, "//" + abs, filepath.Dir(abs) + "/../" + path, b.top + "/ws/./" + path, "file://" + abs, "file:" + abs, "FILE://" + abs, "file://" + b.dir + "/" + percent.String(), "file://localhost" + abs,
		" " + path, path + "\n", "\t" + path + " ", `"` + path + `"`, fmt.Sprintf("%q", path), "@ws:" + path, "/proc/self/root" + abs, "/proc/self/cwd/../../../../../../../../../../../../.." + abs, "/proc/thread-self/root" + abs,
		"alias", "far/" + path, "up/ws/" + path, "here/here/here/" + path, "chain", "absolute",
	}
	if other := norm.NFD.String(path); other != path {
		forms = append(forms, other)
	}
	return forms
}

// Nothing of a hidden file reaches the model, whatever the tool and however the
// path is written, and nothing is done to it.
func TestHiddenFiles(t *testing.T) {
	const text = fileText
	for _, hidden := range []string{"svc/.env.prod", "audit/a.go", "audit/deep/keep.txt", "inc/luded.go", "caf\u00e9.key", "# odd name"} {
		t.Run(hidden, func(t *testing.T) {
			b := newBench(t)
			rules := "/svc/.env.prod\r\naudit/\n!audit/deep/keep.txt\n*.pem\n!include more/rules\n\\# odd*\n"
			setup := func() {
				b.put("ws/.clineignore", rules, "ws/more/rules", "/inc/*\ncaf\u00e9.*\n", "ws/open.txt", "open\n", "ws/"+hidden, text)
			}
			setup()
			b.link(filepath.Join("ws", hidden), "alias-out") // out and back in
			b.link(hidden, "ws/alias")
			b.link(b.dir, "ws/far")
			b.link("..", "ws/up")
			b.link(".", "ws/here")
			b.link("../alias-out", "ws/chain")
			b.link(filepath.Join(b.dir, hidden), "ws/absolute")
			for _, form := range b.forms(hidden) {
				for _, c := range calls(form) {
					res := b.run(c)
					if strings.Contains(res.Text, "CANARY") || len(res.Images) > 0 {
						t.Errorf("%s %v shows it:\n%s", c.tool, c.args, res.Text)
					}
					if got := b.text("ws/" + hidden); got != text {
						t.Fatalf("%s %v changed it: %q", c.tool, c.args, got)
					}
					if b.text("ws/open.txt") != "open\n" { // moved to where such a name led elsewhere
						setup()
					}
				}
			}
			// What is around it tells nothing of it.
			for _, dir := range []string{".", "svc", "audit", "audit/deep", "inc", "far", "up", b.dir, "..", "file://" + b.dir} {
				for _, c := range []call{
					{"list_files", map[string]any{"path": dir, "recursive": true}}, {"list_files", map[string]any{"path": dir}},
					{"search_files", map[string]any{"path": dir, "regex": "K.Y"}}, {"search_files", map[string]any{"path": dir, "regex": ".*", "file_pattern": "*"}},
					{"list_code_definition_names", map[string]any{"path": dir}},
					{"read_file", map[string]any{"path": hidden[:len(hidden)-1] + "_"}}, // nearly its name
				} {
					res := b.run(c)
					if strings.Contains(res.Text, "CANARY") {
						t.Errorf("%s %v shows it:\n%s", c.tool, c.args, res.Text)
					}
					for line := range strings.Lines(res.Text) {
						line = strings.TrimSpace(line)
						if c.tool != "search_files" && (strings.HasSuffix(line, filepath.Base(hidden)) || line == "alias" || line == "chain" || line == "absolute") {
							t.Errorf("%s %v names it:\n%s", c.tool, c.args, res.Text)
						}
					}
				}
			}
		})
	}
}

// A rule holds from the moment it is written, and no longer than it stands there;
// each root has its own.
func TestHidingChanges(t *testing.T) {
	b := newBench(t, "other")
	b.put("ws/open.txt", "open\n", "ws/a.txt", "KEY=CANARY\n", "other/a.txt", "fine\n", "other/b.txt", "KEY=CANARY\n", "other/.clineignore", "b.txt\n", "ws/b.txt", "fine\n")
	sees := func(path string) bool {
		return b.run(call{"read_file", map[string]any{"path": path}}).Outcome == tools.OK
	}
	if !sees("@ws:a.txt") || sees("@other:b.txt") || !sees("@ws:b.txt") {
		t.Error("each root does not have rules of its own")
	}
	for _, step := range []struct {
		rules string
		want  bool
	}{{"a.txt\n", false}, {"a.txt\n!a.txt\n", true}, {"!include list\n", true}, {"", true}, {"*", false}} {
		b.put("ws/.clineignore", step.rules)
		if got := sees("@ws:a.txt"); got != step.want {
			t.Errorf("with %q seen: %v", step.rules, got)
		}
	}
	b.put("ws/.clineignore", "!include list\n", "ws/list", "a.*\n")
	if sees("@ws:a.txt") {
		t.Error("an included rule does not hold")
	}
	if err := os.Remove(filepath.Join(b.dir, "list")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(b.dir, "list"), 0o700); err != nil {
		t.Fatal(err)
	}
	if sees("@ws:a.txt") {
		t.Error("what cannot be read hides nothing")
	}
}

// Another case is another file where the file system tells them apart.
func TestHiddenInAnotherCase(t *testing.T) {
	b := newBench(t)
	b.put("ws/.clineignore", "/svc/.env.prod\n", "ws/svc/.env.prod", "KEY=CANARY\n", "ws/open.txt", "open\n")
	upper := strings.Map(unicode.ToUpper, "svc/.env.prod")
	for _, c := range calls(upper) {
		if res := b.run(c); strings.Contains(res.Text, "CANARY") {
			t.Errorf("%s %v: %s", c.tool, c.args, res.Text)
		}
	}
}
