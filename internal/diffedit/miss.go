package diffedit

import (
	"fmt"
	"strconv"
	"strings"
)

// Sizes that keep a message to the model under 2 kB.
const (
	maxShownLine  = 120
	maxShownWhole = 600 // of one that was quoted in part
	maxShownLines = 7
	maxNumbers    = 1200 // bytes of line numbers
)

func (d *document) ambiguous(n int, found []match) *Error {
	lines := make([]int, len(found))
	for i, m := range found {
		lines[i] = m.from
	}
	return &Error{Kind: Ambiguous, Block: n, text: fmt.Sprintf(
		"block %d: SEARCH matches %d places, %s; add lines around it to SEARCH until it fits only one; nothing was changed", n, len(found), lineNumbers(lines, maxNumbers))}
}

// lineNumbers lists lines, given from 0, in about that many bytes.
func lineNumbers(lines []int, size int) string {
	at := []byte("at lines ")
	for i, l := range lines {
		if len(at) > size {
			return fmt.Sprintf("%s, … %d more", at, len(lines)-i)
		}
		if i > 0 {
			at = append(at, ", "...)
		}
		at = strconv.AppendInt(at, int64(l+1), 10)
	}
	return string(at)
}

// miss words what is known about a SEARCH that fits nowhere: the most similar
// place and the first line there that differs.
func (d *document) miss(n int, search, replace []string) *Error {
	search = mapLines(search, trimCR)
	var b strings.Builder
	fmt.Fprintf(&b, "block %d: SEARCH does not match the file; nothing was changed.", n)
	if plain, ok := withoutNumbers(search); ok {
		b.WriteString(" Leave the line numbers out of SEARCH and REPLACE: they are not part of the file.")
		search = plain
	}
	if at := d.standing(replace); len(at) == 1 {
		fmt.Fprintf(&b, " The REPLACE text already stands at line %d.", at[0]+1)
	}
	switch near := d.nearby(search, "SEARCH"); {
	case d.text == "":
		b.WriteString(" The file is empty: use an empty SEARCH.")
	case near == "":
		b.WriteString(" No line of the file is similar to it; read the file again.")
	default:
		b.WriteString(near + "Copy SEARCH from the file as it is now.")
	}
	return &Error{Kind: Miss, Block: n, text: b.String()}
}

// standing returns where lines stand, but for blanks around them.
func (d *document) standing(lines []string) []int {
	if allBlank(lines) {
		return nil
	}
	return atLeast(d.reach(Trimmed, mapLines(lines, trimBlanks)), len(lines))
}
