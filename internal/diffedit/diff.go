package diffedit

import (
	"sort"
	"strings"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// Bounds of the work for texts of any kind.
const (
	// exactLines is up to how many lines of both texts together the smallest diff
	// is looked for at once. Beyond that the library gives up after some hundred
	// changes and calls all the rest changed.
	exactLines = 100
	// maxCuts is how often parts of the texts are parted again.
	maxCuts = 20
)

// lineDiff is what differs between two texts, by lines with their ends.
type lineDiff struct {
	// skipped is how many lines both texts begin with that are left out of a and
	// b, as are lines that both end with. Some lines around changes are kept.
	skipped int
	// start is where in both texts, in bytes, a and b begin.
	start int
	a, b  []string
	// changes are in order, with an equal line at least between two.
	changes []change
}

// change puts lines b[b0:b1] in place of a[a0:a1].
type change struct{ a0, a1, b0, b1 int }

// newLineDiff compares two texts. Where they begin and end alike little is done
// but comparing them.
func newLineDiff(before, after string) *lineDiff {
	head := commonHead(before, after)
	tail := commonTail(before[head:], after[head:])
	head = linesBack(before, head)
	tail = len(before) - linesOn(before, len(before)-tail)
	d := &lineDiff{
		skipped: strings.Count(before[:head], "\n"),
		start:   head,
		a:       splitLines(before[head : len(before)-tail]),
		b:       splitLines(after[head : len(after)-tail]),
	}
	ids := make(map[string]rune)
	p := parter{a: numbered(d.a, ids), b: numbered(d.b, ids)}
	p.seen = make([]sighting, len(ids))
	p.part(0, len(d.a), 0, len(d.b), maxCuts)
	d.changes = p.changes
	return d
}

// splitLines cuts a text after each LF.
func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	lines := make([]string, 0, strings.Count(text, "\n")+1)
	for l := range strings.Lines(text) {
		lines = append(lines, l)
	}
	return lines
}

// numbered gives equal lines equal numbers.
func numbered(lines []string, ids map[string]rune) []rune {
	out := make([]rune, len(lines))
	for i, l := range lines {
		id, ok := ids[l]
		if !ok {
			id = rune(len(ids))
			ids[l] = id
		}
		out[i] = id
	}
	return out
}

// parter compares lines by their numbers. Large texts are cut at lines that
// stand once in each of them, in the same order (patience diff), so that many
// small changes stay small.
type parter struct {
	a, b    []rune
	changes []change
	seen    []sighting // by number; all zero between uses
}

// sighting is how often a line stands in two parts, and where.
type sighting struct{ inA, inB, b int }

// part compares a[a0:a1] with b[b0:b1].
func (p *parter) part(a0, a1, b0, b1, depth int) {
	for a0 < a1 && b0 < b1 && p.a[a0] == p.b[b0] {
		a0, b0 = a0+1, b0+1
	}
	for a0 < a1 && b0 < b1 && p.a[a1-1] == p.b[b1-1] {
		a1, b1 = a1-1, b1-1
	}
	switch {
	case a0 == a1 && b0 == b1:
		return
	case a0 == a1 || b0 == b1:
		p.add(change{a0, a1, b0, b1})
		return
	}
	var cuts []cut
	if depth > 0 && a1-a0+b1-b0 > exactLines {
		cuts = p.anchors(a0, a1, b0, b1)
	}
	if len(cuts) == 0 {
		for _, d := range lcs.DiffRunes(p.a[a0:a1], p.b[b0:b1]) {
			p.add(change{a0 + d.Start, a0 + d.End, b0 + d.ReplStart, b0 + d.ReplEnd})
		}
		return
	}
	for _, c := range append(cuts, cut{a1, b1}) {
		p.part(a0, c.a, b0, c.b, depth-1)
		a0, b0 = c.a, c.b
	}
}

// add takes the next change, and joins it to the one before if they touch.
func (p *parter) add(c change) {
	if n := len(p.changes); n > 0 && p.changes[n-1].a1 == c.a0 && p.changes[n-1].b1 == c.b0 {
		p.changes[n-1].a1, p.changes[n-1].b1 = c.a1, c.b1
		return
	}
	p.changes = append(p.changes, c)
}

// cut is a line of both texts.
type cut struct{ a, b int }

// anchors returns the lines that stand once in both parts, as many as are in
// the same order there.
func (p *parter) anchors(a0, a1, b0, b1 int) []cut {
	for _, id := range p.a[a0:a1] {
		p.seen[id].inA++
	}
	for i, id := range p.b[b0:b1] {
		p.seen[id].inB++
		p.seen[id].b = b0 + i
	}
	var cuts []cut
	for i, id := range p.a[a0:a1] {
		if s := p.seen[id]; s.inA == 1 && s.inB == 1 {
			cuts = append(cuts, cut{a0 + i, s.b})
		}
	}
	for _, ids := range [][]rune{p.a[a0:a1], p.b[b0:b1]} {
		for _, id := range ids {
			p.seen[id] = sighting{}
		}
	}
	return longestRise(cuts)
}

// longestRise returns the longest part of cuts, sorted by a, that rises in b too.
func longestRise(cuts []cut) []cut {
	var ends []int // index of the smallest end of a rise of each length
	before := make([]int, len(cuts))
	for i, c := range cuts {
		n := sort.Search(len(ends), func(k int) bool { return cuts[ends[k]].b > c.b })
		before[i] = -1
		if n > 0 {
			before[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		} else {
			ends[n] = i
		}
	}
	out := make([]cut, len(ends))
	if len(ends) > 0 {
		for i, k := ends[len(ends)-1], len(ends)-1; k >= 0; i, k = before[i], k-1 {
			out[k] = cuts[i]
		}
	}
	return out
}

// block is how many bytes are compared at once.
const block = 4 << 10

// commonHead is the length of the whole lines that both texts begin with.
func commonHead(a, b string) int {
	n, i := min(len(a), len(b)), 0
	for n-i >= block && a[i:i+block] == b[i:i+block] {
		i += block
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return strings.LastIndexByte(a[:i], '\n') + 1
}

// commonTail is the length of the whole lines that both texts end with.
func commonTail(a, b string) int {
	n, i := min(len(a), len(b)), 0
	for n-i >= block && a[len(a)-i-block:len(a)-i] == b[len(b)-i-block:len(b)-i] {
		i += block
	}
	for i < n && a[len(a)-i-1] == b[len(b)-i-1] {
		i++
	}
	begins := func(s string) bool { return i == len(s) || s[len(s)-i-1] == '\n' }
	if begins(a) && begins(b) {
		return i
	}
	same := a[len(a)-i:]
	if line := strings.IndexByte(same, '\n'); line >= 0 {
		return len(same) - line - 1
	}
	return 0
}

// linesBack returns where the lines begin that stand as context before at, the
// start of a line.
func linesBack(text string, at int) int {
	for range contextLines {
		if at == 0 {
			return 0
		}
		at = strings.LastIndexByte(text[:at-1], '\n') + 1
	}
	return at
}

// linesOn returns where the lines end that stand as context behind at, the start
// of a line.
func linesOn(text string, at int) int {
	for range contextLines {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			return len(text)
		}
		at += i + 1
	}
	return at
}
