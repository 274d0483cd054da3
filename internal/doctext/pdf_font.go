package doctext

import (
	"math"
	"strings"

	"golang.org/x/text/encoding/charmap"
)

// unknownText stands for a character whose meaning no table tells.
const unknownText = "\uFFFD"

// pdfFont tells the meaning and the width of the codes of a font. The zero
// value is a font of which nothing is known.
type pdfFont struct {
	composite bool
	fixed     bool // all characters have one width
	toUnicode *cmap
	// codes tells the lengths of codes of a composite font; nil means two bytes.
	codes *cmap
	// utf16 says that codes are UTF-16 themselves.
	utf16 bool
	// simple holds the text of each code of a simple font, "" for none.
	simple [256]string

	widths       map[int]float64
	missing      float64 // width where widths has none, in ems
	standard     []int16 // widths of a standard font, nil when the file has its own
	glyphsOfType float64 // the unit of widths, 1/1000 but for Type 3
}

// glyph is one code of a string.
type glyph struct {
	text  string
	bytes int
	width float64 // in ems
	blank bool    // the code 32, which word spacing is for
}

// font returns a font of the document, which is read once if it is an object of
// its own.
func (d *pdfDoc) font(o any) *pdfFont {
	ref, ok := o.(pdfRef)
	if !ok {
		d.work += 10_000
		return d.readFont(o)
	}
	if d.fonts[ref] == nil {
		d.fonts[ref] = d.readFont(o)
	}
	return d.fonts[ref]
}

func (d *pdfDoc) readFont(o any) *pdfFont {
	dict := d.dict(o)
	f := &pdfFont{glyphsOfType: 0.001, missing: 0.5, widths: map[int]float64{}}
	if data, err := d.stream(dict["ToUnicode"]); err == nil && len(data) > 0 {
		f.toUnicode = readCMap(data)
	}
	if d.name(dict["Subtype"]) == "Type0" {
		d.composite(f, dict)
		return f
	}
	f.fixed = d.fixedPitch(dict)
	if m, ok := d.matrix(dict["FontMatrix"]); ok && d.name(dict["Subtype"]) == "Type3" {
		f.glyphsOfType = math.Hypot(m[0], m[1])
	}
	d.encoding(f, dict)
	first, _ := d.number(dict["FirstChar"])
	widths := d.array(dict["Widths"])
	for i, w := range widths[:min(len(widths), 256)] {
		if n, ok := d.number(w); ok {
			f.widths[int(first)+i] = n * f.glyphsOfType
		}
	}
	if len(widths) == 0 {
		if f.standard = standardWidths(d.name(dict["BaseFont"])); f.standard == nil {
			f.missing = 0.6
		}
	} else if n, ok := d.number(d.dict(dict["FontDescriptor"])["MissingWidth"]); ok {
		f.missing = n * f.glyphsOfType
	}
	return f
}

// fixedPitch tells fonts whose characters have one width, by the flag of their
// description (9.8.2) or their name.
func (d *pdfDoc) fixedPitch(dict pdfDict) bool {
	flags, _ := d.number(d.dict(dict["FontDescriptor"])["Flags"])
	if int(flags)&1 != 0 {
		return true
	}
	name := d.name(dict["BaseFont"])
	for _, part := range []string{"Courier", "Mono", "Consol", "Typewriter", "CMTT"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// encoding fills in the text of the codes of a simple font.
func (d *pdfDoc) encoding(f *pdfFont, dict pdfDict) {
	enc := d.resolve(dict["Encoding"])
	base := ""
	if n, ok := enc.(pdfName); ok {
		base = string(n)
	}
	differences := d.dict(enc)
	if differences != nil {
		base = d.name(differences["BaseEncoding"])
	}
	table := standardEncoding
	switch base {
	case "WinAnsiEncoding":
		table = charmap.Windows1252.DecodeByte
	case "MacRomanEncoding":
		table = charmap.Macintosh.DecodeByte
	}
	for c := range f.simple {
		if r := table(byte(c)); r >= ' ' && r != '\uFFFD' {
			f.simple[c] = plainLetters(string(r))
		}
	}
	next := 0
	for _, o := range d.array(differences["Differences"]) {
		if n, ok := d.number(o); ok {
			next = int(n)
			continue
		}
		if next >= 0 && next < 256 {
			f.simple[next] = plainLetters(d.glyphText(d.name(o)))
		}
		next++
	}
}

// composite reads a font of many characters.
func (d *pdfDoc) composite(f *pdfFont, dict pdfDict) {
	f.composite, f.missing = true, 1
	if data, err := d.stream(dict["Encoding"]); err == nil && len(data) > 0 {
		f.codes = readCMap(data)
	}
	name := d.name(dict["Encoding"])
	f.utf16 = strings.Contains(name, "UCS2") || strings.Contains(name, "UTF16")
	kids := d.array(dict["DescendantFonts"])
	if len(kids) == 0 {
		return
	}
	kid := d.dict(kids[0])
	f.fixed = d.fixedPitch(kid)
	if n, ok := d.number(kid["DW"]); ok {
		f.missing = n / 1000
	}
	list := d.array(kid["W"])
	d.work += len(list)
	left := maxList // each character has one width
	set := func(c float64, width any) {
		if n, ok := d.number(width); ok && c >= 0 && c < maxList && left > 0 {
			f.widths[int(c)] = n / 1000
			left--
		}
	}
	for i := 0; i+1 < len(list) && left > 0; {
		first, _ := d.number(list[i])
		if each := d.array(list[i+1]); each != nil {
			for k, w := range each {
				set(first+float64(k), w)
			}
			i += 2
			continue
		}
		if i+2 >= len(list) {
			return
		}
		last, _ := d.number(list[i+1])
		for c := first; c <= min(last, maxList) && left > 0; c++ {
			set(c, list[i+2])
		}
		i += 3
	}
}

// next returns the first code of a string, which is not empty.
func (f *pdfFont) next(codes string) glyph {
	n := min(f.length(codes[0]), len(codes))
	c := code(codes[:n])
	g := glyph{bytes: n, blank: n == 1 && c == ' '}
	g.text = f.text(c, codes[:n])
	var ok bool
	if g.width, ok = f.widths[int(c)]; ok {
		return g
	}
	g.width = f.missing
	if len(g.text) > 0 && f.standard != nil {
		if i := int(g.text[0]) - ' '; i >= 0 && i < len(f.standard) {
			g.width = float64(f.standard[i]) / 1000
		}
	}
	return g
}

// length is how many bytes the code has that begins with first.
func (f *pdfFont) length(first byte) int {
	switch {
	case !f.composite:
		return 1
	case f.codes != nil && f.codes.lengths[first] > 0:
		return int(f.codes.lengths[first])
	}
	return 2
}

func (f *pdfFont) text(c uint32, raw string) string {
	if f.toUnicode != nil {
		if text, ok := f.toUnicode.lookup(c); ok {
			return plainLetters(text)
		}
	}
	switch {
	case f.utf16:
		return fromUTF16(raw)
	case !f.composite && c < 256 && f.simple[c] != "":
		return f.simple[c]
	case !f.composite && c < ' ' || c == 0:
		return ""
	}
	return unknownText
}
