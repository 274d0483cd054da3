package diffedit

import "strings"

// LineEdit puts Lines in place of the lines From to To, exclusive, from 0. A
// text is its lines joined by LF: a line end at the end is an empty line more.
type LineEdit struct {
	From, To int
	Lines    []string
}

// LineEdits returns the edits that lead from before to after, the last one in
// the text first, so that each holds in the text that the one before left.
// Where the texts begin and end alike little is done but comparing them.
func LineEdits(before, after string) []LineEdit {
	if before == after {
		return nil
	}
	before, after = before+"\n", after+"\n" // all lines end now
	edits := lineEdits(before, after, 0)
	out := make([]LineEdit, len(edits))
	line, at := 0, 0
	for i, e := range edits {
		line += strings.Count(before[at:e.Start], "\n")
		to := line + strings.Count(before[e.Start:e.End], "\n")
		out[len(edits)-1-i] = LineEdit{From: line, To: to, Lines: linesOf(e.New)}
		line, at = to, e.End
	}
	return out
}

// linesOf cuts a text of whole lines.
func linesOf(text string) []string {
	if text == "" {
		return []string{}
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// Closed returns the part of a growing diff that ends with a whole REPLACE
// marker line, the last one so far; "" when there is none.
func Closed(diff string) string {
	end := 0
	for at, l := range lineOffsets(diff) {
		if strings.HasSuffix(l, "\n") && markerOf(strings.TrimSuffix(l, "\n")) == replaceMarker {
			end = at + len(l)
		}
	}
	return diff[:end]
}
