package diffedit

import "slices"

// Draft makes the blocks of a diff while the diff is written: each that has
// ended is looked up once, in the text as it was at first. It is for showing
// what is to come; Apply decides in the end. It is for one goroutine.
type Draft struct {
	d      *document
	parser Parser
	edits  []Edit // of the settled blocks, in order
	// text and ok are what Text returns, made when the parser stood at seen.
	text string
	ok   bool
	seen draftState
	// stuck: a settled block has no place, or the end of one block was taken
	// back over and over.
	stuck bool
	again int // how often it was
}

// draftState changes whenever the blocks that have ended do.
type draftState struct{ settled, line, end int }

// maxReopened is how often what looked like the end of a block may turn out to
// be none before a draft shows no more.
const maxReopened = 20

// NewDraft returns a draft on text.
func NewDraft(text string) *Draft { return &Draft{d: newDocument(text)} }

// Write reads the next piece of the diff.
func (g *Draft) Write(piece string) { g.parser.Write(piece) }

// Text returns the text with the blocks that have ended. ok is false while there
// are none or they have no place: the diff may still make sense as a whole.
func (g *Draft) Text() (text string, ok bool) {
	now := draftState{settled: len(g.parser.blocks)}
	if b := g.parser.open; b != nil && b.end >= 0 {
		now.line, now.end = b.line, b.end
	}
	if now == g.seen || g.stuck {
		return g.text, g.ok
	}
	if now.settled == g.seen.settled {
		g.again++
	} else {
		g.again = 0
	}
	was := g.seen
	g.seen = now
	blocks, settled := g.parser.Blocks()
	for i := was.settled; i < settled && !g.stuck; i++ {
		g.edits, g.stuck = g.add(&blocks[i], i+1)
	}
	g.stuck = g.stuck || g.again > maxReopened
	edits, bad := g.edits, g.stuck
	if len(blocks) > settled && !bad {
		edits, bad = g.add(&blocks[settled], settled+1)
	}
	if g.ok = len(edits) > 0 && !bad; g.ok {
		g.text = join(g.d.text, edits)
	}
	return g.text, g.ok
}

// add returns the edits with that of a block, in order; bad is true when it has
// no place among them.
func (g *Draft) add(b *Block, n int) (edits []Edit, bad bool) {
	e, _, err := g.d.place(b, n, n)
	if err != nil {
		return g.edits, true
	}
	at, _ := slices.BinarySearchFunc(g.edits, e, func(a, b Edit) int { return a.Start - b.Start })
	if at > 0 && overlap(g.edits[at-1], e) != nil || at < len(g.edits) && overlap(e, g.edits[at]) != nil {
		return g.edits, true
	}
	return slices.Insert(slices.Clip(g.edits), at, e), false
}
