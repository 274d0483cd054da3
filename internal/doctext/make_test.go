package doctext

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	"fmt"
	"slices"
	"strings"
	"testing"

	"clined/internal/tools"
)

// makePDF writes a PDF of objects, numbered from 1; the first is its catalog.
func makePDF(objects ...string) string {
	var b strings.Builder
	b.WriteString("%PDF-1.7\n")
	for i, o := range objects {
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	b.WriteString("trailer\n<< /Root 1 0 R >>\nstartxref\n0\n%%EOF\n")
	return b.String()
}

// stream writes a stream object with further entries of its dictionary.
func stream(data string, entries ...string) string {
	return fmt.Sprintf("<< /Length %d %s >>\nstream\n%s\nendstream", len(data), strings.Join(entries, " "), data)
}

// onePage writes a PDF of a page with contents, further entries of the page, and
// objects from number 4 on. Font /F is Helvetica.
func onePage(contents, entries string, objects ...string) string {
	const resources = "/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"
	if !strings.Contains(entries, "/Resources") {
		entries += resources
	}
	return makePDF(append([]string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [ << /Type /Page /Parent 2 0 R /Contents 3 0 R " + entries + " >> ] /Count 1 >>",
		stream(contents),
	}, objects...)...)
}

// makeZip writes an archive of pairs of name and content.
func makeZip(t testing.TB, pairs ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for p := range slices.Chunk(pairs, 2) {
		w, err := z.Create(p[0])
		if err == nil {
			_, err = w.Write([]byte(p[1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// rels writes relations as pairs of kind and target, with ids r1, r2, …
func rels(pairs ...string) string {
	text := "<Relationships>"
	i := 0
	for p := range slices.Chunk(pairs, 2) {
		i++
		text += fmt.Sprintf(`<Relationship Id="r%d" Type="http://x/%s" Target="%s"/>`, i, p[0], p[1])
	}
	return text + "</Relationships>"
}

// word writes a Word document with a body, and further parts.
func word(t testing.TB, body string, parts ...string) string {
	return makeZip(t, append([]string{"word/document.xml", "<w:document><w:body>" + body + "</w:body></w:document>"}, parts...)...)
}

// excel writes a workbook of one sheet with rows, and further parts.
func excel(t testing.TB, rows string, parts ...string) string {
	return makeZip(t, append([]string{
		"xl/workbook.xml", `<workbook><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", rels("worksheet", "worksheets/sheet1.xml", "sharedStrings", "sharedStrings.xml", "styles", "styles.xml"),
		"xl/worksheets/sheet1.xml", "<worksheet><sheetData>" + rows + "</sheetData></worksheet>",
	}, parts...)...)
}

// extract reads a document.
func extract(t testing.TB, data string, f Format) (*tools.Document, error) {
	t.Helper()
	return Extract(t.Context(), strings.NewReader(data), int64(len(data)), f)
}

// wantText reads a document and compares its text.
func wantText(t *testing.T, data, want string) *tools.Document {
	t.Helper()
	doc, err := extract(t, data, Auto)
	if err != nil {
		t.Errorf("%v, want %q", err, want)
		return &tools.Document{}
	}
	if doc.Text != want {
		t.Errorf("got %q, want %q", doc.Text, want)
	}
	return doc
}

// wantError reads what cannot be read.
func wantError(t *testing.T, data string, parts ...string) {
	t.Helper()
	doc, err := extract(t, data, Auto)
	if err == nil {
		t.Errorf("read as %q, want %q", doc.Text, parts)
		return
	}
	for _, p := range parts {
		if !strings.Contains(err.Error(), p) {
			t.Errorf("%q, want %q", err, p)
		}
	}
}

func deflate(s string) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	w.Write([]byte(s))
	w.Close()
	return b.String()
}
