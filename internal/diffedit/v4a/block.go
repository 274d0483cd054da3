package v4a

import (
	"slices"
	"strings"

	"clined/internal/diffedit"
)

// blockEnds returns where the block ends that each line opens: the lines that
// are indented deeper, with those that close or continue such a block. Of a
// heading (Markdown, INI, TOML) it is all up to the next one of its kind. The
// blank lines behind a block belong to it. A blank line opens none. It takes time
// linear in the number of lines.
func blockEnds(lines []string) []int {
	ends := make([]int, len(lines))
	var open []*depth // from the outside in
	for i, l := range lines {
		if diffedit.IsBlank(l) {
			ends[i] = i + 1
			continue
		}
		w, n := width(l), len(open)
		for ; n > 0 && open[n-1].width > w; n-- {
			open[n-1].close(ends, i)
		}
		open = open[:n]
		if n == 0 || open[n-1].width < w {
			open = append(open, &depth{width: w})
		}
		open[len(open)-1].meet(i, l, ends)
	}
	for _, d := range open {
		d.close(ends, len(lines))
	}
	return ends
}

// depth are the lines of one indentation whose blocks are open.
type depth struct {
	width                  int
	plain, items, sections []int
	// titles are headings of Markdown, and levels theirs, which rise.
	titles, levels []int
}

// meet ends the blocks that line i does not belong to, and opens its own.
func (d *depth) meet(i int, line string, ends []int) {
	level, item := headingLevel(line), isItem(line)
	if !goesOn(line) {
		d.items = closed(d.items, ends, i)
		if !item {
			d.plain = closed(d.plain, ends, i)
		}
	}
	switch {
	case level > 0:
		n := len(d.levels)
		for n > 0 && d.levels[n-1] >= level {
			n--
		}
		closed(d.titles[n:], ends, i)
		d.titles, d.levels = append(d.titles[:n], i), append(d.levels[:n], level)
	case level < 0:
		d.sections = append(closed(d.sections, ends, i), i)
	case item:
		d.items = append(d.items, i)
	default:
		d.plain = append(d.plain, i)
	}
}

func (d *depth) close(ends []int, end int) {
	for _, lines := range [][]int{d.plain, d.items, d.sections, d.titles} {
		closed(lines, ends, end)
	}
}

// closed ends the blocks of lines; none of them is left.
func closed(lines, ends []int, end int) []int {
	for _, at := range lines {
		ends[at] = end
	}
	return lines[:0]
}

// headingLevel is 1 or more for a heading of Markdown, -1 for one of INI or
// TOML, 0 for other lines.
func headingLevel(line string) int {
	line = strings.Trim(line, " \t")
	rest := strings.TrimLeft(line, "#")
	switch n := len(line) - len(rest); {
	case n > 0 && strings.HasPrefix(rest, " "):
		return n
	case strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]"):
		return -1
	}
	return 0
}

// isItem reports whether a line is an item of a list, which YAML need not indent.
func isItem(line string) bool {
	return strings.HasPrefix(strings.TrimLeft(line, " \t"), "- ")
}

// width is how deep a line is indented.
func width(line string) int {
	in := diffedit.Indent(line)
	return len(in) + 3*strings.Count(in, "\t")
}

// goesOn reports whether a line goes on with the block that stands before it at
// the same depth, in one of the usual languages.
func goesOn(line string) bool {
	line = strings.TrimLeft(line, " \t")
	if strings.ContainsRune("{})]", rune(line[0])) {
		return true
	}
	word := line[:len(line)-len(strings.TrimLeft(line, "abcdefghijklmnopqrstuvwxyz"))]
	return slices.Contains([]string{"end", "else", "elif", "except", "finally", "rescue", "ensure"}, word)
}
