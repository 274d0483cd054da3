package doctext

import (
	"bytes"
	"compress/lzw"
	"encoding/ascii85"
	"fmt"
	"strings"
	"testing"
)

const mark = "=== page 1 of 1 ===\n"

func TestPDFPlacesText(t *testing.T) {
	for name, c := range map[string]struct{ contents, want string }{
		"one line":                      {"BT /F 12 Tf 72 700 Td (Hello) Tj ET", "Hello"},
		"escapes":                       {`BT /F 12 Tf (a\(b\)c\\ \101\102 (in) x\` + "\n" + `y) Tj ET`, `a(b)c\ AB (in) xy`},
		"hex":                           {"BT /F 12 Tf <48 65 6C6c 6F> Tj ET", "Hello"},
		"lines by Td":                   {"BT /F 12 Tf 72 700 Td (one) Tj 0 -14 Td (two) Tj ET", "one\ntwo"},
		"lines by leading":              {"BT /F 12 Tf 14 TL 72 700 Td (one) Tj T* (two) Tj (three) ' 1 0 (four) \" ET", "one\ntwo\nthree\nfour"},
		"lines by Tm":                   {"BT /F 12 Tf 1 0 0 1 72 700 Tm (one) Tj 1 0 0 1 72 680 Tm (two) Tj ET", "one\ntwo"},
		"a paragraph":                   {"BT /F 12 Tf 72 700 Td (one) Tj 0 -40 Td (two) Tj ET", "one\n\ntwo"},
		"words by kerning":              {"BT /F 12 Tf 72 700 Td [(Tw)20(o)-300(words)] TJ ET", "Two words"},
		"words by place":                {"BT /F 10 Tf 72 700 Td (one) Tj 20 0 Td (two) Tj ET", "one two"},
		"cells":                         {"BT /F 10 Tf 72 700 Td (a) Tj 100 0 Td (b) Tj ET", "a  b"},
		"blanks that are undone":        {"BT /F 10 Tf -2.78 Tw 72 700 Td (ser v) Tj (er) Tj ET", "server"},
		"blanks that are nearly undone": {"BT /F 10 Tf -2.5 Tw 72 700 Td (ser v) Tj (er) Tj ET", "server"},
		"narrow blanks":                 {"BT /F 10 Tf -1.6 Tw 72 700 Td (one two) Tj ET", "one two"},
		"a column after another":        {"BT /F 10 Tf 72 700 Td (one) Tj 0 -12 Td (two) Tj 200 12 Td (three) Tj ET", "one\ntwo\n\nthree"},
		"scaled by cm":                  {"q 12 0 0 12 0 0 cm BT /F 1 Tf 6 50 Td (big) Tj 0 -1.2 Td (more) Tj ET Q", "big\nmore"},
		"turned by 90 degrees":          {"BT /F 12 Tf 0 1 -1 0 72 100 Tm (up) Tj 0 -14 Td (next) Tj ET", "up\nnext"},
		"superscript":                   {"BT /F 12 Tf 72 700 Td (x) Tj 6 Ts /F 7 Tf (2) Tj 0 Ts /F 12 Tf (y) Tj ET", "x2y"},
		"an image in between":           {"BT /F 12 Tf (a) Tj ET BI /W 2 /H 2 /BPC 8 ID \x00\xffEI(\x80 EI BT /F 12 Tf 0 -20 Td (b) Tj ET", "a\nb"},
		"damage is passed over":         {"BT /F 12 Tf ]] >> } ) (a) Tj <</X 1 (2 >> /Y Do) ]]>> 5 Tm cm (b) Tj ET", "ab"},
		"a comment":                     {"BT /F 12 Tf % (no) Tj\n(yes) Tj ET", "yes"},
		"marks do no harm":              {"/P <</MCID 0>> BDC BT /F 12 Tf (x) Tj ET EMC", "x"},
		"ends within a string":          {"BT /F 12 Tf (cut) Tj (of", "cut"},
		"standard encoding":             {"BT /F 12 Tf (\xae\xe1\xf1\xfb\xb7\xd0'`) Tj ET", "fiÆæß•—’‘"},
		"no control characters":         {"BT /F 12 Tf (a\\000\\007b\\t) Tj ET", "a b"},
		"nonsense numbers":              {"BT /F 1e99 Tf 1e308 -1e308 Td --5 Td . Td (x) Tj ET BT /F 12 Tf (y) Tj ET", "y"},
		"a string within an array":      {"BT /F 12 Tf [(a) [(b)] (c)] TJ ET", "abc"},
	} {
		t.Run(name, func(t *testing.T) { wantText(t, onePage(c.contents, ""), mark+c.want) })
	}
}

