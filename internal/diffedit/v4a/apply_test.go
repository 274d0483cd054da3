package v4a

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"clined/internal/diffedit"
)

// applyTo applies the one file of a patch, given without its envelope and its
// marker.
func applyTo(t testing.TB, before, chunks string) (*diffedit.Result, error) {
	t.Helper()
	p := mustParse(t, "*** Begin Patch\n*** Update File: f\n"+chunks+"*** End Patch")
	if len(p.Files) != 1 {
		t.Fatalf("%d files", len(p.Files))
	}
	return p.Files[0].Apply(before)
}

const twoClasses = `class A:
    x = 1

    def run(self):
        start()
        return 1

    def stop(self):
        return 1


class B:
    x = 1

    def run(self):
        start()
        return 1

    def stop(self):
        return 1
`

// lineOf puts text at a line of twoClasses.
func lineOf(n int, text string) string {
	lines := strings.SplitAfter(twoClasses, "\n")
	lines[n-1] = text + "\n"
	return strings.Join(lines, "")
}

func TestApply(t *testing.T) {
	for _, c := range []struct{ name, before, chunks, want string }{
		{"one line", "a\nb\nc\n", "@@\n a\n-b\n+B\n c\n", "a\nB\nc\n"},
		{"without @@", "a\nb\nc\n", "-b\n+B\n", "a\nB\nc\n"},
		{"CRLF file", "red\r\ngreen\r\nblue\r\n", "@@\n-red\n-green\n+RED\n+lime\n+olive\n blue\n", "RED\r\nlime\r\nolive\r\nblue\r\n"},
		{"mixed line ends", "a\r\nb\nc\r\nd\r\n", "@@\n-c\n+C\n+CC\n", "a\r\nb\nC\r\nCC\r\nd\r\n"},
		{"CR alone", "a\rb\rc", "@@\n-b\n+B\n", "a\rB\rc"},
		{"no final newline", "a\nb", "@@\n a\n-b\n+B\n", "a\nB"},
		{"no final newline, more lines", "a\nb", "@@\n b\n+c\n", "a\nb\nc"},
		{"no final newline, last goes", "a\nb", "@@\n a\n-b\n", "a"},
		{"bytes that are no text", "caf\xE9\n\x00\xFF\nprice=1\n", "@@\n-price=1\n+price=2\n", "caf\xE9\n\x00\xFF\nprice=2\n"},
		{"literal", "say(x)\n", "@@\n-say(x)\n+say(\"$& $1 $$ ${1} \\1 \\\\n &lt;\")\n", "say(\"$& $1 $$ ${1} \\1 \\\\n &lt;\")\n"},
		{"emptied", "a\nb\n", "@@\n-a\n-b\n", ""},
		{"two chunks", "a\nb\nc\nd\n", "@@\n-a\n+A\n@@\n-d\n+D\n", "A\nb\nc\nD\n"},
		{"chunks in any order", "a\nb\nc\nd\n", "@@\n-d\n+D\n@@\n-a\n+A\n", "A\nb\nc\nD\n"},
		{"chunks that share context", "a\nb\nc\n", "@@\n-a\n+A\n b\n@@\n b\n-c\n+C\n", "A\nb\nC\n"},
		{"neighbours", "a\nb\n", "@@\n-a\n+A\n@@\n-b\n+B\n", "A\nB\n"},
		{"conflict markers", "<<<<<<< HEAD\na=1\n=======\na=2\n>>>>>>> up\n", "@@\n-<<<<<<< HEAD\n-a=1\n-=======\n-a=2\n->>>>>>> up\n+a=3\n", "a=3\n"},
		{"a patch in the file", "x\n*** End Patch\ny\n", "@@\n x\n *** End Patch\n-y\n+*** Begin Patch\n", "x\n*** End Patch\n*** Begin Patch\n"},

		{"re-indented", "\tif a {\n\t\tb()\n\t}\n", "@@\n     if a {\n-        b()\n+        c()\n+        if d {\n+            e()\n+        }\n     }\n", "\tif a {\n\t\tc()\n\t\tif d {\n\t\t\te()\n\t\t}\n\t}\n"},
		{"trailing blanks", "a  \nb\n", "@@\n a\n-b\n+B\n", "a  \nB\n"},
		{"look-alikes in the middle", "f(“x”)\ng(‘y’)\nh()\n", "@@\n f(“x”)\n g('y')\n-h()\n+H()\n", "f(“x”)\ng(‘y’)\nH()\n"},
		{"blank line that is not there", "a\nb\nc\n", "@@\n a\n\n b\n-c\n+C\n", "a\nb\nC\n"},

		{"lost blanks", "func f() {\n\n\tx()\n}\n", "@@\nfunc f() {\n\n-\tx()\n+\ty()\n}\n", "func f() {\n\n\ty()\n}\n"},
		{"lost blanks, all indented", "def f():\n    a()\n    b()\n", "@@\n    a()\n+    z()\n    b()\n", "def f():\n    a()\n    z()\n    b()\n"},
		{"lost blanks, mixed depths", "if a {\n  b()\n  c()\n}\n", "@@\nif a {\n  b()\n+  x()\n  c()\n}\n", "if a {\n  b()\n  x()\n  c()\n}\n"},
		{"numbers of a listing", "a\nb\nc\n", "@@\n 1 | a\n-2 | b\n+2 | B\n+3 | BB\n", "a\nB\nBB\nc\n"},

		{"anchor", twoClasses, "@@ class B:\n     def stop(self):\n-        return 1\n+        return 2\n", lineOf(20, "        return 2")},
		{"anchors", twoClasses, "@@ class A:\n@@     def stop(self):\n-        return 1\n+        return 2\n", lineOf(9, "        return 2")},
		{"anchors, not indented", twoClasses, "@@ class B\n@@ def run\n-        return 1\n+        return 2\n", lineOf(17, "        return 2")},
		{"anchors, closed", twoClasses, "@@ class B: @@\n@@ def run(self): @@\n-        return 1\n+        return 2\n", lineOf(17, "        return 2")},
		{"anchor repeated as context", twoClasses, "@@ class B:\n class B:\n-    x = 1\n+    x = 2\n", lineOf(13, "    x = 2")},
		{"anchor that is changed", twoClasses, "@@ class B:\n-class B:\n+class C:\n", lineOf(12, "class C:")},
		{"anchor of a heading", twoClasses, "@@ -12,2 +12,2 @@ class B:\n-    x = 1\n+    x = 2\n", lineOf(13, "    x = 2")},
		{"wrong heading", "a\nb\nc\n", "@@ -1,2 +1,2 @@ c\n-a\n+A\n", "A\nb\nc\n"},
		{"heading that is not there", "a\nb\nc\n", "@@ -1,2 +1,2 @@ func q()\n-a\n+A\n", "A\nb\nc\n"},
		{"missing anchor, clear lines", "a\nb\nc\n", "@@ class X\n-a\n+A\n", "A\nb\nc\n"},
		{"anchor of C", "int a()\n{\n  return 1;\n}\n\nint b()\n{\n  return 1;\n}\n", "@@ int a()\n-  return 1;\n+  return 2;\n", "int a()\n{\n  return 2;\n}\n\nint b()\n{\n  return 1;\n}\n"},
		{"anchor over several lines", "def f(\n    a,\n):\n    return 1\n\ndef g(\n    a,\n):\n    return 1\n", "@@ def f(\n-    return 1\n+    return 2\n", "def f(\n    a,\n):\n    return 2\n\ndef g(\n    a,\n):\n    return 1\n"},
		{"anchors in one line", twoClasses, "@@ class B: @@ def stop(self):\n-        return 1\n+        return 2\n", lineOf(20, "        return 2")},
		{"anchor said twice", twoClasses, "@@ class B\n@@ class B:\n-    x = 1\n+    x = 2\n", lineOf(13, "    x = 2")},
		{"anchor exact elsewhere", "class A\n    def f\n        x\nclass B\n  class C\n      def f\n        x\n", "@@ class B\n@@     def f\n-        x\n+        y\n", "class A\n    def f\n        x\nclass B\n  class C\n      def f\n        y\n"},
		{"anchor exact behind", "class A\n  def f\n    x\nclass B\n    def f\n    x\n", "@@ class A\n@@     def f\n-    x\n+    y\n", "class A\n  def f\n    y\nclass B\n    def f\n    x\n"},
		{"anchor in TOML", "[a]\nx = 1\n[[b]]\nx = 1\n[c]\nx = 1\n", "@@ [[b]]\n-x = 1\n+x = 2\n", "[a]\nx = 1\n[[b]]\nx = 2\n[c]\nx = 1\n"},
		{"anchor in Markdown", "# A\n\nx\n\n## B\nx\n\n# C\nx\n", "@@ ## B\n-x\n+y\n", "# A\n\nx\n\n## B\ny\n\n# C\nx\n"},
		{"anchor in YAML", "a:\n- x\n- y\nb:\n- x\n- y\n", "@@ a:\n-- y\n+- z\n", "a:\n- x\n- z\nb:\n- x\n- y\n"},
		{"anchored better than exact elsewhere", "class A\n\tx\nclass B\n    x\n", "@@ class A\n-    x\n+    y\n", "class A\n\ty\nclass B\n    x\n"},

		{"order decides", "x\na\nx\n", "@@\n-a\n+A\n@@\n-x\n+X\n", "x\nA\nX\n"},
		{"the blank line behind a block goes", "import (\n\t\"a\"\n)\n\nfunc f() {\n}\n", "@@ import (\n )\n-\n", "import (\n\t\"a\"\n)\nfunc f() {\n}\n"},
		{"it becomes another line", "import (\n\t\"a\"\n)\n\nfunc f() {\n}\n", "@@ import (\n )\n-\n+// x\n", "import (\n\t\"a\"\n)\n// x\nfunc f() {\n}\n"},
		{"one of two that stand behind", "a {\n\tx\n}\n\n\nb\n", "@@ a {\n }\n-\n \n", "a {\n\tx\n}\n\nb\n"},
		{"the blank line behind a method", "class A:\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n", "@@ class A:\n@@     def f(self):\n         return 1\n-\n", "class A:\n    def f(self):\n        return 1\n    def g(self):\n        return 2\n"},
		{"the last blank line", "a:\n    x\n\n", "@@ a:\n     x\n-\n", "a:\n    x\n"},
		{"below the blank line behind a block", "a:\n    x\n\nb:\n    x\n\n", "@@ b:\n     x\n \n+c\n", "a:\n    x\n\nb:\n    x\n\nc\n"},
		{"order decides for twins", "x\nx\n", "@@\n-x\n+1\n@@\n-x\n+2\n", "1\n2\n"},
		{"order decides for chunks that share context", "k\nx\na\nk\nx\n", "@@\n-a\n+A\n k\n@@\n k\n-x\n+X\n", "k\nx\nA\nk\nX\n"},
		{"order decides before", "x\na\nx\n", "@@\n-x\n+X\n@@\n-a\n+A\n", "X\nA\nx\n"},
		{"a chunk that changes nothing helps", twoClasses, "@@\n class B:\n@@\n     x = 1\n\n     def run(self):\n-        start()\n+        begin()\n", lineOf(16, "        begin()")},
		{"order and anchors", twoClasses, "@@ class B:\n-    x = 1\n+    x = 2\n@@\n     def stop(self):\n-        return 1\n+        return 2\n", strings.Replace(lineOf(20, "        return 2"), "class B:\n    x = 1", "class B:\n    x = 2", 1)},

		{"End of File", "x\na\nx\n", "@@\n-x\n+X\n*** End of File\n", "x\na\nX\n"},
		{"End of File, blank lines behind", "x\na\nx\n\n\n", "@@\n-x\n+X\n*** End of File\n", "x\na\nX\n\n\n"},
		{"End of File that is not", "x\na\n", "@@\n-x\n+X\n*** End of File\n", "X\na\n"},
		{"only new lines at the end", "a\nb\n", "@@\n+c\n+d\n*** End of File\n", "a\nb\nc\nd\n"},
		{"only new lines at the end, no newline", "a\r\nb", "@@\n+c\n*** End of File\n", "a\r\nb\r\nc"},
		{"only new lines behind an anchor", twoClasses, "@@ class B:\n+    y = 2\n", lineOf(12, "class B:\n    y = 2")},
		{"only new lines behind anchors", twoClasses, "@@ class B:\n@@ def run(self):\n+        log()\n", lineOf(15, "    def run(self):\n        log()")},
		{"only new lines in an empty file", "", "@@\n+c\n+d\n", "c\nd\n"},
		{"new lines between", "a\nb\n", "@@\n a\n+x\n b\n", "a\nx\nb\n"},
		{"new lines before the first", "a\nb\n", "@@\n+x\n a\n", "x\na\nb\n"},

		{"newline taken away", "a\nb\n", "@@\n a\n-b\n+B\n\\ No newline at end of file\n", "a\nB"},
		{"newline added", "a\nb", "@@\n a\n-b\n\\ No newline at end of file\n+B\n", "a\nB\n"},
		{"newline added alone", "a\r\nb", "@@\n a\n-b\n\\ No newline at end of file\n+b\n", "a\r\nb\r\n"},
		{"newline stays away", "a\nb", "@@\n-a\n+A\n b\n\\ No newline at end of file\n", "A\nb"},
		{"new file without newline", "", "@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n", "a"},
		{"remark about a newline that is there", "a\nb\n", "@@\n-a\n+A\n b\n\\ No newline at end of file\n", "A\nb\n"},

		{"two sections", "a\nb\n", "@@\n-a\n+A\n*** Update File: f\n@@\n-b\n+B\n", "A\nB\n"},
		{"second section about the first", "a\nb\n", "@@\n-a\n+A\n*** Update File: ./f\n@@\n-A\n+AA\n b\n", "AA\nb\n"},
		{"nothing to do", "a\n", "*** Move to: g\n", "a\n"},
		{"moved and changed", "a\n", "*** Move to: g\n@@\n-a\n+b\n", "b\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := applyTo(t, c.before, c.chunks)
			if err != nil {
				t.Fatal(err)
			}
			if res.Text != c.want {
				t.Errorf("got  %q\nwant %q", res.Text, c.want)
			}
			checkEdits(t, c.before, res)
		})
	}
}

