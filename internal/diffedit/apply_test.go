package diffedit

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// sr writes a block in the usual spelling.
func sr(search, replace string) string {
	nl := func(s string) string {
		if s != "" {
			s += "\n"
		}
		return s
	}
	return "------- SEARCH\n" + nl(search) + "=======\n" + nl(replace) + "+++++++ REPLACE\n"
}

func TestReplace(t *testing.T) {
	conflict := "<<<<<<< HEAD\na=1\n=======\na=2\n>>>>>>> up\n"
	for _, tc := range []struct{ name, text, diff, want string }{
		{"LF against CRLF", "red\r\ngreen\r\nblue\r\n", sr("red\ngreen", "RED\nlime\nolive"), "RED\r\nlime\r\nolive\r\nblue\r\n"},
		{"mixed, untouched LF line", "a\r\nb\r\nc\nd\r\n", sr("b", "B"), "a\r\nB\r\nc\nd\r\n"},
		{"mixed, LF line inside SEARCH stays", "a\r\nb\r\nc\nd\r\n", sr("b\nc\nd", "B\nc\nD"), "a\r\nB\r\nc\nD\r\n"},
		{"CRLF diff against LF", "a\nb\n", strings.ReplaceAll(sr("a", "x\ny"), "\n", "\r\n"), "x\ny\nb\n"},
		{"lone CR lines", "a\rb\rc\r", sr("b", "x\ny"), "a\rx\ry\rc\r"},
		{"dollars", "say(x)\n", sr("say(x)", `say("$& $1 $$ ${1} $' \1 \\n")`), `say("$& $1 $$ ${1} $' \1 \\n")` + "\n"},
		{"old markers", conflict, "<<<<<<< SEARCH\n" + conflict + "=======\na=3\n>>>>>>> REPLACE\n", "a=3\n"},
		{"new markers", "x\n" + conflict + "y\n", sr(strings.TrimSuffix(conflict, "\n"), "a=3"), "x\na=3\ny\n"},
		{"escaped", conflict, sr("\\<<<<<<< HEAD\na=1\n\\=======\na=2\n\\>>>>>>> up", "a=3"), "a=3\n"},
		{"escaped marker in REPLACE only", "a\n", sr("a", "x\n\\=======\ny"), "x\n=======\ny\n"},
		{"divider in REPLACE", "a\nb\n", sr("a", "Title\n=======\n"), "Title\n=======\n\nb\n"},
		{"headings on both sides", "Old\n=====\n\ntext\n", sr("Old\n=====", "New\n====="), "New\n=====\n\ntext\n"},
		{"stray >", "a\n", "------- SEARCH>\na\n=======\nb\n+++++++ REPLACE>\n", "b\n"},
		{"old", "a\n", "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n", "b\n"},
		{"eight signs", "a\n", "-------- SEARCH\na\n=======\nb\n++++++++ REPLACE\n", "b\n"},
		{"no last marker", "a\n", "------- SEARCH\na\n=======\nb", "b\n"},
		{"cut last marker", "a\n", "------- SEARCH\na\n=======\nb\n+++++++ REP", "b\n"},
		{"prose and fences around", "a\nc\n", "Here:\n```\n" + sr("a", "b") + "```\nand\n" + sr("c", "d") + "```", "b\nd\n"},
		{"numbers", "def f():\n    pass\n", sr("1 | def f():\n2 |     pass", "1 | def f():\n2 |     return 1"), "def f():\n    return 1\n"},
		{"numbers of a listing from further down", "x\n\ny\n", sr("  9 | x\n 10 | \n 11 | y", "  9 | x\n 10 |\n 11 | z"), "x\n\nz\n"},
		{"text that truly has numbers", "1 | a\n2 | b\n", sr("1 | a\n2 | b", "1 | a\n2 | c"), "1 | a\n2 | c\n"},
		{"spaces for tabs", "\tif a {\n\t\tb()\n\t}\n", sr("    if a {\n        b()\n    }", "    if a {\n        c()\n    }"), "\tif a {\n\t\tc()\n\t}\n"},
		{"new deeper level", "\tif a {\n\t\tb()\n\t}\n", sr("  if a {\n    b()\n  }", "  if a {\n    if c {\n      d()\n    }\n  }"), "\tif a {\n\t\tif c {\n\t\t\td()\n\t\t}\n\t}\n"},
		{"wrong depth", "class A:\n    def f(self):\n        return 1\n", sr("def f(self):\n    return 1", "def f(self):\n    if x:\n        return 2\n    return 1"),
			"class A:\n    def f(self):\n        if x:\n            return 2\n        return 1\n"},
		{"two blanks to four", "a:\n    b:\n        c\n", sr("  b:\n    c", "  b:\n    d\n    e"), "a:\n    b:\n        d\n        e\n"},
		{"Makefile", "all:\n\techo a\n", sr("all:\n    echo a", "all:\n    echo b\n    echo c"), "all:\n\techo b\n\techo c\n"},
		{"lost indentation, line for line", "  if a:\n    b()\n", sr("if a:\nb()", "if a:\nc()"), "  if a:\n    c()\n"},
		{"unchanged lines keep trailing blanks", "a  \nb\n", sr("a\nb", "a\nc"), "a  \nc\n"},
		{"anchored, look-alikes kept", "f(\n  “quoted” – text,\n  1,\n)\n", sr("f(\n  \"quoted\" - text,\n  1,\n)", "f(\n  \"quoted\" - text,\n  2,\n)"), "f(\n  “quoted” – text,\n  2,\n)\n"},
		{"anchored, blank line left out", "a\n\nb( x )\nc\n", sr("a\nb(x)\nc", "a\nb(x)\nd"), "a\n\nb( x )\nd\n"},
		{"anchored, blank line made up", "a\nb\nc\n", sr("a\n\nb\nc", "a\n\nb\nd"), "a\nb\nd\n"},
		{"anchored, deleted lines stay deleted, the blank line before them stays", "a\n\nb( x )\n\nc\nd\n", sr("a\nb(x)\nc\nd", "a\nd"), "a\n\nd\n"},
		{"anchors that look the same", "\u00a0na\u00efve =\u00a01\n", sr("nai\u0308ve = 1", "naive = 1"), "naive = 1\n"},
		{"alignment is kept", "def f(a,\n      b):\n  return 1 \n", sr("  return 1", "  return g(a,\n           b)"), "def f(a,\n      b):\n  return g(a,\n           b)\n"},
		{"moved right as a whole", "  a\n    b\n", sr("    a\n      b", "    a\n      b\n      c\n        d"), "  a\n    b\n    c\n      d\n"},
		{"alignment is moved, not made levels", "  f(a,\n    b)\n", sr("    f(a,\n      b)", "    f(a,\n      b,\n      c)"), "  f(a,\n    b,\n    c)\n"},
		{"tabs for a first level", "a {\n}  \nb {\n\tc\n}\n", sr("a {\n}", "a {\n    x\n        y\n}"), "a {\n\tx\n\t\ty\n}  \nb {\n\tc\n}\n"},
		{"fences inside a block", "def f():\n    pass\n", sr("```python\ndef f():\n    pass\n```", "```python\ndef f():\n    return 1\n```"), "def f():\n    return 1\n"},
		{"fences that are in the file", "```\na\n```\n", sr("```\na\n```", "```\nb\n```"), "```\nb\n```\n"},
		{"an indented diff", "a\n  b\n", "    ------- SEARCH\n    a\n      b\n    =======\n\n    c\n    +++++++ REPLACE\n", "\nc\n"},
		{"a heading before a section", "a\n\n## Usage\nx\n", sr("## Usage", "Install\n=======\n\n## Usage"), "a\n\nInstall\n=======\n\n## Usage\nx\n"},
		{"a longer ruler on both sides", "Title\n=========\nx\n", sr("Title\n=========", "New one\n========="), "New one\n=========\nx\n"},
		{"a divider of other length", "a\n", "------- SEARCH\na\n====\nb\n+++++++ REPLACE\n", "b\n"},
		{"a ruler of the SEARCH marker's length only", "a\n", "----- SEARCH\na\n=====\nTitle\n=======\n+++++ REPLACE\n", "Title\n=======\n"},
		{"a doubled last marker", "a\nc\n", sr("a", "b") + "+++++++ REPLACE\n" + sr("c", "d"), "b\nd\n"},
		{"a divider between blocks", "a\nc\n", sr("a", "b") + "\n=======\n" + sr("c", "d"), "b\nd\n"},
		{"blank lines around SEARCH that the file lacks", "a\nb\n", sr("\na\n\n", "\nA\n\n"), "A\nb\n"},
		{"blank SEARCH, empty file", "", sr("\n", "a"), "a\n"},
		{"lines of spaces for empty ones", "a\n\n\tb\nc\n", sr("a\n   \n\tb", "a\n\n\tB"), "a\n\n\tB\nc\n"},
		{"empty REPLACE", "a\nb\nc\n", sr("b", ""), "a\nc\n"},
		{"empty everything", "junk\n", sr("junk", ""), ""},
		{"empty SEARCH, empty file", "", sr("", "a\nb"), "a\nb\n"},
		{"empty file, text with a divider", "", sr("", "Title\n=====\ntext"), "Title\n=====\ntext\n"},
		{"no last newline stays away", "a\nb", sr("b", "c\nd"), "a\nc\nd"},
		{"no last newline, kept line first", "a\r\nb", sr("b", "b\nc"), "a\r\nb\r\nc"},
		{"last line removed", "a\nb", sr("b", ""), "a\n"},
		{"any order", "a\nb\nc\n", sr("c", "C") + sr("a", "A"), "A\nb\nC\n"},
		{"original text counts", "a\nb\n", sr("a", "b") + sr("b", "c"), "b\nc\n"},
		{"a file about this format", sr("old", "new") + "end\n", sr(strings.TrimSuffix(sr("old", "new"), "\n"), strings.TrimSuffix(sr("old", "newer"), "\n")), sr("old", "newer") + "end\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			res, err := Replace(tc.text, tc.diff)
			if err != nil {
				t.Fatal(err)
			}
			if res.Text != tc.want {
				t.Errorf("got  %q\nwant %q", res.Text, tc.want)
			}
		})
	}
}

