package diffedit

import (
	"slices"
	"strings"
)

// last is where a block ends that no REPLACE marker closes: before its last line
// if that is the beginning of a marker, a misspelt or indented one, or the end of
// a fence around the block; else behind all. The error, for block number n, is
// for a marker that has text in front, and for a line that may be one or text:
// no such line stands elsewhere in the block.
func (b *openBlock) last(n int) (end int, err error) {
	if b.end >= 0 {
		return b.end, nil
	}
	end = len(b.body)
	at := end - 1
	for at >= 0 && trimBlanks(b.body[at]) == "" {
		at--
	}
	from := slices.IndexFunc(b.marks, func(m mark) bool { return m.kind == divider })
	if from < 0 || at <= b.marks[from].at {
		return end, nil
	}
	search, replace, line := b.body[:b.marks[from].at], b.body[b.marks[from].at+1:at+1], b.body[at]
	switch head, ok := looseReplaceMarker(line); {
	case isCutReplaceMarker(strings.TrimPrefix(line, b.indent)), isFenceEnd(line) && (b.fence || openFence(replace) && !openFence(search)):
		return at, nil
	case !ok && isRemnant(line) && !slices.Contains(search, line) && !slices.Contains(replace[:len(replace)-1], line):
		return end, syntaxError(n, "block %d (line %d of the diff) ends with `%s`, which may be a part of its marker or text: end the block with a line `+++++++ REPLACE`", n, b.line, shown(trimBlanks(line)))
	case !ok || slices.Contains(search, line): // it is text of the file
	case head == "":
		return at, nil
	default:
		return end, syntaxError(n, "block %d (line %d of the diff) ends with `%s`: the marker `+++++++ REPLACE` must be a line of its own", n, b.line, shown(trimBlanks(line)))
	}
	return end, nil
}

// isRemnant reports whether a last line may be what is left of a REPLACE marker, and
// may be text as well: its signs, or its word behind none or too few of them.
func isRemnant(line string) bool {
	word := strings.TrimLeft(strings.Trim(line, " \t\r"), "+>")
	n := len(strings.Trim(line, " \t\r")) - len(word)
	return strings.TrimLeft(word, " ") == "REPLACE" || word == "" && n >= 3
}

// looseReplaceMarker reports whether a line ends with what was meant as a REPLACE
// marker: with other signs, another word, or marks of punctuation, emphasis or
// markup around. head is the text in front.
func looseReplaceMarker(line string) (head string, ok bool) {
	for _, word := range []string{"REPLACE", "UPDATED"} {
		i := strings.LastIndex(line, word)
		if i < 0 {
			continue
		}
		before := strings.TrimRight(line[:i], " \t")
		if before == "" || !strings.ContainsRune("+>-=<", rune(before[len(before)-1])) {
			continue
		}
		head = strings.TrimRight(before, before[len(before)-1:])
		tail := strings.Trim(line[i+len(word):], " \t\r.,:;!*_`>")
		if len(before)-len(head) >= 3 && (tail == "" || strings.HasPrefix(tail, "</")) {
			return strings.Trim(head, " \t*_`"), true
		}
	}
	return "", false
}

// openFence reports whether a fence that begins in lines does not end there, or
// one ends that begins before.
func openFence(lines []string) bool {
	open := false
	for _, l := range lines {
		open = open != isFence(l)
	}
	return open
}