func TestPDFFonts(t *testing.T) {
	font := func(entries string) string {
		return "/Resources << /Font << /F << /Type /Font " + entries + " >> >> >>"
	}
	cmap := func(body string) string {
		return stream("/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange " + body + " endcmap")
	}
	wide := "/Subtype /Type0 /Encoding /Identity-H /DescendantFonts [ << /Subtype /CIDFontType2 /DW 500 /W [ 1 [600 600] 3 9 700 ] >> ]"
	for name, c := range map[string]struct {
		font, text, want string
		objects          []string
	}{
		"WinAnsi":         {"/Subtype /TrueType /Encoding /WinAnsiEncoding", `\200\366\222`, "€ö’", nil},
		"MacRoman":        {"/Subtype /TrueType /Encoding /MacRomanEncoding", `\212\245`, "ä•", nil},
		"differences":     {"/Subtype /Type1 /Encoding << /BaseEncoding /WinAnsiEncoding /Differences [ 1 /fi /Lslash 65 /uni20AC /u1F600 /f_i.alt /nonsense ] >>", `\001\002ABCDE`, "fiŁ€😀fi\uFFFDE", nil},
		"to unicode":      {"/Subtype /Type1 /ToUnicode 4 0 R", "ABCDZ", "xyz-→Z", []string{cmap("1 beginbfrange <41> <43> <0078> endbfrange 1 beginbfchar <44> <002D2192> endbfchar")}},
		"to unicode list": {"/Subtype /Type1 /ToUnicode 4 0 R", "AB", "λ𝛼", []string{cmap("1 beginbfrange <41> <42> [<03BB> <D835DEFC>] endbfrange")}},
		"wide":            {wide + " /ToUnicode 4 0 R", `\000\001\000\002`, "Ab", []string{stream("1 begincodespacerange <0000> <FFFF> endcodespacerange 2 beginbfchar <0001> <0041> <0002> <0062> endbfchar")}},
		"wide, UTF-16":    {"/Subtype /Type0 /Encoding /UniGB-UCS2-H /DescendantFonts []", "\\116\\055\\145\\207", "中文", nil},
		"codes of one and two bytes": {"/Subtype /Type0 /Encoding 5 0 R /DescendantFonts [] /ToUnicode 4 0 R", `A\200\001`, "x文", []string{
			stream("2 beginbfchar <41> <0078> <8001> <6587> endbfchar"), stream("2 begincodespacerange <00> <7F> <8000> <FFFF> endcodespacerange")}},
		"Type 3":               {"/Subtype /Type3 /FontMatrix [0.01 0 0 0.01 0 0] /FirstChar 97 /Widths [50 50] /Encoding << /Differences [97 /A /B] >>", "ab", "AB", nil},
		"radicals are letters": {"/Subtype /Type1 /ToUnicode 4 0 R", "A", "文", []string{cmap("1 beginbfchar <41> <2F42> endbfchar")}},
		"soft hyphens":         {"/Subtype /TrueType /Encoding /WinAnsiEncoding", `co\255op`, "co-op", nil},
	} {
		t.Run(name, func(t *testing.T) {
			wantText(t, onePage("BT /F 12 Tf ("+c.text+") Tj ET", font(c.font), c.objects...), mark+c.want)
		})
	}
	doc := wantText(t, onePage(`BT /F 12 Tf (\000\001\000\002) Tj ET`, font(wide)), mark+"\uFFFD\uFFFD")
	if len(doc.Notes) != 1 || !strings.Contains(doc.Notes[0], "2 of 2 characters") {
		t.Errorf("notes %q", doc.Notes)
	}
}

// Lines of a font of one width keep their indentation and the blanks in them.
func TestPDFPrograms(t *testing.T) {
	page := "BT /F 10 Tf 12 TL 72 700 Td (Title) Tj T* /C 10 Tf (if x {) Tj T* (    y = 1  // z) Tj T* 12 0 Td (w) Tj -12 0 Td T* (}) Tj ET"
	wantText(t, onePage(page, "/Resources << /Font << /F << /BaseFont /Helvetica >> /C << /BaseFont /Courier >> >> >>"),
		mark+"Title\nif x {\n    y = 1  // z\n  w\n}")
}