func TestReplaceRefuses(t *testing.T) {
	conflict := "<<<<<<< HEAD\na=1\n=======\na=2\n>>>>>>> up\n"
	for _, tc := range []struct {
		name, text, diff string
		kind             Kind
		block            int
		says             []string
	}{
		{"miss", "source \"https://x\"\ngem \"a\"\n", sr(`gem  "zzz"`, `gem "b"`), Miss, 1, []string{"block 1", "line 2", `gem "a"`, "nothing was changed"}},
		{"second of two", "a\nb\n", sr("a", "A") + sr("gone for good", "x"), Miss, 2, []string{"block 2", "No line"}},
		{"second block on the first", "a\nb\n", sr("a", "x\ny") + sr("y", "z"), Miss, 2, []string{"what block 1 puts there"}},
		{"first differing line", "one\ntwo\nthree\nfour\n", sr("one\ntwo\n3\nfour", "x"), Miss, 1, []string{"lines 1-4", "line 3", "three", "SEARCH: 3"}},
		{"common lines only", strings.Repeat("}\n", 60) + "x\n", sr("}\ny", "z"), Miss, 1, []string{"lines 1-2"}},
		{"already done", "b\nzzz\n", sr("a", "b"), Miss, 1, []string{"already stands at line 1"}},
		{"several places", "if x:\n    return 1\nif y:\n    return 1\n", sr("    return 1", "    return 2"), Ambiguous, 1, []string{"2 places", "lines 2, 4"}},
		{"line ends do not decide", "x\r\ny\r\nx\n", sr("x", "z"), Ambiguous, 1, []string{"lines 1, 3"}},
		{"trimmed", "  x\n\tx\n", sr("x", "z"), Ambiguous, 1, []string{"lines 1, 2"}},
		{"with a mistake in the middle", conflict, sr("<<<<<<< HEAD\na=1\n=======\na=9\n>>>>>>> up", "a=3"), Ambiguous, 1, []string{"lines 1-2", "write_to_file"}},
		{"another ruler below a heading", "Title\n-------\nbody\nmore\n", sr("Title\n=======\nbody", "New\n=======\nbody"), Ambiguous, 1, []string{"line 1 matches"}},
		{"another line below a ruler", "Title\n-------\nbody\nmore\n", sr("Title\n=======\nmore", "New\n=======\nother"), Ambiguous, 1, []string{"line 1 matches"}},
		{"a short ruler is no divider", "Title\n-----\nbody\n", sr("Title\n=====\nbody", "New\n=====\nbody"), Miss, 1, []string{"line 2"}},
		{"unclosed block", "a\nc\n", "------- SEARCH\na\n=======\nb\n" + sr("c", "d"), Syntax, 1, []string{"block 1", "marker"}},
		{"unclosed block, file has markers", sr("a", "c"), "------- SEARCH\na\n=======\nb\n" + sr("c", "d"), Miss, 1, nil},
		{"no divider", "a\n", "------- SEARCH\na\n+++++++ REPLACE\n", Syntax, 1, []string{"======="}},
		{"divider missing in the middle", "a\nb\nc\n", sr("a", "A") + "------- SEARCH\nb\n+++++++ REPLACE\n" + sr("c", "C"), Syntax, 2, []string{"block 2 (line 6"}},
		{"prose, then a divider", "a\nc\n", sr("a", "b") + "and\n=======\n" + sr("c", "d"), Syntax, 1, []string{"line 7 of the diff is a marker outside of a block"}},
		{"no block", "a\n", "please change a\n", Syntax, 0, []string{"no block"}},
		{"only an end", "a\n", "+++++++ REPLACE\n", Syntax, 1, []string{"line 1"}},
		{"only some numbers", "def f():\n    pass\n", sr("1 | def f():\n2 |     pass", "def f():\n    return 1"), Miss, 1, []string{"Leave the line numbers out", "nearest candidate is at lines 1-2.\nThe file has there:\n1 | def f():\n2 |     pass\n"}},
		{"numbers, and another text", "def f():\n    pass\n", sr("1 | def f():\n2 |     return", "1 | x"), Miss, 1, []string{"Leave the line numbers out", "SEARCH:     return"}},
		{"twins", "func a() {\n  x()\n}\nfunc a() {\n  y()\n}\n", sr("func a() {\n  z()\n}", "gone"), Miss, 1, []string{"lines 1-3 (as near: lines 4-6)", "line 2", "x()"}},
		{"blanks inside of a line", "s = \"a  b\"\nt = 1\nu = 2\n", sr("s = \"a b\"\nt = 1\nu = 2", "x"), Miss, 1, []string{"line 1", "They differ in blanks inside of the line only.\n"}},
		{"a blank of another kind", "say “a\u00a0b”\nt = 1\nu = 2\n", sr("say “a b”\nt = 1\nu = 3", "x"), Miss, 1, []string{"line 1", "They look alike: the file has U+00A0 where SEARCH has U+0020.\n"}},
		{"one anchor pair only", "func a() {\n  x()\n}\n", sr("func a() {\n  z()\n}", "gone"), Miss, 1, []string{"line 2"}},
		{"empty SEARCH", "a\n", sr("", "b"), EmptySearch, 1, []string{"neighbouring"}},
		{"empty file, two blocks", "", sr("", "b") + sr("", "c"), EmptySearch, 1, nil},
		{"empty file, some SEARCH", "", sr("a", "b"), Miss, 1, []string{"file is empty"}},
		{"overlap", "a\nb\nc\n", sr("a\nb", "x") + sr("b\nc", "y"), Overlap, 1, []string{"blocks 1 and 2", "line 2"}},
		{"same place twice", "a\n", sr("a", "x") + sr("a", "y"), Overlap, 1, nil},
		{"a piece of a line", "int a=1;\nint b=2;\n", sr("a=1", "a=2"), Miss, 1, []string{"candidate is at line 1; line 1 is longer", "only a piece", "Quote whole lines", "\n1 | int a=1;\n"}},
		{"a line without its last sign", "x()\n  foo(a, b);\n", sr("  foo(a, b)", "  foo(b, a);"), Miss, 1, []string{"line 2 is longer", "\n2 |   foo(a, b);\n"}},
		{"a long line, shown whole", strings.Repeat("x", 90) + "(" + strings.Repeat("y", 400) + ", a)\n", sr(", a)", "b"), Miss, 1, []string{"\n1 | " + strings.Repeat("x", 90) + "(" + strings.Repeat("y", 400) + ", a)\n"}},
		{"from the middle of a line on", "if a {\r\n} else {\r\n  b()\r\n}\r\n", sr("else {\n  b()\n}", "else {\n  c()\n}"), Miss, 1, []string{"lines 2-4; line 2 is longer", "\n2 | } else {\n"}},
		{"up to the middle of a line", "a()\nfoo(b, c)\n", sr("a()\nfoo(b", "a()\nfoo(d"), Miss, 1, []string{"lines 1-2; line 2 is longer", "\n2 | foo(b, c)\n"}},
		{"pieces at both ends", "x = {abc\nxyz}\n", sr("{abc\nxyz", "{c\nd"), Miss, 1, []string{"lines 1-2; line 1 is longer"}},
		{"a blank line before a piece", "a\n\nfoo(b);\n", sr("\nfoo(b)", "\nfoo(c)"), Miss, 1, []string{"line 3 is longer"}},
		{"many pieces of one line", "a\n" + strings.Repeat("name, ", 500) + "\n", sr("name,", "z"), Miss, 1, []string{"line 2 is longer", "has 3000 bytes"}},
		{"pieces of several lines", "name, name\nx\nname, name\n", sr("name", "z"), Miss, 1, []string{"as of 2 lines in all, at lines 1, 3"}},
		{"half a word", "return 10\n", sr("return 1", "return 2"), Miss, 1, []string{"return 10"}},
		{"indentation that says nothing", "  if a:\n    b()\n", sr("if a:\nb()", "if a:\nb()\nc()"), Miss, 1, []string{"indentation"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := Replace(tc.text, tc.diff)
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("err = %v, want an *Error", err)
			}
			if e.Kind != tc.kind || e.Block != tc.block {
				t.Errorf("kind %q block %d, want %q %d: %v", e.Kind, e.Block, tc.kind, tc.block, e)
			}
			for _, s := range append(tc.says, "nothing was changed") {
				if !strings.Contains(e.Error(), s) {
					t.Errorf("%q is not in:\n%s", s, e)
				}
			}
		})
	}
}

