package diffedit

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// otherBlanks leaves out blank lines between the first and last line, or doubles
// them, or makes some up.
func otherBlanks(r *rand.Rand, lines []string, odds [3]int) []string {
	var out []string
	for i, l := range lines {
		switch inside := i > 0 && i < len(lines)-1; {
		case inside && l == "" && r.IntN(4) < odds[0]:
			continue
		case inside && l == "" && r.IntN(4) < odds[1]:
			out = append(out, "")
		case inside && r.IntN(4) < odds[2]:
			out = append(out, "")
		}
		out = append(out, l)
	}
	return out
}

// A model that leaves out, doubles or makes up blank lines changes no blank line
// of the file that it does not speak of.
func TestBlankLinesStay(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 8))
	for range 4000 {
		var file []string
		for i := range 20 {
			file = append(file, fmt.Sprintf("line %d", i))
			for range r.IntN(4) / 2 * r.IntN(3) {
				file = append(file, "")
			}
		}
		file = append(file, "the end")
		from := r.IntN(len(file) - 6)
		to := from + 3 + r.IntN(3)
		for file[from] == "" {
			from++
		}
		for file[to-1] == "" {
			to++
		}
		search := otherBlanks(r, file[from:to], [3]int{r.IntN(5), r.IntN(5), r.IntN(2)})
		var full []int
		for i, l := range search {
			if l != "" {
				full = append(full, i)
			}
		}
		at := full[r.IntN(len(full))]
		in := slices.Index(file, search[at])
		replace, want := slices.Clone(search), slices.Clone(file)
		kind, doubt := r.IntN(4), false
		switch kind {
		case 0:
			replace[at], want[in] = "changed", "changed"
		case 1:
			replace, want = slices.Delete(replace, at, at+1), slices.Delete(want, in, in+1)
		case 2: // for more lines
			replace, want = slices.Replace(replace, at, at+1, "one", "two"), slices.Replace(want, in, in+1, "one", "two")
		case 3: // behind a line: on which side of a blank line left out is not said
			if at == len(search)-1 || search[at+1] == "" {
				continue
			}
			doubt = file[in+1] == ""
			replace, want = slices.Insert(replace, at+1, "new"), slices.Insert(want, in+1, "new")
		}
		text := strings.Join(file, "\n") + "\n"
		res, err := Replace(text, sr(strings.Join(search, "\n"), strings.Join(replace, "\n")))
		if doubt {
			if err == nil || !strings.Contains(err.Error(), "blank line") {
				t.Fatalf("%q in place of %q in %q: %v, %v", replace, search, text, res, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if w := strings.Join(want, "\n") + "\n"; res.Text != w {
			t.Fatalf("kind %d\nfile:\n%q\nsearch:\n%q\nreplace:\n%q\ngot:  %q\nwant: %q", kind, text, search, replace, res.Text, w)
		}
	}
}

func TestBlankLines(t *testing.T) {
	for name, c := range map[string]struct{ file, search, replace, want string }{
		"kept before a changed line":      {"a\n\nb\n\nc\n", "a\nb\nc", "a\nx\nc", "a\n\nx\n\nc\n"},
		"fewer than SEARCH has":           {" a\n\nb\n", " a\n\n\nb", " c\n\nb", " c\n\nb\n"},
		"removed on purpose, all of them": {"a\n\n\nb \nc\n", "a\n\nb\nc", "a\nb\nc", "a\nb \nc\n"},
		"above a look-alike, it goes":     {"a\n\nx\nf(‘b’)\nc\n", "\nx\nf('b')\nc", "x\nf('b')\nc", "a\nx\nf(‘b’)\nc\n"},
		"below a look-alike, it goes":     {"x\nf(‘b’)\nc\n\nd\n", "x\nf('b')\nc\n", "x\nf('b')\nc", "x\nf(‘b’)\nc\nd\n"},
		"one of two above":                {"a\n\n\nx\nf(‘b’)\nc\n", "\n\nx\nf('b')\nc", "\nx\nf('b')\nc", "a\n\nx\nf(‘b’)\nc\n"},
		"another line for the one above":  {"a\n\nx\nf(‘b’)\nc\n", "\nx\nf('b')\nc", "y\nx\nf('b')\nc", "a\ny\nx\nf(‘b’)\nc\n"},
		"REPLACE has them":                {"a\n\nb\nc\n", "a\nb\nc", "x\n\nb\nc", "x\n\nb\nc\n"},
		"among lines that go":             {"a\n\nb\n\nc\n\nd\n", "a\nb\nc\nd", "a\nd", "a\n\n\nd\n"},
		"among lines changed one by one":  {"a\n\nb\n\nc\n", "a\nb\nc", "x\ny\nz", "x\n\ny\n\nz\n"},
		"among lines that go deeper":      {"a\n\nb\nc\n", "a\nb\nc", "if x:\n  a\n  b\nc", "if x:\n  a\n\n  b\nc\n"},
		"below a new item":                {"- a\n- b\n\nText\n\nEnd\n", "- a\n- b\nText\nEnd", "- a\n- b\n- c\nText\nEnd", "- a\n- b\n- c\n\nText\n\nEnd\n"},
		"above a comment of what follows": {"a()\n\nfunc b() {\n}\n", "a()\nfunc b() {\n}", "a()\n// b is.\nfunc b() {\n}", "a()\n\n// b is.\nfunc b() {\n}\n"},
		"as deep as what follows":         {"\ta()\n\nb()\nc()\n", "\ta()\nb()\nc()", "\ta()\nx()\nb()\nc()", "\ta()\n\nx()\nb()\nc()\n"},
		"as numbered as what follows":     {"1. a\n2. b\n\nText.\n\n1. c\nEnd\n", "Text.\n1. c\nEnd", "Text.\n1. x\n1. c\nEnd", "1. a\n2. b\n\nText.\n\n1. x\n1. c\nEnd\n"},
		"around what follows":             {"a()\n\nb()\nc()\n", "a()\nb()\nc()", "a()\nif x {\n  b()\n}\nc()", "a()\n\nif x {\n  b()\n}\nc()\n"},
		"around what is above":            {"a()\nb()\n\nc()\n", "a()\nb()\nc()", "a()\nif x {\n  b()\n}\nc()", "a()\nif x {\n  b()\n}\n\nc()\n"},
		"all lines go less deep":          {"  a()\n\n  b()\n\n  c()\n", "  a()\n  b()\n\n\n  c()", "a()\nb()\n\nc()", "a()\n\nb()\n\nc()\n"},
		"a line below one of two":         {"a\n\n\nb\nc\n", "a\n\nb\nc", "a\n\nx\nb\nc", "a\n\n\nx\nb\nc\n"},
		"the last of some that go":        {"}\n\n// a\n// b\nc\n", "}\n// a\n// b", "}\nif x {\n  // a\n  // b\n}", "}\n\nif x {\n  // a\n  // b\n}\nc\n"},
		"new lines with their own":        {"a()\n\nb()\nc()\n", "a()\nb()\nc()", "a()\n\nx()\n\nb()\nc()", "a()\n\nx()\n\nb()\nc()\n"},
	} {
		res, err := Replace(c.file, sr(c.search, c.replace))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if res.Text != c.want {
			t.Errorf("%s: %q, want %q", name, res.Text, c.want)
		}
	}
}

// Where new lines come in just at a blank line that SEARCH left out, and nothing
// tells on which side of it they belong, nothing changes.
func TestBlankLineInDoubt(t *testing.T) {
	for name, c := range map[string]struct{ file, search, replace string }{
		"between two alike":      {"a\n\nb\nc\n", "a\nb\nc", "a\nx\nb\nc"},
		"as deep as both":        {"\t}\n\n\ta()\n\tb()\n", "\t}\n\ta()\n\tb()", "\t}\n\tx()\n\ta()\n\tb()"},
		"a block of its own":     {"#endif\n\n#ifndef A\n#define A\n", "#endif\n#ifndef A\n#define A", "#endif\nif x {\n    y\n}\n#ifndef A\n#define A"},
		"as a comment as both":   {"// a\n\n// b\nc()\n", "// a\n// b\nc()", "// a\n// x\n// b\nc()"},
		"as an item as both":     {"- a\n\n- b\n- c\n", "- a\n- b\n- c", "- a\n- x\n- b\n- c"},
		"several left out there": {"a\n\n\n\nb\nc\n", "a\nb\nc", "a\nx\nb\nc"},
	} {
		res, err := Replace(c.file, sr(c.search, c.replace))
		if err == nil {
			t.Errorf("%s: %q", name, res.Text)
		} else if text := err.Error(); !strings.Contains(text, "block 1: ") || !strings.Contains(text, "blank line") || !strings.Contains(text, "lines 1-") || !strings.Contains(text, "nothing was changed") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
