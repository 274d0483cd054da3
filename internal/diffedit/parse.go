package diffedit

import (
	"fmt"
	"slices"
	"strings"
)

// Block is one SEARCH/REPLACE block. Where its text holds lines that look like
// the divider, it has several splits, and only the file can tell which is meant.
type Block struct {
	// Line is the 1-based line of its SEARCH marker in the diff.
	Line int
	// body are the lines between the outer markers; dividers index those that
	// may separate SEARCH from REPLACE, at least one: those as long as the SEARCH
	// marker's signs, else of the usual length, else any. Others are rulers below
	// headings.
	body     []string
	dividers []int
	// nested is true when body holds SEARCH or REPLACE markers: then it is
	// either of a file about this very format or several blocks that are badly
	// parted.
	nested bool
}

// Parse reads the SEARCH/REPLACE blocks of a complete diff:
//
//	------- SEARCH
//	lines to find
//	=======
//	lines to put there
//	+++++++ REPLACE
//
// Markers may be of any length from three signs, in the older spelling
// ("<<<<<<< SEARCH", ">>>>>>> REPLACE"), end in a stray ">" or in CRLF. The last
// REPLACE marker may be missing, and blocks may be indented. Blank lines, fences
// and prose around blocks are skipped. The error is an *Error that tells the
// model what is wrong.
func Parse(diff string) ([]Block, error) {
	var p Parser
	p.Write(diff)
	return p.Finish()
}

// Parser reads a diff in pieces, in time linear in its length: however it is
// cut, the blocks are those that Parse finds in the whole. The zero value is
// ready.
type Parser struct {
	line   strings.Builder // the beginning of a line
	lines  int             // that were read
	blocks []Block         // that nothing can change any more
	open   *openBlock      // nil before the first
	fence  bool            // a fence around blocks has begun and not ended
	err    error           // the first
}

// openBlock is a block that may still grow.
type openBlock struct {
	line int
	// signs is how many its SEARCH marker has.
	signs int
	// indent is what its SEARCH marker has in front, and so its other markers.
	indent string
	fence  bool // it stands in a fence
	body   []string
	marks  []mark
	split  bool // a divider was seen
	// indented are lines that would be dividers but for what is in front: one of
	// them is the divider of a block that ends without another.
	indented []int
	// end is the line of body that closes the block, -1 for none: a REPLACE
	// marker that no divider or REPLACE marker follows before the next SEARCH
	// marker. So a text that holds whole blocks stays in one piece.
	end int
}

// mark is a line of a block that looks like a marker.
type mark struct {
	at    int
	kind  marker
	signs int
}

// Write reads the next piece of the diff.
func (p *Parser) Write(piece string) {
	for {
		line, rest, ended := strings.Cut(piece, "\n")
		if !ended {
			p.line.WriteString(piece)
			return
		}
		if p.line.Len() > 0 {
			p.line.WriteString(line)
			line = p.line.String()
			p.line.Reset()
		}
		p.read(line)
		piece = rest
	}
}

// Blocks returns the blocks that have ended so far, up to the first that is
// wrong. settled of them stay as they are; one more may turn out to go on, with
// its REPLACE marker as a part of its text.
func (p *Parser) Blocks() (blocks []Block, settled int) {
	blocks, settled = slices.Clip(p.blocks), len(p.blocks)
	if p.err == nil && p.open != nil && p.open.end >= 0 {
		if b, err := p.open.block(p.open.end, settled+1); err == nil {
			blocks = append(blocks, b)
		}
	}
	return blocks, settled
}

// Finish returns all blocks: what was written is the whole diff. The error is an
// *Error.
func (p *Parser) Finish() ([]Block, error) {
	if p.line.Len() > 0 {
		p.read(p.line.String())
		p.line.Reset()
	}
	if b := p.open; b != nil {
		if n := len(b.marks); b.end < 0 && n > 0 && b.marks[n-1].kind == divider && b.marks[n-1].at == len(b.body)-1 && p.err == nil {
			p.err = syntaxError(len(p.blocks)+1, "block %d (line %d of the diff) ends with its `=======` line: there is no text for REPLACE and no `+++++++ REPLACE` marker", len(p.blocks)+1, b.line)
		}
		end, err := b.last(len(p.blocks) + 1)
		if err != nil && p.err == nil {
			p.err = err
		}
		p.close(end)
	}
	if p.err == nil && len(p.blocks) == 0 {
		p.err = syntaxError(0, "the diff holds no block. Write it like this, with these marker lines:\n"+blockForm+"\n(as many blocks as needed)")
	}
	if p.err != nil {
		return nil, p.err
	}
	return p.blocks, nil
}

