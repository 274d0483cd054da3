package diffedit

import (
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// render returns the text that takes the place of m. Lines that REPLACE has
// in common with SEARCH keep the document's bytes; new ones get the line ends
// and, below Exact, the indentation of their place. ok is false when the
// document's indentation cannot be carried over to them.
func (d *document) render(m match, search, replace []string) (text string, ok bool) {
	search, replace = mapLines(search, trimCR), mapLines(replace, trimCR)
	if m.tier == Inline {
		return strings.Join(replace, d.endAt(m.from)), true
	}
	return d.renderDiffs(m, search, replace, lcs.DiffLines(search, replace))
}

// renderDiffs is render for what is known to lead from SEARCH to REPLACE.
func (d *document) renderDiffs(m match, search, replace []string, diffs []lcs.Diff) (text string, ok bool) {
	m.pairs = keepBlanks(m.pairs, search, diffs)
	w := writer{d: d, m: m, next: m.from}
	var in *indenter
	if m.tier != Exact {
		in = newIndenter(d, m, search, replace)
	}
	si, ri := 0, 0
	for _, diff := range append(diffs, lcs.Diff{Start: len(search), End: len(search), ReplStart: len(replace), ReplEnd: len(replace)}) {
		for ; ri < diff.ReplStart; si, ri = si+1, ri+1 {
			w.keep(m.pairs[si])
		}
		fresh := slices.Clone(replace[diff.ReplStart:diff.ReplEnd])
		for i := range fresh {
			if in == nil {
				break
			}
			if fresh[i], ok = in.indent(diff.ReplStart+i, positional(d, m, diff, diff.ReplStart+i)); !ok {
				return "", false
			}
		}
		w.change(search, diff, fresh)
		si, ri = diff.End, diff.ReplEnd
	}
	return w.String(), true
}

// positional returns the document's line that line i of REPLACE takes the
// place of, when a change replaces lines one by one; else -1.
func positional(d *document, m match, diff lcs.Diff, i int) int {
	if diff.End-diff.Start != diff.ReplEnd-diff.ReplStart {
		return -1
	}
	return m.pairs[diff.Start+i-diff.ReplStart]
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
