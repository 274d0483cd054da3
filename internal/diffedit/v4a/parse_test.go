package v4a

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"clined/internal/diffedit"
)

// emit writes a patch in the form that the format's own tools write.
func emit(files []File) string {
	var b strings.Builder
	b.WriteString("*** Begin Patch\n")
	for _, f := range files {
		switch f.Op {
		case Add:
			fmt.Fprintf(&b, "*** Add File: %s\n", f.Path)
			for l := range strings.Lines(f.Content) {
				b.WriteString("+" + strings.TrimSuffix(l, "\n") + "\n")
			}
			if f.Content != "" && !strings.HasSuffix(f.Content, "\n") {
				b.WriteString("\\ No newline at end of file\n")
			}
		case Delete:
			fmt.Fprintf(&b, "*** Delete File: %s\n", f.Path)
		case Update:
			fmt.Fprintf(&b, "*** Update File: %s\n", f.Path)
			if f.MoveTo != "" {
				fmt.Fprintf(&b, "*** Move to: %s\n", f.MoveTo)
			}
			for _, c := range f.Chunks {
				emitChunk(&b, c)
			}
		}
	}
	b.WriteString("*** End Patch\n")
	return b.String()
}

func emitChunk(b *strings.Builder, c Chunk) {
	if len(c.Anchors) == 0 {
		b.WriteString("@@\n")
	}
	for _, a := range c.Anchors {
		if a.Heading {
			fmt.Fprintf(b, "@@ -1 +1 @@ %s\n", a.Text)
		} else {
			fmt.Fprintf(b, "@@ %s\n", a.Text)
		}
	}
	for i, l := range c.Lines {
		if l.Sign != Unsigned {
			b.WriteByte(byte(l.Sign))
		}
		b.WriteString(l.Text + "\n")
		if i == len(c.Lines)-1 && (c.bareBefore && l.Sign != Insert || c.bareAfter && l.Sign != Remove) {
			b.WriteString("\\ No newline at end of file\n")
		}
	}
	if c.AtEnd && !c.bareBefore && !c.bareAfter {
		b.WriteString("*** End of File\n")
	}
}

// mustParse parses a patch that has to be good.
func mustParse(t testing.TB, patch string) *Patch {
	t.Helper()
	p, err := Parse(patch)
	if err != nil {
		t.Fatalf("%v\n%s", err, patch)
	}
	return p
}

const plain = `*** Begin Patch
*** Update File: src/a.go
*** Move to: src/b.go
@@ class A
@@     def run():
 keep
-	old
+	new *** End Patch

 tail
*** End of File
@@
 *** End Patch
+*** End Patch
+*** Begin Patch
-*** Delete File: x
*** Add File: c.txt
+one
+
+  *** End Patch
*** Delete File: d e.txt
*** Update File: e
*** Move to: f
*** Add File: g
*** End Patch
`

// each runs f on every line but the last, empty, one.
func each(patch string, f func(line string) string) string {
	lines := strings.Split(strings.TrimSuffix(patch, "\n"), "\n")
	for i, l := range lines {
		lines[i] = f(l)
	}
	return strings.Join(lines, "\n") + "\n"
}

func indented(by string) string {
	return each(plain, func(l string) string { return by + l })
}

// marked runs f on every line that is a marker.
func marked(f func(line string) string) string {
	return each(plain, func(l string) string {
		if strings.HasPrefix(l, "*** ") {
			return f(l)
		}
		return l
	})
}

