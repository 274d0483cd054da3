package diffedit

// parted returns blocks with those taken apart that hold SEARCH or REPLACE
// markers by mistake: because no such line is in the document, or because they
// have no place there as they are.
func (d *document) parted(blocks []Block) []Block {
	var out []Block
	for i := range blocks {
		b := &blocks[i]
		if b.nested {
			if parts, err := b.parts(0); err == nil && !d.takes(b) {
				out = append(out, parts...)
				continue
			}
		}
		out = append(out, *b)
	}
	return out
}

// takes reports whether a block has its place in the document as it is.
func (d *document) takes(b *Block) bool {
	if !d.hasMarkers() {
		return false
	}
	_, err := d.locate(b, 0)
	return err == nil
}

// parts reads a block in the plain way: each SEARCH, REPLACE or dividing marker
// means itself, and a doubled one, with nothing between, nothing more. The error
// says what is missing, for block number n.
func (b *Block) parts(n int) ([]Block, error) {
	var out []Block
	open := Block{Line: b.Line}
	from, inside, bare := 0, true, false // bare: nothing stands since the block before
	line := func(i int) int { return b.Line + 1 + i }
	for i := range len(b.body) + 1 {
		kind := replaceMarker // the one behind the body
		if i < len(b.body) {
			kind = markerOf(b.body[i])
		}
		switch {
		case inside && kind == divider:
			open.dividers = append(open.dividers, i-from)
		case inside && kind == searchMarker:
			return nil, syntaxError(n, "block %d (line %d of the diff) holds another SEARCH or REPLACE marker (line %d) before its own `+++++++ REPLACE`; each block needs its own `------- SEARCH`, `=======` and `+++++++ REPLACE`", n, open.Line, line(i))
		case inside && kind == replaceMarker && len(open.dividers) == 0:
			return nil, noDivider(n, open.Line)
		case inside && kind == replaceMarker:
			open.body = b.body[from:i:i]
			out = append(out, open)
			inside, bare = false, true
		case kind == searchMarker:
			open, from, inside = Block{Line: line(i)}, i+1, true
		case kind == noMarker:
			bare = bare && trimBlanks(b.body[i]) == ""
		case !inside && !bare:
			return nil, syntaxError(n, "line %d of the diff is a marker outside of a block", line(i))
		}
	}
	return out, nil
}
