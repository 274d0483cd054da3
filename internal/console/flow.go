package console

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// flow lays out text that comes in pieces: lines are broken between words at
// the width of the terminal, code between fences is left as it is. A word is
// held back until it is complete. Line ends are held back until something
// follows, so that a text ends without any.
type flow struct {
	// width in columns; 0 breaks no lines.
	width int
	// indent stands before every line but the first, which begins at column
	// len(indent).
	indent string

	out    strings.Builder
	word   strings.Builder // not written yet
	ends   int             // line ends that are due
	spaces int             // spaces that are due
	col    int             // after what was written, without indent
	hang   int             // of lines that are broken off this one
	begun  bool            // something was written at all
	inLine bool            // something was written on this line
	fenced bool
}

// add takes the next piece and returns what can be written of it.
func (f *flow) add(text string) string {
	for _, r := range text {
		switch {
		case r == '\n':
			f.flush()
			f.ends++
			f.spaces, f.inLine = 0, false
		case r == '\t':
			f.flush()
			f.spaces += 4
		case r == ' ':
			f.flush()
			f.spaces++
		case stands(r):
			f.flush()
			f.word.WriteRune(r)
			f.flush()
		default:
			f.word.WriteRune(r)
		}
	}
	return f.take()
}

// rest returns what was held back at the end of the text.
func (f *flow) rest() string {
	f.flush()
	return f.take()
}

func (f *flow) take() string {
	s := f.out.String()
	f.out.Reset()
	return s
}

// flush writes the word and what is due before it.
func (f *flow) flush() {
	if f.word.Len() == 0 {
		return
	}
	word := f.word.String()
	f.word.Reset()
	w := ansi.StringWidth(word)
	if !f.inLine {
		f.beginLine(word, w)
		return
	}
	if f.breaks(word, w) {
		f.out.WriteString("\n" + f.indent + strings.Repeat(" ", f.hang))
		f.col, f.spaces = f.hang, 0
	}
	f.put(word, w)
}

// beginLine writes a line's first word, which tells how the line is laid out.
func (f *flow) beginLine(word string, w int) {
	if f.begun && f.ends > 0 {
		f.out.WriteString(strings.Repeat("\n", f.ends) + f.indent)
	}
	if strings.HasPrefix(word, "```") {
		f.fenced = !f.fenced
	}
	f.col, f.ends, f.begun, f.inLine = 0, 0, true, true
	f.hang = f.spaces
	if isBullet(word) {
		f.hang += w + 1
	}
	f.put(word, w)
}

func (f *flow) put(word string, w int) {
	f.out.WriteString(strings.Repeat(" ", f.spaces) + word)
	f.col += f.spaces + w
	f.spaces = 0
}

// breaks reports whether a line ends before the word. Characters that stand
// for themselves leave room for a closing mark, which never begins a line.
func (f *flow) breaks(word string, w int) bool {
	room := f.width - len(f.indent)
	if f.width == 0 || f.fenced || f.col <= f.hang || room < 20 {
		return false
	}
	first, _ := utf8.DecodeRuneInString(word)
	switch {
	case f.spaces == 0 && strings.ContainsRune(closing, first):
		return false
	case stands(first):
		room -= 2
	}
	return f.col+f.spaces+w > room
}

const closing = "，。！？、；：）》」』】”’…"

// stands reports whether a line may be broken before and after r.
func stands(r rune) bool {
	return r >= 0x2e80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) ||
		r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xffef
}

func isBullet(word string) bool {
	switch word {
	case "-", "*", "•":
		return true
	}
	digits := strings.TrimRight(word, ".)")
	return len(digits) > 0 && len(digits) < len(word) && len(word) < 4 && strings.Trim(digits, "0123456789") == ""
}

// fold breaks one line into lines of at most width columns, anywhere; 0 leaves
// it whole.
func fold(line string, width int) []string {
	if width <= 0 || ansi.StringWidth(line) <= width {
		return []string{line}
	}
	return strings.Split(ansi.Hardwrap(line, width, true), "\n")
}