// All of these are the same patch.
func TestForms(t *testing.T) {
	want := emit(mustParse(t, plain).Files)
	if want != plain {
		t.Fatalf("the plain form comes back as\n%s", want)
	}
	const begin, end = "*** Begin Patch\n", "*** End Patch\n"
	body := strings.TrimSuffix(strings.TrimPrefix(plain, begin), end)
	for name, patch := range map[string]string{
		"indented by one":   indented(" "),
		"indented by four":  indented("    "),
		"indented by a tab": indented("\t"),
		"indented, blanks cut": each(indented("    "), func(l string) string {
			if strings.Trim(l, " ") == "" {
				return ""
			}
			return l
		}),
		"indented, End not":               strings.TrimSuffix(indented("  "), "  "+end) + end,
		"Begin alone not indented":        begin + strings.TrimPrefix(indented("  "), "  "+begin),
		"CRLF":                            strings.ReplaceAll(plain, "\n", "\r\n"),
		"CRLF, no last end":               strings.TrimSuffix(strings.ReplaceAll(plain, "\n", "\r\n"), "\r\n"),
		"indented and CRLF":               strings.ReplaceAll(indented("  "), "\n", "\r\n"),
		"no last line end":                strings.TrimSuffix(plain, "\n"),
		"blank lines behind":              plain + "\n \n\n",
		"heredoc":                         "apply_patch <<'EOF'\n" + plain + "EOF\n",
		"heredoc, other word":             "apply_patch <<\"PATCH_END\"\n" + plain + "PATCH_END",
		"heredoc, indenting":              "apply_patch <<-EOF\n" + indented("\t") + "\tEOF\n",
		"heredoc, no End":                 "apply_patch << 'STOP'\n" + begin + body + "STOP\n",
		"bash magic":                      "%%bash\napply_patch <<\"EOF\"\n" + plain + "EOF",
		"bash -lc":                        "bash -lc \"apply_patch <<'EOF'\n" + plain + "EOF\n\"",
		"bash -lc, cd":                    "bash -lc 'cd /x && apply_patch <<\"EOF\"\n" + plain + "EOF'",
		"quoted argument, closed at once": "apply_patch \"" + strings.TrimSuffix(plain, "\n") + "\"",
		"quoted argument":                 "apply_patch '" + plain + "'",
		"fence":                           "```\n" + plain + "```\n",
		"fence with a word":               "Here it is:\n\n```diff\n" + plain + "```\n\nThat was *** all of it.",
		"fence, indented":                 "1. So:\n   ```patch\n" + indented("   ") + "   ```\n",
		"fence, no End":                   "```\n" + begin + body + "```\n",
		"longer fence, no End":            "````text\n" + begin + body + "````\n\n",
		"prose around":                    "I'll edit two files.\n---\n" + plain + "\nDone: - one\n+ two\n@@ three",
		"neither":                         body,
		"no End":                          begin + body,
		"no Begin":                        body + end,
		"prose, no Begin":                 "The patch:\n" + body + end,
		"End cut off":                     begin + body + "*** End Pa",
		"End nearly cut off":              begin + body + "***",
		"small letters": marked(func(l string) string {
			if strings.Contains(l, ":") {
				return strings.NewReplacer("Update File:", "update file:", "Move to:", "move TO:", "Add", "ADD", "Delete F", "delete f").Replace(l)
			}
			return strings.ToLower(l)
		}),
		"no blank behind stars":   marked(func(l string) string { return "***" + l[4:] }),
		"stars behind":            marked(func(l string) string { return l + " ***" }),
		"no blank before paths":   marked(func(l string) string { return strings.Replace(l, ": ", ":", 1) }),
		"blanks before colons":    marked(func(l string) string { return strings.Replace(l, ": ", " : ", 1) }),
		"blanks behind markers":   marked(func(l string) string { return l + " \t " }),
		"blank lines before":      marked(func(l string) string { return "\n" + l }),
		"blank lines behind @@":   strings.ReplaceAll(plain, "\n@@\n", "\n\n@@\n\n"),
		"back-ticks around paths": strings.NewReplacer("src/a.go", "`src/a.go`", "d e.txt", "`d e.txt`").Replace(plain),
		"quotes around paths":     strings.NewReplacer("src/a.go", `"src/a.go"`, "d e.txt", "'d e.txt'", "src/b.go", "\"src/b.go\"  ").Replace(plain),
		"blanks behind paths":     strings.NewReplacer("src/a.go", "src/a.go \t ", "d e.txt", "d e.txt ").Replace(plain),
		"a lost plus":             strings.Replace(plain, "+one\n+\n", "+one\n\n", 1),
		"one envelope per file":   strings.Replace(plain, "*** Add File", end+"\nand\n\n"+begin+"*** Add File", 1),
		"an empty chunk behind":   strings.Replace(plain, "*** Add File: c", "@@\n*** Add File: c", 1),
		"closed anchors":          strings.Replace(plain, "@@ class A\n", "@@ class A @@\n", 1),
		"@@ before added lines":   strings.Replace(plain, "+one\n", "@@ -0,0 +1,3 @@\n+one\n", 1),
		"diff headers inside":     strings.Replace(plain, "@@ class A\n", "diff --git a/x b/x\nindex 123..456\n--- a/src/a.go\n+++ b/src/b.go\n@@ class A\n", 1),
	} {
		t.Run(name, func(t *testing.T) {
			p, err := Parse(patch)
			if err != nil {
				t.Fatalf("%v\n%s", err, patch)
			}
			if got := emit(p.Files); got != want {
				t.Errorf("got\n%s\nfrom\n%s", got, patch)
			}
			if q, err := parsePieces(patch, 7); err != nil || emit(q.Files) != want {
				t.Errorf("in pieces it differs: %v", err)
			}
		})
	}
}

