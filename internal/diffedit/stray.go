package diffedit

import "strings"

// stray are lines at an end of SEARCH that lost their indentation, as happens
// where a model begins to write in the middle of a line.
type stray struct {
	// first and last are the indentations that the document has there, "" for a
	// line that did not lose its own.
	first, last string
	// asWritten: all else is indented as in the document, so REPLACE is too.
	asWritten bool
	// doubt: deeper lines of REPLACE cannot be told from lines of other levels.
	doubt bool
	// unclear: lines of REPLACE without indentation may have lost it, or not.
	unclear bool
}

// pairing is a line of SEARCH by level and what the document has there.
type pairing struct{ s, f string }

// findStray finds strays among the lines of SEARCH by level, and takes what they
// taught back.
func (in *indenter) findStray(lines []pairing) {
	n := len(lines)
	if n == 0 {
		return
	}
	if first, ok := in.firstIndent(); ok && first != "" && allOf(lines, func(p pairing) bool { return p.s == "" }) && lines[0].f != "" {
		in.stray = stray{asWritten: first == lines[0].f, doubt: first != lines[0].f}
		in.torn[""] = true
		return
	}
	for _, ends := range [][2]int{{1, 0}, {0, 1}, {1, 1}} {
		rest := lines[min(ends[0], n):]
		rest = rest[:max(len(rest)-ends[1], 0)]
		lost := in.lost(lines, ends)
		if len(rest) == 0 || lost.first == "" && ends[0] > 0 || lost.last == "" && ends[1] > 0 {
			continue
		}
		same := allOf(rest, func(p pairing) bool { return p.s == p.f })
		crossed := !allOf(rest, func(p pairing) bool { return p.s == "" || deeper(p.f, lost.first) && deeper(p.f, lost.last) })
		switch {
		case same && in.byOtherLevels(lines, rest):
			in.stray.doubt = true
		case same:
			in.stray, in.known[""] = lost, ""
			in.stray.asWritten = true
			delete(in.torn, "")
		case crossed:
			in.stray, in.torn[""] = lost, true
		default:
			continue
		}
		both := in.lost(lines, [2]int{1, 1})
		in.stray.unclear = in.bareFirst(both.first) || in.bareLast(both.last)
		return
	}
}

// lost returns what the lines at the ends lost.
func (in *indenter) lost(lines []pairing, ends [2]int) stray {
	var out stray
	if p := lines[0]; ends[0] > 0 && p.s == "" {
		out.first = p.f
	}
	if p := lines[len(lines)-1]; ends[1] > 0 && p.s == "" {
		out.last = p.f
	}
	return out
}

// byOtherLevels reports whether lines may as well be of wider levels from
// another margin on: one level further in, in SEARCH as in the document.
func (in *indenter) byOtherLevels(lines, rest []pairing) bool {
	s, f := rest[0].s, lines[0].f
	if f == "" {
		f = lines[len(lines)-1].f
	}
	return len(s) == in.blockWidth && s == f+in.unit && allOf(rest, func(p pairing) bool { return p.s == s })
}

// deeper reports whether an indentation is deeper than another that was lost;
// none was where it is "".
func deeper(f, lost string) bool {
	return lost == "" || len(f) > len(lost) && strings.HasPrefix(f, lost)
}

func allOf[L any](lines []L, is func(L) bool) bool {
	for _, l := range lines {
		if !is(l) {
			return false
		}
	}
	return true
}

// firstIndent is the indentation of the first line of REPLACE that is not blank.
func (in *indenter) firstIndent() (string, bool) {
	for _, l := range in.replace {
		if trimBlanks(l) != "" {
			return indentOf(l), true
		}
	}
	return "", false
}

// found returns the indentation of line i of REPLACE if that is what a stray of
// SEARCH lost: it is at the same end, and has none.
func (in *indenter) found(i int) (string, bool) {
	if indentOf(in.replace[i]) != "" {
		return "", false
	}
	switch {
	case in.stray.first != "" && allBlank(in.replace[:i]):
		return in.stray.first, true
	case in.stray.last != "" && allBlank(in.replace[i+1:]):
		return in.stray.last, true
	}
	return "", false
}