// Run lengths, ">" and CRLF in all combinations.
func TestMarkerSpellings(t *testing.T) {
	for n := 3; n <= 12; n++ {
		for _, signs := range []string{"-+", "<>", "->", "<+"} {
			for _, tail := range []string{"", ">", " >", "  "} {
				for _, nl := range []string{"\n", "\r\n"} {
					for _, close := range []bool{true, false} {
						diff := strings.Repeat(signs[:1], n) + " SEARCH" + tail + nl + "a" + nl + strings.Repeat("=", n) + nl + "b" + nl
						if close {
							diff += strings.Repeat(signs[1:], n) + " REPLACE" + tail
						}
						res, err := Replace("a\n", diff)
						if err != nil || res.Text != "b\n" {
							t.Errorf("%q: %v, %v", diff, res, err)
						}
					}
				}
			}
		}
	}
}

// Every pair of punctuation after $ and \.
func TestReplaceIsLiteral(t *testing.T) {
	for _, lead := range []string{"$", `\`} {
		for c := byte('!'); c < 127; c++ {
			want := fmt.Sprintf("x %s%c y %s%c%c z", lead, c, lead, c, c)
			res, err := Replace("say(x)\n", sr("say(x)", want))
			if err != nil || res.Text != want+"\n" {
				t.Errorf("%q: %v, %v", want, res, err)
			}
		}
	}
}

func TestNotes(t *testing.T) {
	for _, tc := range []struct{ name, text, diff, want string }{
		{"none", "a\n", sr("a", "b"), ""},
		{"same", "a\n", sr("a", "a"), "changes nothing"},
		{"trimmed", "\ta\n\tb\n", sr("a\nb", "a\nc"), "block 1 matched lines 1-2 with other blanks"},
		{"tabs to spaces", "\ta\n", sr("\ta", "    b"), "indented with spaces, as written, where the file has tabs"},
		{"tabs in the file, spaces new", "all:\nx:\n\techo\n", sr("all:", "all:\n    echo"), "indented with spaces, as written, where the file has tabs"},
		{"numbers", "a\n", sr("1 | a", "1 | b"), "without its line numbers"},
	} {
		res, err := Replace(tc.text, tc.diff)
		if err != nil {
			t.Fatalf("%s: %v", tc.name, err)
		}
		got := strings.Join(res.Notes, "\n")
		if (tc.want == "") != (got == "") || !strings.Contains(got, tc.want) {
			t.Errorf("%s: notes %q, want %q", tc.name, got, tc.want)
		}
	}
}

func TestMessagesAreShort(t *testing.T) {
	line := strings.Repeat("wide ", 400)
	text := strings.Repeat(line+"a\n", 3000)
	for _, diff := range []string{
		sr(line+"a", "x"),
		sr(strings.Repeat(line+"a\n", 50)+line+"b", "x"),
		sr(strings.Repeat(line+"b\n", 50)+line+"b", "x"),
	} {
		_, err := Replace(text, diff)
		if err == nil || len(err.Error()) > 2000 {
			t.Errorf("message of %d bytes: %.300s", len(err.Error()), err)
		}
	}
}
