package builtin

import (
	"errors"
	"strings"
	"testing"

	"clined/internal/tools"
)

func (k *task) wantFile(name, text string) {
	k.t.Helper()
	if got, ok := k.w.files["/w/"+name]; !ok || got != text {
		k.t.Errorf("%s holds %q (there: %v), want %q", name, got, ok, text)
	}
}

func TestWriteCreates(t *testing.T) {
	k := newTask(t, newWorld(nil))
	res := k.call("write_to_file", "path", "src/a.go", "content", "package a\n\nvar X = \"&lt;\"\n")
	wantExactly(t, res, "Created src/a.go (3 lines).")
	k.wantFile("src/a.go", "package a\n\nvar X = \"&lt;\"\n") // Native texts are verbatim
	a := k.action()
	if a.Title != "Create src/a.go" || a.Subject.Kind != tools.Edit || a.Subject.Tool != "write_to_file" {
		t.Errorf("title %q, subject %+v", a.Title, a.Subject)
	}
	e := a.Subject.Edits[0]
	if e.Op != "create" || e.Base != "" || !strings.Contains(e.Diff, "+package a") || e.Path.Abs != "/w/src/a.go" {
		t.Errorf("edit %+v", e)
	}
	if res.Title != a.Title || len(res.Locations) != 1 || !strings.Contains(res.Diff, "+package a") {
		t.Errorf("result for people: %q, %v, %q", res.Title, res.Locations, res.Diff)
	}
}

func TestWriteReplaces(t *testing.T) {
	k := newTask(t, newWorld(map[string]string{"a": "one\ntwo\nthree\n"}))
	res := k.call("write_to_file", "absolutePath", "/w/a", "content", "one\n2\nthree\n")
	wantExactly(t, res, "Edited a: 1 added, 1 removed.\n 1 | one\n-2 | two\n+2 | 2\n 3 | three")
	k.wantFile("a", "one\n2\nthree\n")
	if e := k.action().Subject.Edits[0]; e.Op != "modify" || k.action().Title != "Edit a" {
		t.Errorf("edit %+v", e)
	}
	// The same text again writes nothing, and asks for no more than reading.
	w := k.w.writes
	wantExactly(t, k.call("write_to_file", "path", "a", "content", "one\n2\nthree\n"), "a already holds exactly this text; nothing was written.")
	if a := k.action(); k.w.writes != w || a.Subject.Kind != tools.Read {
		t.Errorf("%d writes, kind %s", k.w.writes-w, a.Subject.Kind)
	}
}

// An empty content empties the file.
func TestWriteEmpties(t *testing.T) {
	k := newTask(t, newWorld(map[string]string{"t.txt": "junk\n"}))
	wantText(t, k.call("write_to_file", "path", "t.txt", "content", ""), tools.OK, "Edited t.txt: 0 added, 1 removed.")
	k.wantFile("t.txt", "")
	wantText(t, k.call("write_to_file", "path", "new", "content", ""), tools.OK, "Created new (0 lines).")
	wantText(t, k.call("write_to_file", "path", "new"), tools.Failed, `"content" is missing`)
}

func TestWriteRefuses(t *testing.T) {
	w := newWorld(map[string]string{"dir/x": "", "bin": "\x00"})
	w.hidden["/w/.env"] = true
	k := newTask(t, w)
	for path, want := range map[string]string{"dir": "dir is a directory", "bin": "binary", ".env": "hidden", "": "empty"} {
		wantText(t, k.call("write_to_file", "path", path, "content", "x"), tools.Failed, want, "; nothing was changed")
		wantText(t, k.call("replace_in_file", "path", path, "diff", replace("x", "y")), tools.Failed, want, "; nothing was changed")
	}
	k.wantNoEdits() // for something that cannot be done
	w.writeErr = errors.New("no space left on device")
	wantExactlyFailed(t, k.call("write_to_file", "path", "n", "content", "x"), "nothing was written: no space left on device")
}