func parsePieces(patch string, size int) (*Patch, error) {
	var p Parser
	for at := 0; at < len(patch); at += size {
		p.Write(patch[at:min(at+size, len(patch))])
		p.Files()
	}
	return p.Close()
}

// What the parts of a patch mean.
func TestParse(t *testing.T) {
	for _, c := range []struct{ name, patch, want string }{
		{"no @@ before the first chunk", "*** Update File: a\n-x\n+y\n", "*** Update File: a\n@@\n-x\n+y\n"},
		{"lost blanks", "*** Update File: a\nfunc f() {\n\n-\tx\n+\ty\n}\n\n", "*** Update File: a\n@@\nfunc f() {\n\n-\tx\n+\ty\n}\n"},
		{"stars in context without a blank", "*** Update File: a\n***\n*** note\n-x\n", "*** Update File: a\n@@\n***\n*** note\n-x\n"},
		{"numbers count for nothing", "*** Update File: a\n@@ -1,3 +1,4 @@\n x\n-y\n", "*** Update File: a\n@@\n x\n-y\n"},
		{"a heading", "*** Update File: a\n@@ -1,3 +1,4 @@ func f()\n-y\n", "*** Update File: a\n@@ -1 +1 @@ func f()\n-y\n"},
		{"numbers, not closed", "*** Update File: a\n@@ -1 +1\n-y\n", "*** Update File: a\n@@\n-y\n"},
		{"dots", "*** Update File: a\n@@ ... @@\n-y\n", "*** Update File: a\n@@\n-y\n"},
		{"anchor without a blank", "*** Update File: a\n@@def f():\n-y\n", "*** Update File: a\n@@ def f():\n-y\n"},
		{"an anchor alone goes with the next", "*** Update File: a\n@@ class A\n\n@@\n-y\n", "*** Update File: a\n@@ class A\n-y\n"},
		{"indented at first only", "  *** Begin Patch\n  *** Update File: a\n  -x\n*** Update File: b\n   y\n-x\n", "*** Update File: a\n@@\n-x\n*** Update File: b\n@@\n   y\n-x\n"},
		{"fence in the middle is text", "*** Update File: a\n```\n-y\n+z\n```\n x\n", "*** Update File: a\n@@\n```\n-y\n+z\n```\n x\n"},
		{"fence before End is text", "*** Update File: a\n-y\n```\n*** End Patch\n```", "*** Update File: a\n@@\n-y\n```\n"},
		{"signed words that end heredocs are text", "*** Update File: a\n-y\n EOF\n+EOF\n", "*** Update File: a\n@@\n-y\n EOF\n+EOF\n"},
		{"move to itself", "*** Update File: a\n*** Move to: ./a\n-x\n", "*** Update File: a\n@@\n-x\n"},
		{"no newline behind +", "*** Add File: a\n+x\n\\ No newline at end of file\n", "*** Add File: a\n+x\n\\ No newline at end of file\n"},
		{"CR in a file that is added", "*** Add File: a.bat\n+x\r\n+y\r\n*** End Patch\n", "*** Add File: a.bat\n+x\r\n+y\r\n"},
		{"absolute and upward paths", "*** Delete File: /etc/x\n*** Delete File: ../y\n*** Delete File: C:\\z w\\q.txt\n", "*** Delete File: /etc/x\n*** Delete File: ../y\n*** Delete File: C:\\z w\\q.txt\n"},
		{"removed lines of a deleted file", "*** Delete File: a\n@@\n-x\n-y\n", "*** Delete File: a\n"},
		{"entities and escapes stay", "*** Add File: a\n+&lt;\\n$1\\\\\n", "*** Add File: a\n+&lt;\\n$1\\\\\n"},
		{"two sections for a file", "*** Update File: a\n-x\n*** Update File: b\n-y\n*** Update File: ./a\n*** Move to: c\n-z\n", "*** Update File: a\n*** Move to: c\n@@\n-x\n@@\n-z\n*** Update File: b\n@@\n-y\n"},
		{"removed and added dashes", "*** Update File: a.sql\n@@\n--- old\n+++ new\n@@\n-x\n", "*** Update File: a.sql\n@@\n--- old\n+++ new\n@@\n-x\n"},
		{"removed and added dashes at first", "*** Update File: a.sql\n--- old\n+++ new\n x\n", "*** Update File: a.sql\n@@\n--- old\n+++ new\n x\n"},
		{"dashes at the end", "*** Update File: a.sql\n--- old\n", "*** Update File: a.sql\n@@\n--- old\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			wantSections(t, c.patch, c.want)
		})
	}
}

