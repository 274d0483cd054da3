package diffedit

import "strings"

// document is a text cut into lines. Joining content and ends gives it back,
// byte for byte.
type document struct {
	text string
	// content of each line without its end; ends are "\n", "\r\n", "\r" or, for
	// the last line only, "".
	content, ends []string
	// offsets has the start of each line and, last, the length of text.
	offsets []int
	// eol is the usual line end of the text.
	eol string

	trimmedLines []string // see trimmed
	foldedIndex  *folded  // see folded
}

// newDocument cuts text at LF, taking a CR before it as part of the end. A
// lone CR ends a line only in a text that has no LF at all.
func newDocument(text string) *document {
	d := &document{text: text, eol: "\n"}
	sep := "\n"
	if !strings.Contains(text, "\n") && strings.Contains(text, "\r") {
		sep = "\r"
	}
	counts := map[string]int{}
	for at := 0; at < len(text); {
		stop, end := len(text), ""
		if i := strings.Index(text[at:], sep); i >= 0 {
			stop, end = at+i, sep
			if sep == "\n" && stop > at && text[stop-1] == '\r' {
				stop, end = stop-1, "\r\n"
			}
			counts[end]++
		}
		d.content = append(d.content, text[at:stop])
		d.ends = append(d.ends, end)
		d.offsets = append(d.offsets, at)
		at = stop + len(end)
	}
	d.offsets = append(d.offsets, len(text))
	for end, n := range counts {
		if n > counts[d.eol] || (n == counts[d.eol] && end < d.eol) {
			d.eol = end
		}
	}
	return d
}

// trimmed returns the lines without blanks around them.
func (d *document) trimmed() []string {
	if d.trimmedLines == nil {
		d.trimmedLines = mapLines(d.content, trimBlanks)
	}
	return d.trimmedLines
}

func mapLines(lines []string, f func(string) string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = f(l)
	}
	return out
}

const blanks = " \t\r\f\v"

func trimBlanks(s string) string { return strings.Trim(s, blanks) }

func trimCR(s string) string { return strings.TrimSuffix(s, "\r") }

// indentOf returns the blanks a line starts with.
func indentOf(s string) string { return s[:len(s)-len(strings.TrimLeft(s, " \t"))] }

// findAll returns where needle, a sequence of at least one line, occurs in
// hay; occurrences may overlap. It is linear (Knuth, Morris, Pratt).
func findAll(hay, needle []string) []int {
	fail := make([]int, len(needle))
	for i, k := 1, 0; i < len(needle); i++ {
		for k > 0 && needle[i] != needle[k] {
			k = fail[k-1]
		}
		if needle[i] == needle[k] {
			k++
		}
		fail[i] = k
	}
	var found []int
	k := 0
	for i, l := range hay {
		for k > 0 && l != needle[k] {
			k = fail[k-1]
		}
		if l == needle[k] {
			k++
		}
		if k == len(needle) {
			found = append(found, i-k+1)
			k = fail[k-1]
		}
	}
	return found
}