// Why an edit cannot be done shows what is in the file, so nothing of it is told
// before reading that was allowed.
func TestRefusalsAreJudgedAsReading(t *testing.T) {
	text := "root:x:0:0:root:/root:/bin/bash\nSECRET\n"
	w := newWorld(nil)
	w.files["/etc/passwd"], w.files["/etc/dir/x"] = text, "SECRET"
	for tool, args := range map[string][]any{
		"replace_in_file": {"diff", replace("root:x:0:0:root:/root:/bin/sh", "x")},
		"write_to_file":   {"content", "// ... rest of code unchanged ..."},
		"list_files":      nil, "list_code_definition_names": nil, "read_file": nil,
	} {
		for _, p := range []string{"/etc/passwd", "/etc/dir", "/etc/none"} {
			k := newTask(t, w)
			k.deny = true
			res := k.call(tool, append(args, "path", p)...)
			if res.Text != "denied" {
				t.Errorf("%s %s without a yes: %s", tool, p, res.Text)
			}
			if s := k.action().Subject; s.Kind != tools.Edit && (s.Kind != tools.Read || len(s.Paths) != 1 || !s.Paths[0].Outside) {
				t.Errorf("%s %s is judged as %+v", tool, p, s)
			}
		}
	}
	k := newTask(t, w)
	wantText(t, k.call("replace_in_file", "path", "/etc/passwd", "diff", replace("root:x:0:0:root:/root:/bin/sh", "x")), tools.Failed, "/bin/bash")
	k.wantNoEdits()
}

func wantExactlyFailed(t *testing.T, res tools.Result, text string) {
	t.Helper()
	if res.Outcome != tools.Failed || res.Text != text {
		t.Errorf("outcome %q, text %q, want %q", res.Outcome, res.Text, text)
	}
}

// Line ends of whole texts are those of the file, untouched lines keep
// theirs even where they are mixed.
func TestWriteKeepsLineEnds(t *testing.T) {
	mixed := strings.Repeat("a\r\n", 9) + "lone\n" + "z\r\n"
	for _, c := range []struct{ base, content, want, note string }{
		{"red\r\ngreen\r\n", "red\nlime\nolive\n", "red\r\nlime\r\nolive\r\n", "The line ends of the file were kept (CRLF)."},
		{"red\ngreen\n", "red\r\nlime\r\n", "red\nlime\n", "kept (LF)"},
		{mixed, strings.Repeat("a\n", 9) + "lone\nnew\n", strings.Repeat("a\r\n", 9) + "lone\nnew\r\n", "kept (mixed)"},
		{mixed, strings.Repeat("a\n", 9) + "lone\nz", strings.Repeat("a\r\n", 9) + "lone\nz", "kept (mixed)"},
		{"a\r\nb\nc\r\nd\r\n", "a\nB\nC\nnew\nd\n", "a\r\nB\nC\r\nnew\r\nd\r\n", "kept (mixed)"}, // each its own
		{"no end", "x\r\ny\n", "x\r\ny\n", ""},
		{"", "x\r\ny\n", "x\r\ny\n", ""},
		{"a\rb\rc\r", "a\nX\nc\n", "a\rX\rc\r", "kept (CR)"},
		{"a\rb\rc", "a\r\nb\r\n", "a\rb\r", "kept (CR)"},
		{"a\r", "a\r\nb\r\n", "a\rb\r", "kept (CR)"},
		{"10 %\r100 %", "begun\ndone\n", "begun\ndone\n", ""},             // one CR is none of a line's end
		{"50 %\r100 %", "50 %\r100 %\ndone\n", "50 %\r100 %\ndone\n", ""}, // CR is a sign of the text, as it says itself
		{"x\n", "\uFEFFy\n", "y\n", ""},                                   // The mark is the file's, never part of the text
	} {
		k := newTask(t, newWorld(map[string]string{"f.go": c.base}))
		wantText(t, k.call("write_to_file", "path", "f.go", "content", c.content), tools.OK, c.note)
		k.wantFile("f.go", c.want)
	}
}

// An outer fence is no part of a program, but may be of a document.
func TestWriteFence(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"a.py", "```python\nprint(1)\n```", "print(1)\n"},
		{"a.py", "```\nprint(1)\n```\n", "print(1)\n"},
		{"a.py", "````py\nx = '''\n```\n'''\n````", "x = '''\n```\n'''\n"},
		{"a.py", "~~~python\nprint(1)\n~~~\n", "print(1)\n"},
		{"a.py", "~~~\nprint(1)\n```\n", ""},
		{"a.md", "~~~\nprint(1)\n~~~\n", ""},
		{"a.py", "```\n```", ""},
		{"a.py", "```\na\n```\nb\n```\nc\n```", ""}, // kept, see below
		{"a.py", "print('```')", ""},
		{"a.py", "```python\nprint(1)\n", ""},
		{"README.md", "```sh\nmake\n```\n", ""},
		{"notes.txt", "```\na\n```", ""},
		{"README", "```\na\n```", ""},
		{"sub/Makefile", "```make\nall:\n\techo\n```", "all:\n\techo\n"},
	} {
		k := newTask(t, newWorld(nil))
		res := k.call("write_to_file", "path", c.name, "content", c.content)
		want := c.want
		if want == "" && c.content != "```\n```" {
			want = c.content
		}
		k.wantFile(c.name, want)
		if told := strings.Contains(res.Text, "code fence"); told != (want != c.content) {
			t.Errorf("%s %q: told of the fence: %v", c.name, c.content, told)
		}
	}
}

