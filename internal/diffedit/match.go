package diffedit

import "sort"

// Tier says how exactly SEARCH fits the place it was found at.
type Tier int

// The rungs of the ladder. The first with a match decides; if it has more
// than one the edit is refused, since a lower rung can only have more.
const (
	// Exact: the same lines. Line ends do not count: the model never sees
	// them, so they must not decide between two places.
	Exact Tier = iota
	// Trimmed: the same but for blanks around lines. The new lines get the
	// file's indentation.
	Trimmed
	// Anchored: first and last line look the same but for blanks around them;
	// between them blanks, blank lines and look-alike characters may differ.
	Anchored

	tiers // how many there are
)

// match is a place in a document, lines [from,to).
type match struct {
	tier     Tier
	from, to int
	pairs    []int // line of the document for each line of SEARCH, -1 for none
}

// maxCompared bounds, in bytes of the document, what is compared to tell apart
// the places of one block that has many dividers.
const maxCompared = 64 << 20

// finder looks for the beginnings of some lines in a document.
type finder struct {
	d     *document
	lines []string
	// rungs has the places where lines begin to stand, per rung.
	rungs    [tiers]*rung
	folded   *folded
	first    int // see blank
	compared int
}

// rung is where lines begin to stand.
type rung struct {
	places []place
	most   int // of them stand at one place
}

func newRung(places []place) *rung {
	r := &rung{places: places}
	for _, p := range places {
		r.most = max(r.most, p.n)
	}
	return r
}

// atLeast returns the places of n lines.
func (r *rung) atLeast(n int) []int {
	if r.most < n {
		return nil
	}
	return atLeast(r.places, n)
}

// find returns the matches of the first n lines on the first rung that has any.
func (f *finder) find(n int) []match {
	if n == 0 {
		return nil
	}
	if m := f.findWhole(Exact, n); len(m) > 0 {
		return m
	}
	if n <= f.blank() { // these fit anywhere
		return nil
	}
	if m := f.findWhole(Trimmed, n); len(m) > 0 {
		return m
	}
	return f.findAnchored(n)
}

// reach returns a rung.
func (f *finder) reach(tier Tier) *rung {
	if f.rungs[tier] == nil {
		var lines []string
		if tier == Anchored {
			f.folded = fold(f.lines)
			lines = f.folded.lines
		} else {
			lines = mapLines(f.lines, forms[tier].of)
		}
		f.rungs[tier] = newRung(f.d.reach(tier, lines))
	}
	return f.rungs[tier]
}

// blank is how many blank lines come first.
func (f *finder) blank() int {
	if f.first == 0 {
		for f.first < len(f.lines) && trimBlanks(f.lines[f.first]) == "" {
			f.first++
		}
	}
	return f.first
}

// findWhole finds on rungs that compare all lines in the same way.
func (f *finder) findWhole(tier Tier, n int) []match {
	return whole(tier, f.reach(tier).atLeast(n), n)
}

// whole makes matches of n lines each. Only a match that is alone gets its
// pairs: the others are merely counted.
func whole(tier Tier, starts []int, n int) []match {
	out := make([]match, len(starts))
	for i, at := range starts {
		out[i] = match{tier: tier, from: at, to: at + n}
	}
	if len(out) == 1 {
		out[0].pairs = make([]int, n)
		for i := range out[0].pairs {
			out[0].pairs[i] = starts[0] + i
		}
	}
	return out
}

func (f *finder) findAnchored(n int) []match {
	places := f.reach(Anchored)
	inSearch := f.folded.at[:sort.SearchInts(f.folded.at, n)]
	inText, last := f.d.nonBlank(), len(inSearch)-1
	if last < 0 {
		return nil
	}
	first, end := seen(f.lines[inSearch[0]]), seen(f.lines[inSearch[last]])
	var out []match
	found := places.atLeast(last + 1)
	f.compared += len(found)
	for _, i := range found {
		from, to := inText[i], inText[i+last]+1
		f.compared += len(f.d.content[from]) + len(f.d.content[to-1])
		if f.compared > maxCompared {
			return out
		}
		if seen(f.d.content[from]) == first && seen(f.d.content[to-1]) == end {
			from, to = f.d.withBlanks(from, to, inSearch[0], n-1-inSearch[last])
			out = append(out, match{tier: Anchored, from: from, to: to})
		}
	}
	if len(out) == 1 {
		out[0].pairs = f.d.pairFolded(out[0].from, out[0].to, n, inSearch)
	}
	return out
}

// withBlanks widens a place by blank lines around it, up to as many as SEARCH has.
func (d *document) withBlanks(from, to, above, below int) (int, int) {
	for ; above > 0 && from > 0 && trimBlanks(d.content[from-1]) == ""; above-- {
		from--
	}
	for ; below > 0 && to < len(d.content) && trimBlanks(d.content[to]) == ""; below-- {
		to++
	}
	return from, to
}

// pairFolded pairs n lines of SEARCH with lines from to end of the document, given
// which of SEARCH are not blank. A blank line of SEARCH goes with the blank line that
// follows at the same place; those above the first with those that stand there.
func (d *document) pairFolded(from, end, n int, inSearch []int) []int {
	pairs := make([]int, n)
	for i := range pairs {
		pairs[i] = -1
	}
	inText := d.nonBlank()
	inText = inText[sort.SearchInts(inText, from):]
	for i := 1; i <= inSearch[0] && inText[0]-i >= from; i++ {
		pairs[inSearch[0]-i] = inText[0] - i
	}
	for i, line := range inSearch {
		pairs[line] = inText[i]
	}
	for i := 1; i < n; i++ {
		next := pairs[i-1] + 1
		if pairs[i] < 0 && next > 0 && next < end && trimBlanks(d.content[next]) == "" {
			pairs[i] = next
		}
	}
	return pairs
}
