package diffedit

import "strings"

// document is a text cut into lines. Content and ends of its lines, joined, give
// it back byte for byte.
type document struct {
	text string
	// content of each line without its end.
	content []string
	// offsets has the start of each line and, last, the length of text.
	offsets []int
	// eol is the usual line end of the text.
	eol string

	// Made when first asked for.
	markers *bool
	full    []int // see nonBlank
	// indexes of the lines, per rung, and how often lines were looked for there.
	indexes  [tiers]*index
	searches [tiers]int
}

// newDocument cuts text at LF, taking a CR before it as part of the end. A
// lone CR ends a line only in a text that has no LF at all.
func newDocument(text string) *document {
	d := &document{text: text, eol: "\n"}
	sep := byte('\n')
	if strings.IndexByte(text, '\n') < 0 && strings.IndexByte(text, '\r') >= 0 {
		sep, d.eol = '\r', "\r"
	}
	n := strings.Count(text, string(sep))
	d.content, d.offsets = make([]string, 0, n+1), make([]int, 0, n+2)
	crlf := 0
	for at := 0; at < len(text); {
		d.offsets = append(d.offsets, at)
		stop, next := len(text), len(text)
		if i := strings.IndexByte(text[at:], sep); i >= 0 {
			stop, next = at+i, at+i+1
			if sep == '\n' && i > 0 && text[stop-1] == '\r' {
				stop--
				crlf++
			}
		}
		d.content = append(d.content, text[at:stop])
		at = next
	}
	d.offsets = append(d.offsets, len(text))
	if crlf > n-crlf {
		d.eol = "\r\n"
	}
	return d
}

// end is how line i ends: with "\n", "\r\n", "\r" or, for the last line only, "".
func (d *document) end(i int) string { return d.text[d.offsets[i]+len(d.content[i]) : d.offsets[i+1]] }

// hasMarkers reports whether the document itself holds SEARCH or REPLACE markers.
func (d *document) hasMarkers() bool {
	if d.markers == nil {
		found := false
		for _, l := range d.content {
			if k := markerOf(l); k == searchMarker || k == replaceMarker {
				found = true
				break
			}
		}
		d.markers = &found
	}
	return *d.markers
}

func mapLines(lines []string, f func(string) string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = f(l)
	}
	return out
}

// isBlank reports whether a byte is a blank that may stand around a line.
func isBlank(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' && c != '\n' }

func trimBlanks(s string) string { return trimRight(trimLeft(s)) }

func trimRight(s string) string {
	for len(s) > 0 && isBlank(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

func trimLeft(s string) string {
	for len(s) > 0 && isBlank(s[0]) {
		s = s[1:]
	}
	return s
}

func trimCR(s string) string { return strings.TrimSuffix(s, "\r") }

// indentOf returns the blanks a line starts with.
func indentOf(s string) string {
	n := 0
	for n < len(s) && (s[n] == ' ' || s[n] == '\t') {
		n++
	}
	return s[:n]
}

func allBlank(lines []string) bool {
	for _, l := range lines {
		if trimBlanks(l) != "" {
			return false
		}
	}
	return true
}
