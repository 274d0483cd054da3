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
	if refused > done/4 {
		t.Errorf("%d done, %d refused", done, refused)
	}
}

func TestStray(t *testing.T) {
	class := "class A:\n    def f(self):\n        x = 1\n        return x\n"
	for name, c := range map[string]struct{ text, search, replace, want string }{
		"a line without, REPLACE as in the file": {class, "x = 1", "        x = 2", "class A:\n    def f(self):\n        x = 2\n        return x\n"},
		"REPLACE whole":                          {class, "def f(self):\n        x = 1\n        return x", "    def f(self):\n        x = 1\n        y = 2\n        return x", "class A:\n    def f(self):\n        x = 1\n        y = 2\n        return x\n"},
		"another first line":                     {class, "def f(self):\n        x = 1", "@property\n    def f(self):\n        x = 1", "class A:\n    @property\n    def f(self):\n        x = 1\n        return x\n"},
		"a new line at the stray's depth":        {class, "def f(self):\n        x = 1\n        return x", "def f(self):\n        x = 1\n        return x\n\n    def g(self):\n        pass", class + "\n    def g(self):\n        pass\n"},
	} {
		res, err := Replace(c.text, sr(c.search, c.replace))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if res.Text != c.want {
			t.Errorf("%s: %q", name, res.Text)
		}
	}
	if res, err := Replace("\t\ta()\n\t\tb()\n", sr("a()", "        if x {\n            a()\n        }")); err == nil {
		t.Errorf("a depth that nothing tells: %q", res.Text)
	}
}
