package diffedit

import (
	"fmt"
	"slices"
	"strings"
)

// Block is one SEARCH/REPLACE block. Where its text holds lines that look like
// the divider, it has several splits, and only the file can tell which is meant.
type Block struct {
	// Line is the 1-based line of its SEARCH marker in the diff.
	Line int
	// body are the lines between the outer markers; dividers index those that
	// may separate SEARCH from REPLACE, at least one.
	body     []string
	dividers []int
	// nested is true when body holds SEARCH or REPLACE markers: then it is
	// either a file about this very format or a block that was never closed.
	nested bool
}

// marker is what a line of a diff may be.
type marker int

const (
	noMarker marker = iota
	searchMarker
	divider
	replaceMarker
)

// Parse reads the SEARCH/REPLACE blocks of a complete diff:
//
//	------- SEARCH
//	lines to find
//	=======
//	lines to put there
//	+++++++ REPLACE
//
// Markers may be of any length from three signs, in the older spelling
// ("<<<<<<< SEARCH", ">>>>>>> REPLACE"), end in a stray ">" or in CRLF. The last
// REPLACE marker may be missing, and the whole diff may be indented. Blank
// lines, fences and prose around blocks are skipped. The error is an *Error that tells the model what is wrong.
func Parse(diff string) ([]Block, error) {
	lines := strings.Split(diff, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	kinds := mapMarkers(lines)
	if !slices.Contains(kinds, searchMarker) {
		lines = dedent(lines)
		kinds = mapMarkers(lines)
	}
	var blocks []Block
	for i := 0; i < len(lines); {
		switch kinds[i] {
		case searchMarker:
			end, next := blockEnd(lines, kinds, i)
			b, err := newBlock(lines[i+1:end], kinds[i+1:end], i+1, len(blocks)+1)
			if err != nil {
				return nil, err
			}
			blocks = append(blocks, b)
			i = next
		case replaceMarker:
			return nil, syntaxError(len(blocks)+1, "line %d of the diff is a REPLACE marker without a SEARCH marker before it", i+1)
		default:
			i++
		}
	}
	if len(blocks) == 0 {
		return nil, syntaxError(0, "the diff holds no block. Write it like this, with these marker lines:\n"+blockForm+"\n(as many blocks as needed)")
	}
	return blocks, nil
}

// blockForm shows a block.
const blockForm = "------- SEARCH\n(lines of the file)\n=======\n(lines to put there)\n+++++++ REPLACE"

func mapMarkers(lines []string) []marker {
	kinds := make([]marker, len(lines))
	for i, l := range lines {
		kinds[i] = markerOf(l)
	}
	return kinds
}

// dedent takes off the blanks that all lines start with.
func dedent(lines []string) []string {
	common, first := "", true
	for _, l := range lines {
		if trimBlanks(l) == "" {
			continue
		}
		if in := indentOf(l); first {
			common, first = in, false
		} else {
			for !strings.HasPrefix(in, common) {
				common = common[:len(common)-1]
			}
		}
	}
	return mapLines(lines, func(l string) string { return strings.TrimPrefix(l, common) })
}

// blockEnd returns the index of the line that closes the block opened at
// start, and where to go on. A REPLACE marker closes it if no divider or
// REPLACE marker stands between it and the next SEARCH marker; so text that
// holds whole blocks stays in one piece. Without one the block runs to the end.
func blockEnd(lines []string, kinds []marker, start int) (end, next int) {
	seenDivider := false
	for i := start + 1; i < len(lines); i++ {
		switch kinds[i] {
		case divider:
			seenDivider = true
		case replaceMarker:
			if seenDivider && closes(kinds[i+1:]) {
				return i, i + 1
			}
		}
	}
	end = len(lines)
	if isCutReplaceMarker(lines[end-1]) && end-1 > start {
		return end - 1, end
	}
	return end, end
}

func closes(rest []marker) bool {
	for _, k := range rest {
		if k != noMarker {
			return k == searchMarker
		}
	}
	return true
}

func newBlock(body []string, kinds []marker, line, number int) (Block, error) {
	b := Block{Line: line, body: body}
	for i, k := range kinds {
		switch k {
		case divider:
			b.dividers = append(b.dividers, i)
		case searchMarker, replaceMarker:
			b.nested = true
		}
	}
	if len(b.dividers) == 0 {
		return b, syntaxError(number, "block %d (line %d of the diff) has no `=======` line between SEARCH and REPLACE", number, line)
	}
	return b, nil
}

// split returns SEARCH and REPLACE as divided at the i-th divider.
func (b *Block) split(i int) (search, replace []string) {
	d := b.dividers[i]
	return b.body[:d], b.body[d+1:]
}

// plainSplit is the split to talk about when the file favours none: the only
// divider of the usual length, else the first.
func (b *Block) plainSplit() int {
	usual := -1
	for i, d := range b.dividers {
		if strings.TrimRight(b.body[d], " \t\r") == "=======" {
			if usual >= 0 {
				return 0
			}
			usual = i
		}
	}
	return max(usual, 0)
}

// markerOf classifies a line. Markers start in the first column, so that
// indented look-alikes stay text.
func markerOf(line string) marker {
	if line == "" {
		return noMarker
	}
	sign := line[0]
	rest := strings.TrimLeft(line, string(sign))
	if len(line)-len(rest) < 3 {
		return noMarker
	}
	rest = strings.Trim(rest, " \t\r")
	word := strings.TrimRight(strings.TrimSuffix(rest, ">"), " \t")
	switch {
	case sign == '=' && rest == "":
		return divider
	case (sign == '-' || sign == '<') && word == "SEARCH":
		return searchMarker
	case (sign == '+' || sign == '>') && word == "REPLACE":
		return replaceMarker
	}
	return noMarker
}

// isCutReplaceMarker reports whether a last line is the beginning of a REPLACE marker.
func isCutReplaceMarker(line string) bool {
	line = strings.TrimRight(line, " \t\r")
	if line == "" || (line[0] != '+' && line[0] != '>') {
		return false
	}
	rest := strings.TrimLeft(line, line[:1])
	return len(line)-len(rest) >= 3 && strings.HasPrefix("REPLACE", strings.TrimLeft(rest, " "))
}

// escapedLine reports whether a line is a marker-like line behind a backslash,
// as some models write conflict markers, and returns it without the backslash.
func escapedLine(line string) (string, bool) {
	if len(line) < 4 || line[0] != '\\' || !strings.ContainsRune("-<=>+", rune(line[1])) {
		return line, false
	}
	rest := strings.TrimLeft(line[1:], line[1:2])
	return line[1:], len(line)-1-len(rest) >= 3
}

func syntaxError(block int, format string, args ...any) *Error {
	return &Error{Kind: Syntax, Block: block, text: fmt.Sprintf(format, args...) + "; nothing was changed"}
}
