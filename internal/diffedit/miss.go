package diffedit

import (
	"fmt"
	"strconv"
	"strings"
)

// Sizes that keep a message to the model under 2 kB.
const (
	maxShownLine  = 120
	maxShownLines = 8
	maxNumbers    = 1200 // bytes of line numbers
)

func (d *document) ambiguous(n int, found []match) *Error {
	count := strconv.Itoa(len(found))
	if found[0].tier == Inline && len(found) == maxPieces {
		count = "at least " + count
	}
	return &Error{Kind: Ambiguous, Block: n, text: fmt.Sprintf(
		"block %d: SEARCH matches %s places, %s; add lines around it to SEARCH until it fits only one; nothing was changed", n, count, startLines(found))}
}

// startLines names the lines where matches, in order, begin: each once.
func startLines(found []match) string {
	var lines []int
	for _, m := range found {
		if n := len(lines); n == 0 || lines[n-1] != m.from+1 {
			lines = append(lines, m.from+1)
		}
	}
	if len(lines) == 1 && len(found) > 1 {
		return fmt.Sprintf("all in line %d", lines[0])
	}
	at := []byte("at lines ")
	for i, line := range lines {
		if len(at) > maxNumbers {
			return fmt.Sprintf("%s, … %d more", at, len(lines)-i)
		}
		if i > 0 {
			at = append(at, ", "...)
		}
		at = strconv.AppendInt(at, int64(line), 10)
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
	from := d.nearest(search)
	if from < 0 {
		if d.text == "" {
			b.WriteString(" The file is empty: use an empty SEARCH.")
		} else {
			b.WriteString(" No line of the file is similar to it; read the file again.")
		}
		return &Error{Kind: Miss, Block: n, text: b.String()}
	}
	to := min(from+len(search), len(d.content))
	fmt.Fprintf(&b, " The nearest candidate is at %s", lineRange(from, to))
	diff := d.firstDifference(from, search)
	switch {
	case diff == len(search): // but for numbers
		b.WriteString(".\n")
	case from+diff < len(d.content):
		b.WriteString(difference(from+diff+1, d.content[from+diff], search[diff]))
	default:
		fmt.Fprintf(&b, "; the file ends there, before line %d of SEARCH:\n", diff+1)
	}
	start := max(from, min(from+diff-maxShownLines/2, to-maxShownLines))
	b.WriteString("The file has there:\n")
	for i := start; i < min(start+maxShownLines, to); i++ {
		fmt.Fprintf(&b, "%d | %s\n", i+1, shown(d.content[i]))
	}
	b.WriteString("Copy SEARCH from the file as it is now.")
	return &Error{Kind: Miss, Block: n, text: b.String()}
}

// standing returns where lines stand, but for blanks around them.
func (d *document) standing(lines []string) []int {
	if allBlank(lines) {
		return nil
	}
	return atLeast(d.reach(Trimmed, mapLines(lines, trimBlanks)), len(lines))
}

// firstDifference returns the first line of SEARCH that is not, but for
// blanks around it, the line of the document beside it.
func (d *document) firstDifference(from int, search []string) int {
	for j, l := range search {
		if from+j >= len(d.content) || trimBlanks(l) != trimBlanks(d.content[from+j]) {
			return j
		}
	}
	return len(search)
}

// nearest returns the line where most of SEARCH fits, or -1. Each line that
// stands in both votes for the offset between its places, rare lines louder.
func (d *document) nearest(search []string) int {
	const tooCommon = 50
	places := map[string][]int{} // of the lines of SEARCH
	for _, l := range search {
		if s := foldLine(l); s != "" {
			places[s] = make([]int, 0, tooCommon+1)
		}
	}
	var buf []byte
	for i, l := range d.content {
		buf = appendFold(buf[:0], l)
		if at, ok := places[string(buf)]; ok && len(at) <= tooCommon {
			places[string(buf)] = append(at, i)
		}
	}
	votes := map[int]float64{}
	best, bestVotes := -1, 0.0
	for j, l := range search {
		at := places[foldLine(l)]
		if len(at) > tooCommon {
			continue
		}
		for _, i := range at {
			from := max(i-j, 0)
			votes[from] += 1 / float64(len(at))
			if v := votes[from]; v > bestVotes || v == bestVotes && from < best {
				best, bestVotes = from, v
			}
		}
	}
	if best >= 0 {
		return best
	}
	return d.mostSimilar(search)
}

// mostSimilar compares the longest line of SEARCH with all lines by the pairs
// of characters they have in common.
func (d *document) mostSimilar(search []string) int {
	longest := 0
	for j, l := range search {
		if len(trimBlanks(l)) > len(trimBlanks(search[longest])) {
			longest = j
		}
	}
	want := trimBlanks(search[longest])
	var pairs [1 << 16]bool
	for i := 1; i < len(want); i++ {
		pairs[int(want[i-1])<<8|int(want[i])] = true
	}
	best, bestScore := -1, 0.4
	for i, l := range d.content {
		l = trimBlanks(l)
		hits := 0
		for k := 1; k < len(l); k++ {
			if pairs[int(l[k-1])<<8|int(l[k])] {
				hits++
			}
		}
		if l == want {
			hits = len(l) // counted in full, however short
		}
		if score := 2 * float64(hits) / float64(len(l)+len(want)); score > bestScore {
			best, bestScore = i, score
		}
	}
	if best < 0 {
		return -1
	}
	return max(best-longest, 0)
}

// lineRange names the lines from to to, exclusive, from 0.
func lineRange(from, to int) string {
	if to <= from+1 {
		return fmt.Sprintf("line %d", from+1)
	}
	return fmt.Sprintf("lines %d-%d", from+1, to)
}

// difference shows two lines around the first place where they differ.
func difference(number int, inFile, inSearch string) string {
	at := 0
	for at < len(inFile) && at < len(inSearch) && inFile[at] == inSearch[at] {
		at++
	}
	from := max(at-maxShownLine/2, 0)
	if len(inFile) <= maxShownLine && len(inSearch) <= maxShownLine {
		from = 0
	}
	out := fmt.Sprintf("; the first line that differs is line %d:\n  file:   %s\n  SEARCH: %s\n", number, shownFrom(inFile, from), shownFrom(inSearch, from))
	switch {
	case isShortened(inSearch):
		out += "SEARCH must not be shortened: write all lines that are to be found, or several small blocks.\n"
	case foldLine(inFile) == foldLine(inSearch):
		if a, b := seenApart(inFile, inSearch); a != b {
			out += fmt.Sprintf("They look alike: the file has %s where SEARCH has %s.\n", a, b)
		}
	}
	return out
}

// seenApart names the first characters in which two lines differ that are no
// blanks around them.
func seenApart(a, b string) (inA, inB string) {
	x, y := []rune(trimBlanks(a)), []rune(trimBlanks(b))
	i := 0
	for i < len(x) && i < len(y) && x[i] == y[i] {
		i++
	}
	name := func(line []rune) string {
		if i == len(line) {
			return "nothing"
		}
		return fmt.Sprintf("%U", line[i])
	}
	return name(x), name(y)
}

// isShortened reports whether a line stands for others that were left out.
func isShortened(line string) bool {
	line = strings.Trim(strings.ReplaceAll(line, "…", "..."), " \t\r/#*-<!>;{}[]()")
	return strings.HasPrefix(line, "...") && (line == "..." || strings.HasSuffix(line, "..."))
}

// shown is a line as quoted in a message.
func shown(line string) string { return shownFrom(line, 0) }

// shownFrom is the part of a line from a byte on.
func shownFrom(line string, from int) string {
	from = min(from, len(line))
	part := line[from:]
	if len(part) > maxShownLine {
		part = strings.ToValidUTF8(part[:maxShownLine], "") + "…"
	}
	if from > 0 {
		part = "…" + strings.ToValidUTF8(part, "")
	}
	return part
}
