package doctext

import (
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"

	"clined/internal/tools"
)

// extractXLSX writes a workbook: for each sheet a mark, then each row with its
// number, its cells between "|". A cell that does not follow its neighbour has
// its address before it, such as "D2: " (ECMA-376, SpreadsheetML).
func extractXLSX(ctx context.Context, r io.ReaderAt, size int64, b *builder) (*tools.Document, error) {
	p, err := openPack(ctx, r, size)
	if err != nil {
		return nil, err
	}
	book, err := readWorkbook(p)
	if err != nil {
		return nil, err
	}
	doc := &tools.Document{Kind: fmt.Sprintf("Excel workbook, %d sheets", len(book.sheets))}
	if len(book.sheets) == 1 {
		doc.Kind = "Excel workbook, 1 sheet"
	}
	for i, s := range book.sheets {
		w := &sheetText{b: b, book: book, name: s.name, hidden: s.hidden}
		if i > 0 {
			b.line("")
		}
		if err := p.walk(s.part, w.visit); err != nil {
			return nil, err
		}
		w.mark()
		if b.full {
			doc.Notes = append(doc.Notes, fmt.Sprintf("cut off in sheet %q at row %d%s", s.name, w.row, w.extent()))
			break
		}
	}
	return doc, nil
}

// workbook is what the sheets refer to.
type workbook struct {
	sheets  []sheet
	strings []string
	formats []numberFormat // by style
	// date1904 says that days are counted from 1904, as on old Macs.
	date1904 bool
}

type sheet struct {
	name, part string
	hidden     bool
}