// Text that stands for more text, and texts that only look like it.
func TestWriteLazyAnswer(t *testing.T) {
	long := manyLines(300)
	k := newTask(t, newWorld(map[string]string{"a.ts": long, "doc.md": long + "# The rest of the code stays unchanged\n"}))
	res := k.call("write_to_file", "path", "a.ts", "content", manyLines(19)+"// ... rest of code unchanged ...\n")
	wantText(t, res, tools.Failed, "nothing was written", "20 lines where the file has 300", "line 20 (// ... rest of code unchanged ...)", "replace_in_file")
	k.wantFile("a.ts", long)
	full := strings.Replace(long, "line 7\n", "visible: number // currently visible content\n", 1)
	wantText(t, k.call("write_to_file", "path", "a.ts", "content", full), tools.OK, "Edited a.ts")
	wantText(t, k.call("write_to_file", "path", "new.ts", "content", "// ... rest of code unchanged ...\n"), tools.OK, "Created")
	// A line that the file had already is no placeholder.
	wantText(t, k.call("write_to_file", "path", "doc.md", "content", "# The rest of the code stays unchanged\n"), tools.OK, "Edited")
}

// Whole-file writes over a file that changed since it was read.
func TestWriteOverChangedFile(t *testing.T) {
	k := newTask(t, newWorld(map[string]string{"a.txt": "ant\nbee\ncat\n"}))
	k.call("read_file", "path", "a.txt")
	k.w.set("a.txt", "elk\nant\nbee\n")
	res := k.call("write_to_file", "path", "a.txt", "content", "ant\nBEE\ncat\n")
	wantText(t, res, tools.Failed, "nothing was written: a.txt changed since you read it", "+1 | elk", "-3 | cat")
	k.wantFile("a.txt", "elk\nant\nbee\n")
	k.wantNoEdits()
	// Told of the change, the model may write.
	wantText(t, k.call("write_to_file", "path", "a.txt", "content", "elk\nant\nBEE\n"), tools.OK, "Edited a.txt")
	// Its own writes are no changes behind its back, and neither is an unread file.
	wantText(t, k.call("write_to_file", "path", "a.txt", "content", "elk\n"), tools.OK, "Edited a.txt")
	k.w.set("b.txt", "x\n")
	wantText(t, k.call("write_to_file", "path", "b.txt", "content", "y\n"), tools.OK, "Edited b.txt")
	// Other line ends are no change; a removed file is.
	k.w.set("b.txt", "y\r\n")
	wantText(t, k.call("write_to_file", "path", "b.txt", "content", "z\n"), tools.OK, "Edited b.txt")
	delete(k.w.files, "/w/b.txt")
	wantText(t, k.call("write_to_file", "path", "b.txt", "content", "z\n"), tools.Failed, "b.txt was removed since you last saw it")
	wantText(t, k.call("write_to_file", "path", "b.txt", "content", "z\n"), tools.OK, "Created b.txt")
}

func TestWriteOverChangedFileTooBigToKeep(t *testing.T) {
	big := strings.Repeat(strings.Repeat("x", 99)+"\n", memoryBytes/100+1)
	k := newTask(t, newWorld(map[string]string{"big": big}))
	k.call("read_file", "path", "big")
	k.w.set("big", "new first\n"+big)
	wantText(t, k.call("write_to_file", "path", "big", "content", big), tools.Failed, "big changed since you read it", "1 | new first")
}

