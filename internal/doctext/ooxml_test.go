package doctext

import (
	"encoding/xml"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func para(text string) string { return "<w:p><w:r><w:t>" + text + "</w:t></w:r></w:p>" }

func TestDOCX(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"paragraphs":                 {para("one") + para("two &amp; three") + "<w:p/><w:p/><w:p/>" + para("four"), "one\ntwo & three\n\nfour"},
		"runs":                       {"<w:p><w:r><w:t>a</w:t></w:r><w:r><w:t xml:space=\"preserve\"> b</w:t><w:tab/><w:t>c</w:t><w:br/><w:t>d</w:t><w:noBreakHyphen/><w:t>e</w:t></w:r></w:p>", "a b\tc\nd-e"},
		"no tab of a style":          {"<w:p><w:pPr><w:tabs><w:tab w:val=\"left\"/></w:tabs></w:pPr><w:r><w:t>a</w:t></w:r></w:p>", "a"},
		"list":                       {`<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>a</w:t></w:r></w:p><w:p><w:pPr><w:numPr><w:ilvl w:val="1"/></w:numPr></w:pPr><w:r><w:t>b</w:t></w:r></w:p>` + para("c"), "- a\n  - b\nc"},
		"table":                      {"<w:tbl><w:tr><w:tc>" + para("a") + "</w:tc><w:tc>" + para("b") + para("c") + "</w:tc></w:tr><w:tr><w:tc><w:p/></w:tc><w:tc>" + para("d") + "</w:tc></w:tr></w:tbl>" + para("end"), "| a | b c |\n|  | d |\n\nend"},
		"fields and deleted text":    {`<w:p><w:r><w:instrText>PAGE</w:instrText><w:t>7</w:t></w:r><w:del><w:r><w:delText>old</w:delText><w:t>x</w:t></w:r></w:del><w:ins><w:r><w:t> new</w:t></w:r></w:ins></w:p>`, "7 new"},
		"one of alternatives":        {"<w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent>" + para("box") + "</w:txbxContent></mc:Choice><mc:Fallback>" + para("box") + "</mc:Fallback></mc:AlternateContent></w:r></w:p>", "box"},
		"pictures":                   {`<w:p><w:r><w:drawing><wp:docPr id="1" name="P" descr="A ship"/></w:drawing></w:r></w:p><w:p><w:r><wp:docPr/></w:r></w:p>`, "[picture: A ship]\n[picture]"},
		"characters outside of text": {"<w:p>\n  <w:r>stray<w:t>a</w:t></w:r>\n</w:p>", "a"},
		"not closed":                 {"<w:tbl><w:tr><w:tc>" + para("a") + "<w:p><w:r><w:t>b", "| a b |"},
	} {
		t.Run(name, func(t *testing.T) { wantText(t, word(t, c.body), c.want) })
	}
	if doc := wantText(t, word(t, "<w:p><w:del><w:r><w:t>x</w:t></w:r></w:del></w:p>"+para("y")), "y"); len(doc.Notes) != 1 || !strings.Contains(doc.Notes[0], "tracked changes") {
		t.Errorf("notes %q", doc.Notes)
	}
}

func TestDOCXParts(t *testing.T) {
	styles := `<w:styles><w:style w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style><w:style w:styleId="T"><w:name w:val="Title"/></w:style><w:style w:styleId="L"><w:name w:val="List"/><w:pPr><w:numPr/></w:pPr></w:style></w:styles>`
	styled := func(id, text string) string {
		return `<w:p><w:pPr><w:pStyle w:val="` + id + `"/></w:pPr><w:r><w:t>` + text + "</w:t></w:r></w:p>"
	}
	body := styled("T", "Top") + styled("berschrift2", "Sub") + styled("L", "item") + styled("none", "text") +
		`<w:p><w:r><w:t>see</w:t><w:footnoteReference w:id="2"/><w:commentReference w:id="0"/></w:r></w:p>`
	notes := `<w:footnotes><w:footnote w:type="separator" w:id="0"><w:p/></w:footnote><w:footnote w:id="2">` + para("the note") + `</w:footnote></w:footnotes>`
	comments := `<w:comments><w:comment w:id="0" w:author="Ann">` + para("why?") + `</w:comment></w:comments>`
	wantText(t, word(t, body, "word/_rels/document.xml.rels", rels("styles", "styles.xml", "comments", "comments.xml", "footnotes", "/word/footnotes.xml", "endnotes", "none.xml"),
		"word/styles.xml", styles, "word/footnotes.xml", notes, "word/comments.xml", comments),
		"# Top\n## Sub\n- item\ntext\nsee[footnote 2][comment 0]\n\n=== footnotes ===\n[footnote 2]: the note\n\n=== comments ===\n[comment 0] Ann: why?")

	// The main part may have any name.
	wantText(t, makeZip(t, "_rels/.rels", rels("officeDocument", "text/main.xml"), "text/main.xml", "<w:document>"+para("x")+"</w:document>", "word/document.xml", ""), "x")
}

