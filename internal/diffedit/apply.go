package diffedit

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Result is a text with all blocks applied.
type Result struct {
	Text string
	// Edits are the changes in the order of the text.
	Edits []Edit
	// Notes tell the model of adjustments, a sentence each.
	Notes []string
}

// Edit is what one block changed.
type Edit struct {
	// Block is the number of the block, from 1.
	Block int
	// Line and EndLine are the 1-based lines of the original it replaced.
	Line, EndLine int
	// Start and End are the bytes of the original it replaced by New.
	Start, End int
	New        string
	Tier       Tier
}

// Replace parses a complete diff and applies it to text.
func Replace(text, diff string) (*Result, error) {
	blocks, err := Parse(diff)
	if err != nil {
		return nil, err
	}
	return Apply(text, blocks)
}

// Apply applies blocks to text. Each is looked up in the original text, so
// their order does not matter. Either all apply or none: the error is an
// *Error for the model.
func Apply(text string, blocks []Block) (*Result, error) {
	d := newDocument(text)
	blocks = d.parted(blocks)
	res := &Result{}
	for i := range blocks {
		edit, notes, err := d.place(&blocks[i], i+1, len(blocks))
		if err != nil {
			return nil, hintAtOrder(err, blocks[:i], &blocks[i])
		}
		res.Edits = append(res.Edits, edit)
		res.Notes = append(res.Notes, notes...)
	}
	if err := inOrder(res.Edits); err != nil {
		return nil, err
	}
	res.Text = join(text, res.Edits)
	return res, nil
}

// inOrder sorts edits by their place. The error is that of the first two that
// overlap.
func inOrder(edits []Edit) error {
	slices.SortStableFunc(edits, func(a, b Edit) int { return a.Start - b.Start })
	for i := 1; i < len(edits); i++ {
		if err := overlap(edits[i-1], edits[i]); err != nil {
			return err
		}
	}
	return nil
}

// overlap is the error for two edits, in order, that change the same bytes or
// stand at the same place.
func overlap(a, b Edit) error {
	if b.Start >= a.End && b.Start > a.Start {
		return nil
	}
	return &Error{Kind: Overlap, Block: min(a.Block, b.Block), text: fmt.Sprintf(
		"blocks %d and %d both change line %d; join them into one block; nothing was changed", min(a.Block, b.Block), max(a.Block, b.Block), b.Line)}
}

// join makes edits, which are in order and do not overlap.
func join(text string, edits []Edit) string {
	var b strings.Builder
	size, at := len(text), 0
	for _, e := range edits {
		size += len(e.New) - (e.End - e.Start)
	}
	b.Grow(size)
	for _, e := range edits {
		b.WriteString(text[at:e.Start])
		b.WriteString(e.New)
		at = e.End
	}
	b.WriteString(text[at:])
	return b.String()
}

// hintAtOrder adds to a miss that what is looked for is the text of an earlier
// block.
func hintAtOrder(err error, before []Block, b *Block) error {
	var e *Error
	if !errors.As(err, &e) || e.Kind != Miss {
		return err
	}
	search, _ := b.split(b.plainSplit())
	if search = mapLines(search, trimBlanks); len(search) == 0 {
		return err
	}
	for i := range before {
		_, replace := before[i].split(before[i].plainSplit())
		if len(newIndex(mapLines(replace, trimBlanks)).find(search)) > 0 {
			e.text += fmt.Sprintf(" Its SEARCH is what block %d puts there: every block is matched against the file as it is before the call, so join them.", i+1)
			return e
		}
	}
	return err
}

// place turns block number n of total into an edit.
func (d *document) place(b *Block, n, total int) (Edit, []string, error) {
	if d.text == "" && allBlank(b.body[:b.dividers[0]]) {
		return d.fill(b, n, total)
	}
	if b.nested && !d.hasMarkers() {
		if _, err := b.parts(n); err != nil {
			return Edit{}, nil, err
		}
	}
	c, err := d.locate(b, n)
	if err != nil {
		return Edit{}, nil, err
	}
	m := c.m
	text, doubt := d.render(m, c.search, c.replace)
	if doubt != "" {
		return Edit{}, nil, &Error{Kind: Miss, Block: n, text: fmt.Sprintf(
			"block %d: SEARCH is %s but for its blanks, and %s; nothing was changed", n, lineRange(m.from, m.to), doubt)}
	}
	e := Edit{Block: n, Line: m.from + 1, EndLine: m.to, Start: d.offsets[m.from], End: d.offsets[m.to], New: text, Tier: m.tier}
	return e, c.notes(d, n, text == d.text[e.Start:e.End]), nil
}

// fill puts a block with an empty SEARCH into an empty text.
func (d *document) fill(b *Block, n, total int) (Edit, []string, error) {
	if total > 1 {
		return Edit{}, nil, &Error{Kind: EmptySearch, Block: n, text: "an empty file takes one block with an empty SEARCH; nothing was changed"}
	}
	e := Edit{Block: n, Line: 1}
	if _, replace := b.split(0); len(replace) > 0 {
		e.New = strings.Join(replace, "\n") + "\n"
	}
	return e, nil, nil
}

// notes tells what was adjusted for a choice; same is true when nothing changes.
func (c *choice) notes(d *document, n int, same bool) []string {
	var notes []string
	add := func(format string, args ...any) {
		notes = append(notes, fmt.Sprintf("block %d ", n)+fmt.Sprintf(format, args...))
	}
	if c.adjusted != "" {
		add("%s", c.adjusted)
	}
	where := lineRange(c.m.from, c.m.to)
	switch {
	case same:
		add("changes nothing: the new text is what %s already held", where)
	case c.m.tier == Trimmed:
		add("matched %s with other blanks; the new lines follow the file's indentation", where)
	case c.m.tier == Anchored:
		add("matched %s, where blanks or look-alike characters differ from SEARCH; unchanged lines were kept as they are in the file", where)
	case c.m.tier == Exact:
		if was, is := d.indentClash(c); was != "" {
			add("brings lines indented with %s, as written, where the file has %s", is, was)
		}
	}
	return notes
}

// indentClash reports a REPLACE that brings spaces where the replaced lines, or
// if they have no indentation all lines of the document, have tabs, or the
// other way round: in some languages that breaks the file.
func (d *document) indentClash(c *choice) (was, is string) {
	old, fresh := indentSigns(unaligned(d.content[c.m.from:c.m.to])), indentSigns(c.replace)
	if old == "" && fresh != "" {
		old = indentSigns(unaligned(d.content[:min(len(d.content), styleLines)]))
	}
	switch {
	case old == "\t" && strings.Contains(fresh, " "):
		return "tabs", "spaces"
	case old == " " && strings.Contains(fresh, "\t"):
		return "spaces", "tabs"
	}
	return "", ""
}

// indentSigns returns which of space and tab start lines: "", " ", "\t" or both.
func indentSigns(lines []string) string {
	signs := ""
	for _, l := range lines {
		if l != "" && (l[0] == ' ' || l[0] == '\t') && trimBlanks(l) != "" && !strings.Contains(signs, l[:1]) {
			signs += l[:1]
		}
	}
	return signs
}