// wantSections holds what a patch is read as, written without its envelope.
func wantSections(t *testing.T, patch, want string) {
	t.Helper()
	got := emit(mustParse(t, patch).Files)
	got = strings.TrimSuffix(strings.TrimPrefix(got, "*** Begin Patch\n"), "*** End Patch\n")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestUnifiedDiff(t *testing.T) {
	for _, c := range []struct{ name, patch, want string }{
		{"plain", "--- a/x.go\n+++ b/x.go\n@@ -1,2 +1,2 @@ func f()\n a\n-b\n+c\n", "*** Update File: x.go\n@@ -1 +1 @@ func f()\n a\n-b\n+c\n"},
		{"with times", "--- x.go\t2024-01-01 00:00:00 +0000\n+++ x.go\t2024-01-02\n@@ -1 +1 @@\n-b\n+c\n", "*** Update File: x.go\n@@\n-b\n+c\n"},
		{"in an envelope", "*** Begin Patch\n--- a/x.go\n+++ b/x.go\n@@ -1,2 +1,2 @@\n-b\n+c\n*** End Patch\n", "*** Update File: x.go\n@@\n-b\n+c\n"},
		{"in a fence, CRLF", "```diff\r\n--- a/x.go\r\n+++ b/x.go\r\n@@ -1,2 +1,2 @@\r\n-b\r\n+c\r\n```\r\n", "*** Update File: x.go\n@@\n-b\n+c\n"},
		{"indented", "  --- a/x.go\n  +++ b/x.go\n  @@ -1,2 +1,2 @@\n  -b\n  +c\n   d\n", "*** Update File: x.go\n@@\n-b\n+c\n d\n"},
		{"several files and hunks", "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-c\ndiff --git a/y b/y\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n--- a/z\n+++ b/z\n@@ -1 +1 @@\n-q\n",
			"*** Update File: x\n@@\n-a\n+b\n@@\n-c\n*** Update File: y\n@@\n-a\n*** Update File: z\n@@\n-q\n"},
		{"new file", "diff --git a/n b/n\nnew file mode 100644\nindex 000..111\n--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n", "*** Add File: n\n+a\n+b\n\\ No newline at end of file\n"},
		{"new empty file", "diff --git a/n m b/n m\nnew file mode 100644\nindex 000..111\n", "*** Add File: n m\n"},
		{"deleted file", "--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n", "*** Delete File: x\n"},
		{"deleted empty file", "diff --git a/x b/x\ndeleted file mode 100644\nindex 000..111\n", "*** Delete File: x\n"},
		{"renamed", "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n", "*** Update File: x\n*** Move to: y\n"},
		{"renamed and changed", "diff --git a/x b/y\nsimilarity index 90%\nrename from x\nrename to y\n--- a/x\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n", "*** Update File: x\n*** Move to: y\n@@\n-a\n+b\n"},
		{"quoted name", "diff --git \"a/\\303\\244\" \"b/\\303\\244\"\n--- \"a/\\303\\244\"\n+++ \"b/\\303\\244\"\n@@ -1 +1 @@\n-a\n", "*** Update File: ä\n@@\n-a\n"},
		{"removed lines that look like a header", "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- old\n+++ new\n q\n--- last\n", "*** Update File: x\n@@\n--- old\n+++ new\n q\n--- last\n"},
		{"the original beside it", "--- x.c.orig\n+++ x.c\n@@ -1 +1 @@\n-a\n", "*** Update File: x.c\n@@\n-a\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			wantSections(t, c.patch, c.want)
		})
	}
}

