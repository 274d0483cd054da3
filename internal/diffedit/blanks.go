package diffedit

import (
	"strings"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// keepBlanks gives the blank lines of the document to those of SEARCH that stay,
// where SEARCH has more of them in a row and loses some.
func keepBlanks(pairs []int, search []string, diffs []lcs.Diff) []int {
	removed := make([]bool, len(search))
	for _, diff := range diffs {
		for i := diff.Start; i < diff.End; i++ {
			removed[i] = true
		}
	}
	out := append([]int{}, pairs...)
	for from := 0; from < len(search); from++ {
		to := from
		var at []int
		for ; to < len(search) && trimBlanks(search[to]) == ""; to++ {
			if pairs[to] >= 0 {
				at = append(at, pairs[to])
			}
		}
		if len(at) < to-from {
			share(at, out[from:to], removed[from:to])
		}
		from = max(from, to)
	}
	return out
}

// share gives lines to pairs in order: to those that are not removed before others.
func share(lines, pairs []int, removed []bool) {
	left := len(lines)
	for _, gone := range []bool{false, true} {
		for i := range pairs {
			if removed[i] == gone {
				pairs[i] = min(left, 1) - 1 // 0 for one that gets a line
				left = max(left-1, 0)
			}
		}
	}
	for i := range pairs {
		if pairs[i] == 0 {
			pairs[i], lines = lines[0], lines[1:]
		}
	}
}

// doubtBlank: new lines belong above blank lines that SEARCH left out, or below.
const doubtBlank = "the file has a blank line just where new lines come in: on which side of it they belong cannot be told; copy the blank lines of the file too"

// change puts fresh lines in the place of lines of SEARCH. Blank lines of the
// document that SEARCH left out stay, unless they stand among lines that go, or
// REPLACE has blank lines there itself. doubt, if not "", says what cannot be told.
func (w *writer) change(search []string, diff lcs.Diff, fresh []string, by neighbours) (doubt string) {
	before, sure := w.gaps(search, diff, fresh, by)
	if !sure {
		return doubtBlank
	}
	for i, line := range fresh {
		for _, blank := range before[i] {
			w.next = blank
			w.keepTo(blank + 1)
		}
		w.fresh(line)
	}
	end := -1
	for _, at := range w.m.pairs[diff.Start:diff.End] {
		end = max(end, at+1)
	}
	w.next = max(w.next, end)
	n := diff.End
	if n > diff.Start && trimBlanks(search[n-1]) == "" || len(fresh) > 0 && trimBlanks(fresh[len(fresh)-1]) == "" {
		w.next = max(w.next, w.following(n)) // the blank lines below go with it, or are what it brings
	}
	return ""
}

// gaps keeps the blank lines before a change, and returns those that belong
// before each of the fresh lines. sure is false when that cannot be told.
func (w *writer) gaps(search []string, diff lcs.Diff, fresh []string, by neighbours) (before map[int][]int, sure bool) {
	bring := len(fresh) > 0 && trimBlanks(fresh[0]) == ""
	if diff.Start == diff.End {
		to := w.following(diff.End)
		if len(fresh) == 0 || w.next >= to || w.next <= w.m.from || bring {
			return nil, true
		}
		below, sure := by.below, by.below != by.above
		if !sure {
			below, sure = w.d.belongBelow(fresh, w.next-1, to)
		}
		if below {
			w.keepTo(to)
		}
		return nil, sure
	}
	texts := map[string]int{}
	for i := len(fresh) - 1; i >= 0; i-- {
		texts[trimBlanks(fresh[i])] = i
	}
	out := map[int][]int{}
	last := -1 // the line of SEARCH before
	for k := diff.Start; k < diff.End; k++ {
		at := w.m.pairs[k]
		if at < 0 {
			continue
		}
		blank := trimBlanks(search[k]) == "" || last >= 0 && trimBlanks(search[last]) == ""
		switch place, ok := between(search, diff, last, k, texts, len(fresh)); {
		case blank || at <= w.next || last < 0 && bring:
		case last < 0:
			w.keepTo(at)
		case ok:
			for i := w.m.pairs[last] + 1; i < at; i++ {
				out[place] = append(out[place], i)
			}
		}
		last = k
	}
	return out, true
}

// between returns before which of n fresh lines a blank line belongs that stands
// between lines last and k of SEARCH, which both go: where lines go one for one,
// or where one of the two comes back with another indentation.
func between(search []string, diff lcs.Diff, last, k int, texts map[string]int, n int) (place int, ok bool) {
	if last < 0 {
		return 0, false
	}
	if diff.End-diff.Start == n {
		return k - diff.Start, true
	}
	if i, ok := texts[trimBlanks(search[k])]; ok {
		return i, true
	}
	i, ok := texts[trimBlanks(search[last])]
	return i + 1, ok && i+1 < n
}

// following returns the line of the document that line i of SEARCH, or the next
// after it that has one, stands for.
func (w *writer) following(i int) int {
	for ; i < len(w.m.pairs); i++ {
		if w.m.pairs[i] >= 0 {
			return w.m.pairs[i]
		}
	}
	return w.m.to
}

// belongBelow reports whether new lines go below blank lines that stand between
// two lines of the document, rather than above, as far as something tells: a blank
// line that they bring below, indentation, or that they are a comment or decorator
// of what is below.
func (d *document) belongBelow(fresh []string, above, below int) (yes, sure bool) {
	first, last := fresh[0], fresh[len(fresh)-1]
	if trimBlanks(last) == "" || trimBlanks(d.content[above]) == "" { // more of the blank lines that SEARCH has
		return true, true
	}
	asAbove := indentOf(first) == indentOf(d.content[above])
	asBelow := below < len(d.content) && indentOf(last) == indentOf(d.content[below])
	if asAbove != asBelow {
		return asBelow, true
	}
	if item := itemSign(first); item != "" && below < len(d.content) {
		ofAbove, ofBelow := item == itemSign(d.content[above]), item == itemSign(d.content[below])
		return ofBelow, ofAbove != ofBelow
	}
	yes = leads(last) && !leads(d.content[above])
	return yes, yes
}

// itemSign is the sign that a line of a list begins with, "1." for any number; ""
// for other lines.
func itemSign(line string) string {
	sign, _, ok := strings.Cut(trimLeft(line), " ")
	switch digits := strings.TrimRight(sign, "."); {
	case !ok:
	case sign == "-", sign == "*", sign == "+":
		return sign
	case digits != sign && strings.Trim(digits, "0123456789") == "":
		return "1."
	}
	return ""
}

// leads reports whether a line is a comment or decorator.
func leads(line string) bool {
	line = trimBlanks(line)
	for _, sign := range []string{"//", "#", "/*", "*", "--", "@", "<!--"} {
		if strings.HasPrefix(line, sign) {
			return true
		}
	}
	return false
}