func TestXLSX(t *testing.T) {
	const strs = `<sst><si><t>shared</t></si><si><r><t>rich </t></r><r><t>text</t></r><rPh><t>no</t></rPh></si></sst>`
	const styles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd hh:mm"/><numFmt numFmtId="165" formatCode="&quot;day&quot; 0.0"/><numFmt numFmtId="166" formatCode="[h]:mm"/><numFmt numFmtId="167" formatCode="0.0%;[Red]-0.0%"/></numFmts>
		<cellStyleXfs><xf numFmtId="9"/></cellStyleXfs>
		<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="167"/><xf numFmtId="21"/></cellXfs></styleSheet>`
	const head = "=== sheet \"S\" ===\n"
	for name, c := range map[string]struct{ rows, want string }{
		"values":       {`<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1"><v>1.50</v></c><c r="D1" t="b"><v>1</v></c><c r="E1" t="e"><v>#REF!</v></c><c r="F1" t="inlineStr"><is><t>in</t></is></c><c r="G1" t="str"><v>made</v></c></row>`, "1: shared | rich text | 1.5 | TRUE | #REF! | in | made"},
		"styles":       {`<row r="1"><c r="A1" s="1"><v>46082</v></c><c r="B1" s="2"><v>46082.75</v></c><c r="C1" s="3"><v>2</v></c><c r="D1" s="4"><v>1.25</v></c><c r="E1" s="5"><v>0.064</v></c><c r="F1" s="6"><v>0.5</v></c><c r="G1" s="99"><v>7</v></c><c r="H1" s="1"><v>1</v></c><c r="I1" s="1"><v>-1</v></c></row>`, "1: 2026-03-01 | 2026-03-01 18:00:00 | 2 | 30:00:00 | 6.4% | 12:00:00 | 7 | 1900-01-01 | -1"},
		"gaps":         {`<row r="3"><c r="B3"><v>1</v></c><c r="C3"><v>2</v></c><c r="AB3"><v>3</v></c></row><row r="9"/><row r="10"><c r="A10"><v>4</v></c></row>`, "3: B3: 1 | 2 | AB3: 3\n10: 4"},
		"no addresses": {`<row><c><v>1</v></c><c/><c><v>2</v></c></row><row><c><v>3</v></c></row>`, "1: 1 | C1: 2\n2: 3"},
		"formulas":     {`<row r="1"><c r="A1"><f>SUM(B1:C1)</f><v>3</v></c><c r="B1"><f>NOW()</f></c><c r="C1"><f t="shared" si="0"/><v>5</v></c></row>`, "1: 3 (=SUM(B1:C1)) | =NOW() (not calculated) | 5"},
		"floats":       {`<row r="1"><c r="A1"><v>0.30000000000000004</v></c><c r="B1"><v>1E-9</v></c><c r="C1"><v>123456789012</v></c><c r="D1"><v>nonsense</v></c></row>`, "1: 0.3 | 1e-09 | 123456789012 | nonsense"},
		"bad strings":  {`<row r="1"><c r="A1" t="s"><v>-1</v></c><c r="B1" t="s"><v>99</v></c><c r="C1" t="s"/></row>`, "1: (text missing) | (text missing) | (text missing)"},
		"lines":        {"<row r=\"1\"><c r=\"A1\" t=\"str\"><v>a\r\nb</v></c></row>", "1: a ⏎ b"},
	} {
		t.Run(name, func(t *testing.T) {
			wantText(t, excel(t, c.rows, "xl/sharedStrings.xml", strs, "xl/styles.xml", styles), head+c.want)
		})
	}
	long := strings.Repeat("x", 300)
	wantText(t, excel(t, `<row r="1"><c r="A1"><f>`+long+`</f><v>1</v></c></row>`), head+"1: 1 (="+long[:maxFormula]+"…)")
}