func TestPDFFormsAndNotes(t *testing.T) {
	resources := "/Resources << /XObject << /X 4 0 R >> >>"
	font := "/Resources << /Font << /F << /BaseFont /Helvetica >> >> >>"
	form := stream("BT /F 12 Tf (in a form) Tj ET", "/Subtype /Form /Matrix [1 0 0 1 0 100]", font)
	wantText(t, onePage("/X Do", resources, form), mark+"in a form")
	// One that paints itself.
	wantText(t, onePage("/X Do", resources, stream("BT /F 12 Tf (x) Tj ET /X Do", "/Subtype /Form /Resources << /XObject << /X 4 0 R >> /Font << /F << >> >> >>")), mark+strings.Repeat("x", formDepth))
	// Fields as they are filled in; what is hidden is left out.
	annots := `/Annots [ << /Subtype /Widget /Rect [72 700 200 720] /AP << /N 4 0 R >> >>
		<< /Subtype /Widget /Rect [72 650 200 670] /AS /On /AP << /N << /Off 5 0 R /On 4 0 R >> >> >> << /F 2 /Rect [0 0 1 1] /AP << /N 4 0 R >> >> << /Subtype /Link /Rect [0 0 9 9] >> ]`
	wantText(t, onePage("", annots, form, form), mark+"in a form\n\nin a form")
}

func TestPDFObjects(t *testing.T) {
	a85 := func(s string) string {
		b := make([]byte, ascii85.MaxEncodedLen(len(s)))
		return string(b[:ascii85.Encode(b, []byte(s))]) + "~>"
	}
	const text = "BT /F 12 Tf (Hello) Tj ET"
	page := func(contents ...string) string { // the first is object 3
		return makePDF(append([]string{"<< /Type /Catalog /Pages 2 0 R >>",
			"<< /Kids [ << /Type /Page /Contents 3 0 R /Resources << /Font << /F << >> >> >> >> ] >>"}, contents...)...)
	}
	png := func(kind byte) string {
		rows := ""
		before := make([]byte, 5)
		for i := 0; i < len(text); i += 5 {
			row := []byte(text[i:min(i+5, len(text))])
			for len(row) < 5 {
				row = append(row, ' ')
			}
			line := make([]byte, 5)
			for k := range row {
				var left, corner byte
				if k > 0 {
					left, corner = row[k-1], before[k-1]
				}
				line[k] = row[k] - map[byte]byte{0: 0, 1: left, 2: before[k], 3: byte((int(left) + int(before[k])) / 2), 4: paeth(int(left), int(before[k]), int(corner))}[kind]
			}
			rows += string(kind) + string(line)
			before = row
		}
		return stream(deflate(rows), "/Filter /FlateDecode /DecodeParms << /Predictor 15 /Columns 5 >>")
	}
	tiff := []byte(text)
	for i := len(tiff) - 1; i > 0; i-- {
		tiff[i] -= tiff[i-1]
	}
	var lz bytes.Buffer
	lw := lzw.NewWriter(&lz, lzw.MSB, 8)
	lw.Write([]byte(text))
	lw.Close()
	packed := "10 0 11 60 " + strings.Repeat(" ", 49) + "<< /Kids [ 11 0 R ] >>" + strings.Repeat(" ", 38) + "<< /Type /Page /Contents 4 0 R /Resources << /Font << /F << >> >> >> >>"
	first := strings.Index(packed, "<<")
	for name, data := range map[string]string{
		"flate":                    page(stream(deflate(text), "/Filter /FlateDecode")),
		"flate without a checksum": page(stream(deflate(text)[:len(deflate(text))-4], "/Filter [/FlateDecode]")),
		"base 85 of flate":         page(stream(a85(deflate(text)), "/Filter [/ASCII85Decode /FlateDecode]")),
		"hex":                      page(stream(fmt.Sprintf("%x>", text), "/Filter /ASCIIHexDecode")),
		"run length":               page(stream("\x05BT /F \x0412 Tf\xff \x0c(Hello) Tj ET\x80", "/Filter /RunLengthDecode")),
		"LZW":                      page(stream(lz.String(), "/Filter /LZWDecode /DecodeParms << /EarlyChange 0 >>")),
		"TIFF predictor":           page(stream(deflate(string(tiff)), "/Filter /FlateDecode /DecodeParms << /Predictor 2 /Columns 25 >>")),
		"PNG none":                 page(png(0)), "PNG sub": page(png(1)), "PNG up": page(png(2)), "PNG average": page(png(3)), "PNG Paeth": page(png(4)),
		"length by reference":  page("<< /Length 4 0 R >>\nstream\n"+text+"\nendstream", "25"),
		"wrong length":         page("<< /Length 7 >>\nstream\n" + text + "\nendstream"),
		"no length":            page("<< >> stream\r\n" + text + "\r\nendstream"),
		"two streams":          page("[4 0 R 5 0 R]", stream("BT /F 12 "), stream("Tf (Hello) Tj ET")),
		"the last of a number": page(stream("(old)"), "4") + "3 0 obj " + stream(text) + " endobj",
		"packed objects":       makePDF("<< /Type /Catalog /Pages 10 0 R >>", stream(deflate(packed), "/Type /ObjStm /N 2 /Filter /FlateDecode", fmt.Sprintf("/First %d", first)), "null", stream(text)),
		"no trailer":           strings.ReplaceAll(page(stream(text)), "trailer", ""),
		"version 2, other bytes before and after": "junk\n" + strings.Replace(page(stream(text)), "1.7", "2.0", 1) + strings.Repeat("\x00", 5000),
		"CR for line ends":                        strings.ReplaceAll(page("<<>>\nstream\n"+text+"\nendstream"), "\n", "\r"),
		"cut off":                                 strings.SplitAfter(page(stream(text)), "ET")[0],
		"a page tree in a circle":                 makePDF("<< /Pages 2 0 R >>", "<< /Kids [ 2 0 R 3 0 R 2 0 R ] >>", "<< /Type /Page /Contents 4 0 R /Resources << /Font << /F << >> >> >> >>", stream(text)),
	} {
		t.Run(name, func(t *testing.T) { wantText(t, data, mark+"Hello") })
	}
	// Resources are inherited.
	wantText(t, makePDF("<< /Pages 2 0 R >>", "<< /Kids [ 3 0 R ] /Resources << /Font << /F << /Encoding /WinAnsiEncoding >> >> >> >>", "<< /Contents 4 0 R >>", stream("BT /F 12 Tf (\x80) Tj ET")), mark+"€")
}