// blockForm shows a block.
const blockForm = "------- SEARCH\n(lines of the file)\n=======\n(lines to put there)\n+++++++ REPLACE"

// read takes a line without its LF.
func (p *Parser) read(line string) {
	p.lines++
	b := p.open
	if b == nil || b.end >= 0 {
		in := indentOf(line)
		if markerOf(line[len(in):]) == searchMarker {
			if b != nil {
				p.close(b.end)
			}
			p.open = &openBlock{line: p.lines, signs: signs(line[len(in):]), indent: in, fence: p.fence, end: -1}
			return
		}
		p.fence = p.fence != isFence(line)
	}
	if b != nil {
		if b.read(line); b.end < 0 {
			p.fence = b.fence
		}
	} else if markerOf(line) == replaceMarker && p.err == nil {
		p.err = syntaxError(1, "line %d of the diff is a REPLACE marker without a SEARCH marker before it", p.lines)
	}
}

// close ends the open block before line end of its body.
func (p *Parser) close(end int) {
	b, err := p.open.block(end, len(p.blocks)+1)
	if p.open = nil; p.err != nil {
		return
	}
	if err != nil {
		p.err = err
		return
	}
	p.blocks = append(p.blocks, b)
}

// read takes a line that may belong to the block.
func (b *openBlock) read(line string) {
	marker, ok := strings.CutPrefix(line, b.indent)
	kind := noMarker
	if ok {
		kind = markerOf(marker)
	}
	if kind == noMarker && b.indent != "" { // the SEARCH marker alone may be indented
		if k := markerOf(line); k == replaceMarker || k == divider && !b.split {
			kind, marker = k, line
		}
	}
	switch kind {
	case divider:
		b.split, b.end = true, -1
	case replaceMarker:
		if b.end = -1; b.split || b.takeIndented() {
			b.end = len(b.body)
		}
	case noMarker:
		if marker = strings.TrimLeft(line, " \t"); markerOf(marker) == divider && !b.split {
			b.indented = append(b.indented, len(b.body))
		}
	}
	if kind != noMarker {
		b.marks = append(b.marks, mark{len(b.body), kind, signs(marker)})
	}
	b.body = append(b.body, line)
}

// takeIndented makes the only indented divider that of the block, if something
// stands behind it: else it may be a ruler in a SEARCH without a divider.
func (b *openBlock) takeIndented() bool {
	if len(b.indented) != 1 || len(b.marks) > 0 || allBlank(b.body[b.indented[0]+1:]) {
		return false
	}
	at := b.indented[0]
	b.split = true
	b.marks = append(b.marks, mark{at, divider, signs(strings.TrimLeft(b.body[at], " \t"))})
	return true
}

// block makes block number n of the lines before end.
func (b *openBlock) block(end, n int) (Block, error) {
	out := Block{Line: b.line, body: b.dedented(end)}
	var dividers []mark
	for _, m := range b.marks {
		switch {
		case m.at >= end:
		case m.kind == divider:
			dividers = append(dividers, m)
		default:
			out.nested = true
		}
	}
	if len(dividers) == 0 {
		return out, noDivider(n, b.line)
	}
	for _, want := range []int{b.signs, usualSigns, 0} {
		for _, m := range dividers {
			if m.signs == want || want == 0 {
				out.dividers = append(out.dividers, m.at)
			}
		}
		if len(out.dividers) > 0 {
			break
		}
	}
	return out, nil
}

// usualSigns is how many signs markers have when nobody is careless.
const usualSigns = 7

func noDivider(n, line int) *Error {
	return syntaxError(n, "block %d (line %d of the diff) has no `=======` line between SEARCH and REPLACE, as far in as its SEARCH marker", n, line)
}

// dedented takes the indentation of the markers off the lines before end, if all
// of them have it.
func (b *openBlock) dedented(end int) []string {
	body := slices.Clip(b.body[:end])
	if b.indent == "" {
		return body
	}
	for _, l := range body {
		if trimBlanks(l) != "" && !strings.HasPrefix(l, b.indent) {
			return body
		}
	}
	return mapLines(body, func(l string) string { return strings.TrimPrefix(l, b.indent) })
}

// split returns SEARCH and REPLACE as divided at the i-th divider.
func (b *Block) split(i int) (search, replace []string) {
	d := b.dividers[i]
	return b.body[:d], b.body[d+1:]
}

// plainSplit is the split to talk about when the file favours none. The middle
// one of several has as many rulers in SEARCH as in REPLACE.
func (b *Block) plainSplit() int { return len(b.dividers) % 2 * (len(b.dividers) / 2) }

func syntaxError(block int, format string, args ...any) *Error {
	return &Error{Kind: Syntax, Block: block, text: fmt.Sprintf(format, args...) + "; nothing was changed"}
}
