package server

import (
	"slices"
	"strings"

	"clined/internal/diffedit"
	"clined/internal/protocol"
)

// span is a part of a text, in bytes, and what takes its place.
type span struct {
	from, to int
	text     string
}

// textEdits returns what makes after of before, as edits that all count in before
// and do not overlap: what lies between them stays where it is, and with it cursors,
// marks and the view. Line ends are characters like others.
func textEdits(enc protocol.Encoding, before, after string) []protocol.TextEdit {
	spans := spansOf(before, after)
	for _, s := range spans {
		if !atBoundary(before, s.from) || !atBoundary(before, s.to) {
			return []protocol.TextEdit{enc.MinimalEdit(before, after)}
		}
	}
	edits := make([]protocol.TextEdit, len(spans))
	at, line := 0, uint32(0) // where a line begins, and its number
	position := func(offset int) protocol.Position {
		p := enc.Position(before[at:], offset-at)
		at += enc.Offset(before[at:], protocol.Position{Line: p.Line})
		p.Line += line
		line = p.Line
		return p
	}
	for i, s := range spans {
		start := position(s.from)
		edits[i] = protocol.TextEdit{Range: protocol.Range{Start: start, End: position(s.to)}, NewText: s.text}
	}
	return edits
}

// atBoundary reports whether a position can tell of i: between \r and \n there is none.
func atBoundary(text string, i int) bool {
	return i <= 0 || i >= len(text) || text[i-1] != '\r' || text[i] != '\n'
}

// spansOf is where the lines of two texts differ, the first one first, without
// what is alike at the ends of each.
func spansOf(before, after string) []span {
	edits := diffedit.LineEdits(before, after)
	slices.Reverse(edits)
	spans := make([]span, 0, len(edits))
	line, at := 0, 0
	seek := func(to int) int {
		for ; line < to; line++ {
			n := strings.IndexByte(before[at:], '\n')
			if n < 0 { // one line behind the last one
				line, at = to, len(before)+1
				break
			}
			at += n + 1
		}
		return at
	}
	for _, e := range edits {
		s := span{from: seek(e.From)}
		s.to, s.text = seek(e.To), strings.Join(e.Lines, "\n")
		switch {
		case s.to <= len(before): // the lines end
			if len(e.Lines) > 0 {
				s.text += "\n"
			}
		case s.from > len(before): // behind the last line
			s.from, s.to, s.text = len(before), len(before), "\n"+s.text
		case len(e.Lines) == 0: // to the last line, with the end of the one before
			s.from, s.to = s.from-1, len(before)
		default:
			s.to = len(before)
		}
		start, oldEnd, newEnd := protocol.Differing(before[s.from:s.to], s.text)
		spans = append(spans, span{s.from + start, s.from + oldEnd, s.text[start:newEnd]})
	}
	return spans
}
