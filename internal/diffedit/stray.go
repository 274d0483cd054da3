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

// bareFirst reports whether REPLACE begins with a line without indentation that
// may not be at the depth that the stray lost which SEARCH begins with: other lines come
// back less deep, or the stray itself does deeper and that line opens no block there.
func (in *indenter) bareFirst(lost string) bool {
	lines := nonBlank(in.replace)
	if lost == "" || len(lines) == 0 || indentOf(lines[0]) != "" {
		return false
	}
	outwards, inwards := in.shifted()
	opens := len(lines) > 1 && opener(lines[0]) != 0 && indentOf(lines[1]) == lost+in.unit || closedAt(lines, lost)
	return outwards || in.comesDeeper(nonBlank(in.search)[0], lost) &&
		!(opens && allOf(inwards, func(s string) bool { return strings.HasPrefix(s, lost+in.unit) }))
}

// bareLast is bareFirst for the last line: it may belong to what comes back deeper.
func (in *indenter) bareLast(lost string) bool {
	lines, search := nonBlank(in.replace), nonBlank(in.search)
	if lost == "" || len(lines) == 0 || indentOf(lines[len(lines)-1]) != "" {
		return false
	}
	outwards, inwards := in.shifted()
	return outwards || len(inwards) > 0 && trimBlanks(lines[len(lines)-1]) == trimBlanks(search[len(search)-1]) ||
		in.comesDeeper(search[len(search)-1], lost)
}

// comesDeeper reports whether a line of SEARCH that lost its indentation is in
// REPLACE with another alone.
func (in *indenter) comesDeeper(line, lost string) bool {
	deeper := false
	for _, l := range in.replace {
		if trimBlanks(l) == trimBlanks(line) {
			if s := indentOf(l); s == "" || s == lost {
				return false
			}
			deeper = true
		}
	}
	return deeper
}

// opener is what closes the block that a line opens, ':' for one of Python's, 0 for
// none.
func opener(line string) byte {
	line = trimBlanks(line)
	if i := strings.IndexByte("{([:", line[len(line)-1]); i >= 0 {
		return "})]:"[i]
	}
	return 0
}

// closedAt reports whether what the first of lines opens is closed by one with
// some indentation.
func closedAt(lines []string, indent string) bool {
	closer := opener(lines[0])
	return closer != 0 && closer != ':' && !allOf(lines[1:], func(l string) bool { return indentOf(l) != indent || trimLeft(l)[0] != closer })
}

// shifted reports whether lines of SEARCH come back in REPLACE with less
// indentation, and returns the indentations of those that do with more.
func (in *indenter) shifted() (outwards bool, inwards []string) {
	type span struct{ least, most int }
	depth := map[string]span{}
	for _, l := range in.search {
		text, n := trimBlanks(l), len(indentOf(l))
		if had, ok := depth[text]; ok {
			depth[text] = span{min(had.least, n), max(had.most, n)}
		} else {
			depth[text] = span{n, n}
		}
	}
	delete(depth, "")
	for _, l := range in.replace {
		if had, ok := depth[trimBlanks(l)]; ok {
			s := indentOf(l)
			outwards = outwards || len(s) < had.least
			if len(s) > had.most {
				inwards = append(inwards, s)
			}
		}
	}
	return outwards, inwards
}

// judgeFirst decides what the lines of REPLACE behind a first one without
// indentation are relative to, where SEARCH is a line without, that has the
// indentation f in the document: to the first, or to nothing, because only that
// one lost its own.
func (in *indenter) judgeFirst(f string) {
	lines := nonBlank(in.replace)
	if len(lines) < 2 || indentOf(lines[0]) != "" || !allOf(lines[1:], func(l string) bool { return strings.HasPrefix(l, f) }) {
		return
	}
	alike := true
	for i, l := range in.replace {
		if trimBlanks(l) != "" && indentOf(l) != "" {
			moved, ok := in.indent(i, -1)
			alike = alike && ok && moved == l
		}
	}
	second := indentOf(lines[1])
	closer, closed := opener(lines[0]), closedAt(lines, f)
	switch {
	case alike, closer != 0 && !closed && second == f && in.isLevel(f):
	case closed, closer != 0 && second == f+in.unit:
		in.stray.first, in.stray.asWritten = f, true
	default:
		in.stray.unclear = true
	}
}

// isLevel reports whether an indentation is one level, of the document or of the
// block.
func (in *indenter) isLevel(s string) bool {
	return s == in.unit || s == "\t" || s == strings.Repeat(" ", in.blockWidth)
}

func nonBlank(lines []string) []string {
	var out []string
	for _, l := range lines {
		if l = trimRight(l); l != "" {
			out = append(out, l)
		}
	}
	return out
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
