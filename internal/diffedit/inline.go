package diffedit

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxPieces is how many places of a piece of a line are counted.
const maxPieces = 1000

// findInline finds a piece of a line.
func (d *document) findInline(piece string) []match {
	s := trimCR(piece)
	if len(trimBlanks(s)) < 3 {
		return nil
	}
	var out []match
	for at := 0; len(out) < maxPieces; {
		i := strings.Index(d.text[at:], s)
		if i < 0 {
			return out
		}
		start, end := at+i, at+i+len(s)
		at = start + 1
		if joinsWord(d.text[:start], s) || joinsWord(s, d.text[end:]) {
			continue
		}
		line := sort.SearchInts(d.offsets, start+1) - 1
		out = append(out, match{tier: Inline, from: line, to: line + 1, start: start, end: end})
	}
	return out
}

// findTail finds n lines, two at least, of which the first is the end of a
// longer one.
func (f *finder) findTail(n int) []match {
	first := trimCR(f.lines[0])
	if f.rungs[Inline] == nil {
		var places []place
		for _, p := range f.d.reach(Exact, mapLines(f.lines[1:], trimCR)) {
			if head, ok := f.d.headOf(p.at-1, first); ok && trimBlanks(first) != "" && !joinsWord(head, first) {
				places = append(places, p)
			}
		}
		f.rungs[Inline] = newRung(places)
	}
	var out []match
	for _, at := range f.rungs[Inline].atLeast(n - 1) {
		from, to := at-1, at-1+n
		out = append(out, match{
			tier: Inline, from: from, to: to,
			start: f.d.offsets[at] - len(f.d.end(from)) - len(first),
			end:   f.d.offsets[to] - len(f.d.end(to-1)),
		})
	}
	return out
}

// headOf is what line i has in front of tail; ok is false when it does not end so.
func (d *document) headOf(i int, tail string) (head string, ok bool) {
	if i < 0 {
		return "", false
	}
	return strings.CutSuffix(d.content[i], tail)
}

// joinsWord reports whether a word goes on from the end of a into b.
func joinsWord(a, b string) bool {
	r, _ := utf8.DecodeLastRuneInString(a)
	s, _ := utf8.DecodeRuneInString(b)
	return isWord(r) && isWord(s)
}

func isWord(r rune) bool {
	return r == '_' || (r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)))
}
