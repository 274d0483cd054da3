package diffedit

import (
	"slices"
	"sort"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// exactLines is up to how many lines of both texts together the library finds
// the smallest diff; beyond that it gives up after some hundred changes and
// calls all the rest changed.
const exactLines = 100

// lineEdits returns the edits that lead from before to after, both starting at
// byte offset. Large texts are cut at lines that stand once in each of them, in
// the same order (patience diff), so that many small changes stay small.
func lineEdits(before, after string, offset int) []udiff.Edit {
	if before == after {
		return nil
	}
	head := commonHead(before, after)
	tail := commonTail(before[head:], after[head:])
	before, after, offset = before[head:len(before)-tail], after[head:len(after)-tail], offset+head
	var cuts []cut
	if strings.Count(before, "\n")+strings.Count(after, "\n") > exactLines {
		cuts = anchors(before, after)
	}
	if len(cuts) == 0 {
		edits := udiff.Lines(before, after)
		for i := range edits {
			edits[i].Start += offset
			edits[i].End += offset
		}
		return edits
	}
	var edits []udiff.Edit
	at := cut{}
	for _, c := range append(cuts, cut{len(before), len(after)}) {
		edits = append(edits, lineEdits(before[at.a:c.a], after[at.b:c.b], offset+at.a)...)
		at = c
	}
	return edits
}

// cut is a place in both texts, as byte offsets.
type cut struct{ a, b int }

// anchors returns the places of the lines that stand once in a and once in b,
// as many as are in the same order in both.
func anchors(a, b string) []cut {
	once := map[string]*struct{ a, b, inA, inB int }{}
	for at, l := range lineOffsets(a) {
		if once[l] == nil {
			once[l] = &struct{ a, b, inA, inB int }{}
		}
		once[l].a, once[l].inA = at, once[l].inA+1
	}
	for at, l := range lineOffsets(b) {
		if o := once[l]; o != nil {
			o.b, o.inB = at, o.inB+1
		}
	}
	var cuts []cut
	for _, o := range once {
		if o.inA == 1 && o.inB == 1 {
			cuts = append(cuts, cut{o.a, o.b})
		}
	}
	slices.SortFunc(cuts, func(x, y cut) int { return x.a - y.a })
	return longestRise(cuts)
}

// lineOffsets yields each line of s, with its end, and where it starts.
func lineOffsets(s string) func(yield func(int, string) bool) {
	return func(yield func(int, string) bool) {
		at := 0
		for l := range strings.Lines(s) {
			if !yield(at, l) {
				return
			}
			at += len(l)
		}
	}
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
