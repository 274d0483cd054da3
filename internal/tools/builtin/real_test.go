package builtin

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"clined/internal/codedefs"
	"clined/internal/shell"
	"clined/internal/store"
	"clined/internal/tools"
	"clined/internal/workspace"
)

// The tests of this file run the tools on the real rooms beside them.

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// project is a real folder as an editor has it open.
type project struct {
	*task
	dir string
	ws  *workspace.Workspace
}

func newProject(t *testing.T, files map[string]string) *project {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &project{dir: filepath.Join(dir, "project")}
	if err := os.MkdirAll(p.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		p.put(t, name, text)
	}
	state := filepath.Join(dir, "state")
	stored := store.Open(state, store.Options{})
	t.Cleanup(func() { stored.Close() })
	kept, err := stored.Create(t.Context(), store.New{ID: "task", Cwd: dir})
	if err != nil {
		t.Fatal(err)
	}
	p.ws = workspace.New(workspace.Options{Roots: []string{p.dir}}).For("", nil, kept.Dir())
	tree := p.ws.Tree()
	commands := shell.New(shell.Options{Settings: func() shell.Settings { return shell.Settings{Shell: "/bin/sh"} }, LogDir: filepath.Join(kept.Dir(), "logs"), Lines: 100})
	t.Cleanup(func() {
		if err := commands.Close(); err != nil {
			t.Error(err)
		}
	})
	p.task = newTaskWith(t, Deps{
		Files: p.ws, Lister: tree, Searcher: tree, Definitions: codedefs.New(), Commands: commands, CWD: p.dir,
	}, kept)
	return p
}

