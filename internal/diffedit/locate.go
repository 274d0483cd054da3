package diffedit

import "fmt"

// choice is the reading of a block that fits the document.
type choice struct {
	search, replace []string
	m               match
	// adjusted says what was changed in the block's text to make it fit.
	adjusted string
}

// locate finds the one place block number n means. Where it has several
// splits, the longest SEARCH that is in the document wins: the text beyond a
// shorter one would not be there, divider and all, by chance.
func (d *document) locate(b *Block, n int) (*choice, error) {
	for _, read := range []func(*Block) (*reading, bool){asWritten, unescaped, unnumbered, unfenced} {
		r, ok := read(b)
		if !ok {
			continue
		}
		f := finder{d: d, lines: r.lines[r.skip:]}
		depth := depths(r.lines)
		for i := len(b.dividers) - 1; i >= 0; i-- {
			div := b.dividers[i]
			if depth[div+1] != depth[len(r.lines)] || !r.fits(div) { // REPLACE swallowed the start of the next block
				continue
			}
			found := f.find(div - 2*r.skip)
			switch {
			case f.compared > maxCompared:
				return nil, tooTangled(b, n)
			case len(found) > 1:
				return nil, d.ambiguous(n, found)
			case len(found) == 1:
				return d.choose(b, n, i, r, found[0])
			}
		}
	}
	search, replace := b.split(b.plainSplit())
	if len(search) == 0 {
		return nil, &Error{Kind: EmptySearch, Block: n, text: fmt.Sprintf(
			"block %d has an empty SEARCH, which is only for a new or empty file; to insert text, put a neighbouring line into SEARCH and repeat it in REPLACE; nothing was changed", n)}
	}
	return nil, d.miss(n, search, replace)
}

// choose takes split i of a block.
func (d *document) choose(b *Block, n, i int, r *reading, m match) (*choice, error) {
	if i < len(b.dividers)-1 && d.goesOn(r.lines, b.dividers[i:], m) {
		return nil, &Error{Kind: Ambiguous, Block: n, text: fmt.Sprintf(
			"block %d (line %d of the diff) has several `=======` lines, and where SEARCH ends is not clear: nothing longer than %s matches, but more seems to be meant; copy SEARCH exactly, or use write_to_file; nothing was changed",
			n, b.Line, lineRange(m.from, m.to))}
	}
	c := &choice{m: m, adjusted: r.adjusted}
	c.search, c.replace = r.split(b.dividers[i])
	if c.adjusted == "" {
		c.replace, c.adjusted = d.unescapedMarkers(c.search, c.replace)
	}
	return c, nil
}

// goesOn reports whether a SEARCH that ends at the first of dividers probably
// was meant to go on to a later one, with a mistake on the way, so that REPLACE
// would hold a part of it: the document goes on with a divider or with what
// follows in the block, or what follows stands in the block once more.
func (d *document) goesOn(lines []string, dividers []int, m match) bool {
	if m.to < len(d.content) && markerOf(d.content[m.to]) == divider {
		return true
	}
	follows := map[string]bool{}
	for _, l := range lines[dividers[0]+1 : dividers[1]] {
		follows[trimBlanks(l)] = true
	}
	delete(follows, "")
	below := d.content[m.to:min(m.to+dividers[1]-dividers[0]+1, len(d.content))]
	for _, more := range [][]string{below, lines[dividers[1]+1:]} {
		for _, l := range more {
			if follows[trimBlanks(l)] {
				return true
			}
		}
	}
	return false
}

// tooTangled refuses a block that would take too long.
func tooTangled(b *Block, n int) *Error {
	return &Error{Kind: Ambiguous, Block: n, text: fmt.Sprintf(
		"block %d (line %d of the diff) has %d `=======` lines, and parts of it look like very many places of the file; write smaller blocks, or use write_to_file; nothing was changed", n, b.Line, len(b.dividers))}
}

// depths returns how many SEARCH markers more than REPLACE markers stand before
// each line, and in all lines at last.
func depths(lines []string) []int {
	out := make([]int, len(lines)+1)
	for i, l := range lines {
		out[i+1] = out[i]
		switch markerOf(l) {
		case searchMarker:
			out[i+1]++
		case replaceMarker:
			out[i+1]--
		}
	}
	return out
}