// checkEdits holds that the edits make the text, and tell their lines.
func checkEdits(t testing.TB, before string, res *diffedit.Result) {
	t.Helper()
	at, out := 0, ""
	for _, e := range res.Edits {
		if e.Start < at || e.End < e.Start || e.Line != 1+strings.Count(strings.ReplaceAll(before[:e.Start], "\r\n", "\n"), lineSign(before)) && e.Start < len(before) {
			t.Fatalf("edit %+v in %q", e, before)
		}
		out += before[at:e.Start] + e.New
		at = e.End
	}
	if out+before[at:] != res.Text {
		t.Fatalf("edits make %q, not %q", out+before[at:], res.Text)
	}
}

func lineSign(text string) string {
	if strings.Contains(text, "\n") {
		return "\n"
	}
	return "\r"
}

func TestRefused(t *testing.T) {
	many := strings.Repeat("same\n", 50)
	long := strings.Repeat("x", 3000) + "\n"
	for _, c := range []struct {
		name, before, chunks string
		kind                 diffedit.Kind
		chunk                int
		words                []string
	}{
		{"nowhere", "source \"https://x\"\ngem \"a\"\n", "@@\n source \"https://x\"\n-gem  \"zzz\"\n+gem \"b\"\n", diffedit.Miss, 1, []string{"`f`", "lines 1-2", "first line that differs is line 2", `file:   gem "a"`, `chunk:  gem  "zzz"`, "2 | gem \"a\""}},
		{"second chunk nowhere", "a\nb\nc\n", "@@\n-a\n+A\n@@\n-q\n+Q\n", diffedit.Miss, 2, []string{"chunk 2", "line 6 of the patch"}},
		{"nothing alike", "a\nb\n", "@@\n-Zebra crossing\n+x\n", diffedit.Miss, 1, []string{"No line of the file is similar"}},
		{"an empty file", "", "@@\n-a\n+b\n", diffedit.Miss, 1, []string{"file is empty"}},
		{"beyond the end", "a\nb\nc\n", "@@\n b\n c\n-d\n+e\n", diffedit.Miss, 1, []string{"file ends there"}},
		{"a similar line", "value := compute(x)\n", "@@\n-value := compute(y)\n+z\n", diffedit.Miss, 1, []string{"line 1", "compute(x)"}},
		{"done already", "B\nc\n", "@@\n-b\n+B\n c\n", diffedit.Miss, 1, []string{"already stands at line 1"}},
		{"what an earlier chunk makes", "a\nb\n", "@@\n-a\n+A\n@@\n-A\n+AA\n", diffedit.Miss, 2, []string{"what chunk 1 puts there"}},
		{"several places", "if x:\n    return 1\nif y:\n    return 1\n", "@@\n-    return 1\n+    return 2\n", diffedit.Ambiguous, 1, []string{"2 places, at lines 2, 4"}},
		{"very many places", many, "@@\n-same\n+x\n", diffedit.Ambiguous, 1, []string{"50 places, at lines 1, 2, 3", "… 30 more"}},
		{"several in the block", "def f():\n    x\n    x\ndef g():\n    x\n", "@@ def f():\n-    x\n+    y\n", diffedit.Ambiguous, 1, []string{"lines 2, 3;"}},
		{"an anchor in both classes", twoClasses, "@@ def run(self):\n-        return 1\n+        return 2\n", diffedit.Ambiguous, 1, []string{"lines 6, 17"}},
		{"several below a heading", "# A\nx\n## B\nx\n", "@@ # A\n-x\n+y\n", diffedit.Ambiguous, 1, []string{"lines 2, 4"}},
		{"items of a list", "- a\nx\n- b\nx\n", "@@ - a\n-x\n+y\n", diffedit.Ambiguous, 1, []string{"lines 2, 4"}},
		{"order decides not", "x\na\nx\nx\n", "@@\n-a\n+A\n@@\n-x\n+X\n", diffedit.Ambiguous, 2, []string{"lines 3, 4"}},
		{"twins in three places", "x\nx\nx\n", "@@\n-x\n+1\n@@\n-x\n+2\n", diffedit.Ambiguous, 1, []string{"lines 1, 2"}},
		{"out of order and ambiguous", "x\nx\na\n", "@@\n-a\n+A\n@@\n-x\n+X\n", diffedit.Ambiguous, 2, []string{"lines 1, 2"}},
		{"before its anchor", "a\nb\nc\n", "@@ c\n-a\n+A\n", diffedit.Miss, 1, []string{"stands at line 1", "`c` (line 3)"}},
		{"a missing anchor and several places", "x\nx\n", "@@ class Q\n-x\n+y\n", diffedit.Ambiguous, 1, []string{"`class Q` is not in the file", "lines 1, 2"}},
		{"a missing anchor, and order would decide", "x\na\nx\n", "@@\n-a\n+A\n@@ class Q\n-x\n+y\n", diffedit.Ambiguous, 2, []string{"lines 1, 3"}},
		{"a missing anchor and other blanks", "  x\n", "@@ class Q\n-x\n+y\n", diffedit.Miss, 1, []string{"`class Q`", "line 1"}},
		{"nowhere, nor the anchor", "a\nb\n", "@@ class Q\n a\n-q\n+y\n", diffedit.Miss, 1, []string{"anchor `class Q` is not there either.", "line 2"}},
		{"anchors out of order", "def f():\n    x\nclass A\n    x\n", "@@ class A\n@@ def f\n-    x\n+    y\n", diffedit.Miss, 1, []string{"`def f`", "not behind `class A` (line 3)"}},
		{"only new lines", "a\n", "@@\n+x\n", diffedit.EmptySearch, 1, []string{"where do they belong"}},
		{"only new lines and a heading", "a\nb\n", "@@ -1,0 +2 @@ a\n+x\n", diffedit.EmptySearch, 1, []string{"where do they belong"}},
		{"only new lines, missing anchor", "a\n", "@@ q\n+x\n", diffedit.EmptySearch, 1, []string{"`q` is not in the file"}},
		{"only new lines, anchor twice", "a\nb\na\n", "@@ a\n+x\n", diffedit.Ambiguous, 1, []string{"its anchor fits 2 places, at lines 1, 3"}},
		{"blank lines alone", "a\n\nb\n\nc\n", "@@\n \n+x\n", diffedit.Ambiguous, 1, []string{"lines 2, 4"}},
		{"the same line twice", "a\nb\nc\n", "@@\n a\n-b\n+1\n@@\n-b\n+2\n c\n", diffedit.Overlap, 2, []string{"chunk 1 both change line 2"}},
		{"two at one place", "a\nb\n", "@@\n a\n+1\n@@\n+2\n b\n", diffedit.Overlap, 2, []string{"join them"}},
		{"a blank line that is not there", "a\nb\nc\n", "@@\n a\n-\n b\n", diffedit.Miss, 1, nil},
		{"a blank line that is there already", "a\n\nb\nc\n", "@@\n a\n+\n b\n", diffedit.Miss, 1, []string{"already stands at line 1"}},
		{"a different middle", "func a() {\n  x()\n}\nfunc a() {\n  y()\n}\n", "@@\n func a() {\n-  z()\n+  q()\n }\n", diffedit.Miss, 1, []string{"line 2"}},
		{"part of a line", "foo(bar, baz)\n", "@@\n-bar\n+BAR\n", diffedit.Miss, 1, []string{"line 1 is longer: the chunk has only a piece of it", "\n1 | foo(bar, baz)\n"}},
		{"second section", "a\nb\n", "@@\n-a\n+A\n*** Update File: f\n@@\n-a\n+B\n", diffedit.Miss, 2, []string{"chunk 2"}},
		{"long lines", long, "@@\n-" + strings.Repeat("x", 2999) + "\n+y\n", diffedit.Miss, 1, []string{"line 1"}},
		{"long anchors", "a\n", "@@ " + long + "-b\n+y\n", diffedit.Miss, 1, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := applyTo(t, c.before, c.chunks)
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("err = %v, result %+v", err, res)
			}
			if res != nil || e.Kind != c.kind || e.Chunk != c.chunk || e.Path != "f" || e.Line == 0 {
				t.Errorf("%+v", e)
			}
			if n := len(e.Error()); n > 2000 || !strings.Contains(e.Error(), "nothing was changed") || !strings.Contains(e.Error(), fmt.Sprintf("chunk %d of `f` (line %d of the patch)", e.Chunk, e.Line)) {
				t.Errorf("%d bytes: %v", n, err)
			}
			for _, w := range c.words {
				if !strings.Contains(e.Error(), w) {
					t.Errorf("no %q in: %v", w, err)
				}
			}
		})
	}
}

