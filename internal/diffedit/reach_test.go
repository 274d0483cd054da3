package diffedit

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// All ways to look for lines find what comparing them one by one finds.
func TestReach(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 6))
	for range 3000 {
		kinds := 1 + r.IntN(4)
		pick := func(n int) []string {
			lines := make([]string, n)
			for i := range lines {
				lines[i] = []string{"a", "b", "c d", "e"}[r.IntN(kinds)]
			}
			return lines
		}
		hay, want := pick(r.IntN(60)), pick(1+r.IntN(12))
		var naive []place
		for i := range hay {
			n := 0
			for n < len(want) && i+n < len(hay) && hay[i+n] == want[n] {
				n++
			}
			if n > 0 {
				naive = append(naive, place{i, n})
			}
		}
		d := newDocument(strings.Join(hay, "\n") + "\n")
		if len(hay) == 0 {
			d = newDocument("")
		}
		for tier := Exact; tier < tiers; tier++ {
			for range fewSearches + 2 { // with the index at last
				if got := d.reach(tier, want); !slices.Equal(got, naive) {
					t.Fatalf("%q in %q on rung %d: %v, want %v", want, hay, tier, got, naive)
				}
			}
		}
		x := newIndex(hay)
		if ids := x.of(want); !slices.Equal(x.reachRepetitive(ids), naive) {
			t.Fatalf("%q in %q, Z: %v, want %v", want, hay, x.reachRepetitive(ids), naive)
		}
	}
}

// A diff of very many dividers, in a file of such, is told of in words.
func TestManyDividers(t *testing.T) {
	rulers := strings.Repeat("=======\n", 10_000)
	for _, c := range []struct{ name, text, diff string }{
		{"nothing but rulers", rulers + "a\n" + rulers, "------- SEARCH\n" + rulers + rulers + "x\n+++++++ REPLACE\n"},
		{"a line before them", strings.Repeat("a\n=======\nb\n", 3000), "------- SEARCH\na\n" + rulers + "+++++++ REPLACE\n"},
		{"blanks differ", strings.Repeat("a b\n=======\nx  y\n", 3000), "------- SEARCH\n" + strings.Repeat("a  b\n=======\nx y\n", 3000) + "=======\n+++++++ REPLACE\n"},
		{"look-alikes", strings.Repeat("a–\n", 20_000), "------- SEARCH\n" + strings.Repeat("a-\n=======\n", 10_000) + "+++++++ REPLACE\n"},
		{"blank lines first", "a\n", "------- SEARCH\n" + strings.Repeat("\n", 100_000) + rulers + "x\n+++++++ REPLACE\n"},
		{"all places too short", strings.Repeat("=======\n", 30_000) + "a\n", "------- SEARCH\nb\n" + rulers + rulers + rulers + rulers + "=======\n+++++++ REPLACE\n"},
		{"tails", strings.Repeat("x a\n=======\n=======\n", 10_000), "------- SEARCH\na\n" + rulers + "+++++++ REPLACE\n"},
		{"markers too", strings.Repeat("+++++++ REPLACE\n", 1000), "------- SEARCH\n" + strings.Repeat("=======\n+++++++ REPLACE\n", 10_000)},
	} {
		_, err := Replace(c.text, c.diff)
		if err == nil || len(err.Error()) > 2000 || !strings.Contains(err.Error(), "nothing was changed") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
