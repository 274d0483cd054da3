package diffedit

import (
	"fmt"
	"strconv"
	"strings"
)

// choice is the reading of a block that fits the document.
type choice struct {
	search, replace []string
	m               match
	// adjusted says what was changed in the block's text to make it fit.
	adjusted string
}

// locate finds the one place block number n means. Where it has several
// splits, the longest SEARCH that is in the document wins: the text beyond a
// shorter one would not be there, divider and all, by chance.
func (d *document) locate(b *Block, n int) (*choice, error) {
	if b.nested && !d.hasMarkers() {
		return nil, syntaxError(n, "block %d (line %d of the diff) holds another SEARCH or REPLACE marker; each block needs its own `------- SEARCH`, `=======` and `+++++++ REPLACE`", n, b.Line)
	}
	for _, read := range []func(s, r []string) (choice, bool){asWritten, d.unescaped, unnumbered, unfenced} {
		for i := len(b.dividers) - 1; i >= 0; i-- {
			c, ok := read(b.split(i))
			if !ok || !balanced(c.replace) {
				continue
			}
			found := d.find(c.search)
			if len(found) == 0 {
				continue
			}
			if len(found) > 1 {
				return nil, d.ambiguous(n, found)
			}
			c.m = found[0]
			if i < len(b.dividers)-1 && c.m.to < len(d.content) && markerOf(d.content[c.m.to]) == divider {
				return nil, d.undivided(b, n, c.m)
			}
			if c.adjusted == "" {
				c.replace, c.adjusted = d.unescapedMarkers(c.search, c.replace)
			}
			return &c, nil
		}
	}
	search, replace := b.split(b.plainSplit())
	if len(search) == 0 {
		return nil, &Error{Kind: EmptySearch, Block: n, text: fmt.Sprintf(
			"block %d has an empty SEARCH, which is only for a new or empty file; to insert text, put a neighbouring line into SEARCH and repeat it in REPLACE; nothing was changed", n)}
	}
	return nil, d.miss(n, search, replace)
}

// undivided refuses a split whose SEARCH ends in the document just before a
// line like the divider: SEARCH was probably meant to go on beyond it, with a
// mistake further down, and REPLACE would then hold a part of it.
func (d *document) undivided(b *Block, n int, m match) *Error {
	return &Error{Kind: Ambiguous, Block: n, text: fmt.Sprintf(
		"block %d (line %d of the diff) has several `=======` lines, and so has the file (line %d): where SEARCH ends is not clear, because nothing longer than lines %d-%d matches; copy SEARCH exactly, or use write_to_file; nothing was changed",
		n, b.Line, m.to+1, m.from+1, m.to)}
}

func asWritten(search, replace []string) (choice, bool) {
	return choice{search: search, replace: replace}, true
}

// unescaped reads a block whose marker-like lines stand behind backslashes.
func (d *document) unescaped(search, replace []string) (choice, bool) {
	s, found := stripEscapes(search, func(string) bool { return true })
	r, _ := stripEscapes(replace, func(string) bool { return true })
	return choice{search: s, replace: r, adjusted: "was read without the backslashes before marker lines"}, found
}

// unescapedMarkers frees a REPLACE of backslashes before this format's own
// markers, unless the document or SEARCH uses such lines.
func (d *document) unescapedMarkers(search, replace []string) ([]string, string) {
	if _, found := stripEscapes(search, func(string) bool { return true }); found {
		return replace, ""
	}
	out, found := stripEscapes(replace, func(l string) bool {
		return markerOf(l) != noMarker && !strings.Contains(d.text, `\`+trimCR(l))
	})
	if !found {
		return replace, ""
	}
	return out, "was read without the backslashes before marker lines"
}

func stripEscapes(lines []string, want func(string) bool) ([]string, bool) {
	found := false
	out := mapLines(lines, func(l string) string {
		if s, ok := escapedLine(l); ok && want(s) {
			found = true
			return s
		}
		return l
	})
	return out, found
}

// unnumbered reads a block copied from a numbered listing: every line of
// SEARCH and REPLACE has a number, and those of SEARCH count up.
func unnumbered(search, replace []string) (choice, bool) {
	c := choice{adjusted: "was read without its line numbers"}
	var ok bool
	if c.search, ok = withoutNumbers(search); !ok {
		return c, false
	}
	for _, l := range replace {
		text, _, ok := stripNumber(l)
		if !ok {
			return c, false
		}
		c.replace = append(c.replace, text)
	}
	return c, true
}

// withoutNumbers takes numbers that count up off the lines; all must have one.
func withoutNumbers(lines []string) (plain []string, ok bool) {
	last := 0
	for i, l := range lines {
		text, number, ok := stripNumber(l)
		if !ok || (i > 0 && number != last+1) {
			return nil, false
		}
		plain, last = append(plain, text), number
	}
	return plain, len(lines) > 0
}

// stripNumber reads "12 | text", with blanks before the number allowed.
func stripNumber(line string) (text string, number int, ok bool) {
	digits, text, found := strings.Cut(trimCR(line), "|")
	number, err := strconv.Atoi(strings.Trim(digits, " \t"))
	if !found || err != nil || number < 0 {
		return line, 0, false
	}
	return strings.TrimPrefix(text, " "), number, true
}

// unfenced reads a block whose SEARCH and REPLACE each stand in a Markdown fence.
func unfenced(search, replace []string) (choice, bool) {
	s, ok := stripFence(search)
	r, ok2 := stripFence(replace)
	return choice{search: s, replace: r, adjusted: "was read without the fences around its texts"}, ok && (ok2 || len(replace) == 0)
}

func stripFence(lines []string) ([]string, bool) {
	n := len(lines)
	if n < 3 || !strings.HasPrefix(lines[0], "```") || strings.TrimRight(lines[n-1], " \t\r") != "```" {
		return lines, false
	}
	return lines[1 : n-1], true
}

// hasMarkers reports whether the document itself holds markers of this format.
func (d *document) hasMarkers() bool {
	for _, l := range d.content {
		if k := markerOf(l); k == searchMarker || k == replaceMarker {
			return true
		}
	}
	return false
}

// balanced reports whether text holds as many SEARCH as REPLACE markers: a
// REPLACE that swallowed the start of the next block does not.
func balanced(lines []string) bool {
	n := 0
	for _, l := range lines {
		switch markerOf(l) {
		case searchMarker:
			n++
		case replaceMarker:
			n--
		}
	}
	return n == 0
}