func readWorkbook(p *pack) (*workbook, error) {
	main, err := p.main("xl/workbook.xml")
	if err != nil {
		return nil, err
	}
	rels, err := p.relations(main)
	if err != nil {
		return nil, err
	}
	book := &workbook{}
	err = p.walk(main, func(t xml.Token) error {
		e, ok := t.(xml.StartElement)
		switch {
		case !ok:
		case e.Name.Local == "workbookPr":
			book.date1904 = attr(e, "date1904") == "1" || attr(e, "date1904") == "true"
		case e.Name.Local == "sheet":
			if r := rels[attr(e, "id")]; r.kind == "worksheet" {
				book.sheets = append(book.sheets, sheet{attr(e, "name"), r.target, attr(e, "state") != "" && attr(e, "state") != "visible"})
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, r := range rels {
		switch r.kind {
		case "sharedStrings":
			err = book.readStrings(p, r.target)
		case "styles":
			err = book.readFormats(p, r.target)
		}
		if err != nil {
			return nil, err
		}
	}
	return book, nil
}

// maxStrings bounds the texts that cells share.
const maxStrings = 4_000_000

// readStrings reads the texts that cells share. Phonetic hints are left out.
func (w *workbook) readStrings(p *pack, name string) error {
	var one strings.Builder
	in, hint := false, false
	return p.walk(name, func(t xml.Token) error {
		switch t := t.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "t":
				in = !hint
			case "rPh":
				hint = true
			}
		case xml.EndElement:
			switch t.Name.Local {
			case "t":
				in = false
			case "rPh":
				hint = false
			case "si":
				if w.strings = append(w.strings, one.String()); len(w.strings) >= maxStrings {
					return errStop
				}
				one.Reset()
			}
		case xml.CharData:
			if in {
				one.Write(t)
			}
		}
		return nil
	})
}

// sheetText makes lines of the elements of a sheet.
type sheetText struct {
	b      *builder
	book   *workbook
	name   string
	hidden bool
	marked bool
	ref    string // the range of cells in use, as the sheet says

	line   strings.Builder
	row    int
	column int // the last one in the line, from 1
	cell   struct {
		column, style int
		kind          string
		value, formed strings.Builder
	}
	into *strings.Builder // where characters go, nil for nowhere
}

// mark writes the line that opens the sheet.
func (w *sheetText) mark() {
	if w.marked {
		return
	}
	w.marked = true
	text := fmt.Sprintf("=== sheet %q", w.name)
	if w.hidden {
		text += " (hidden)"
	}
	if w.ref != "" {
		text += ", " + w.ref
	}
	w.b.line(text + " ===")
}

func (w *sheetText) extent() string {
	if w.ref == "" {
		return ""
	}
	return " of the cells " + w.ref
}

func (w *sheetText) visit(t xml.Token) error {
	switch t := t.(type) {
	case xml.StartElement:
		w.start(t)
	case xml.EndElement:
		w.end(t.Name.Local)
	case xml.CharData:
		if w.into != nil {
			w.into.Write(t)
		}
	}
	if w.b.full {
		return errStop
	}
	return nil
}

func (w *sheetText) start(e xml.StartElement) {
	switch e.Name.Local {
	case "dimension":
		w.ref = attr(e, "ref")
	case "sheetData":
		w.mark()
	case "row":
		w.row++
		if n, err := strconv.Atoi(attr(e, "r")); err == nil {
			w.row = n
		}
		w.line.Reset()
		w.column, w.cell.column = 0, 0
	case "c":
		c := &w.cell
		c.column++
		if n := columnNumber(attr(e, "r")); n > 0 {
			c.column = n
		}
		c.style, _ = strconv.Atoi(attr(e, "s"))
		c.kind = attr(e, "t")
		c.value.Reset()
		c.formed.Reset()
	case "v", "t":
		w.into = &w.cell.value
	case "f":
		w.into = &w.cell.formed
	case "rPh":
		w.into = nil
	}
}

func (w *sheetText) end(name string) {
	switch name {
	case "v", "t", "f":
		w.into = nil
	case "c":
		w.addCell()
	case "row":
		if w.line.Len() > 0 {
			w.b.line(fmt.Sprintf("%d: %s", w.row, w.line.String()))
		}
		w.line.Reset()
	}
}

// addCell puts the cell that ended into the line.
func (w *sheetText) addCell() {
	text := w.value()
	if text == "" || w.line.Len() > maxText {
		return
	}
	c := &w.cell
	if w.column > 0 {
		w.line.WriteString(" | ")
	}
	if c.column != w.column+1 {
		fmt.Fprintf(&w.line, "%s%d: ", columnName(c.column), w.row)
	}
	w.line.WriteString(text)
	w.column = c.column
}

// maxFormula is how many bytes of a formula are shown.
const maxFormula = 200

// value is what the cell shows, with the formula that made it.
func (w *sheetText) value() string {
	c := &w.cell
	value := strings.TrimSpace(c.value.String())
	switch c.kind {
	case "s":
		i, err := strconv.Atoi(value)
		if err != nil || i < 0 || i >= len(w.book.strings) {
			return "(text missing)"
		}
		value = w.book.strings[i]
	case "b":
		value = map[string]string{"0": "FALSE", "1": "TRUE"}[value]
	case "", "n":
		value = w.book.number(value, c.style)
	}
	value = strings.ReplaceAll(strings.ReplaceAll(value, "\r\n", "\n"), "\n", " ⏎ ")
	formula := c.formed.String()
	if len(formula) > maxFormula {
		formula = strings.ToValidUTF8(formula[:maxFormula], "") + "…"
	}
	switch {
	case formula == "":
		return value
	case value == "":
		return "=" + formula + " (not calculated)"
	}
	return value + " (=" + formula + ")"
}

// columnNumber is that of an address such as "C7", from 1; 0 for none.
func columnNumber(address string) int {
	n := 0
	for _, c := range address {
		if c < 'A' || c > 'Z' || n > 1<<20 {
			break
		}
		n = n*26 + int(c-'A') + 1
	}
	return n
}

func columnName(n int) string {
	name := ""
	for ; n > 0; n = (n - 1) / 26 {
		name = string(rune('A'+(n-1)%26)) + name
	}
	return name
}