func (p *project) put(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(p.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (p *project) wantDisk(name, text string) {
	p.t.Helper()
	raw, err := os.ReadFile(filepath.Join(p.dir, name))
	if err != nil || string(raw) != text {
		p.t.Errorf("%s holds %q (%v), want %q", name, raw, err, text)
	}
}

func TestRealEdits(t *testing.T) {
	for _, c := range []struct{ name, base, search, replace, want string }{
		{"CRLF", "red\r\ngreen\r\nblue\r\n", "red\ngreen", "RED\nlime\nolive", "RED\r\nlime\r\nolive\r\nblue\r\n"},
		{"byte order mark", "\xEF\xBB\xBFlet n = 7\n", "let n = 7", "let n = 8", "\xEF\xBB\xBFlet n = 8\n"},
		{"dollars", "say(x)\n", "say(x)", `say("$& $1 $$ ${1} $' \1 \\n")`, `say("$& $1 $$ ${1} $' \1 \\n")` + "\n"},
		{"legacy encoding", "name=caf\xE9\nprice=1\n", "price=1", "price=2", "name=caf\xE9\nprice=2\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newProject(t, map[string]string{"f": c.base})
			shown := p.call("read_file", "path", "f").Text
			if strings.Contains(shown, "\uFEFF") {
				t.Errorf("the model is shown a byte order mark: %q", shown)
			}
			wantText(t, p.call("replace_in_file", "path", "f", "diff", replace(c.search, c.replace)), tools.OK, "Edited f")
			p.wantDisk("f", c.want)
		})
	}
}

// A failed edit leaves bytes, time and mode as they were.
func TestRealFailedEdit(t *testing.T) {
	text := "source \"https://x\"\ngem \"a\"\n"
	p := newProject(t, map[string]string{"Gemfile": text})
	path := filepath.Join(p.dir, "Gemfile")
	old := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	diff := replace(`gem "a"`, `gem "c"`) + replace(`gem  "zzz"`, `gem "b"`)
	wantText(t, p.call("replace_in_file", "path", "Gemfile", "diff", diff), tools.Failed, "block 2", `gem "a"`, "nothing was changed")
	p.wantDisk("Gemfile", text)
	if info, err := os.Stat(path); err != nil || !info.ModTime().Equal(old) {
		t.Errorf("%v, %v", info.ModTime(), err)
	}
}

// A file with an unsaved buffer: the buffer is the truth.
func TestRealUnsavedBuffer(t *testing.T) {
	p := newProject(t, map[string]string{"a.txt": "ant\nbee\ncat\n"})
	path := filepath.Join(p.dir, "a.txt")
	p.call("read_file", "path", "a.txt")
	p.ws.Open(path, "text", 1, "ant\nbee\ncat\n")
	if err := p.ws.Change(path, 2, "elk\nant\nbee\n"); err != nil {
		t.Fatal(err)
	}
	wantText(t, p.call("write_to_file", "path", "a.txt", "content", "x\n"), tools.Failed, "a.txt changed since you read it", "+1 | elk")
	wantText(t, p.call("read_file", "path", "a.txt"), tools.OK, "a.txt (unsaved in the editor), 3 lines\n1 | elk")
	p.wantDisk("a.txt", "ant\nbee\ncat\n")
}

// What leads out of the workspace says so to who judges it.
func TestRealLinkOutside(t *testing.T) {
	p := newProject(t, map[string]string{"src/a.go": "package a\n\nfunc In() {}\n"})
	out := filepath.Join(filepath.Dir(p.dir), "out")
	if err := os.MkdirAll(out, 0o755); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{"export": out, "src/leak.go": filepath.Join(out, "x.go")} {
		if err := os.Symlink(target, filepath.Join(p.dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	p.deny = true
	p.call("write_to_file", "path", "export/new.txt", "content", "x")
	if s := p.action().Subject; !s.Paths[0].Outside || s.Paths[0].Real != filepath.Join(out, "new.txt") || !s.Edits[0].Path.Outside {
		t.Errorf("subject %+v", s)
	}
}

// The ignore file holds for every tool.
func TestRealIgnoreFile(t *testing.T) {
	p := newProject(t, map[string]string{".clineignore": "/svc/.env.prod\n", "svc/.env.prod": "KEY=CANARY\n"})
	if err := os.Symlink(filepath.Join(p.dir, "svc/.env.prod"), filepath.Join(p.dir, "link")); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"svc/.env.prod", "./svc/../svc/.env.prod", filepath.Join(p.dir, "svc/.env.prod"), "link"} {
		for _, res := range []tools.Result{
			p.call("read_file", "path", path),
			p.call("write_to_file", "path", path, "content", "x"),
			p.call("replace_in_file", "path", path, "diff", replace("KEY=CANARY", "x")),
			p.call("list_code_definition_names", "path", path),
			p.call("search_files", "path", path, "regex", "CANARY"),
		} {
			wantText(t, res, tools.Failed, "hidden by .clineignore")
			if strings.Contains(res.Text, "CANARY") {
				t.Errorf("%s: %s", path, res.Text)
			}
		}
	}
	for _, res := range []tools.Result{
		p.call("search_files", "path", ".", "regex", "CANARY"),
		p.call("list_files", "path", ".", "recursive", true),
		p.call("list_code_definition_names", "path", "svc"),
	} {
		if strings.Contains(res.Text, "CANARY\n") || strings.Contains(res.Text, "KEY") || strings.Contains(res.Text, "env.prod") {
			t.Errorf("hidden file shown:\n%s", res.Text)
		}
	}
	p.wantDisk("svc/.env.prod", "KEY=CANARY\n")
}

// The ignore file of git holds, and .venv is left out by its name only.
func TestRealList(t *testing.T) {
	p := newProject(t, map[string]string{
		".gitignore": ".venv/\n", ".venv/lib/x.py": "", ".github/workflows/ci.yml": "", "src/a.go": "", "README.md": "",
	})
	res := p.call("list_files", "path", ".", "recursive", true)
	for _, want := range []string{"\n.venv/", "\n.github/workflows/ci.yml", "\nsrc/a.go", "\nREADME.md"} {
		wantText(t, res, tools.OK, want)
	}
	if strings.Contains(res.Text, "x.py") {
		t.Errorf("an ignored directory is entered:\n%s", res.Text)
	}
	wantText(t, p.call("list_files", "path", ".github"), tools.OK, ".github (1 entry)\nworkflows/")
}

// What is cut is counted, and no file hides the others.
func TestRealSearch(t *testing.T) {
	p := newProject(t, map[string]string{
		"a_vendor/x.js": strings.Repeat("zebra\n", 500), "src/y.ts": "one\nzebra()\nthree\n", "src/open.ts": "nothing\n",
	})
	res := p.call("search_files", "path", ".", "regex", "zebra")
	wantText(t, res, tools.OK, "Showing 300 of 501 matches in 2 of 2 files.", "src/y.ts\n1-one\n2:zebra()\n3-three", "more in this file]")
	for range 5 {
		if again := p.call("search_files", "path", ".", "regex", "zebra"); again.Text != res.Text {
			t.Fatal("the same search gives another answer")
		}
	}
	// Unsaved text is what is searched.
	path := filepath.Join(p.dir, "src/open.ts")
	p.ws.Open(path, "typescript", 1, "zebra unsaved\n")
	wantExactly(t, p.call("search_files", "path", "src", "regex", "zebra\\s", "file_pattern", "*.ts"),
		"Found 1 match in 1 file.\n\nsrc/open.ts\n1:zebra unsaved")
	wantExactly(t, p.call("search_files", "path", "src/y.ts", "regex", "none"), "No matches in src/y.ts (1 file searched).")
	wantText(t, p.call("search_files", "path", "src", "regex", "zebra", "file_pattern", ".ts"), tools.OK, "Nothing was searched: no file in src has a name that fits `.ts`. Patterns are like *.go")
	p.put(t, "none/.keep/x.png", "\x00")
	wantText(t, p.call("search_files", "path", "none/.keep", "regex", "zebra"), tools.OK, "No matches in none/.keep (1 file searched).")
	wantText(t, p.call("search_files", "path", ".", "regex", "("), tools.Failed, "(")
	wantText(t, p.call("search_files", "path", "nowhere", "regex", "x"), tools.Failed, "nowhere")
}

func TestRealOutline(t *testing.T) {
	p := newProject(t, map[string]string{
		"s.go":  "package s\n\ntype Server struct{}\n\nfunc (s *Server) Run() error {\n\treturn nil\n}\n",
		"s.ts":  "export class Box {\n  open(): void {}\n}\n",
		"s.txt": "func no",
	})
	wantText(t, p.call("list_code_definition_names", "path", "s.go"), tools.OK, "2 definitions in s.go\n", "3 | type Server struct", "5 | func (s *Server) Run() error")
	wantText(t, p.call("list_code_definition_names", "path", "s.ts"), tools.OK, "1 | export class Box", "2 |   open(): void")
	wantText(t, p.call("list_code_definition_names", "path", "s.txt"), tools.Failed, "not known")
}

func TestRealCommands(t *testing.T) {
	p := newProject(t, nil)
	wantText(t, p.call("execute_command", "command", "pwd; printf 'no newline'"), tools.OK, "succeeded (exit code 0", "Output:\n"+p.dir+"\nno newline")
	wantText(t, p.call("execute_command", "command", "echo no >&2; exit 3"), tools.Failed, "failed with exit code 3", "\nno")
	wantText(t, p.call("execute_command", "command", "true"), tools.OK, "It printed nothing.")
	wantText(t, p.call("execute_command", "command", "kill -9 $$"), tools.Failed, "ended by a signal")
	wantText(t, p.call("execute_command", "command", "echo begun; sleep 600", "timeout", 1), tools.Failed, "stopped by its timeout", "begun")
	wantText(t, p.call("execute_command", "command", "sleep 600 >/dev/null 2>&1 & echo started"), tools.OK, "started", "still running in the background; what they print later is added to "+filepath.Dir(p.dir))
}

// The one line that matters in the middle can be read.
func TestRealLongOutput(t *testing.T) {
	p := newProject(t, nil)
	res := p.call("execute_command", "command", "seq 1 9999; echo ERROR; seq 10001 20000")
	wantText(t, res, tools.OK, "Of its output 19", "lines omitted, full output: ", "\n1\n2\n", "\n20000")
	_, rest, _ := strings.Cut(res.Text, "full output: ")
	log, _, _ := strings.Cut(rest, " …]")
	wantText(t, p.call("read_file", "path", log, "start_line", 10000, "end_line", 10000), tools.OK, "10000 | ERROR")
	if p.action().Subject.Paths[0].Outside {
		t.Error("reading on in one's own output counts as outside")
	}
}

func TestRealCommandCancelled(t *testing.T) {
	p := newProject(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	res := p.Run(ctx, tools.Call{Name: "execute_command", Args: tools.Args{"command": []byte(`"echo begun; sleep 600"`)},
		Emit: func(string) { cancel() }})
	wantText(t, res, tools.Cancelled, "The user stopped the command", "begun")
}

// Native texts land on disk byte for byte.
func TestRealVerbatim(t *testing.T) {
	p := newProject(t, nil)
	for i, text := range []string{
		`<m t="x &amp; y &lt; 1 &quot;q&quot;"/>`,
		"Ends with </content> and </write_to_file>, see <path>x</path>\n<![CDATA[ ]]>\n",
		"if a &lt; b &amp;&amp; c {",
		"mixed\r\nends\nand\rlone",
		"no newline at end",
		"1 | one\n2 | two\n", // numbers are only left out where each line of an edit has one
		"------- SEARCH\na\n=======\nb\n+++++++ REPLACE\n",
		"*** Begin Patch\n*** End Patch\n",
		"  \n\n\t\n",
	} {
		for _, name := range []string{"a.xml", "b.go", "c.md"} {
			name = fmt.Sprintf("%d/%s", i, name)
			wantText(t, p.call("write_to_file", "path", name, "content", text), tools.OK, "Created "+name)
			p.wantDisk(name, text)
		}
	}
}

// The model is told when what it reads may not be what is meant.
func TestRealEncodings(t *testing.T) {
	p := newProject(t, map[string]string{
		"utf8": "é\n", "latin1": "name=caf\xE9\n", "utf16": "\xFF\xFEa\x00\n\x00", "broken": "éé \xFF\n",
	})
	for name, want := range map[string]string{
		"utf8": "utf8, 1 line\n", "latin1": "encoding not known", "utf16": "utf16, 1 line, UTF-16\n1 | a", "broken": "UTF-8 with some invalid bytes",
	} {
		wantText(t, p.call("read_file", "path", name), tools.OK, want)
	}
	wantExactlyFailed(t, p.call("write_to_file", "path", "latin1", "content", "日\n"),
		`nothing was written: "latin1": the file is not in UTF-8 and its encoding is not known, so '日' cannot be written to it; use ASCII characters`)
}

// When a later file cannot be written, nothing is left of what was: no file, no
// folder, and modes and encodings are as before.
func TestRealPatchIsAllOrNothing(t *testing.T) {
	p := newProject(t, map[string]string{"a.txt": "one\r\ntwo\n", "latin1": "caf\xE9\nx\n", "mark": "\xEF\xBB\xBFx\n", "moved": "m\n"})
	if err := os.Chmod(filepath.Join(p.dir, "a.txt"), 0o640); err != nil {
		t.Fatal(err)
	}
	states := func() map[string]string {
		all := snapshot(t, p.dir)
		for name, state := range all { // what was put back is younger
			mode, _, _ := strings.Cut(state, " ")
			_, text, _ := strings.Cut(state, "\"")
			all[name] = mode + text
		}
		return all
	}
	before := states()
	patch := envelope(
		update("a.txt", "@@\n-two\n+2\n"), update("mark", "@@\n-x\n+y\n"), moved("moved", "else/where/m", "@@\n-m\n+M\n"),
		addition("new/deep/n", "+n\n"), update("latin1", "@@\n-x\n+日本\n"))
	wantText(t, p.call("apply_patch", "input", patch), tools.Failed, "latin1", "cannot be written",
		"What had been done before was taken back: new/deep/n, moved, mark, a.txt.")
	wantSame(t, "the failed patch", before, states())
	patch = strings.ReplaceAll(patch, "日本", "z")
	wantText(t, p.call("apply_patch", "input", patch), tools.OK, "Changed 5 files")
	p.wantDisk("a.txt", "one\r\n2\n")
	p.wantDisk("mark", "\xEF\xBB\xBFy\n")
	p.wantDisk("latin1", "caf\xE9\nz\n")
	p.wantDisk("else/where/m", "M\n")
	p.wantDisk("new/deep/n", "n\n")
}

// What has only entries that are left out is not said to be empty, and they are not
// named.
func TestRealListOfNothing(t *testing.T) {
	p := newProject(t, map[string]string{
		".clineignore": "svc/.env.*\n*.pem\nlogs/*\n", "svc/.env.prod": "", "keys/a.pem": "", "logs/deep/x": "", ".gitignore": "*.o\n", "build/a.o": "",
	})
	if err := os.Mkdir(filepath.Join(p.dir, "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"svc", "keys", "logs"} {
		for _, recursive := range []bool{false, true} {
			res := p.call("list_files", "path", dir, "recursive", recursive)
			wantText(t, res, tools.OK, "Nothing in "+dir+" is to be shown: what is there is hidden by .clineignore")
			if strings.Contains(res.Text, "env.") || strings.Contains(res.Text, "pem") || strings.Contains(res.Text, "deep") || strings.Contains(res.Text, "empty") {
				t.Errorf("%s: %s", dir, res.Text)
			}
		}
	}
	wantExactly(t, p.call("list_files", "path", "build"), "build (1 entry)\na.o")
	wantText(t, p.call("list_files", "path", "build", "recursive", true), tools.OK, "or ignored by git; list it without recursive")
	wantExactly(t, p.call("list_files", "path", "empty"), "empty is empty.")
	wantExactly(t, p.call("list_files", "path", "empty", "recursive", true), "empty is empty.")
}
