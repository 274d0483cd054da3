package doctext

import (
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"clined/internal/tools"
)

// extractDOCX writes a Word document: headings as "#", list items as "-", rows
// of tables between "|", then notes and comments (ECMA-376, WordprocessingML).
func extractDOCX(ctx context.Context, r io.ReaderAt, size int64, b *builder) (*tools.Document, error) {
	p, err := openPack(ctx, r, size)
	if err != nil {
		return nil, err
	}
	main, err := p.main("word/document.xml")
	if err != nil {
		return nil, err
	}
	styles, err := readStyles(p, main)
	if err != nil {
		return nil, err
	}
	w := &wordText{b: b, styles: styles, blank: true}
	if err := p.walk(main, w.visit); err != nil {
		return nil, err
	}
	w.finish()
	if err := wordNotes(p, main, w); err != nil {
		return nil, err
	}
	doc := &tools.Document{Kind: "Word document"}
	if w.deleted {
		doc.Notes = append(doc.Notes, "it has tracked changes: what was inserted is shown, what was deleted is not")
	}
	return doc, nil
}

// wordNotes writes the footnotes, endnotes and comments of a document.
func wordNotes(p *pack, main string, w *wordText) error {
	rels, err := p.relations(main)
	if err != nil {
		return err
	}
	var parts []relation
	for _, r := range rels {
		if slices.Contains([]string{"footnotes", "endnotes", "comments"}, r.kind) {
			parts = append(parts, r)
		}
	}
	slices.SortFunc(parts, func(a, b relation) int { return -strings.Compare(a.kind, b.kind) })
	for _, r := range parts {
		n := &wordText{b: w.b, styles: w.styles, title: r.kind}
		if err := p.walk(r.target, n.visit); err != nil {
			return err
		}
		n.finish()
	}
	return nil
}

// wordStyles are what paragraph styles mean: the level of a heading, or that
// paragraphs are items of a list.
type wordStyles struct {
	headings map[string]int
	lists    map[string]bool
}

// readStyles reads which paragraph styles mean something. Their ids differ by
// language, their names do not.
func readStyles(p *pack, main string) (wordStyles, error) {
	st := wordStyles{map[string]int{}, map[string]bool{}}
	rels, err := p.relations(main)
	for _, r := range rels {
		if r.kind != "styles" || err != nil {
			continue
		}
		id := ""
		err = p.walk(r.target, func(t xml.Token) error {
			e, ok := t.(xml.StartElement)
			switch {
			case !ok:
			case e.Name.Local == "style":
				id = attr(e, "styleId")
			case e.Name.Local == "numPr":
				st.lists[id] = true
			case e.Name.Local == "name":
				name := strings.ToLower(attr(e, "val"))
				if n, err := strconv.Atoi(strings.TrimPrefix(name, "heading ")); err == nil && n > 0 && n < 10 {
					st.headings[id] = n
				} else if name == "title" {
					st.headings[id] = 1
				}
			}
			return nil
		})
	}
	return st, err
}

// wordText makes lines of the elements of a part.
type wordText struct {
	b      *builder
	styles wordStyles
	// title is written before the first line of a part of notes.
	title string

	para   strings.Builder
	prefix string
	// skip is the depth within an element that is left out, text that within
	// elements whose characters count.
	skip, text int
	// rows are the rows that are open, the innermost table's last.
	rows []*tableRow
	// deeper counts the open rows beyond tableDepth, whose cells are one.
	deeper  int
	blank   bool // the last line is
	deleted bool
}

// tableDepth bounds the tables within tables that are told apart.
const tableDepth = 16

// tableRow is a row that is being read.
type tableRow struct {
	text  strings.Builder
	cells int
	empty bool // the cell that is open
}

// cell opens the next cell.
func (r *tableRow) cell() {
	if r.cells++; r.cells > 1 {
		r.text.WriteString(" | ")
	}
	r.empty = true
}

// add puts text into the cell that is open.
func (r *tableRow) add(text string) {
	if text == "" || r.cells == 0 || r.text.Len() > maxText {
		return
	}
	if !r.empty {
		r.text.WriteByte(' ')
	}
	r.text.WriteString(strings.ReplaceAll(text, "\n", " ⏎ "))
	r.empty = false
}