func TestXLSXNumbers(t *testing.T) {
	w := &workbook{formats: []numberFormat{date, dateAndClock}, date1904: true}
	if got := w.number("1", 0); got != "1904-01-02" {
		t.Error(got)
	}
	w.date1904 = false
	for n, want := range map[string]string{"59": "1900-02-28", "61": "1900-03-01", "2958465.5": "9999-12-31", "2958466": "2958466"} {
		if got := w.number(n, 0); got != want {
			t.Errorf("%s is %s, want %s", n, got, want)
		}
	}
	for code, want := range map[string]numberFormat{
		"General": plainNumber, "0.00": plainNumber, "#,##0 \"dmy\"": plainNumber, "m/d/yy": date, "d-mmm": date, "mm:ss": clock, "h:mm AM/PM": clock,
		"[$-409]d\\-m\\-yy": date, "[mm]:ss": elapsed, "[Red]0": plainNumber, "0%": percent, "yyyy h": dateAndClock, "\"": plainNumber, "[": plainNumber, "\\": plainNumber, ";d": plainNumber, "mmmm": date,
	} {
		if got := formatOf(code); got != want {
			t.Errorf("%q: %d, want %d", code, got, want)
		}
	}
	for n, want := range map[int]string{1: "A", 26: "Z", 27: "AA", 702: "ZZ", 703: "AAA", 16384: "XFD"} {
		if got := columnName(n); got != want || columnNumber(want+"7") != n {
			t.Errorf("%d: %s", n, got)
		}
	}
}

// A million cells: what there is room for, and where the rest begins.
func TestXLSXOfAMillionCells(t *testing.T) {
	var rows strings.Builder
	for r := 1; r <= 100_000; r++ {
		fmt.Fprintf(&rows, `<row r="%d">`, r)
		for c := 1; c <= 10; c++ {
			fmt.Fprintf(&rows, `<c r="%s%d"><v>%d</v></c>`, columnName(c), r, r*c)
		}
		rows.WriteString("</row>")
	}
	doc, err := extract(t, excel(t, rows.String()), Auto)
	if err != nil {
		t.Fatal(err)
	}
	if len(doc.Text) > maxText || len(doc.Text) < maxText*9/10 || !strings.Contains(doc.Text, "\n1000: 1000 | 2000 | ") {
		t.Errorf("%d bytes", len(doc.Text))
	}
	if got := strings.Join(doc.Notes, "; "); !strings.Contains(got, "cut off in sheet \"S\" at row ") || !strings.Contains(got, "the text ends here, after 4 MB; try a command") {
		t.Errorf("notes %q", doc.Notes)
	}
}

func TestOfficeThatCannotBeRead(t *testing.T) {
	whole := word(t, para("x"))
	wantError(t, whole[:len(whole)-30], "damaged or not complete")
	wantError(t, word(t, "<w:p><w:r w:x=\"</w:p>"), "is a Word document (.docx) that cannot be read")
	wantError(t, makeZip(t, "word/document.xml", `<?xml version="1.0" encoding="UTF-16"?><w:document/>`), "a part is not in UTF-8")
	wantError(t, makeZip(t, "a.txt", "x"), "is a ZIP archive, not a text; list it with `unzip -l FILE`")
	wantError(t, makeZip(t, "ppt/presentation.xml", ""), "is a PowerPoint presentation (.pptx)")
	wantError(t, makeZip(t, "content.xml", ""), "is an OpenDocument file")

	// What unpacks to far more than it seems is not unpacked.
	bomb := word(t, strings.Repeat(" ", bombSize+1))
	wantError(t, bomb, "unpacks from", "as only a file made to do harm does")
	if len(bomb) > 1<<20 {
		t.Errorf("the archive has %d bytes", len(bomb))
	}
	// Neither are parts that add up to too much.
	p, err := openPack(t.Context(), strings.NewReader(whole), int64(len(whole)))
	if err != nil {
		t.Fatal(err)
	}
	p.left = 100
	visit := func(xml.Token) error { return nil }
	if err := errors.Join(p.walk("word/document.xml", visit), p.walk("word/document.xml", visit)); !errors.Is(err, errTooBig) {
		t.Error(err)
	}
}
