package diffedit

import (
	"sort"
	"strings"
)

// indenter carries the indentation of the document over to new lines.
type indenter struct {
	d *document
	// known maps the kind and indentation of lines of SEARCH to the indentation of
	// their lines in the document; those with several answers are in torn.
	known map[string]string
	torn  map[string]bool
	// order has the known ones of lines by level from the outermost.
	order []string
	// more is what the document has in front of each indentation of SEARCH,
	// less what SEARCH has in front of each of the document's; moved tells
	// whether one of them holds.
	more, less string
	moved      bool
	// alike: that holds for all lines of SEARCH, aligned ones too. whole: those by
	// level show more than one then, so that levels are as wide in the document.
	alike, whole bool
	// step is how many spaces make a level by which lines of REPLACE are further in
	// or out than all that SEARCH shows, 0 where none is or that is whole.
	step int
	// blockWidth is how many spaces make a level in the block; unit is a level
	// in the document.
	// ratio is what the known lines tell of that, 0 where they do not agree.
	blockWidth, ratio int
	unit              string
	// search are the lines that go, replace the new ones, each with its setting.
	search   []string
	replace  []string
	settings []setting
	parents  []int // see parents
	stray    stray
	// same: lines by level of SEARCH are indented as in the document; where all of
	// them are without, so are aligned ones.
	same bool
}

func newIndenter(d *document, m match, search, replace []string) *indenter {
	ofSearch, ofReplace := settingsOf(search, replace)
	d.alignAlike(m, search, replace, ofSearch, ofReplace)
	in := &indenter{d: d, known: map[string]string{}, torn: map[string]bool{}, search: search, replace: replace, settings: ofReplace, parents: parents(replace)}
	var lines, all []pairing
	tabs, kept := false, false
	for i, line := range search {
		if m.pairs[i] < 0 || trimBlanks(line) == "" {
			continue
		}
		s, f := indentOf(line), indentOf(d.content[m.pairs[i]])
		tabs, kept = tabs || strings.Contains(f, "\t"), kept || s != "" && s == f
		in.learn(ofSearch[i].kind, s, f)
		if ofSearch[i].kind == byLevel {
			lines = append(lines, pairing{s, f})
		}
		if level, ok := strings.CutSuffix(f, " "); ok && ofSearch[i].kind == byComment {
			s, f = s[:len(s)-1], level
			in.learn(byLevel, s, f)
		}
		all = append(all, pairing{s, f})
	}
	steps := append(byLevels(search, ofSearch), byLevels(replace, ofReplace)...)
	in.blockWidth = levelWidth(steps)
	in.unit = "\t"
	if !tabs {
		in.unit = d.indentUnit(in.blockWidth)
	}
	in.ratio = in.sameRatio(lines)
	in.findMove(all)
	if in.alike = in.moved; !in.alike || allOf(all, func(p pairing) bool { return p.s == "" || p.s == p.f }) {
		in.findStray(lines)
	}
	for s := range in.known {
		if !in.torn[s] && trimLeft(s) == "" {
			in.order = append(in.order, s)
		}
	}
	sort.Slice(in.order, func(i, j int) bool {
		a, _ := in.level(in.order[i])
		b, _ := in.level(in.order[j])
		return a < b || a == b && in.order[i] < in.order[j]
	})
	if in.alike {
		if in.whole = !allOf(lines, func(p pairing) bool { return p.s == lines[0].s }); !in.whole {
			in.step = in.stepFrom(all)
		}
	} else {
		in.findMove(in.ordered())
		if usualWidth(len(in.unit)) && len(in.unit) != in.blockWidth && !in.sameSteps() && inLevels(in.blockWidth, steps) {
			in.moved = false // levels of another width, not lines below each other
		}
	}
	in.same = allOf(lines, func(p pairing) bool { return p.s == p.f }) &&
		(in.alike && in.more+in.less == "" || !allOf(lines, func(p pairing) bool { return p.s == "" }))
	bare := allOf(lines, func(p pairing) bool { return p.s == "" && p.f != "" })
	in.stray.unclear = in.stray.unclear || bare && kept // lost by some lines, not by those that are aligned
	if len(lines) > 0 && allOf(lines, func(p pairing) bool { return p.s == "" && p.f != "" && p.f == lines[0].f }) {
		in.judgeFirst(lines[0].f)
	}
	return in
}

// sameRatio returns how many spaces of SEARCH stand for a level of the document,
// where all its lines by level tell the same and a usual width; else 0.
func (in *indenter) sameRatio(lines []pairing) int {
	width := 0
	for _, p := range lines {
		levels := strings.Count(p.f, in.unit)
		if p.s == "" && p.f == "" {
			continue
		}
		if levels == 0 || len(p.f) != levels*len(in.unit) || strings.Contains(p.s, "\t") || len(p.s)%levels != 0 {
			return 0
		}
		w := len(p.s) / levels
		if !usualWidth(w) || width > 0 && w != width {
			return 0
		}
		width = w
	}
	return width
}

// learn takes in that the document has f where SEARCH has s.
func (in *indenter) learn(kind settingKind, s, f string) {
	s = string(kind) + s
	if had, ok := in.known[s]; ok && had != f {
		in.torn[s] = true
	}
	in.known[s] = f
}