// leftOut holds elements that are no text of the document: the second shape of
// what an alternative shows, deleted text, the codes of fields.
func leftOut(name string) bool {
	return name == "Fallback" || name == "delText" || name == "instrText" || name == "del" || name == "moveFrom"
}

func (w *wordText) visit(t xml.Token) error {
	switch t := t.(type) {
	case xml.StartElement:
		if w.skip > 0 || leftOut(t.Name.Local) {
			w.deleted = w.deleted || t.Name.Local == "del"
			w.skip++
			return nil
		}
		w.start(t)
	case xml.EndElement:
		if w.skip > 0 {
			w.skip--
			return nil
		}
		w.end(t.Name.Local)
	case xml.CharData:
		if w.skip == 0 && w.text > 0 && w.para.Len() < maxText {
			w.para.Write(t)
		}
	}
	if w.b.full {
		return errStop
	}
	return nil
}

func (w *wordText) start(e xml.StartElement) {
	switch e.Name.Local {
	case "t":
		w.text++
	case "tab":
		if w.para.Len() > 0 { // not the tab stops of a style
			w.para.WriteByte('\t')
		}
	case "br", "cr":
		w.para.WriteByte('\n')
	case "noBreakHyphen":
		w.para.WriteByte('-')
	case "pStyle":
		id := attr(e, "val")
		if n := w.styles.headings[id]; n > 0 {
			w.prefix = strings.Repeat("#", n) + " "
		} else if w.styles.lists[id] {
			w.prefix = "- "
		}
	case "numPr":
		if w.prefix == "" {
			w.prefix = "- "
		}
	case "ilvl":
		if n, _ := strconv.Atoi(attr(e, "val")); w.prefix == "- " && n > 0 && n < 10 {
			w.prefix = strings.Repeat("  ", n) + w.prefix
		}
	case "docPr":
		w.picture(attr(e, "descr"))
	case "footnoteReference", "endnoteReference", "commentReference":
		fmt.Fprintf(&w.para, "[%s %s]", strings.TrimSuffix(e.Name.Local, "Reference"), attr(e, "id"))
	case "footnote", "endnote", "comment":
		if kind := attr(e, "type"); kind == "" || kind == "normal" {
			w.prefix = strings.TrimSuffix("["+e.Name.Local+" "+attr(e, "id")+"] "+attr(e, "author"), " ") + ": "
		}
	case "tr":
		if len(w.rows) == tableDepth {
			w.deeper++
			return
		}
		w.rows = append(w.rows, &tableRow{})
	case "tc":
		if n := len(w.rows); n > 0 && w.deeper == 0 {
			w.rows[n-1].cell()
		}
	}
}

func (w *wordText) picture(about string) {
	if about == "" {
		w.para.WriteString("[picture]")
		return
	}
	w.para.WriteString("[picture: " + about + "]")
}

func (w *wordText) end(name string) {
	switch name {
	case "t":
		w.text = max(0, w.text-1)
	case "p":
		w.paragraph()
	case "tr":
		n := len(w.rows)
		if n == 0 || w.deeper > 0 {
			w.deeper = max(0, w.deeper-1)
			return
		}
		row := "| " + w.rows[n-1].text.String() + " |"
		w.rows = w.rows[:n-1]
		w.put(row)
	case "tbl":
		w.put("")
	}
}

// paragraph ends one.
func (w *wordText) paragraph() {
	text := strings.TrimRight(w.para.String(), " \t\n")
	if text != "" {
		text = w.prefix + text
	}
	if text != "" || w.title == "" {
		w.prefix = ""
	}
	w.para.Reset()
	w.put(text)
}

// finish writes what was not closed.
func (w *wordText) finish() {
	if w.para.Len() > 0 {
		w.paragraph()
	}
	for w.deeper = 0; len(w.rows) > 0; {
		w.end("tr")
	}
}

// put writes lines of their own, or a part of the cell that is open.
func (w *wordText) put(text string) {
	if n := len(w.rows); n > 0 {
		w.rows[n-1].add(text)
		return
	}
	for part := range strings.SplitSeq(text, "\n") {
		w.line(part)
	}
}

// line writes one; a blank one not after another.
func (w *wordText) line(text string) {
	if w.title != "" {
		if text == "" {
			return
		}
		w.b.line("")
		w.b.line("=== " + w.title + " ===")
		w.title = ""
	}
	if text == "" && w.blank {
		return
	}
	w.blank = text == ""
	w.b.line(text)
}