func TestApplyNotes(t *testing.T) {
	for _, c := range []struct{ before, chunks, want string }{
		{"a\n", "-a\n+b\n", ""},
		{"  a\n", "-a\n+b\n", "chunk 1 of `f` matched line 1 with other blanks"},
		{"a-\nb\nc\n", " a-\n b\n\n-c\n+d\n", "matched lines 1-3, where blanks or look-alike characters differ"},
		{"a\n", "-a\n+a\n", "changes nothing"},
		{"\ta\n\tb\n", " \ta\n-\tb\n+    b\n", "indented with spaces, as written, where the file has tabs"},
		{"a\nb\n", "@@ q\n-a\n+b\n", "its anchor `q` is not in the file"},
		{"x\na\nx\n", "-a\n+A\n@@\n-x\n+X\n", "chunk 2 of `f` fits 2 places: the order of the chunks decided for line 3; if one of the others was meant (line 1)"},
		{"x\nx\na\nx\n", "-a\n+A\n@@\n-x\n+X\n", "line 4; if one of the others was meant (lines 1, 2)"},
		{"a\nb\n", "-a\n+b\n*** End of File\n", "is line 1, not the end"},
		{" a\n b\n", " a\n+x\n b\n", "no blank in front"},
	} {
		res, err := applyTo(t, c.before, "@@\n"+c.chunks)
		if err != nil {
			t.Errorf("%q: %v", c.chunks, err)
			continue
		}
		if got := strings.Join(res.Notes, "\n"); !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%q: notes %q, want %q", c.chunks, got, c.want)
		}
	}
}

func TestApplyOtherOps(t *testing.T) {
	p := mustParse(t, "*** Add File: a\n+x\n*** Add File: e\n*** Delete File: b\n*** Update File: c\n*** Move to: d\n")
	for i, want := range []string{"x\n", "", "", "kept\r\n"} {
		res, err := p.Files[i].Apply("kept\r\n")
		if err != nil || res.Text != want {
			t.Errorf("%s: %q, %v; want %q", p.Files[i].Path, res.Text, err, want)
		}
	}
}