// foreign reports whether an indentation has spaces where the document has tabs,
// or the other way round, and does not mix them itself.
func (in *indenter) foreign(s string) bool {
	sign := " "
	if in.unit != "\t" {
		sign = "\t"
	}
	if !strings.Contains(s, sign) {
		return false
	}
	for _, o := range in.order {
		if strings.Contains(in.known[o], sign) {
			return false
		}
	}
	return true
}

// indent returns line i of REPLACE with the document's indentation. at is the
// line of the document it takes the place of, or -1.
func (in *indenter) indent(i, at int) (string, bool) {
	line := in.replace[i]
	text := strings.TrimLeft(line, " \t")
	if trimBlanks(text) == "" {
		return "", true
	}
	s := indentOf(line)
	key := string(in.settings[i].kind) + s
	if f, ok := in.found(i); ok {
		return f + text, true
	}
	if f, ok := in.known[key]; ok && !in.torn[key] {
		return f + text, true
	}
	if in.torn[key] {
		if at < 0 {
			return "", false
		}
		return indentOf(in.d.content[at]) + text, true
	}
	if in.stray.asWritten || in.exactly() || in.same && !in.foreign(s) {
		return line, true
	}
	if len(in.order) == 0 || in.stray.doubt {
		return "", false
	}
	moved, ok := in.move(s)
	switch { // what is certain first
	case ok && (in.whole || in.alike && !in.mayScale()):
		return moved + text, true
	case in.whole && !strings.HasPrefix(s, in.less), in.amongAligned(i):
		return "", false
	case ok && !in.mayScale():
		return moved + text, true
	}
	if f, ok := in.align(i); ok {
		return f + text, true
	}
	f, sure := in.near(s)
	return f + text, sure && (!ok || f == moved)
}

// align keeps a line as far from the one it is relative to as it is there, unless
// that may well be a level, or two of them below tabs.
func (in *indenter) align(i int) (string, bool) {
	base := in.settings[i].base
	if in.settings[i].kind == byLevel || base < 0 {
		return "", false
	}
	open := in.replace[base]
	rest, ok := strings.CutPrefix(indentOf(in.replace[i]), indentOf(open))
	apart := len(rest)
	toTabs := in.unit == "\t" && !strings.Contains(indentOf(open), "\t")
	switch {
	case !ok, apart == in.blockWidth, toTabs && (apart == 2*in.blockWidth || in.blockWidth == tabStop):
		return "", false
	}
	f, ok := in.indent(base, -1)
	return indentOf(f) + strings.Repeat(" ", apart), ok
}

// near returns what stands for an indentation that is none of those known: as
// many levels further in or out as it is from the nearest of them.
func (in *indenter) near(s string) (string, bool) {
	anchors := in.anchors()
	inner, found := in.nearest(anchors, s, true)
	outer, within := in.nearest(anchors, s, false)
	switch {
	case found:
		level, rest := in.level(s[len(inner):])
		return in.known[inner] + strings.Repeat(in.unit, level) + rest, true
	case within && len(in.order) == 1 && in.ratio > 0 && in.ratio != in.blockWidth:
		return "", false
	case within:
		level, rest := in.level(outer[len(s):])
		f, ok := strings.CutSuffix(in.known[outer], rest)
		for ; level > 0; level-- {
			f = in.outdent(f)
		}
		return f, ok
	}
	level, rest := in.level(s) // tabs here and spaces there
	anchor := anchors[0]
	for _, o := range anchors {
		if l, _ := in.level(o); l <= level {
			anchor = o
		}
	}
	from, _ := in.level(anchor)
	f := in.known[anchor]
	for ; level < from; level++ {
		f = in.outdent(f)
	}
	return f + strings.Repeat(in.unit, level-from) + rest, true
}

// anchors are the known indentations that stand for whole levels in the
// document, or all when none does: a line of a block comment is one blank off.
func (in *indenter) anchors() []string {
	var out []string
	for _, o := range in.order {
		if strings.ReplaceAll(in.known[o], in.unit, "") == "" {
			out = append(out, o)
		}
	}
	if len(out) == 0 {
		return in.order
	}
	return out
}

// nearest returns the deepest anchor that s begins with (within) or the
// shallowest that begins with s: one that is whole levels from s, if there is.
func (in *indenter) nearest(anchors []string, s string, within bool) (anchor string, ok bool) {
	best := false
	for _, o := range anchors {
		rest, fits := strings.CutPrefix(s, o)
		if !within {
			rest, fits = strings.CutPrefix(o, s)
		}
		if !fits {
			continue
		}
		_, odd := in.level(rest)
		whole := odd == ""
		closer := len(o) > len(anchor) == within
		if !ok || whole && !best || whole == best && closer {
			anchor, ok, best = o, true, whole
		}
	}
	return anchor, ok
}

// outdent takes a level off an indentation.
func (in *indenter) outdent(f string) string {
	if strings.HasSuffix(f, in.unit) {
		return f[:len(f)-len(in.unit)]
	}
	return strings.TrimRight(f, " ")
}

// level counts the levels of an indentation of the block: a tab is one. rest
// are the spaces beyond them.
func (in *indenter) level(s string) (level int, rest string) {
	spaces := 0
	for _, r := range s {
		if r == '\t' {
			level, spaces = level+1, 0
			continue
		}
		if spaces++; spaces == in.blockWidth {
			level, spaces = level+1, 0
		}
	}
	return level, strings.Repeat(" ", spaces)
}
