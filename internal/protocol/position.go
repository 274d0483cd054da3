package protocol

import (
	"strings"
	"unicode/utf8"
)

// Encoding is the unit in which a column counts (LSP 3.17, PositionEncodingKind).
type Encoding string

// The encodings. UTF-16 holds unless another one was agreed on.
const (
	UTF8  Encoding = "utf-8"
	UTF16 Encoding = "utf-16"
	UTF32 Encoding = "utf-32"
)

// ChooseEncoding takes the client's first that we know.
func ChooseEncoding(offered []string) Encoding {
	for _, o := range offered {
		switch e := Encoding(o); e {
		case UTF8, UTF16, UTF32:
			return e
		}
	}
	return UTF16
}

// width is how many columns the rune r of n bytes takes.
func (e Encoding) width(r rune, n int) int {
	switch {
	case e == UTF8:
		return n
	case e == UTF16 && r >= 0x10000:
		return 2
	}
	return 1
}

// Offset returns the byte offset of a position. Lines end with \n, \r\n or \r.
// A column beyond the line's end is the line's end, a line beyond the last one
// the text's end, a column inside a rune that rune's beginning.
func (e Encoding) Offset(text string, p Position) int {
	return e.column(text, skipLines(text, 0, p.Line), p.Character)
}

// column returns the offset of a column of the line that begins at at.
func (e Encoding) column(text string, at int, character uint32) int {
	end, _ := lineEnd(text, at)
	for column := int(character); at < end; {
		r, n := utf8.DecodeRuneInString(text[at:end])
		if column -= e.width(r, n); column < 0 {
			break
		}
		at += n
	}
	return at
}

// Position returns the position of a byte offset, which is clamped to the text.
// An offset inside a line's end is the line's end, one inside a rune its beginning.
func (e Encoding) Position(text string, offset int) Position {
	offset = min(max(offset, 0), len(text))
	var p Position
	start := 0
	for {
		end, next := lineEnd(text, start)
		if next < 0 || offset < next {
			offset = min(offset, end)
			break
		}
		start = next
		p.Line++
	}
	for start < offset {
		r, n := utf8.DecodeRuneInString(text[start:])
		if start += n; start > offset {
			break
		}
		p.Character += uint32(e.width(r, n))
	}
	return p
}

// lineEnd finds where the line at start ends and the next one begins; next is
// -1 for the last line.
func lineEnd(text string, start int) (end, next int) {
	for i := start; i < len(text); i++ {
		switch {
		case text[i] == '\n':
			return i, i + 1
		case text[i] != '\r':
		case i+1 < len(text) && text[i+1] == '\n':
			return i, i + 2
		default:
			return i, i + 1
		}
	}
	return len(text), -1
}

// skipLines returns where the n-th line behind the one at at begins; beyond the
// last line that is the text's end. It counts by blocks where lines end with
// \n only: each key typed near the end of a long file comes here.
func skipLines(text string, at int, n uint32) int {
	const block = 8 << 10
	for n > 0 {
		b := text[at:min(at+block, len(text))]
		if lines := uint32(strings.Count(b, "\n")); lines < n && strings.IndexByte(b, '\r') < 0 {
			at, n = at+len(b), n-lines
			if at == len(text) {
				return at
			}
			continue
		}
		for stop := at + len(b); n > 0 && at < stop; n-- {
			if _, at = lineEnd(text, at); at < 0 {
				return len(text)
			}
		}
		if at == len(text) {
			return at
		}
	}
	return at
}

// Apply applies content changes one after the other, as didChange means them.
// Ranges are clamped to the text.
func (e Encoding) Apply(text string, changes []ContentChange) string {
	for _, c := range changes {
		if c.Range == nil {
			text = c.Text
			continue
		}
		r := c.Range
		line := skipLines(text, 0, r.Start.Line)
		start := e.column(text, line, r.Start.Character)
		end := start
		if r.End.Line >= r.Start.Line {
			line = skipLines(text, line, r.End.Line-r.Start.Line)
			end = max(start, e.column(text, line, r.End.Character))
		}
		text = text[:start] + c.Text + text[end:]
	}
	return text
}

// Differing tells where two texts differ: from start on, up to oldEnd in the old
// one and newEnd in the new one. No rune and no \r\n is split.
func Differing(oldText, newText string) (start, oldEnd, newEnd int) {
	for limit := min(len(oldText), len(newText)); start < limit && oldText[start] == newText[start]; {
		start++
	}
	for start > 0 && !(boundary(oldText, start) && boundary(newText, start)) {
		start--
	}
	tail := 0
	for limit := min(len(oldText), len(newText)) - start; tail < limit && oldText[len(oldText)-1-tail] == newText[len(newText)-1-tail]; {
		tail++
	}
	for tail > 0 && !(boundary(oldText, len(oldText)-tail) && boundary(newText, len(newText)-tail)) {
		tail--
	}
	return start, len(oldText) - tail, len(newText) - tail
}

// MinimalEdit returns the one edit that makes newText of oldText: what lies
// between their common beginning and end.
func (e Encoding) MinimalEdit(oldText, newText string) TextEdit {
	start, oldEnd, newEnd := Differing(oldText, newText)
	return TextEdit{
		Range:   Range{Start: e.Position(oldText, start), End: e.Position(oldText, oldEnd)},
		NewText: newText[start:newEnd],
	}
}

// boundary reports whether a position can lie at i.
func boundary(text string, i int) bool {
	if i <= 0 || i >= len(text) {
		return true
	}
	return utf8.RuneStart(text[i]) && !(text[i-1] == '\r' && text[i] == '\n')
}
