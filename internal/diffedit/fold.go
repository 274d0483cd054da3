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
	f := &folded{lines: make([]string, 0, len(lines)), at: make([]int, 0, len(lines))}
	var buf []byte
	for i, l := range lines {
		var s string
		if s, buf = foldInto(buf, l); s != "" {
			f.lines = append(f.lines, s)
			f.at = append(f.at, i)
		}
	}
	return f
}

func foldLine(line string) string {
	s, _ := foldInto(nil, line)
	return s
}

// foldInto drops blanks, except that between two words one is kept, and writes
// look-alike characters in ASCII. buf is scratch.
func foldInto(buf []byte, line string) (string, []byte) {
	if buf = buf[:0]; isASCII(line) {
		buf = foldASCII(buf, line)
	} else {
		buf = foldRunes(buf, line)
	}
	if string(buf) == line { // spares a copy
		return line, buf
	}
	return string(buf), buf
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
		if gap && isWordByte(c) && len(buf) > 0 && isWordByte(buf[len(buf)-1]) {
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
	for _, r := range norm.NFC.String(line) {
		if unicode.IsSpace(r) || isInvisible(r) {
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
	}, norm.NFC.String(line))
	return trimBlanks(line)
}

func isInvisible(r rune) bool {
	return r >= 0x200B && r <= 0x200D || r == 0x2060 || r == 0xFEFF || r == 0x00AD
}

func lookAlike(r rune) rune {
	switch {
	case r < 0x80 || r > 0xB4 && r < 0x2010:
		return r
	case strings.ContainsRune("‘’‚‛′´", r):
		return '\''
	case strings.ContainsRune("“”„‟″", r):
		return '"'
	case strings.ContainsRune("‐‑‒–—―−", r):
		return '-'
	case r >= 0xFF01 && r <= 0xFF5E: // full-width forms of ASCII
		return r - 0xFEE0
	}
	return r
}
