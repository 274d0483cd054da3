package workspace

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// maxShown is the length in bytes up to which a line is shown whole, around how
// much is shown on each side of a match in a longer one.
const maxShown, around = 500, 200

// follow shows the context that is owed after a match, from the lines in b.
func (s *scan) follow(b []byte, number int) {
	for s.owed > 0 && len(b) > 0 {
		end := lineEnd(b, 0)
		s.emit(number, cut(b[:end], 0, 0), false)
		s.owed--
		number++
		b = b[min(end+1, len(b)):]
	}
}

// before shows the context before line number; b ends where that line begins.
func (s *scan) before(b []byte, number int) {
	want := min(s.context, number-1-s.last)
	if want <= 0 {
		return
	}
	lines := lastLines(b, want)
	if missing := want - len(lines); missing > 0 {
		lines = append(s.tail[max(0, len(s.tail)-missing):len(s.tail):len(s.tail)], lines...)
	}
	for i, text := range lines {
		s.emit(number-len(lines)+i, text, false)
	}
}

// tailOf returns the lines that may be context of what follows b.
func (s *scan) tailOf(b []byte) []string {
	lines := lastLines(b, s.context)
	if missing := s.context - len(lines); missing > 0 {
		lines = append(s.tail[max(0, len(s.tail)-missing):len(s.tail):len(s.tail)], lines...)
	}
	return lines
}

// lastLines returns up to n lines from the end of b, cut for display.
func lastLines(b []byte, n int) []string {
	lines := make([]string, 0, n)
	for len(b) > 0 && len(lines) < n {
		b = bytes.TrimSuffix(b, []byte("\n"))
		begin := lineBegin(b, len(b))
		lines = append(lines, cut(b[begin:], 0, 0))
		b = b[:begin]
	}
	for i, j := 0, len(lines)-1; i < j; i, j = i+1, j-1 {
		lines[i], lines[j] = lines[j], lines[i]
	}
	return lines
}

func countLines(b []byte) int {
	n := bytes.Count(b, []byte("\n"))
	if len(b) > 0 && b[len(b)-1] != '\n' {
		n++
	}
	return n
}

// cut makes a line printable: valid UTF-8, and if it is long only what is
// around the match.
func cut(line []byte, start, end int) string {
	if len(line) <= maxShown {
		return strings.ToValidUTF8(string(line), "\uFFFD")
	}
	from := max(0, start-around)
	to := min(len(line), min(end, start+around)+around)
	for from > 0 && from < len(line) && !utf8.RuneStart(line[from]) {
		from++
	}
	for to < len(line) && to > from && !utf8.RuneStart(line[to]) {
		to--
	}
	s := strings.ToValidUTF8(string(line[from:to]), "\uFFFD")
	if from > 0 {
		s = "…" + s
	}
	if to < len(line) {
		s += "…"
	}
	return s
}
