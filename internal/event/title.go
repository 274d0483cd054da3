package event

import (
	"strings"
	"unicode"
)

// CleanTitle makes a line of text that is safe to show anywhere: blanks of any
// kind are single spaces, and characters that control terminals or the direction
// of text are left out.
func CleanTitle(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	return strings.Join(strings.Fields(text), " ")
}
