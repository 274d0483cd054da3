package diffedit

import "slices"

// Draft makes the blocks of a diff while the diff is written: each that has
// ended is looked up once, in the text as it was at first. It is for showing
// what is to come; Apply decides in the end. It is for one goroutine.
type Draft struct {
	d      *document
	parser Parser
	// edits are those of the settled blocks; tail is that of the one more that
	// has ended, nil when there is none or it has no place.
	edits []Edit
	tail  *Edit
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
// Where nothing has ended since the last call it costs nothing.
func (g *Draft) Text() (text string, ok bool) {
	now := draftState{settled: len(g.parser.blocks)}
	if b := g.parser.open; b != nil && b.end >= 0 {
		now.line, now.end = b.line, b.end
	}
	if now == g.seen || g.stuck {
		return g.text, g.ok
	}
	if g.again++; now.settled > g.seen.settled {
		g.again = 0
	}
	if fresh := g.follow(now); g.stuck || g.again > maxReopened {
		g.stuck, g.ok = true, false
	} else if fresh {
		g.make(now.end > 0)
	}
	return g.text, g.ok
}

// follow places the blocks that have ended since g.seen. fresh is false when the
// edits are the same: then a block has settled as it was.
func (g *Draft) follow(now draftState) (fresh bool) {
	was, tail := g.seen, g.tail
	g.seen, g.tail = now, nil
	blocks, settled := g.parser.Blocks()
	for i := was.settled; i < settled; i++ {
		b := &blocks[i]
		if i > was.settled || b.Line != was.line || len(b.body) != was.end || tail == nil {
			tail, fresh = g.place(b, i+1), true
		}
		if tail == nil {
			g.stuck = true
			return true
		}
		g.edits, tail = append(g.edits, *tail), nil
	}
	if len(blocks) > settled {
		g.tail, fresh = g.place(&blocks[settled], settled+1), true
	}
	return fresh || tail != nil
}

func (g *Draft) place(b *Block, n int) *Edit {
	e, _, err := g.d.place(b, n, n)
	if err != nil {
		return nil
	}
	return &e
}

// make makes the text. withTail is true when there is a block that is not
// settled.
func (g *Draft) make(withTail bool) {
	edits := slices.Clone(g.edits)
	if g.tail != nil {
		edits = append(edits, *g.tail)
	}
	g.ok = len(edits) > 0 && withTail == (g.tail != nil) && inOrder(edits) == nil
	if g.ok {
		g.text = join(g.d.text, edits)
	}
}
