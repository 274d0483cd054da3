package diffedit

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
)

func TestMerge(t *testing.T) {
	const base = "1\n2\n3\n4\n5\n"
	for name, c := range map[string]struct {
		mine, theirs, want string
		no                 bool
	}{
		"nothing":              {mine: base, theirs: base, want: base},
		"mine":                 {mine: "1\ntwo\n3\n4\n5\n", theirs: base, want: "1\ntwo\n3\n4\n5\n"},
		"theirs":               {mine: base, theirs: "1\n2\n", want: "1\n2\n"},
		"apart":                {mine: "1\n2\n3\n4\nfive\nsix\n", theirs: "0\n1\nx\n3\n4\n5\n", want: "0\n1\nx\n3\n4\nfive\nsix\n"},
		"between two":          {mine: "1\n2\nthree\n4\n5\n", theirs: "one\n2\n3\n4\n", want: "one\n2\nthree\n4\n"},
		"the same":             {mine: "1\n2\nthree\n4\n5\n", theirs: "1\n2\nthree\n4\n5\n", want: "1\n2\nthree\n4\n5\n"},
		"the same and another": {mine: "1\n2\nthree\n4\nfive\n", theirs: "0\n1\n2\nthree\n4\n5\n", want: "0\n1\n2\nthree\n4\nfive\n"},
		"the same line":        {mine: "1\n2\nthree\n4\n5\n", theirs: "1\n2\nx\n4\n5\n", no: true},
		"side by side":         {mine: "1\n2\nthree\n4\n5\n", theirs: "1\n2\n3\nx\n5\n", no: true},
		"both at the end":      {mine: base + "6\n", theirs: base + "x\n", no: true},
		"all gone":             {mine: "1\ntwo\n3\n4\n5\n", theirs: "", no: true},
	} {
		for _, eol := range []string{"\n", "\r\n"} {
			ends := func(s string) string { return strings.ReplaceAll(s, "\n", eol) }
			got, ok := Merge(ends(base), ends(c.mine), ends(c.theirs))
			if got != ends(c.want) || ok == c.no {
				t.Errorf("%s, %q: %q, %v", name, eol, got, ok)
			}
		}
	}
}

// Changes with a line between them merge, in either order, to both of them.
func TestMergeKeepsBoth(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	for range 2000 {
		var base, mine, theirs, want []string
		for i := range 2 + r.IntN(20) {
			line := fmt.Sprint("line ", i)
			fresh := changeLines(r, []string{line}, 1)
			b, m, h, w := []string{line}, []string{line}, []string{line}, []string{line}
			switch r.IntN(4) {
			case 0:
				m, w = fresh, fresh
			case 1:
				h, w = fresh, fresh
			}
			fixed := fmt.Sprint("fixed ", i)
			base, mine = append(append(base, b...), fixed), append(append(mine, m...), fixed)
			theirs, want = append(append(theirs, h...), fixed), append(append(want, w...), fixed)
		}
		text := func(lines []string) string { return strings.Join(lines, "\n") }
		for _, pair := range [][2][]string{{mine, theirs}, {theirs, mine}} {
			if got, ok := Merge(text(base), text(pair[0]), text(pair[1])); !ok || got != text(want) {
				t.Fatalf("base %q\nmine %q\ntheirs %q: %v\ngot  %q\nwant %q", base, pair[0], pair[1], ok, got, want)
			}
		}
	}
}

func FuzzMerge(f *testing.F) {
	f.Add("1\n2\n3\n", "1\n2\nx\n", "0\n1\n2\n3\n")
	f.Fuzz(func(t *testing.T, base, mine, theirs string) {
		if got, ok := Merge(base, mine, base); !ok || got != mine {
			t.Errorf("on the base: %q, %v", got, ok)
		}
		if got, ok := Merge(base, base, theirs); !ok || got != theirs {
			t.Errorf("no change: %q, %v", got, ok)
		}
		if got, ok := Merge(base, mine, mine); !ok || got != mine {
			t.Errorf("the same: %q, %v", got, ok)
		}
		got, ok := Merge(base, mine, theirs)
		back, ok2 := Merge(base, theirs, mine)
		if ok != ok2 || got != back {
			t.Errorf("%q, %v; the other way round %q, %v", got, ok, back, ok2)
		}
	})
}

// Merging many changes that both sides made reads each text once.
func TestMergeAllocates(t *testing.T) {
	spent := func(n int) uint64 {
		var base, mine strings.Builder
		for i := range n {
			fmt.Fprintf(&base, "line %d\n", i)
			fmt.Fprintf(&mine, "line %d%s\n", i, []string{"", "x"}[i%2])
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, ok := Merge(base.String(), mine.String(), mine.String()); !ok {
			t.Error("the same changes do not merge")
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if few, many := spent(500), spent(4000); many > 20*few {
		t.Errorf("%d bytes for 500 lines, %d for 4000", few, many)
	}
}
