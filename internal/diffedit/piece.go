package diffedit

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// minPiece is how many bytes say enough to be taken for a piece of a line.
	minPiece = 3
	// maxTries is how often one line is looked through for a piece.
	maxTries = 1000
)

// pieceOf returns where lines would stand if their first that is not blank were
// a piece of the one line of the document that holds it; -1 where there is none,
// or several.
func (d *document) pieceOf(lines []string) int {
	for j, l := range lines {
		if trimBlanks(l) == "" {
			continue
		}
		if at := d.holding(l); len(at) == 1 {
			return max(at[0]-j, 0)
		}
		return -1
	}
	return -1
}

// holding returns the lines that hold a text, without the blanks around it, at
// word boundaries.
func (d *document) holding(text string) []int {
	text = trimBlanks(text)
	if len(text) < minPiece || !strings.Contains(d.text, text) {
		return nil
	}
	var out []int
	for i, l := range d.content {
		if trimBlanks(l) == text || pieceAt(l, text) >= 0 {
			out = append(out, i)
		}
	}
	return out
}

// pieceAt returns where a line has a piece at word boundaries, and more than
// blanks around it; -1 where it has not.
func pieceAt(line, piece string) int {
	if len(piece) < minPiece || trimBlanks(line) == piece {
		return -1
	}
	for at, tries := 0, 0; tries < maxTries; tries++ {
		i := strings.Index(line[at:], piece)
		if i < 0 {
			return -1
		}
		if at += i; !joinsWord(line[:at], piece) && !joinsWord(piece, line[at+len(piece):]) {
			return at
		}
		at++
	}
	return -1
}

// joinsWord reports whether a word goes on from the end of a into b.
func joinsWord(a, b string) bool {
	r, _ := utf8.DecodeLastRuneInString(a)
	s, _ := utf8.DecodeRuneInString(b)
	return isWord(r) && isWord(s)
}

func isWord(r rune) bool {
	return r == '_' || (r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)))
}
