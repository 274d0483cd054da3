package workspace

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// westernAlphabets are the letters beyond ASCII of single languages.
func westernAlphabets() []string {
	return []string{"", "äöüß", "éèêëàâçîïôûùüœæÿ", "áéíóúüñ", "áâãàçéêíóôõúü", "àèéìíîòóùú", "åäöæøéü", "éëïèöüóáí"}
}

// western reports whether bytes are windows-1252, told by its quotes and dashes:
// ISO-8859-1 has controls at their places, code pages of DOS and the Macintosh
// letters.
func western(raw []byte) bool {
	const least = 3
	text, err := charmap.Windows1252.NewDecoder().String(string(raw))
	if err != nil {
		return false
	}
	marks, letters := 0, ""
	var before rune
	for i, r := range text {
		after, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
		switch {
		case r < utf8.RuneSelf:
		case strings.ContainsRune("‘’“”„–—…•€", r):
			if !markFits(r, before, after) {
				return false
			}
			marks++
		case unicode.IsLetter(r):
			letters += string(unicode.ToLower(r))
		case r > 0xFF || unicode.IsControl(r):
			return false
		}
		before = r
	}
	if marks < least {
		return false
	}
	for _, alphabet := range westernAlphabets() {
		if strings.Trim(letters, alphabet) == "" {
			return true
		}
	}
	return false
}

// markFits tells whether a mark may stand between two characters.
func markFits(r, before, after rune) bool {
	word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	blank := func(r rune) bool { return r == 0 || r == utf8.RuneError || unicode.IsSpace(r) }
	switch r {
	case '‘', '“', '„':
		return !word(before) && !blank(after)
	case '’':
		return !blank(before)
	case '”':
		return !blank(before) && !word(after)
	case '•':
		return !word(before)
	}
	return !unicode.IsLower(before) || !unicode.IsLower(after) || r == '–' || r == '—'
}
