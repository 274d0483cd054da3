package builtin

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// withLineEnds gives text the line ends of base, line by line where base mixes
// them: lines that stay keep theirs, new ones get the usual one of base. A base
// without line ends says nothing, and text stays as it is.
func withLineEnds(base, text string) string {
	crlf := strings.Count(base, "\r\n")
	bare := strings.Count(base, "\n") - crlf
	switch {
	case crlf == 0 && bare == 0:
		if endsInCR(base) && !strings.Contains(lf(text), "\r") {
			return strings.ReplaceAll(lf(text), "\n", "\r")
		}
		return text
	case crlf == 0:
		return lf(text)
	case bare == 0:
		return strings.ReplaceAll(lf(text), "\n", "\r\n")
	}
	eol := "\n"
	if crlf > bare {
		eol = "\r\n"
	}
	return mixedLineEnds(base, lf(text), eol)
}

// endsInCR reports whether the lines of a text without LF end in CR alone. A single
// one within a line is what a program wrote to begin the line anew.
func endsInCR(text string) bool {
	return strings.Count(text, "\r") > 1 || strings.HasSuffix(text, "\r")
}

// usersVersion gives what the user made of a proposal its line ends, or those of
// base where it has none. A byte order mark is no part of a text.
func usersVersion(base, proposed, text string) string {
	text = strings.TrimPrefix(text, "\uFEFF")
	if !strings.Contains(proposed, "\n") {
		proposed = base
	}
	return withLineEnds(proposed, text)
}

// mixedLineEnds gives lines that stay their own ends, and those that take the
// place of others the ends of these, one by one.
func mixedLineEnds(base, text, eol string) string {
	own := strings.SplitAfter(base, "\n") // lines of base with their ends
	plain := lf(base)
	var b strings.Builder
	line, at := 0, 0 // where we are in own and, in bytes, in plain
	pass := func(to int) (passed []string) {
		from := line
		for at < to && line < len(own) {
			at += len(lf(own[line]))
			line++
		}
		return own[from:line]
	}
	for _, e := range udiff.Lines(plain, text) {
		for _, l := range pass(e.Start) {
			b.WriteString(l)
		}
		old := pass(e.End)
		for i, l := range strings.SplitAfter(e.New, "\n") {
			content, ended := strings.CutSuffix(l, "\n")
			b.WriteString(content)
			switch {
			case !ended:
			case i < len(old) && strings.HasSuffix(old[i], "\n"):
				b.WriteString(old[i][len(strings.TrimRight(old[i], "\r\n")):])
			default:
				b.WriteString(eol)
			}
		}
	}
	for _, l := range pass(len(plain)) {
		b.WriteString(l)
	}
	if lf(b.String()) != text { // an edit that is not made of whole lines
		return strings.ReplaceAll(text, "\n", eol)
	}
	return b.String()
}
