package diffedit

import (
	"sort"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// Text is a text in which other formats than blocks place their changes, by the
// same ladder: formats that know more than the lines to look for, such as what
// these stand behind. It is not safe for concurrent use.
type Text struct{ d *document }

// NewText cuts a text into lines.
func NewText(text string) *Text { return &Text{newDocument(text)} }

// Lines are the lines without their ends.
func (t *Text) Lines() []string { return t.d.content }

// EOL is the usual line end of the text.
func (t *Text) EOL() string { return t.d.eol }

// Place is where lines stand: lines From to To, exclusive, from 0.
type Place struct {
	From, To int
	Tier     Tier
}

// Find returns the places of lines, one at least, on one rung of the ladder in
// the order of the text.
func (t *Text) Find(lines []string, tier Tier) []Place {
	f, n := finder{d: t.d, lines: lines}, len(lines)
	switch {
	case n == 0:
		return nil
	case tier == Exact:
		return places(f.findWhole(Exact, n))
	case tier == Trimmed && !allBlank(lines):
		return places(f.findWhole(Trimmed, n))
	case tier == Anchored && !allBlank(lines):
		found := f.findAnchored(n)
		if f.compared <= maxCompared { // else there may be more
			return places(found)
		}
	}
	return nil
}

// Holding returns the lines that hold a text at word boundaries, for what names a
// line without being all of it.
func (t *Text) Holding(text string) []int { return t.d.holding(text) }

func places(found []match) []Place {
	var out []Place
	for _, m := range found {
		out = append(out, Place{m.from, m.to, m.tier})
	}
	return out
}

// Replace returns the edit that puts fresh lines where old ones were found. runs
// say which lines change; all others stay as they are in the text. The edit
// spans only lines that change; its Block is not set. clash tells of new lines
// with tabs where the text has spaces, or the other way round, "" for none. doubt,
// if not "", says what cannot be told of the place of the new lines, and what to do.
func (t *Text) Replace(p Place, old, fresh []string, runs []Run) (e Edit, clash, doubt string) {
	d, m := t.d, match{tier: p.Tier, from: p.From, to: p.To}
	if p.Tier == Anchored {
		m.pairs = d.pairFolded(p.From, p.To, len(old), fold(old).at)
	} else {
		m.pairs = whole(p.Tier, []int{p.From}, len(old))[0].pairs
	}
	old, fresh = mapLines(old, trimCR), mapLines(fresh, trimCR)
	text, doubt := d.renderDiffs(m, old, fresh, within(runs, old, fresh))
	if doubt != "" {
		return e, "", doubt
	}
	e = d.lines(d.offsets[p.From], d.offsets[p.To], text)
	e.Tier = p.Tier
	if was, is := d.indentClash(&choice{m: m, replace: fresh}); p.Tier == Exact && was != "" {
		clash = is + ", as written, where the file has " + was
	}
	return e, clash, ""
}

// Run says that the lines From to To of the old ones become NewFrom to NewTo of
// the fresh ones, both exclusive.
type Run struct{ From, To, NewFrom, NewTo int }

// within returns what differs in the runs: a model may write lines anew that
// stay the same.
func within(runs []Run, old, fresh []string) []lcs.Diff {
	var out []lcs.Diff
	for _, r := range runs {
		for _, d := range diffLines(old[r.From:r.To], fresh[r.NewFrom:r.NewTo]) {
			out = append(out, lcs.Diff{Start: r.From + d.Start, End: r.From + d.End, ReplStart: r.NewFrom + d.ReplStart, ReplEnd: r.NewFrom + d.ReplEnd})
		}
	}
	return out
}

// lines is the edit that puts fresh in place of bytes start to end, without the
// lines that both begin or end with.
func (d *document) lines(start, end int, fresh string) Edit {
	head := commonHead(d.text[start:end], fresh)
	tail := commonTail(d.text[start+head:end], fresh[head:])
	start, end = start+head, end-tail
	return Edit{
		Line: sort.SearchInts(d.offsets, start+1), EndLine: sort.SearchInts(d.offsets[:len(d.content)], end),
		Start: start, End: end, New: fresh[head : len(fresh)-tail],
	}
}

// Join makes edits, which are in order and do not overlap.
func (t *Text) Join(edits []Edit) string { return join(t.d.text, edits) }

// Change returns the one edit of whole lines that leads to another text.
func (t *Text) Change(after string) Edit {
	return t.d.lines(0, len(t.d.text), after)
}

// Nearby tells the model where lines that are not in the text fit best, and the
// first of them that differs there. side is what holds the lines, such as "SEARCH".
// It is "" where no line is similar.
func (t *Text) Nearby(lines []string, side string) string { return t.d.nearby(lines, side) }

// Unnumbered takes numbers, as listings show them, off the lines of a change:
// all of them must have one, and those of old count up.
func Unnumbered(old, fresh []string) (o, f []string, ok bool) {
	if o, ok = withoutNumbers(old); !ok {
		return nil, nil, false
	}
	for _, l := range fresh {
		text, _, ok := stripNumber(l)
		if !ok {
			return nil, nil, false
		}
		f = append(f, text)
	}
	return o, f, true
}

// IsBlank reports whether nothing but blanks is in a line.
func IsBlank(line string) bool { return trimBlanks(line) == "" }

// Indent returns the blanks that a line begins with.
func Indent(line string) string { return indentOf(line) }
