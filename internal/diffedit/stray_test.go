package diffedit

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// A first or last line that lost its indentation, in SEARCH alone or in REPLACE
// too, spoils no other line: the change is made as in the file, or not at all.
func TestStrayLine(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 9))
	done, refused := 0, 0
	for range 6000 {
		file := randomNested(r, 40)
		from := r.IntN(30)
		search := file[from : from+3+r.IntN(6)]
		n := len(search)
		at := 1 + r.IntN(n-1)
		before := search[at-1]
		if search[0].text == "" || search[n-1].text == "" || before.text == "" || search[at].extra > 0 {
			continue
		}
		depth := before.depth
		if strings.HasPrefix(before.text, "if") {
			depth++
		}
		replace := append(append(append(nested{}, search[:at]...), fresh(r, depth)...), search[at:]...)
		switch kind := r.IntN(6); {
		case search[0].depth == 0 || search[n-1].depth == 0: // they lose nothing
		case kind == 0:
			replace = append(nested{{search.base(), 0, "with x:"}}, search.deeper(1)...)
		case kind == 1 && at < n-1 && search[at].text != "": // of a last line alone nothing would tell, when it lost its indentation
			replace = append(append(append(nested{}, search[:at]...), nestedLine{search[at:].base(), 0, "with x:"}), search[at:].deeper(1)...)
		case kind == 2 && search.base() > 0:
			replace = search.deeper(-1)
		}
		want := append(append(append(nested{}, file[:from]...), replace...), file[from+n:]...)

		unit := []string{"\t", "  ", "    "}[r.IntN(3)]
		s, rep := strings.Split(search.write(unit, 0, ""), "\n"), strings.Split(replace.write(unit, 0, ""), "\n")
		both := r.IntN(2) == 0
		for _, end := range [][]int{{0}, {1}, {0, 1}}[r.IntN(3)] {
			i, j := end*(len(s)-1), end*(len(rep)-1)
			if s[i] = strings.TrimLeft(s[i], " \t"); both {
				rep[j] = strings.TrimLeft(rep[j], " \t")
			}
		}
		if indentSigns(s) == "" { // a block without its margin
			continue
		}
		text := file.write(unit, 0, "") + "\n"
		res, err := Replace(text, sr(strings.Join(s, "\n"), strings.Join(rep, "\n")))
		switch {
		case err != nil:
			refused++
		case res.Text != want.write(unit, 0, "")+"\n":
			t.Fatalf("unit %q\nfile:\n%s\nsearch:\n%s\nreplace:\n%s\ngot:\n%s", unit, text, strings.Join(s, "\n"), strings.Join(rep, "\n"), res.Text)
		default:
			done++
		}
	}
	t.Log(done, "done,", refused, "refused")
	if refused > done/2 {
		t.Errorf("%d done, %d refused", done, refused)
	}
}

// deeper returns lines with another depth.
func (n nested) deeper(by int) nested {
	out := append(nested{}, n...)
	for i := range out {
		out[i].depth += by
	}
	return out
}

func TestStray(t *testing.T) {
	class := "class A:\n    def f(self):\n        x = 1\n        return x\n"
	for name, c := range map[string]struct{ text, search, replace, want string }{
		"a line without, REPLACE as in the file":  {class, "x = 1", "        x = 2", "class A:\n    def f(self):\n        x = 2\n        return x\n"},
		"REPLACE whole":                           {class, "def f(self):\n        x = 1\n        return x", "    def f(self):\n        x = 1\n        y = 2\n        return x", "class A:\n    def f(self):\n        x = 1\n        y = 2\n        return x\n"},
		"another first line":                      {class, "def f(self):\n        x = 1", "@property\n    def f(self):\n        x = 1", "class A:\n    @property\n    def f(self):\n        x = 1\n        return x\n"},
		"one line, a block as in the file":        {"\tuse()\n", "use()", "if x {\n\t\tuse()\n\t}", "\tif x {\n\t\tuse()\n\t}\n"},
		"one line, a block without its margin":    {"\tuse()\n", "use()", "if x {\n\tuse()\n}", "\tif x {\n\t\tuse()\n\t}\n"},
		"one line, Python's block without":        {"def f():\n    use()\n", "use()", "if x:\n    use()", "def f():\n    if x:\n        use()\n"},
		"one line, Python's block as in the file": {"def f():\n    use()\n", "use()", "if x:\n        use()", "def f():\n    if x:\n        use()\n"},
		"a new line at the stray's depth":         {class, "def f(self):\n        x = 1\n        return x", "def f(self):\n        x = 1\n        return x\n\n    def g(self):\n        pass", class + "\n    def g(self):\n        pass\n"},
	} {
		res, err := Replace(c.text, sr(c.search, c.replace))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if res.Text != c.want {
			t.Errorf("%s: %q", name, res.Text)
		}
	}
}

// Where it cannot be told whether a line lost its indentation or shall have none,
// nothing changes; neither does it for a line that the file does not have.
func TestStrayInDoubt(t *testing.T) {
	class := "class A:\n    def f(self):\n        x = 1\n        return x\n"
	for name, c := range map[string]struct{ text, search, replace string }{
		"a depth that nothing tells":       {"\t\ta()\n\t\tb()\n", "a()", "        if x {\n            a()\n        }"},
		"first line, all less deep":        {class, "def f(self):\n        x = 1\n        return x", "def f(self):\n    x = 1\n    return x"},
		"last line, all less deep":         {class, "        x = 1\nreturn x", "    x = 1\nreturn x"},
		"another line comes first":         {"a:\n      b\n    c\n", "b\n    c", "c"},
		"last line, and a closing one":     {"\tif a {\n\t\tb()\n\t\tc()\n", "\tif a {\n\t\tb()\nc()", "\tif x {\n\t\tif a {\n\t\t\tb()\n\t\t\tc()\n}"},
		"deeper than the file, or written": {"  a()\n  b()\n", "a()", "x()\n  a()"},
		"last line made up":                {class, "    def f(self):\n        x = 1\n        return x\nand so on", "    def f(self):\n        return 1"},
		"last line half of another":        {class, "    def f(self):\n        x = 1\n        retu", "    def f(self):\n        x = 2\n        retu"},
		"last line a marker's rest":        {class, "        x = 1\n-----", "        x = 2\n-----"},
		"last line twice":                  {class, "        x = 1\n        return x\n        return x", "        x = 2\n        return x"},
		"first line made up":               {class, "# the class\n    def f(self):\n        x = 1", "# the class\n    def f(self):\n        x = 2"},
	} {
		if res, err := Replace(c.text, sr(c.search, c.replace)); err == nil {
			t.Errorf("%s: %q", name, res.Text)
		} else if !strings.Contains(err.Error(), "nothing was changed") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
