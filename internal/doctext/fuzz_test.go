package doctext

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"clined/internal/tools"
)

// fuzzed reads a document without the net that Extract spreads: a fault is to be
// seen. Whatever it is, the text is within its limit, and valid.
func fuzzed(t *testing.T, extract func(context.Context, io.ReaderAt, int64, *builder) (*tools.Document, error), data string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // a hang guard
	defer cancel()
	b := &builder{left: maxText}
	_, err := extract(ctx, strings.NewReader(data), int64(len(data)), b)
	if ctx.Err() != nil {
		t.Fatalf("it takes too long: %v", err)
	}
	if text := b.text(); len(text) > maxText*3 || !utf8.ValidString(text) || strings.ContainsAny(text, "\r\x00\x1b") {
		t.Errorf("%d bytes, or not plain: %.100q", len(text), text)
	}
}

// The seeds of a PDF: whole files, and contents.
func FuzzPDF(f *testing.F) {
	for _, s := range []string{
		onePage("BT /F 12 Tf 72 700 Td [(a) -300 (b)] TJ T* <41> Tj ET q 1 0 0 1 0 0 cm /X Do Q", "/Resources << /Font << /F 4 0 R >> /XObject << /X 5 0 R >> >>",
			"<< /Subtype /Type0 /ToUnicode 6 0 R /DescendantFonts [ << /W [1 [2] 3 4 5] >> ] >>", stream("(x) Tj", "/Subtype /Form"), stream("1 beginbfrange <00> <FF> [<0041>] endbfrange")),
		makePDF("<< /Pages 9 0 R >>", stream("9 0 << /Kids [ << >> ] >>", "/Type /ObjStm /N 1 /First 4")),
		strings.Replace(onePage("x", "", "<< /Filter /Standard /V 4 /R 4 /CF << /A << /CFM /AESV2 >> >> /StmF /A /O (01234567890123456789012345678901) /U (01234567890123456789012345678901) /P -4 >>"), "trailer\n<<", "trailer\n<< /Encrypt 4 0 R", 1),
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, data string) { fuzzed(t, extractPDF, data) })
}

func FuzzPDFContents(f *testing.F) {
	f.Add("BT /F 12 Tf 72 700 Td [(a) -300 (b)] TJ T* <41> Tj (x) ' 1 2 (y) \" ET q 1 0 0 1 0 0 cm Q BI /W 1 ID \xff EI", "1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfrange <00> <FF> <0041> endbfrange")
	f.Fuzz(func(t *testing.T, contents, cmap string) {
		fuzzed(t, extractPDF, onePage(contents, "/Resources << /Font << /F << /Subtype /Type1 /ToUnicode 4 0 R >> >> >>", stream(cmap)))
	})
}

func FuzzPDFFilters(f *testing.F) {
	for _, name := range []string{"FlateDecode", "LZWDecode", "ASCII85Decode", "ASCIIHexDecode", "RunLengthDecode"} {
		f.Add("x\x9c\x01\x02", name, 12, 5)
	}
	f.Fuzz(func(t *testing.T, data, name string, predictor, columns int) {
		file := &pdfFile{left: maxUnpacked}
		out, _ := file.filter(name, []byte(data), pdfDict{"Predictor": float64(predictor), "Columns": float64(columns)}, 1<<20)
		if len(out) > 1<<20+4096 {
			t.Errorf("%d bytes", len(out))
		}
	})
}

func FuzzDOCX(f *testing.F) {
	f.Add(para("x")+"<w:tbl><w:tr><w:tc>"+para("a")+"</w:tc></w:tr></w:tbl>", `<w:styles><w:style w:styleId="a"><w:name w:val="heading 1"/></w:style></w:styles>`)
	f.Fuzz(func(t *testing.T, body, styles string) {
		fuzzed(t, extractDOCX, word(t, body, "word/_rels/document.xml.rels", rels("styles", "styles.xml"), "word/styles.xml", styles))
	})
}

func FuzzXLSX(f *testing.F) {
	f.Add(`<row r="1"><c r="A1" t="s" s="1"><v>0</v><f>A2</f></c></row>`, `<sst><si><t>a</t></si></sst>`, `<numFmts><numFmt numFmtId="164" formatCode="[h]:mm"/></numFmts><cellXfs><xf/><xf numFmtId="164"/></cellXfs>`)
	f.Fuzz(func(t *testing.T, rows, strs, styles string) {
		fuzzed(t, extractXLSX, excel(t, rows, "xl/sharedStrings.xml", strs, "xl/styles.xml", styles))
	})
}

func FuzzNotebook(f *testing.F) {
	f.Add(`{"nbformat":4,"cells":[{"cell_type":"code","source":["a"],"outputs":[{"output_type":"stream","text":"\u001b[0mx","data":{"a":[1]}}]}]}`)
	f.Fuzz(func(t *testing.T, data string) { fuzzed(t, extractNotebook, data) })
}

// Any bytes are of some kind, or of none.
func FuzzIdentify(f *testing.F) {
	f.Add("PK\x03\x04")
	f.Add(compoundFile("Workbook"))
	f.Fuzz(func(t *testing.T, data string) {
		if doc, err := extract(t, data, Auto); err == nil && doc.Text == "" && doc.Kind == "" {
			t.Error("neither a document nor an error")
		}
	})
}
