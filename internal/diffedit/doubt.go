package diffedit

import "strings"

// A stray line of SEARCH and a line of REPLACE without indentation at the same end
// are mostly one slip, made twice. Here is told when that may well be wrong.

// bareFirst reports whether REPLACE begins with a line without indentation that
// may not be as deep as the stray was that SEARCH begins with, which lost that
// indentation: other lines come back less deep, or the stray itself deeper, and the
// line opens no block there.
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

// comesDeeper reports whether a line of SEARCH that lost its indentation comes back
// in REPLACE with another one only.
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

// opener is what closes the block that a line opens: ':' where that is the end of
// its indentation, as in Python, 0 for a line that opens none.
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

// judgeFirst decides what REPLACE is indented relative to, where it begins with a
// line without indentation and SEARCH is such a line, which has f in the document:
// to that first line, or to nothing, because only that one lost its own.
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
