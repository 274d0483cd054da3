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

func mixedLineEnds(base, text, eol string) string {
	own := strings.SplitAfter(base, "\n") // lines of base with their ends
	plain := lf(base)
	var b strings.Builder
	line, at := 0, 0 // where we are in own and, in bytes, in plain
	skip := func(to int, keep bool) {
		for at < to && line < len(own) {
			if keep {
				b.WriteString(own[line])
			}
			at += len(lf(own[line]))
			line++
		}
	}
	for _, e := range udiff.Lines(plain, text) {
		skip(e.Start, true)
		b.WriteString(strings.ReplaceAll(e.New, "\n", eol))
		skip(e.End, false)
	}
	skip(len(plain), true)
	if lf(b.String()) != text { // an edit that is not made of whole lines
		return strings.ReplaceAll(text, "\n", eol)
	}
	return b.String()
}
