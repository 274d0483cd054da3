package diffedit

import (
	"strconv"
	"strings"
)

// reading is a way to take the text of a block: as it was written, or without
// what a model put around the lines of the file.
type reading struct {
	// lines are those of the block's body, one for one.
	lines []string
	// skip is how many lines at both ends of SEARCH and of REPLACE are no text.
	skip int
	// fits reports whether SEARCH may end before a divider.
	fits     func(div int) bool
	adjusted string // for the note, "" for none
}

// split returns SEARCH and REPLACE as parted by the divider at line div.
func (r *reading) split(div int) (search, replace []string) {
	search, replace = r.lines[:div], r.lines[div+1:]
	if r.skip == 0 {
		return search, replace
	}
	search = search[r.skip : len(search)-r.skip]
	if len(replace) > 0 {
		replace = replace[r.skip : len(replace)-r.skip]
	}
	return search, replace
}

func always(int) bool { return true }

func asWritten(b *Block) (*reading, bool) { return &reading{lines: b.body, fits: always}, true }

const withoutBackslashes = "was read without the backslashes before marker lines"

// unescaped reads a block whose marker-like lines stand behind backslashes.
func unescaped(b *Block) (*reading, bool) {
	first := -1
	lines := make([]string, len(b.body))
	for i, l := range b.body {
		s, escaped := escapedLine(l)
		if escaped && first < 0 {
			first = i
		}
		lines[i] = l
		if escaped {
			lines[i] = s
		}
	}
	return &reading{lines: lines, adjusted: withoutBackslashes, fits: func(div int) bool { return first < div }}, first >= 0
}

// unescapedMarkers frees a REPLACE of backslashes before this format's own
// markers, unless the document or SEARCH uses such lines.
func (d *document) unescapedMarkers(search, replace []string) ([]string, string) {
	for _, l := range search {
		if _, escaped := escapedLine(l); escaped {
			return replace, ""
		}
	}
	found := false
	out := mapLines(replace, func(l string) string {
		s, escaped := escapedLine(l)
		if !escaped || markerOf(s) == noMarker || strings.Contains(d.text, trimCR(l)) {
			return l
		}
		found = true
		return s
	})
	if !found {
		return replace, ""
	}
	return out, withoutBackslashes
}

// unnumbered reads a block copied from a numbered listing: every line of
// SEARCH and REPLACE has a number, and those of SEARCH count up.
func unnumbered(b *Block) (*reading, bool) {
	div := b.dividers[0]
	search, ok := withoutNumbers(b.body[:div])
	if !ok {
		return nil, false
	}
	lines := append(search, b.body[div])
	for _, l := range b.body[div+1:] {
		text, _, ok := stripNumber(l)
		if !ok {
			return nil, false
		}
		lines = append(lines, text)
	}
	return &reading{lines: lines, fits: always, adjusted: "was read without its line numbers"}, true
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
	digits = strings.Trim(digits, " \t")
	if !found || digits == "" || strings.Trim(digits, "0123456789") != "" {
		return line, 0, false
	}
	number, err := strconv.Atoi(digits)
	if err != nil {
		return line, 0, false
	}
	return strings.TrimPrefix(text, " "), number, true
}

// unfenced reads a block whose SEARCH and REPLACE each stand in a Markdown fence.
func unfenced(b *Block) (*reading, bool) {
	return &reading{lines: b.body, skip: 1, adjusted: "was read without the fences around its texts", fits: func(div int) bool {
		return inFence(b.body[:div]) && (div+1 == len(b.body) || inFence(b.body[div+1:]))
	}}, strings.HasPrefix(b.body[0], "```")
}

// inFence reports whether lines begin and end with a fence, with some between.
func inFence(lines []string) bool {
	n := len(lines)
	return n >= 3 && strings.HasPrefix(lines[0], "```") && isFenceEnd(lines[n-1])
}
