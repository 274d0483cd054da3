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
func LineEdits(before, after string) []LineEdit {
	if before == after {
		return nil
	}
	d := newLineDiff(before+"\n", after+"\n") // all lines end now
	out := make([]LineEdit, len(d.changes))
	for i, c := range d.changes {
		lines := make([]string, c.b1-c.b0)
		for j := range lines {
			lines[j] = strings.TrimSuffix(d.b[c.b0+j], "\n")
		}
		out[len(out)-1-i] = LineEdit{From: d.skipped + c.a0, To: d.skipped + c.a1, Lines: lines}
	}
	return out
}
