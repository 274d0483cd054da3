package diffedit

import (
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// render returns the text that takes the place of m. Lines that REPLACE has
// in common with SEARCH keep the document's bytes; new ones get the line ends
// and, below Exact, the indentation of their place. doubt, if not "", says what
// cannot be told of the place of new lines.
func (d *document) render(m match, search, replace []string) (text, doubt string) {
	search, replace = mapLines(search, trimCR), mapLines(replace, trimCR)
	return d.renderDiffs(m, search, replace, diffLines(search, replace))
}

// doubtIndent: the document's indentation cannot be carried over to new lines.
const doubtIndent = "where the new lines belong cannot be told from its indentation; copy the indentation of the file"

// renderDiffs is render for what is known to lead from SEARCH to REPLACE.
func (d *document) renderDiffs(m match, search, replace []string, diffs []lcs.Diff) (text, doubt string) {
	m.pairs = keepBlanks(m.pairs, search, diffs)
	w := writer{d: d, m: m, next: m.from}
	var in *indenter
	if m.tier != Exact {
		if in = newIndenter(d, m, search, replace); in.stray.unclear {
			return "", doubtIndent
		}
	}
	si, ri := 0, 0
	diffs = append(diffs, lcs.Diff{Start: len(search), End: len(search), ReplStart: len(replace), ReplEnd: len(replace)})
	for k, diff := range diffs {
		for ; ri < diff.ReplStart; si, ri = si+1, ri+1 {
			w.keep(m.pairs[si])
		}
		fresh := slices.Clone(replace[diff.ReplStart:diff.ReplEnd])
		for i := range fresh {
			if in == nil {
				break
			}
			var ok bool
			if fresh[i], ok = in.indent(diff.ReplStart+i, positional(m, search, replace, diff, i)); !ok {
				return "", doubtIndent
			}
		}
		if doubt = w.change(search, diff, fresh, around(diffs, k)); doubt != "" {
			return "", doubt
		}
		si, ri = diff.End, diff.ReplEnd
	}
	return w.String(), ""
}

// positional returns the document's line that new line i of a change takes the
// place of, when lines are replaced one by one and it is as deep as the line of
// SEARCH; else -1.
func positional(m match, search, replace []string, diff lcs.Diff, i int) int {
	at := diff.Start + i
	if diff.End-diff.Start != diff.ReplEnd-diff.ReplStart || indentOf(search[at]) != indentOf(replace[diff.ReplStart+i]) {
		return -1
	}
	return m.pairs[at]
}

// neighbours tell which of the lines around a change are replaced as well.
type neighbours struct{ above, below bool }

// around returns the neighbours of change k.
func around(diffs []lcs.Diff, k int) neighbours {
	return neighbours{
		above: k > 0 && diffs[k-1].End == diffs[k].Start && diffs[k-1].Start < diffs[k-1].End,
		below: k+1 < len(diffs) && diffs[k+1].Start == diffs[k].End && diffs[k+1].Start < diffs[k+1].End,
	}
}

// diffLines returns what leads from SEARCH to REPLACE. A line that only its blanks
// changed of is replaced by itself alone, so that what stands beside it is known.
func diffLines(search, replace []string) []lcs.Diff {
	a, b := mapLines(search, trimBlanks), mapLines(replace, trimBlanks)
	head := 0 // of equal lines the first stay
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	var out []lcs.Diff
	si, ri := 0, 0
	blanks := func(until int) { // of lines that are the same but for them
		for ; si < until; si, ri = si+1, ri+1 {
			n := len(out) - 1
			switch {
			case search[si] == replace[ri]:
			case n >= 0 && out[n].End == si && out[n].ReplEnd == ri && out[n].End-out[n].Start == out[n].ReplEnd-out[n].ReplStart:
				out[n].End, out[n].ReplEnd = si+1, ri+1
			default:
				out = append(out, lcs.Diff{Start: si, End: si + 1, ReplStart: ri, ReplEnd: ri + 1})
			}
		}
	}
	for _, d := range lcs.DiffLines(a[head:], b[head:]) {
		blanks(head + d.Start)
		out = append(out, lcs.Diff{Start: head + d.Start, End: head + d.End, ReplStart: head + d.ReplStart, ReplEnd: head + d.ReplEnd})
		si, ri = head+d.End, head+d.ReplEnd
	}
	blanks(len(search))
	return out
}

// endAt returns the line end that a new line at index i gets.
func (d *document) endAt(i int) string {
	for _, at := range []int{i, i - 1} {
		if at >= 0 && at < len(d.content) && d.end(at) != "" {
			return d.end(at)
		}
	}
	return d.eol
}

// writer collects the lines that take the place of a match.
type writer struct {
	d             *document
	m             match
	content, ends []string
	// next is the first line of the document that was neither kept nor removed.
	next int
}

// keep takes over a line of the document, and blank lines before it that SEARCH
// left out. -1, a line that SEARCH made up, stays away.
func (w *writer) keep(line int) {
	if line >= 0 {
		w.keepTo(line + 1)
	}
}

// keepTo takes over the lines of the document up to one.
func (w *writer) keepTo(end int) {
	for ; w.next < end; w.next++ {
		w.content = append(w.content, w.d.content[w.next])
		w.ends = append(w.ends, w.d.end(w.next))
	}
}

func (w *writer) fresh(line string) {
	at := min(w.m.from+len(w.content), w.m.to-1)
	w.content = append(w.content, line)
	w.ends = append(w.ends, w.d.endAt(at))
}

// String joins the lines. The last one ends as the match does, so that a
// missing line end at the end of the text stays missing.
func (w *writer) String() string {
	var b strings.Builder
	for i, l := range w.content {
		b.WriteString(l)
		switch {
		case i == len(w.content)-1:
			b.WriteString(w.d.end(w.m.to - 1))
		case w.ends[i] == "":
			b.WriteString(w.d.endAt(w.m.to - 1))
		default:
			b.WriteString(w.ends[i])
		}
	}
	return b.String()
}
