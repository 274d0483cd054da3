package diffedit

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// nested are lines of a program, each with its depth and the blanks that align it
// beyond that.
type nested []nestedLine

type nestedLine struct {
	depth, extra int
	text         string
}

// randomNested writes a program with blocks, block comments, lines aligned with
// what stands in a bracket, and blank lines.
func randomNested(r *rand.Rand, n int) nested {
	var out nested
	depth := 0
	for i := 0; len(out) < n; i++ {
		switch r.IntN(14) {
		case 0, 1:
			out = append(out, nestedLine{})
			continue
		case 2:
			out = append(out, comment(depth, i)...)
			continue
		case 3:
			out = append(out, aligned(depth, i)...)
		case 4, 5, 6, 7:
			out = append(out, nestedLine{depth, 0, fmt.Sprintf("if x%d:", i)})
			depth++
			continue
		default:
			out = append(out, nestedLine{depth, 0, fmt.Sprintf("call%d(x)", i)})
		}
		depth = max(depth-r.IntN(3)/2*r.IntN(3), 0)
	}
	return out
}

func comment(depth, i int) nested {
	return nested{{depth, 0, fmt.Sprintf("/** about %d", i)}, {depth, 1, fmt.Sprintf("* it is %d", i)}, {depth, 1, "*/"}}
}

func aligned(depth, i int) nested {
	return nested{{depth, 0, fmt.Sprintf("call%02d(a,", i)}, {depth, 7, fmt.Sprintf("b%d,", i)}, {depth, 7, "c)"}}
}

// fresh is what comes new into a program: lines of any kind at a depth.
func fresh(r *rand.Rand, depth int) nested {
	plain := nested{{depth, 0, "fresh(1)"}}
	deep := nested{{depth, 0, "if fresh:"}, {depth + 1, 0, "fresh(1)"}}
	switch r.IntN(5) {
	case 0:
		return plain
	case 1:
		return deep
	case 2:
		return append(comment(depth, 99), deep...)
	case 3:
		return append(deep, comment(depth+1, 99)...)
	}
	return append(deep, aligned(depth+1, 99)...)
}

// write gives each line its indentation, from depth base on.
func (n nested) write(unit string, base int, margin string) string {
	var lines []string
	for _, l := range n {
		if l.text == "" {
			lines = append(lines, "")
		} else {
			lines = append(lines, margin+strings.Repeat(unit, l.depth-base)+strings.Repeat(" ", l.extra)+l.text)
		}
	}
	return strings.Join(lines, "\n")
}

func (n nested) base() int {
	least := 99
	for _, l := range n {
		if l.text != "" {
			least = min(least, l.depth)
		}
	}
	return least
}

// A model that writes a block with another unit of indentation, or without what
// stands in front of all of it, gets what it meant: the change in the file's own
// style. Where that cannot be told, nothing changes.
func TestReindent(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 7))
	units := []string{"\t", "  ", "    "}
	refused := 0
	for range 3000 {
		file := randomNested(r, 40)
		from := r.IntN(30)
		to := from + 2 + r.IntN(8)
		search := file[from:to:to]
		at := 1 + r.IntN(len(search)-1) // lines come behind at least one
		before := search[at-1]
		if before.text == "" || search[at].extra > 0 {
			continue
		}
		depth := before.depth
		if strings.HasPrefix(before.text, "if") {
			depth++
		}
		fresh := fresh(r, depth)
		replace := append(append(append(nested{}, search[:at]...), fresh...), search[at:]...)
		want := append(append(append(nested{}, file[:from]...), replace...), file[to:]...)

		unit, other := units[r.IntN(3)], units[r.IntN(3)]
		base, margin := search.base()*r.IntN(2), strings.Repeat(" ", r.IntN(2)*2)
		res, err := Replace(file.write(unit, 0, "")+"\n", sr(search.write(other, base, margin), replace.write(other, base, margin)))
		if err != nil {
			refused++
			continue
		}
		if res.Edits[0].Tier == Exact && unit != other { // as written, and told
			if (unit == "\t") != (other == "\t") && depth > base && len(res.Notes) == 0 {
				t.Fatalf("nothing is told of other indentation: %q", res.Edits[0].New)
			}
			continue
		}
		if got := res.Text; got != want.write(unit, 0, "")+"\n" {
			t.Fatalf("unit %q, other %q, without %d levels, margin %q\nfile:\n%s\nsearch:\n%s\nreplace:\n%s\ngot:\n%s", unit, other, base, margin,
				file.write(unit, 0, ""), search.write(other, base, margin), replace.write(other, base, margin), got)
		}
	}
	t.Log(refused, "refused")
	if refused > 300 {
		t.Errorf("%d refused", refused)
	}
}

