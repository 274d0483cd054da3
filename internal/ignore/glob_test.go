package ignore

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// Long patterns are followed in another way than short ones, to the same end.
func TestLongAndShortPatternsAgree(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "b", "*", "**", "/", "**/", "/**/", "?", "[ab]", "[!a]", "ab", "*b"}
	matched := 0
	for range 20_000 {
		var pattern, path strings.Builder
		for range 1 + rnd.IntN(8) {
			pattern.WriteString(pieces[rnd.IntN(len(pieces))])
		}
		for range 1 + rnd.IntN(10) {
			path.WriteByte("ab/a"[rnd.IntN(4)])
		}
		p, ok := parseLine(pattern.String(), false)
		if !ok || p.glob == nil {
			continue
		}
		short := p.glob.match(path.String())
		p.glob.reach = nil
		if long := p.glob.match(path.String()); long != short {
			t.Fatalf("%q on %q: %v, as a long one %v", pattern.String(), path.String(), short, long)
		}
		if short {
			matched++
		}
	}
	if matched < 1000 {
		t.Errorf("only %d matched", matched)
	}
	m := Parse(strings.Repeat("n*", 200)+"\n"+strings.Repeat("**/", 60)+"x\n"+strings.Repeat("*x", 400), Options{})
	if m.Match(strings.Repeat("n", 199), false) || !m.Match(strings.Repeat("n", 300), false) || !m.Match("a/b/x", false) {
		t.Error("a pattern over which backtracking takes ages is not matched")
	}
}
