package doctext

import (
	_ "embed"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// glyphList is Adobe's list of the meaning of glyph names.
//
//go:embed glyphlist.txt
var glyphList string

// readGlyphList returns the list as a map.
func readGlyphList() map[string]string {
	names := make(map[string]string, 4400)
	for line := range strings.Lines(glyphList) {
		name, hex, ok := strings.Cut(strings.TrimSpace(line), ";")
		if !ok || strings.HasPrefix(name, "#") {
			continue
		}
		var text []rune
		for h := range strings.FieldsSeq(hex) {
			if n, err := strconv.ParseUint(h, 16, 32); err == nil {
				text = append(text, rune(n))
			}
		}
		names[name] = string(text)
	}
	return names
}

// glyphText is what a glyph name means (Adobe Glyph List Specification): from
// the list, or as "uni0041" and "u1F600" tell; "" when it tells nothing.
func (d *pdfDoc) glyphText(name string) string {
	if d.glyphs == nil {
		d.glyphs = readGlyphList()
	}
	name, _, _ = strings.Cut(name, ".") // "a.small" is an a
	if text, ok := d.glyphs[name]; ok {
		return text
	}
	var text strings.Builder
	for part := range strings.SplitSeq(name, "_") { // "f_i" are two
		if known, ok := d.glyphs[part]; ok {
			text.WriteString(known)
			continue
		}
		hex, ok := strings.CutPrefix(part, "uni")
		if !ok || len(hex) < 4 {
			hex, ok = strings.CutPrefix(part, "u")
		} else {
			hex = hex[:4]
		}
		if n, err := strconv.ParseUint(hex, 16, 21); ok && err == nil && len(hex) >= 4 {
			text.WriteRune(rune(n))
		}
	}
	return text.String()
}

// plainLetters writes text as people type it, so that a search finds it:
// ligatures exist only for the look of a text.
func plainLetters(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r >= '\uFB00' && r <= '\uFB06':
			b.WriteString([]string{"ff", "fi", "fl", "ffi", "ffl", "st", "st"}[r-'\uFB00'])
		case r >= '\u2F00' && r <= '\u2FD5': // radicals, as some browsers write letters
			b.WriteString(norm.NFKC.String(string(r)))
		case r == '\u00ad':
			b.WriteByte('-')
		case r >= ' ' || r == '\t':
			b.WriteRune(r)
		}
	}
	return b.String()
}

// standardUpper is the upper half of Adobe's standard encoding from 0xA1 on, a
// blank where there is nothing (ISO 32000-1, D.2).
const standardUpper = "¡¢£⁄¥ƒ§¤'“«‹›ﬁﬂ –†‡· ¶•‚„”»…‰ ¿ `´ˆ˜¯˘˙¨ ˚¸ ˝˛ˇ—                Æ ª    ŁØŒº     æ   ı  łøœß"

// standardEncoding decodes a byte of it.
func standardEncoding(c byte) rune {
	switch {
	case c == '\'':
		return '’'
	case c == '`':
		return '‘'
	case c < 0x7f:
		return rune(c)
	case c < 0xa1:
		return 0
	}
	i := int(c - 0xa1)
	for _, r := range standardUpper {
		if i--; i < 0 {
			if r == ' ' {
				return 0
			}
			return r
		}
	}
	return 0
}
