package diffedit

import "strings"

// findMove looks for one difference between all indentations of SEARCH and the
// document's.
func (in *indenter) findMove(pairs []pairing) {
	in.moved = len(pairs) > 0
	for i, p := range pairs {
		more, isMore := strings.CutSuffix(p.f, p.s)
		less, isLess := strings.CutSuffix(p.s, p.f)
		if isMore {
			less = ""
		} else {
			more = ""
		}
		if !isMore && !isLess || i > 0 && (more != in.more || less != in.less) {
			in.moved = false
			return
		}
		in.more, in.less = more, less
	}
}

// ordered are the known indentations of lines by level.
func (in *indenter) ordered() []pairing {
	var out []pairing
	for _, s := range in.order {
		out = append(out, pairing{s, in.known[s]})
	}
	return out
}

// sameSteps reports whether known lines are as far apart in the document as in
// SEARCH, or as far in.
func (in *indenter) sameSteps() bool {
	n := len(in.order)
	if !in.moved || n == 0 {
		return false
	}
	return len(in.order[n-1])-len(in.order[0]) > 1 || in.more+in.less == "" && in.order[0] != ""
}

// move applies that difference, unless tabs and spaces would mix.
func (in *indenter) move(s string) (string, bool) {
	rest, ok := strings.CutPrefix(s, in.less)
	out := in.more + rest
	return out, in.moved && ok && !in.foreign(out)
}

// exactly reports whether all lines of SEARCH are indented as in the document, and
// some of them are.
func (in *indenter) exactly() bool {
	n := len(in.order)
	return in.alike && in.more+in.less == "" && n > 0 && in.order[n-1] != ""
}

// amongAligned reports whether a line by level is as deep as one of SEARCH that is
// aligned with what the document has in a bracket, or deeper than an aligned one
// above it: it may be relative to that.
func (in *indenter) amongAligned(i int) bool {
	if in.settings[i].kind != byLevel {
		return false
	}
	s := indentOf(in.replace[i])
	if _, ok := in.known[string(byBracket)+s]; ok {
		return true
	}
	at := in.parents[i]
	return at >= 0 && in.settings[at].kind == byBracket
}

// parents returns for each line the nearest before it that is indented less, -1
// for none.
func parents(lines []string) []int {
	out := make([]int, len(lines))
	var open []int
	for i, l := range lines {
		n := len(open)
		if trimBlanks(l) != "" {
			for n > 0 && len(indentOf(lines[open[n-1]])) >= len(indentOf(l)) {
				n--
			}
		}
		if out[i] = -1; n > 0 {
			out[i] = open[n-1]
		}
		if trimBlanks(l) != "" {
			open = append(open[:n], i)
		}
	}
	return out
}

// mayScale reports whether levels of the block are of another width than those of
// the document, as far as that can be told. Nobody writes levels of eight spaces
// into a file of fewer: lines that go on are that far in.
func (in *indenter) mayScale() bool {
	return in.step > 0 && in.step < tabStop && usualWidth(len(in.unit)) && len(in.unit) != in.step
}

// stepFrom returns the width of levels by which lines of REPLACE are further in, or
// out, than those of SEARCH: 0 where none is.
func (in *indenter) stepFrom(pairs []pairing) int {
	seen := map[string]bool{}
	var steps []string
	for i, l := range in.replace {
		s := indentOf(l)
		if trimBlanks(l) == "" || seen[s] || in.settings[i].kind != byLevel {
			continue
		}
		seen[s] = true
		inner, outer, isIn, isOut := 0, 0, false, false
		for _, p := range pairs {
			switch n := len(p.s); {
			case strings.HasPrefix(s, p.s):
				inner, isIn = max(inner, n), true
			case strings.HasPrefix(p.s, s) && (!isOut || n < outer):
				outer, isOut = n, true
			}
		}
		switch {
		case isIn && inner < len(s):
			steps = append(steps, s[inner:])
		case !isIn && isOut:
			steps = append(steps, strings.Repeat(" ", outer-len(s)))
		}
	}
	if len(steps) == 0 {
		return 0
	}
	return levelWidth(append(steps, ""))
}
