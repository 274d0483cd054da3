package v4a

import (
	"slices"
	"strings"
	"testing"

	"clined/internal/diffedit"
)

// slowBlockEnd is what blockEnds says of one line, looked for from that line on.
func slowBlockEnd(lines []string, at int) int {
	base, level := width(lines[at]), headingLevel(lines[at])
	for i := at + 1; i < len(lines); i++ {
		l := lines[i]
		if diffedit.IsBlank(l) {
			continue
		}
		w, other := width(l), headingLevel(l)
		switch {
		case w < base:
			return i
		case level != 0 && other*level > 0 && (level < 0 || other <= level) && w == base:
			return i
		case level == 0 && w == base && !goesOn(l) && (!isItem(l) || isItem(lines[at])):
			return i
		}
	}
	return len(lines)
}

func TestBlockEnds(t *testing.T) {
	r := seeded(41)
	for range 3000 {
		var lines []string
		for range r.IntN(25) {
			lines = append(lines, pick(r, "", "", "  ", "\t", "    ", "      ")+
				pick(r, "", "a:", "def f():", "x", "}", "{", "end", "else:", "- item", "- - x", "# A", "## B", "### C", "[table]", "[a] x", ") {", "#no"))
		}
		ends := blockEnds(lines)
		for at, l := range lines {
			if want := slowBlockEnd(lines, at); !diffedit.IsBlank(l) && ends[at] != want {
				t.Fatalf("the block of line %d ends at %d, not %d:\n%s", at, ends[at], want, strings.Join(lines, "\n"))
			}
		}
	}
}

// What a line opens is found out once, however deep and alike the lines are.
func TestBlockEndsOfAlikeLines(t *testing.T) {
	for _, line := range []string{"}", "end", "- x", "# A", "[a]"} {
		lines := slices.Repeat([]string{line}, 200_000)
		want := 200_000
		if line != "}" && line != "end" {
			want = 1
		}
		if got := blockEnds(lines)[0]; got != want {
			t.Errorf("%s: %d, not %d", line, got, want)
		}
	}
}
