package diffedit

import (
	"math/rand/v2"
	"testing"
)

// The short way for ASCII gives what the long way gives.
func TestFoldOfASCII(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 5))
	for range 20_000 {
		line := make([]byte, r.IntN(40))
		for i := range line {
			line[i] = byte(r.IntN(0x80))
		}
		if got, want := foldLine(string(line)), string(foldRunes(nil, string(line))); got != want {
			t.Fatalf("%q: %q, want %q", line, got, want)
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