// What cannot be read is refused with the line and the rule.
func TestParseErrors(t *testing.T) {
	long := strings.Repeat("x", 5000)
	for _, c := range []struct {
		name, patch string
		line        int
		words       []string
	}{
		{"nothing", "", 0, []string{"no file section", "*** Begin Patch", "*** Update File: path"}},
		{"prose", "I cannot do that.\n+ x\n", 0, []string{"no file section"}},
		{"an empty envelope", "*** Begin Patch\n*** End Patch\n", 0, []string{"no file section"}},
		{"no section", "*** Begin Patch\n@@\n-x\n+y\n*** End Patch", 2, []string{"a file section must begin here"}},
		{"a bare path", "*** Begin Patch\na.go\n@@\n-x\n", 2, []string{"`a.go`"}},
		{"unknown marker", "*** Begin Patch\n*** Rename File: a\n", 2, []string{"`*** Rename File: a`", "*** Move to: path"}},
		{"unknown marker outside", "*** Copy File: a\n", 1, []string{"is no marker"}},
		{"unknown marker inside", "*** Update File: a\n-x\n*** Replace File: b\n+x\n", 3, []string{"is no marker"}},
		{"no path", "*** Update File:\n-x\n", 1, []string{"path is missing"}},
		{"no new path", "*** Update File: a\n*** Move to: ``\n-x\n", 2, []string{"path is missing"}},
		{"added lines without +", "*** Begin Patch\n*** Add File: a\n+x\ny\n*** End Patch", 4, []string{"begins with +", "`y`"}},
		{"added lines with a blank", "*** Add File: a\n x\n", 2, []string{"begins with +"}},
		{"a fence in an added file", "*** Add File: a\n```\n+x\n", 2, []string{"begin with +"}},
		{"text behind Delete", "*** Delete File: a\nx\n", 2, []string{"nothing follows"}},
		{"nothing changes", "*** Update File: a\n@@\n x\n*** End Patch", 1, []string{"changes nothing", "`a`"}},
		{"an empty section", "*** Update File: a\n*** Update File: b\n-x\n", 1, []string{"changes nothing"}},
		{"an anchor without lines", "*** Update File: a\n-x\n@@ class A\n*** End Patch\n", 3, []string{"no lines"}},
		{"two moves", "*** Update File: a\n*** Move to: b\n*** Move to: c\n-x\n", 3, []string{"two `*** Move to`"}},
		{"a move of nothing", "*** Begin Patch\n*** Move to: c\n", 2, []string{"*** Update File: path"}},
		{"a move of an added file", "*** Add File: a\n*** Move to: c\n", 2, []string{"*** Update File: path"}},
		{"End of File outside", "*** Begin Patch\n*** End of File\n", 2, []string{"end of a chunk"}},
		{"End of File without a chunk", "*** Update File: a\n*** End of File\n", 2, []string{"end of a chunk"}},
		{"added and updated", "*** Add File: a\n+x\n*** Update File: ./a\n-x\n", 3, []string{"line 1", "not clear"}},
		{"deleted and added", "*** Delete File: a\n*** Add File: a\n+x\n", 2, []string{"`a`", "not clear"}},
		{"deleted twice", "*** Delete File: a\n*** Delete File: a\n", 2, []string{"not clear"}},
		{"moved onto another", "*** Update File: a\n*** Move to: b\n-x\n*** Add File: b\n+x\n", 4, []string{"`b`", "not clear"}},
		{"two moved to one path", "*** Update File: a\n*** Move to: c\n*** Update File: b\n*** Move to: c\n", 3, []string{"`c`"}},
		{"moved to two paths", "*** Update File: a\n*** Move to: c\n*** Update File: a\n*** Move to: d\n", 3, []string{"`a`"}},
		{"swapped", "*** Update File: a\n*** Move to: b\n*** Update File: b\n*** Move to: a\n", 3, []string{"not clear"}},
		{"binary", "diff --git a/x b/x\nindex 1..2\nBinary files a/x and b/x differ\n", 3, []string{"binary"}},
		{"copied", "diff --git a/x b/y\nsimilarity index 100%\ncopy from x\ncopy to y\n", 3, []string{"copies"}},
		{"only the mode", "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n", 1, []string{"changes nothing"}},
		{"unclear names", "diff --git x y z\n", 1, []string{"not clear"}},
		{"long lines", "*** Begin Patch\n" + long + "\n", 2, []string{"must begin here"}},
		{"long paths", "*** Update File: " + long + "\n x\n", 1, []string{"changes nothing"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse(c.patch)
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("err = %v", err)
			}
			if e.Line != c.line || c.line > 0 && !strings.Contains(e.Error(), fmt.Sprintf("line %d of the patch", c.line)) {
				t.Errorf("line = %d, want %d: %v", e.Line, c.line, err)
			}
			if e.Kind != diffedit.Syntax && e.Kind != diffedit.Overlap || len(e.Error()) > 2000 || !strings.Contains(e.Error(), "nothing was changed") {
				t.Errorf("kind %q, %v", e.Kind, err)
			}
			for _, w := range c.words {
				if !strings.Contains(e.Error(), w) {
					t.Errorf("no %q in: %v", w, err)
				}
			}
			if _, err2 := parsePieces(c.patch, 1); err2 == nil || err2.Error() != err.Error() {
				t.Errorf("in pieces: %v, not %v", err2, err)
			}
		})
	}
}

func TestParseNotes(t *testing.T) {
	for _, c := range []struct{ patch, want string }{
		{"*** Begin Patch\n*** Add File: a\n+x\n*** End Patch", ""},
		{"*** Add File: a\n+x", ""},
		{"*** Begin Patch\n*** Add File: a\n+x", "no `*** End Patch`"},
		{"*** Add File: a\n+x\n*** End Patch", "no `*** Begin Patch`"},
		{"*** Add File: a\n+x\n\n+y", "lost their +"},
	} {
		if got := strings.Join(mustParse(t, c.patch).Notes, "\n"); !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%q: notes %q, want %q", c.patch, got, c.want)
		}
	}
}
