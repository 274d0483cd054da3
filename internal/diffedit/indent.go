package diffedit

import (
	"sort"
	"strings"
)

// styleLines is how many lines are enough to know how a document is indented.
const styleLines = 2000

// indenter carries the indentation of the document over to new lines.
type indenter struct {
	d *document
	// known maps the indentation of lines of SEARCH to that of their lines in
	// the document; those with several answers are in torn.
	known map[string]string
	torn  map[string]bool
	// order has the known ones from the outermost.
	order []string
	// more is what the document has in front of each indentation of SEARCH,
	// less what SEARCH has in front of each of the document's; moved tells
	// whether one of them holds.
	more, less string
	moved      bool
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
	in.findMove()
	if in.more+in.less != "" && in.unit != "\t" && len(in.unit) != in.blockWidth && inLevels(in.blockWidth, search, replace) {
		in.moved = false // levels of another width, not lines below each other
	}
	return in
}

// inLevels reports whether all lines are indented by levels of a usual width, in
// spaces, from some margin on.
func inLevels(width int, texts ...[]string) bool {
	if width != 2 && width != 4 && width != 8 {
		return false
	}
	margin := -1
	for _, lines := range texts {
		for _, l := range lines {
			in := indentOf(l)
			switch {
			case trimBlanks(l) == "":
			case strings.Contains(in, "\t"), margin >= 0 && (len(in)-margin)%width != 0:
				return false
			case margin < 0:
				margin = len(in)
			}
		}
	}
	return true
}

// findMove looks for one difference between all indentations of SEARCH and the
// document's.
func (in *indenter) findMove() {
	for i, s := range in.order {
		f := in.known[s]
		more, isMore := strings.CutSuffix(f, s)
		less, isLess := strings.CutSuffix(s, f)
		if !isMore && !isLess || i > 0 && (more != in.more && isMore || less != in.less && isLess) {
			in.moved = false
			return
		}
		if in.moved = true; isMore {
			in.more, in.less = more, ""
		} else {
			in.more, in.less = "", less
		}
	}
}

// move applies that difference, unless tabs and spaces would mix.
func (in *indenter) move(s string) (string, bool) {
	rest, ok := strings.CutPrefix(s, in.less)
	out := in.more + rest
	foreign := " "
	if in.unit != "\t" {
		foreign = "\t"
	}
	mixed := strings.Contains(out, foreign)
	return out, in.moved && ok && !mixed
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
	if f, ok := in.move(s); ok {
		return f + text, true
	}
	f, ok := in.near(s)
	return f + text, ok
}

// near returns what stands for an indentation that is none of those known: as
// many levels further in or out as it is from the nearest of them.
func (in *indenter) near(s string) (string, bool) {
	inner, outer := "", "" // the deepest it begins with, the shallowest that begins with it
	found, within := false, false
	for _, o := range in.order {
		if strings.HasPrefix(s, o) && (!found || len(o) > len(inner)) {
			inner, found = o, true
		}
		if strings.HasPrefix(o, s) && (!within || len(o) < len(outer)) {
			outer, within = o, true
		}
	}
	switch {
	case found:
		level, rest := in.level(s[len(inner):])
		return in.known[inner] + strings.Repeat(in.unit, level) + rest, true
	case within:
		level, rest := in.level(outer[len(s):])
		f, ok := strings.CutSuffix(in.known[outer], rest)
		for ; level > 0; level-- {
			f = in.outdent(f)
		}
		return f, ok
	}
	level, rest := in.level(s) // tabs here and spaces there
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
	return f + strings.Repeat(in.unit, level-from) + rest, true
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

// indentUnit returns a level of the document: a tab where most lines use them,
// else the most common step inwards from a line to the next.
func (d *document) indentUnit(fallback int) string {
	counts := map[int]int{}
	last, tabs, spaces := 0, 0, 0
	for _, l := range d.content[:min(len(d.content), styleLines)] {
		in := indentOf(l)
		switch {
		case trimBlanks(l) == "":
			continue
		case strings.Contains(in, "\t"):
			tabs++
			continue
		case in != "":
			spaces++
		}
		if step := len(in) - last; step > 1 && step <= 8 {
			counts[step]++
		}
		last = len(in)
	}
	if tabs > spaces {
		return "\t"
	}
	best := fallback
	for step, n := range counts {
		if n > counts[best] || n == counts[best] && step < best {
			best = step
		}
	}
	return strings.Repeat(" ", best)
}
