package diffedit

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// folded are the lines that are not blank, in a form in which blanks and
// look-alikes do not differ, and where each of them stands.
type folded struct {
	lines []string
	at    []int
}

func fold(lines []string) *folded {
	f := &folded{}
	for i, l := range lines {
		if s := foldLine(l); s != "" {
			f.lines = append(f.lines, s)
			f.at = append(f.at, i)
		}
	}
	return f
}

func foldLine(line string) string { return string(appendFold(nil, line)) }

// foldsTo reports whether a line, without a LF, has that form.
func foldsTo(line, form string) bool {
	rest := trimLeft(line)
	switch {
	case rest == "":
		return form == ""
	case rest[0] < utf8.RuneSelf && (form == "" || form[0] < utf8.RuneSelf && form[0] != rest[0]):
		return false // most lines end here
	case isASCII(rest):
		return foldsToASCII(rest, form)
	}
	var space [256]byte
	return string(foldRunes(space[:0], rest)) == form
}

// foldsToASCII is foldsTo for ASCII.
func foldsToASCII(line, form string) bool {
	n, gap := 0, false // form[:n] was seen
	for i := range len(line) {
		c := line[i]
		if c == ' ' || c >= '\t' && c <= '\r' {
			gap = true
			continue
		}
		if gap && n > 0 && isWordByte(c) && isWordByte(form[n-1]) {
			if n == len(form) || form[n] != ' ' {
				return false
			}
			n++
		}
		if n == len(form) || form[n] != c {
			return false
		}
		n, gap = n+1, false
	}
	return n == len(form)
}

// appendFold drops blanks, except that between two words one is kept, and writes
// look-alike characters in ASCII.
func appendFold(buf []byte, line string) []byte {
	if isASCII(line) {
		return foldASCII(buf, line)
	}
	return foldRunes(buf, line)
}

// foldASCII is foldRunes for ASCII.
func foldASCII(buf []byte, line string) []byte {
	gap := false
	for i := range len(line) {
		c := line[i]
		if c == ' ' || c >= '\t' && c <= '\r' {
			gap = true
			continue
		}
		if n := len(buf); gap && n > 0 && isWordByte(c) && isWordByte(buf[n-1]) {
			buf = append(buf, ' ')
		}
		buf, gap = append(buf, c), false
	}
	return buf
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func foldRunes(buf []byte, line string) []byte {
	last, gap := rune(0), false
	for _, r := range composed(line) {
		if r == ' ' || r >= '\t' && r <= '\r' || r >= utf8.RuneSelf && (unicode.IsSpace(r) || isInvisible(r)) {
			gap = gap || !isInvisible(r)
			continue
		}
		r = lookAlike(r)
		if gap && isWord(last) && isWord(r) {
			buf = append(buf, ' ')
		}
		if r == '…' {
			buf = append(buf, "..."...)
		} else {
			buf = utf8.AppendRune(buf, r)
		}
		last, gap = r, false
	}
	return buf
}

// composed is the line in the normal form C. Below U+0300, in general
// punctuation and in common ideographs all characters have it.
func composed(line string) string {
	for _, r := range line {
		if r >= 0x300 && (r < 0x2010 || r > 0x2027) && (r < 0x4E00 || r > 0x9FFF) {
			return norm.NFC.String(line)
		}
	}
	return line
}

// seen is a line as it looks: without blanks around it, characters that cannot
// be seen, and differences between kinds of blanks or of composed letters.
func seen(line string) string {
	if isASCII(line) {
		return trimBlanks(line)
	}
	line = strings.Map(func(r rune) rune {
		switch {
		case isInvisible(r):
			return -1
		case r != '\t' && unicode.IsSpace(r):
			return ' '
		}
		return r
	}, composed(line))
	return trimBlanks(line)
}

func isInvisible(r rune) bool {
	return r >= 0x200B && r <= 0x200D || r == 0x2060 || r == 0xFEFF || r == 0x00AD
}

func lookAlike(r rune) rune {
	if r < 0x80 || r > 0xB4 && r < 0x2010 {
		return r
	}
	switch r {
	case '‘', '’', '‚', '‛', '′', '´':
		return '\''
	case '“', '”', '„', '‟', '″':
		return '"'
	case '‐', '‑', '‒', '–', '—', '―', '−':
		return '-'
	}
	if r >= 0xFF01 && r <= 0xFF5E { // full-width forms of ASCII
		return r - 0xFEE0
	}
	return r
}
