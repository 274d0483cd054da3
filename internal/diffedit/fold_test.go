package diffedit

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// The short ways give what the long way gives.
func TestFoldShort(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 5))
	pick := func(from string) string {
		runes := []rune(from)
		var b strings.Builder
		for range r.IntN(6) {
			b.WriteRune(runes[r.IntN(len(runes))])
		}
		return b.String()
	}
	var lines []string
	for range 400 {
		line := make([]byte, r.IntN(40))
		for i := range line {
			if line[i] = byte(r.IntN(0x80)); line[i] == '\n' {
				line[i] = ' '
			}
		}
		lines = append(lines, string(line), pick("ab \t=-_"), pick("e\u0301 \u00a0\u200b–-\"“é"))
		want := string(foldRunes(nil, string(line)))
		if got := foldLine(string(line)); got != want {
			t.Fatalf("%q: %q, want %q", line, got, want)
		}
	}
	for _, a := range lines {
		for _, b := range lines {
			if form := foldLine(b); foldsTo(a, form) != (foldLine(a) == form) {
				t.Fatalf("%q and %q: %v", a, b, foldsTo(a, form))
			}
		}
	}
}

func TestFold(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"f( a,b )", "f(a, b)", true},
		{"return x", "returnx", false},
		{"return  x", " return x\t", true},
		{"“x” – y…", `"x" - y...`, true},
		{"na\u00efve", "nai\u0308ve", true},
		{"a\u00a0b", "a b", true},
		{"a\u200bb", "ab", true},
		{"（x）", "(x)", true},
		{"`x`", "'x'", false},    // both are quotes of programs
		{"a\u0430", "aa", false}, // a Cyrillic letter is another letter
	} {
		if got := foldLine(c.a) == foldLine(c.b); got != c.same {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
	}
}