// lzw grows its codes: compare with the writer of the standard library, whose
// codes grow late.
func TestLZW(t *testing.T) {
	var text []byte
	for i := range 40_000 {
		text = append(text, byte(i*i>>7), byte(i))
	}
	var b bytes.Buffer
	w := lzw.NewWriter(&b, lzw.MSB, 8)
	w.Write(text)
	w.Close()
	if got := lzwDecode(b.Bytes(), len(text)+1, false); !bytes.Equal(got, text) {
		t.Errorf("%d bytes, want %d", len(got), len(text))
	}
	// With early change (ISO 32000-1, 7.4.4.2, example 2).
	if got := lzwDecode([]byte{0x80, 0x0B, 0x60, 0x50, 0x22, 0x0C, 0x0C, 0x85, 0x01}, 100, true); string(got) != "-----A---B" {
		t.Errorf("%q", got)
	}
}

func TestPDFThatCannotBeRead(t *testing.T) {
	blank := onePage("0 0 100 100 re f", "")
	wantError(t, blank, "is a PDF without text: its only page is scanned or drawn", "ocrmypdf")
	wantError(t, "%PDF-1.7\nnothing", "is a PDF that cannot be read", "it has no pages", "pdftotext")
	wantError(t, makePDF("<< /Pages 2 0 R >>", "<< /Kids [] >>"), "it has no pages")
	wantError(t, strings.Replace(onePage("(x) Tj", "", "<< /Filter /Adobe.PubSec >>"), "trailer\n<<", "trailer\n<< /Encrypt 4 0 R", 1), "is encrypted in a way that is not known here")
	wantError(t, strings.Replace(onePage("(x) Tj", "", "<< /Filter /Standard /V 2 /R 3 /O (x) /U (y) >>"), "trailer\n<<", "trailer\n<< /Encrypt 4 0 R", 1), "its encryption is not complete")

	// Pages that cannot be read do not spoil the others.
	doc := wantText(t, makePDF("<< /Pages 2 0 R >>", "<< /Kids [ 3 0 R 4 0 R 5 0 R ] /Resources << /Font << /F << >> >> >> >>",
		"<< /Contents 6 0 R >>", "<< /Contents 7 0 R >>", "<< >>", stream("BT /F 9 Tf (fine) Tj ET"), stream("x", "/Filter /FlateDecode")),
		"=== page 1 of 3 ===\nfine\n\n=== page 2 of 3 ===\n\n=== page 3 of 3 ===")
	if got := strings.Join(doc.Notes, "; "); !strings.Contains(got, "no text on page 3,") || !strings.Contains(got, "damaged, shown in part or not at all: page 2") {
		t.Errorf("notes %q", doc.Notes)
	}
}

func TestNumbers(t *testing.T) {
	for want, list := range map[string][]int{"": nil, "1": {1}, "1-3, 5, 7-8": {1, 2, 3, 5, 7, 8}} {
		if got := numbers(list); got != want {
			t.Errorf("%v: %q", list, got)
		}
	}
	var odd []int
	for i := range 50 {
		odd = append(odd, 2*i)
	}
	if got := numbers(odd); !strings.HasSuffix(got, ", 38 and others") {
		t.Error(got)
	}
}
