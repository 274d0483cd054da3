package tools

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// What one result may hold at most. A longer one keeps its head and its tail.
const (
	// MaxChars counts characters (code points) of the text in all.
	MaxChars = 48_000
	MaxLines = 2_000
	// MaxLineChars counts characters of one line.
	MaxLineChars = 2_000
	// MaxImages counts pictures.
	MaxImages = 10
)

// Limit caps a text for the model. A cut is always marked with what is missing
// and how to read it; spill, if not nil, keeps the whole text. A text within
// the limits comes back as it is.
func Limit(callID, text string, spill Spill) string {
	if len(text) <= MaxLineChars && strings.Count(text, "\n") < MaxLines {
		return text
	}
	lines := strings.Split(text, "\n")
	long := 0
	for i, l := range lines {
		if lines[i] = limitLine(l); lines[i] != l {
			long++
		}
	}
	fits := len(lines) <= MaxLines && utf8.RuneCountInString(text) <= MaxChars
	if fits && long == 0 {
		return text
	}
	rest := "the rest was not kept: ask for less at a time"
	if spill != nil {
		if path, err := spill.Keep(callID, text); err == nil {
			rest = "the whole text is in " + path + ", for read_file or search_files"
		}
	}
	reserve := utf8.RuneCountInString(rest) + 100
	head, tail := ends(lines, MaxLines-2, MaxChars-reserve)
	var notes []string
	if omitted := len(lines) - len(head) - len(tail); omitted > 0 {
		head = append(head, fmt.Sprintf("[… %d lines omitted; %s …]", omitted, rest))
	} else {
		notes = append(notes, fmt.Sprintf("[… %d long lines were cut; %s …]", long, rest))
	}
	return strings.Join(slices.Concat(head, tail, notes), "\n")
}

// ends returns the first and the last lines that fit half of the limits each;
// together they are all lines when everything fits.
func ends(lines []string, maxLines, maxChars int) (head, tail []string) {
	fit := func(n, lineLimit, charLimit int, line func(i int) string) int {
		chars := 0
		for i := range min(n, lineLimit) {
			if chars += utf8.RuneCountInString(line(i)) + 1; chars > charLimit {
				return i
			}
		}
		return min(n, lineLimit)
	}
	forward := func(i int) string { return lines[i] }
	if n := fit(len(lines), maxLines, maxChars, forward); n == len(lines) {
		return slices.Clone(lines), nil
	}
	h := fit(len(lines), maxLines/2, maxChars/2, forward)
	t := fit(len(lines)-h, maxLines/2, maxChars/2, func(i int) string { return lines[len(lines)-1-i] })
	return slices.Clone(lines[:h]), lines[len(lines)-t:]
}

// limitLine keeps the head and the tail of a long line.
func limitLine(line string) string {
	if len(line) <= MaxLineChars {
		return line
	}
	n := utf8.RuneCountInString(line)
	if n <= MaxLineChars {
		return line
	}
	const head, tail = MaxLineChars * 3 / 4, MaxLineChars / 5 // leaves room for the mark
	return line[:runeOffset(line, head)] +
		fmt.Sprintf(" [… %d characters omitted …] ", n-head-tail) +
		line[runeOffset(line, n-tail):]
}

// runeOffset returns the byte offset of the n-th character.
func runeOffset(s string, n int) int {
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return len(s)
}