// The file changes while the user looks at the proposal.
func TestChangedWhileWaiting(t *testing.T) {
	k := newTask(t, newWorld(map[string]string{"a.txt": "ant\nbee\ncat\n"}))
	k.between = func() { k.w.set("a.txt", "elk\nant\nbee\n") }
	wantText(t, k.call("write_to_file", "path", "a.txt", "content", "x\n"), tools.Failed, "a.txt was not written: it changed since you read it", "+1 | elk")
	k.wantFile("a.txt", "elk\nant\nbee\n")

	// An edit that still fits one place is made on the present text.
	k.w.set("a.txt", "ant\nbee\ncat\n")
	res := k.call("replace_in_file", "path", "a.txt", "diff", replace("bee", "BEE"))
	wantText(t, res, tools.OK, "The file had changed meanwhile", "+3 | BEE")
	k.wantFile("a.txt", "elk\nant\nBEE\n")

	// One that does not fit any more changes nothing.
	k.w.set("a.txt", "ant\nbee\ncat\n")
	wantText(t, k.call("replace_in_file", "path", "a.txt", "diff", replace("cat", "CAT")), tools.Failed, "changed while the edit waited", "nothing was changed")
	k.wantFile("a.txt", "elk\nant\nbee\n")

	// The user's own version was made from what they saw: it is not forced on another text.
	k.w.set("a.txt", "ant\nbee\ncat\n")
	k.decision.Edited = map[string]string{"/w/a.txt": "ant\nBEE!\ncat\n"}
	wantText(t, k.call("replace_in_file", "path", "a.txt", "diff", replace("bee", "BEE")), tools.Failed, "not written: it changed")
	k.wantFile("a.txt", "elk\nant\nbee\n")

	k.decision.Edited = nil
	k.between = func() { delete(k.w.files, "/w/a.txt") }
	wantText(t, k.call("write_to_file", "path", "a.txt", "content", "x\n"), tools.Failed, "removed or replaced meanwhile")
	k.between = func() { k.w.set("new", "theirs") }
	wantText(t, k.call("write_to_file", "path", "new", "content", "x\n"), tools.Failed, "not written")
	k.wantFile("new", "theirs")
}

func TestReplace(t *testing.T) {
	k := newTask(t, newWorld(map[string]string{"a.go": "func a() {\n\tx()\n}\n", "twice": "x\ny\nx\n"}))
	res := k.call("replace_in_file", "path", "a.go", "diff", replace("\tx()", "\ty(\"$& $1 \\\\1\")"))
	wantText(t, res, tools.OK, "Edited a.go: 1 added, 1 removed.\n 1 | func a() {\n-2 | \tx()\n+2 | \ty(\"$& $1 \\\\1\")\n 3 | }")
	k.wantFile("a.go", "func a() {\n\ty(\"$& $1 \\\\1\")\n}\n")
	if e := k.action().Subject.Edits[0]; e.Op != "modify" || e.Base != "func a() {\n\tx()\n}\n" || e.Proposed != k.w.files["/w/a.go"] {
		t.Errorf("edit %+v", e)
	}
	for _, c := range []struct{ path, diff, want string }{
		{"a.go", "no blocks", "nothing was changed"},
		{"a.go", replace("zzz", "y"), "nothing was changed"},
		{"twice", replace("x", "z"), "nothing was changed"},
		{"none", replace("x", "z"), "none does not exist. Nothing was changed; write_to_file creates files"},
	} {
		before := k.w.writes
		wantText(t, k.call("replace_in_file", "path", c.path, "diff", c.diff), tools.Failed, c.want)
		if k.w.writes != before {
			t.Errorf("%q wrote", c.diff)
		}
	}
	// An empty REPLACE deletes, an empty SEARCH fills a new file.
	wantText(t, k.call("replace_in_file", "path", "twice", "diff", search("y")+"+++++++ REPLACE"), tools.OK, "0 added, 1 removed")
	k.wantFile("twice", "x\nx\n")
	wantText(t, k.call("replace_in_file", "path", "fresh", "diff", "------- SEARCH\n=======\nhello\n+++++++ REPLACE"), tools.OK, "Created fresh (1 line)")
	k.wantFile("fresh", "hello\n")
}

// The user's touch-up of the proposal is saved and told, and without one
// none is reported, whatever the line ends.
func TestUserEditsProposal(t *testing.T) {
	k := newTask(t, newWorld(map[string]string{"a": "1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n"}))
	k.decision.Edited = map[string]string{"/w/a": "1\n2\n3\n4\nFIVE\nsix!\n"}
	res := k.call("replace_in_file", "path", "a", "diff", replace("5", "FIVE"))
	k.wantFile("a", "1\r\n2\r\n3\r\n4\r\nFIVE\r\nsix!\r\n")
	wantText(t, res, tools.OK, "+5 | FIVE", "+6 | six!", "The user changed your proposal", "-6\n+six!")
	if theirs := res.Text[strings.Index(res.Text, "The user changed"):]; strings.Contains(theirs, "+FIVE") {
		t.Errorf("the model's own change is reported as the user's:\n%s", theirs)
	}
	k.decision.Edited = map[string]string{"/w/a": "1\n2\n3\n4\n5\nsix!\n"} // equal to the proposal but for CRLF
	if res := k.call("replace_in_file", "path", "a", "diff", replace("FIVE", "5")); strings.Contains(res.Text, "user") {
		t.Errorf("reports a change of the user that is none:\n%s", res.Text)
	}
}