// Where SEARCH is indented as the file, or tells how its widths become the file's,
// new lines go by that; where it tells too little, nothing changes.
func TestReindentWidths(t *testing.T) {
	for name, c := range map[string]struct{ text, search, replace, want string }{
		"4 spaces in a file of 2":        {"a {\n  b {\n    c()\n  }\n}\n", "    b {\n        c()\n    }", "    b {\n        c()\n        d {\n            e()\n        }\n    }", "a {\n  b {\n    c()\n    d {\n      e()\n    }\n  }\n}\n"},
		"and further out":                {"a {\n  b {\n    c()\n  }\n}\n", "        c()\n    }", "        c()\n    }\n    d()\n}\nx {", "a {\n  b {\n    c()\n  }\n  d()\n}\nx {\n}\n"},
		"8 spaces in a file of tabs":     {"a {\n\tb()\n}\n", "        b()", "        if x {\n                b()\n        }", "a {\n\tif x {\n\t\tb()\n\t}\n}\n"},
		"2 spaces in a file of 4":        {"a:\n    b:\n        c()\n", "  b:\n    c()", "  b:\n    c()\n    if x:\n      d()", "a:\n    b:\n        c()\n        if x:\n            d()\n"},
		"as the file, but for its ends":  {"a {\n  b()\n}\n", "  b() ", "  b()\n  if x {\n      c()\n  }", "a {\n  b()\n  if x {\n      c()\n  }\n}\n"},
		"a file that mixes":              {"\t  {\n\t    a();\n\t  }\n", "\t\t  {\n\t\t    a();", "\t\t  {\n\t\t    if (x)\n\t\t      a();", "\t  {\n\t    if (x)\n\t      a();\n\t  }\n"},
		"a lone odd step":                {"a\n   b\nc {\n", "c { ", "c {\n    d\n}", "a\n   b\nc {\n    d\n}\n"},
		"further out, and nothing tells": {"a {\n  b {\n    if c {\n      // d\n    }\n  }\n}\n", "            // d", "    // d", ""},
	} {
		wantReplaced(t, name, c.text, sr(c.search, c.replace), c.want)
	}
}

// Where all lines of SEARCH, aligned ones too, are moved alike, the new lines move
// with them; where REPLACE brings levels that SEARCH does not show, and they are
// not those of the file, nothing changes.
func TestMovedAlike(t *testing.T) {
	js := "class A {\n  f() {\n    foo(a,\n        d)\n    print('hi')\n  }\n}\n"
	py := "class A:\n    def f():\n        run(a,\n            b)\n        return a\n"
	tabs := "f() {\n\tfoo(a,\n\t    d)\n\tif a {\n\t\tx()\n\t}\n}\n"
	for name, c := range map[string]struct{ text, search, replace, want string }{
		"deeper than an aligned line": {py, "    run(a,\n        b)", "    run(a,\n        b=dict(\n            c=1))",
			strings.Replace(py, "b)", "b=dict(\n                c=1))", 1)},
		"in the place of an aligned line":                   {js, "    d)\nprint('hi')", "    e)\nprint('hi')", strings.Replace(js, "d)", "e)", 1)},
		"more of them":                                      {js, "    d)\nprint('hi')", "    d,\n    e)\nprint('hi')", strings.Replace(js, "d)", "d,\n        e)", 1)},
		"too deep, and back out":                            {js, "        foo(a,\n            d)\n        print('hi')\n      }", "        foo(a)\n      }\n      g() {\n      }", strings.Replace(js, "    foo(a,\n        d)\n    print('hi')\n  }", "    foo(a)\n  }\n  g() {\n  }", 1)},
		"further out than it can be":                        {js, "        print('hi')\n      }", "        print('ho')\n      }\n}\nx", ""},
		"as in the file, below an aligned one":              {tabs, "\tfoo(a,\n\t    d) ", "\tfoo(a,\n\t    g(\n\t    \td))", strings.Replace(tabs, "d)", "g(\n\t    \td))", 1)},
		"spaces for tabs, below an aligned one":             {tabs, "    foo(a,\n        d)", "    foo(a,\n        g(\n            d))", ""},
		"YAML items":                                        {"x:\n  - a\n  - b\n", "- a\n- b", "- a\n- c:\n    d: 1\n- b", ""},
		"YAML items of its width":                           {"x:\n  - a\n  - b\n", "- a\n- b", "- a\n- c:\n  - d\n- b", "x:\n  - a\n  - c:\n    - d\n  - b\n"},
		"a YAML key":                                        {"s:\n  web:\n    image: a\n", "image: a", "image: a\nenv:\n    A: 1", ""},
		"two levels moved":                                  {"a:\n    b:\n      c: 1\n", "b:\n  c: 1", "b:\n  c: 1\n  d:\n      e: 2", "a:\n    b:\n      c: 1\n      d:\n          e: 2\n"},
		"only the first line lost it, and comes back whole": {"a:\n        b()\n        c()\n", "b()\nc()", "x()\n        b()\n        c()", ""},
		"going on by eight":                                 {"a {\n    b(c)\n}\n", "      b(c)", "      b(\n              c)", "a {\n    b(\n            c)\n}\n"},
		"wrapped":                                           {"f() {\n    a()\n    b()\n}\n", "a()\nb()", "if x:\n    a()\n    b()", "f() {\n    if x:\n        a()\n        b()\n}\n"},
	} {
		wantReplaced(t, name, c.text, sr(c.search, c.replace), c.want)
	}
}

// wantReplaced holds what a diff makes of a text against want, "" for a refusal.
func wantReplaced(t *testing.T, name, text, diff, want string) {
	t.Helper()
	switch res, err := Replace(text, diff); {
	case want == "" && err == nil:
		t.Errorf("%s: %q", name, res.Text)
	case want == "":
	case err != nil:
		t.Errorf("%s: %v", name, err)
	case res.Text != want:
		t.Errorf("%s:\n%s\nwant\n%s", name, res.Text, want)
	}
}
