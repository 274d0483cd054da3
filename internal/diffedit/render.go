package diffedit

import (
	"sort"
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
	w := writer{d: d, m: m}
	var in *indenter
	if m.tier != Exact {
		in = newIndenter(d, m, search, replace)
	}
	si, ri := 0, 0
	changed := func(diff lcs.Diff) bool {
		for i := diff.ReplStart; i < diff.ReplEnd; i++ {
			line, ok := replace[i], true
			if in != nil {
				line, ok = in.indent(line, positional(d, m, diff, i))
			}
			if !ok {
				return false
			}
			w.fresh(line)
		}
		return true
	}
	for _, diff := range append(lcs.DiffLines(search, replace), lcs.Diff{Start: len(search), End: len(search), ReplStart: len(replace), ReplEnd: len(replace)}) {
		for ; ri < diff.ReplStart; si, ri = si+1, ri+1 {
			w.keep(m.pairs[si])
		}
		if !changed(diff) {
			return "", false
		}
		si, ri, w.kept = diff.End, diff.ReplEnd, 0
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
	if i < len(d.ends) && d.ends[i] != "" {
		return d.ends[i]
	}
	if i > 0 && i-1 < len(d.ends) && d.ends[i-1] != "" {
		return d.ends[i-1]
	}
	return d.eol
}

// writer collects the lines that take the place of a match.
type writer struct {
	d             *document
	m             match
	content, ends []string
	// kept is one past the last line of the document that was kept, when the
	// line before was a kept one; else 0.
	kept int
}

// keep takes over a line of the document, and blank lines of it that SEARCH
// left out between this and the line before. -1, a line that SEARCH made up,
// stays away.
func (w *writer) keep(line int) {
	if line < 0 {
		return
	}
	from := line
	if w.kept > 0 && w.kept < line {
		from = w.kept
	}
	for i := from; i <= line; i++ {
		w.content = append(w.content, w.d.content[i])
		w.ends = append(w.ends, w.d.ends[i])
	}
	w.kept = line + 1
}

func (w *writer) fresh(line string) {
	at := min(w.m.from+len(w.content), w.m.to-1)
	w.content = append(w.content, line)
	w.ends = append(w.ends, w.d.endAt(at))
	w.kept = 0
}

// String joins the lines. The last one ends as the match does, so that a
// missing line end at the end of the text stays missing.
func (w *writer) String() string {
	var b strings.Builder
	for i, l := range w.content {
		b.WriteString(l)
		switch {
		case i == len(w.content)-1:
			b.WriteString(w.d.ends[w.m.to-1])
		case w.ends[i] == "":
			b.WriteString(w.d.endAt(w.m.to - 1))
		default:
			b.WriteString(w.ends[i])
		}
	}
	return b.String()
}

// indenter carries the indentation of the document over to new lines.
type indenter struct {
	d *document
	// known maps the indentation of lines of SEARCH to that of their lines in
	// the document; those with several answers are in torn.
	known map[string]string
	torn  map[string]bool
	// order has the known ones from the outermost.
	order []string
	// blockWidth is how many spaces make a level in the block; unit is a level
	// in the document.
	blockWidth int
	unit       string
}

func newIndenter(d *document, m match, search, replace []string) *indenter {
	in := &indenter{d: d, known: map[string]string{}, torn: map[string]bool{}}
	tabs := false
	for i, line := range search {
		if m.pairs[i] < 0 || trimBlanks(line) == "" {
			continue
		}
		s, f := indentOf(line), indentOf(d.content[m.pairs[i]])
		tabs = tabs || strings.Contains(f, "\t")
		if had, ok := in.known[s]; ok && had != f {
			in.torn[s] = true
		}
		in.known[s] = f
	}
	in.blockWidth = levelWidth(append(append([]string{}, search...), replace...))
	for s := range in.known {
		if !in.torn[s] {
			in.order = append(in.order, s)
		}
	}
	sort.Slice(in.order, func(i, j int) bool {
		a, _ := in.level(in.order[i])
		b, _ := in.level(in.order[j])
		return a < b || a == b && in.order[i] < in.order[j]
	})
	in.unit = "\t"
	if !tabs {
		in.unit = d.indentUnit(in.blockWidth)
	}
	return in
}

// indent returns line with the document's indentation. at is the line of the
// document it takes the place of, or -1.
func (in *indenter) indent(line string, at int) (string, bool) {
	text := strings.TrimLeft(line, " \t")
	if trimBlanks(text) == "" {
		return "", true
	}
	s := indentOf(line)
	if f, ok := in.known[s]; ok && !in.torn[s] {
		return f + text, true
	}
	if in.torn[s] {
		if at < 0 {
			return "", false
		}
		return indentOf(in.d.content[at]) + text, true
	}
	if len(in.order) == 0 {
		return "", false
	}
	level, rest := in.level(s)
	anchor := in.order[0]
	for _, o := range in.order {
		if l, _ := in.level(o); l <= level {
			anchor = o
		}
	}
	from, _ := in.level(anchor)
	f := in.known[anchor]
	for ; level < from; level++ {
		f = in.outdent(f)
	}
	return f + strings.Repeat(in.unit, level-from) + rest + text, true
}

// outdent takes a level off an indentation.
func (in *indenter) outdent(f string) string {
	if strings.HasSuffix(f, in.unit) {
		return f[:len(f)-len(in.unit)]
	}
	return strings.TrimRight(f, " ")
}

// level counts the levels of an indentation of the block: a tab is one. rest
// are the spaces beyond them.
func (in *indenter) level(s string) (level int, rest string) {
	spaces := 0
	for _, r := range s {
		if r == '\t' {
			level, spaces = level+1, 0
			continue
		}
		if spaces++; spaces == in.blockWidth {
			level, spaces = level+1, 0
		}
	}
	return level, strings.Repeat(" ", spaces)
}

// levelWidth returns the smallest step between the indentations of lines, in spaces.
func levelWidth(lines []string) int {
	seen := map[int]bool{}
	for _, l := range lines {
		if in := indentOf(l); trimBlanks(l) != "" && !strings.Contains(in, "\t") {
			seen[len(in)] = true
		}
	}
	var widths []int
	for w := range seen {
		widths = append(widths, w)
	}
	sort.Ints(widths)
	best := 0
	for i := 1; i < len(widths); i++ {
		if step := widths[i] - widths[i-1]; step > 1 && (best == 0 || step < best) {
			best = step
		}
	}
	switch {
	case best > 0:
		return best
	case len(widths) == 1 && widths[0] > 1 && widths[0] <= 8:
		return widths[0]
	}
	return 4
}

// indentUnit returns a level of a document without tabs at the place: the
// most common step inwards from a line to the next.
func (d *document) indentUnit(fallback int) string {
	counts := map[int]int{}
	last := 0
	for i, l := range d.content {
		if i == 2000 { // enough to know the style
			break
		}
		in := indentOf(l)
		if trimBlanks(l) == "" || strings.Contains(in, "\t") {
			continue
		}
		if step := len(in) - last; step > 1 && step <= 8 {
			counts[step]++
		}
		last = len(in)
	}
	best := fallback
	for step, n := range counts {
		if n > counts[best] || n == counts[best] && step < best {
			best = step
		}
	}
	return strings.Repeat(" ", best)
}