// What the formatter did is told as such, and the next edit works from it.
func TestFormatterOnSave(t *testing.T) {
	k := newTask(t, newWorld(map[string]string{"a.js": "x = 'a'\ny = 1"}))
	k.w.format = func(s string) string { return strings.ReplaceAll(s, "'", "\"") + "\n" }
	k.w.problems, k.w.gone = "line 1: error: x is not defined (eslint)", "line 3: error: y is not defined (eslint)"
	res := k.call("replace_in_file", "path", "a.js", "diff", replace("y = 1", "y = 'b'"))
	wantText(t, res, tools.OK, "The editor formatted the file", "+x = \"a\"", "New problems in the editor after this edit:\nline 1: error: x", "Problems that are gone with it:\nline 3: error: y")
	if strings.Contains(res.Text, "user") {
		t.Errorf("formatting is reported as the user's:\n%s", res.Text)
	}
	k.w.format, k.w.problems, k.w.gone, k.w.unsaved = nil, "", "", true
	res = k.call("write_to_file", "path", "a.js", "content", "done\n")
	wantText(t, res, tools.OK, "The change is in the editor and not saved yet")
}

func TestDeniedEditWritesNothing(t *testing.T) {
	k := newTask(t, newWorld(map[string]string{"a": "x\n"}))
	k.deny = true
	if res := k.call("replace_in_file", "path", "a", "diff", replace("x", "y")); res.Outcome != tools.Denied || k.w.writes != 0 {
		t.Errorf("%+v, %d writes", res, k.w.writes)
	}
}

func FuzzLineEnds(f *testing.F) {
	f.Add("a\r\nb\nc\r\n", "a\nx\nc\n")
	f.Add("a\nb\r\n", "")
	f.Add("\r\n\n", "\n\n\n")
	f.Add("a\r\n\r\nb\n", "a\n\nb")
	f.Fuzz(func(t *testing.T, base, text string) {
		if strings.Contains(base+text, "\r\r") { // lone CRs are bytes like others, but confuse the check
			return
		}
		got := withLineEnds(base, text)
		if !strings.Contains(base, "\n") && endsInCR(base) {
			got = strings.ReplaceAll(got, "\r", "\n")
		}
		if lf(got) != lf(text) {
			t.Fatalf("text changed: %q from %q", got, text)
		}
		if lf(base) == lf(text) && strings.Contains(base, "\n") && got != base {
			t.Fatalf("an unchanged text lost its line ends: %q, was %q", got, base)
		}
	})
}

func FuzzUnfence(f *testing.F) {
	f.Add("```go\nx\n```")
	f.Add("```\n```")
	f.Add("``````")
	f.Fuzz(func(t *testing.T, text string) {
		if inner, ok := unfence("a.go", text); ok && !strings.Contains(lf(text), strings.TrimSuffix(inner, "\n")) {
			t.Fatalf("%q from %q", inner, text)
		}
		standsForMore("a.go", text)
	})
}

// The head of a patch of a file outside of the workspace is as git writes it.
func TestPatchOfAFileOutside(t *testing.T) {
	k := newTask(t, newWorld(map[string]string{"/etc/a": "1\n"}))
	res := k.call("write_to_file", "path", "/etc/a", "content", "2\n")
	const head = "--- a/etc/a\n+++ b/etc/a\n@@ "
	if e := k.action().Subject.Edits; res.Outcome != tools.OK || !strings.HasPrefix(res.Diff, head) {
		t.Errorf("%s\n%s\n%+v", res.Text, res.Diff, e)
	} else if !strings.HasPrefix(e[0].Diff, head) {
		t.Errorf("to be approved: %s", e[0].Diff)
	}
	k.decision.Edited = map[string]string{"/etc/a": "4\n"}
	if res := k.call("write_to_file", "path", "/etc/a", "content", "3\n"); !strings.Contains(res.Text, head) {
		t.Errorf("the user's version: %s", res.Text)
	}
}
