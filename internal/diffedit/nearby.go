package diffedit

import (
	"fmt"
	"slices"
	"strings"
)

// nearby tells where lines that are not in the document fit best, the first that
// differs there, and what the document has in that place. side is what holds the
// lines, as the model knows it. It is "" where no line is similar.
func (d *document) nearby(lines []string, side string) string {
	from, twins := d.nearest(lines)
	if from < 0 {
		return ""
	}
	var b strings.Builder
	to := min(from+len(lines), len(d.content))
	fmt.Fprintf(&b, " The nearest candidate is at %s", lineRange(from, to))
	if len(twins) > 0 {
		as := make([]string, len(twins))
		for i, at := range twins {
			as[i] = lineRange(at, min(at+len(lines), len(d.content)))
		}
		fmt.Fprintf(&b, " (as near: %s)", strings.Join(as, ", "))
	}
	diff := d.firstDifference(from, lines)
	switch {
	case diff == len(lines): // but for numbers
		b.WriteString(".\n")
	case from+diff < len(d.content) && pieceAt(d.content[from+diff], trimBlanks(lines[diff])) >= 0:
		b.WriteString(d.longer(from+diff, lines[diff], side))
	case from+diff < len(d.content):
		b.WriteString(difference(from+diff+1, d.content[from+diff], lines[diff], side))
	default:
		fmt.Fprintf(&b, "; the file ends there, before line %d of %s:\n", diff+1, side)
	}
	b.WriteString("The file has there:\n")
	start := max(from, min(from+diff-maxShownLines/2, to-maxShownLines))
	for i := start; i < min(start+maxShownLines, to); i++ {
		l := shown(d.content[i])
		if i == from+diff {
			l = shownWhole(d.content[i], trimBlanks(lines[diff]))
		}
		fmt.Fprintf(&b, "%d | %s\n", i+1, l)
	}
	return b.String()
}

// longer tells that a line was quoted in part.
func (d *document) longer(at int, piece, side string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "; line %d is longer: %s has only a piece of it", at+1, side)
	if all := d.holding(piece); len(all) > 1 {
		fmt.Fprintf(&b, ", as of %d lines in all, %s", len(all), lineNumbers(all, maxNumbers/8))
	}
	b.WriteString(". Quote whole lines, from their first sign to their last, and write them whole where they are replaced.")
	if n := len(d.content[at]); n > maxShownWhole {
		fmt.Fprintf(&b, " This one has %d bytes: a command may suit it better.", n)
	}
	b.WriteByte('\n')
	return b.String()
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

// nearest returns the line where most of SEARCH fits, or -1, and if there are only
// a few, others where as much of it does. Each line that stands in both votes for the
// offset between its places, rare lines louder.
func (d *document) nearest(search []string) (best int, twins []int) {
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
	best = -1
	bestVotes := 0.0
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
		return best, asNear(votes, best)
	}
	if at := d.pieceOf(search); at >= 0 {
		return at, nil
	}
	return d.mostSimilar(search), nil
}

// asNear returns the other places with as many votes as the best, in order, none if
// there are too many to be of use.
func asNear(votes map[int]float64, best int) []int {
	const most = 6
	var at []int
	for from, v := range votes {
		if from != best && v == votes[best] {
			if at = append(at, from); len(at) > most {
				return nil
			}
		}
	}
	slices.Sort(at)
	return at
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
func difference(number int, inFile, given, side string) string {
	at := 0
	for at < len(inFile) && at < len(given) && inFile[at] == given[at] {
		at++
	}
	from := max(at-maxShownLine/2, 0)
	if len(inFile) <= maxShownLine && len(given) <= maxShownLine {
		from = 0
	}
	out := fmt.Sprintf("; the first line that differs is line %d:\n  file:   %s\n  %-7s %s\n", number, shownFrom(inFile, from), strings.TrimPrefix(side, "the ")+":", shownFrom(given, from))
	switch {
	case isShortened(given):
		out += "Lines must not be left out: write all that are to be found, or several small pieces of them.\n"
	case foldLine(inFile) == foldLine(given):
		unblank := strings.NewReplacer(" ", "", "\t", "").Replace
		switch a, b := seenApart(inFile, given); {
		case a == b:
		case unblank(inFile) == unblank(given):
			out += "They differ in blanks inside of the line only.\n"
		default:
			out += fmt.Sprintf("They look alike: the file has %s where %s has %s.\n", a, side, b)
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

// shownWhole is a line that was quoted in part: all of it, if that is not too much.
func shownWhole(line, piece string) string {
	at := pieceAt(line, piece)
	if at < 0 {
		return shown(line)
	}
	if len(line) <= maxShownWhole {
		at = 0
	}
	return shownPart(line, max(at-maxShownWhole/4, 0), maxShownWhole)
}

// shownFrom is the part of a line from a byte on.
func shownFrom(line string, from int) string { return shownPart(line, from, maxShownLine) }

func shownPart(line string, from, size int) string {
	from = min(from, len(line))
	part := line[from:]
	if len(part) > size {
		part = strings.ToValidUTF8(part[:size], "") + "…"
	}
	if from > 0 {
		part = "…" + strings.ToValidUTF8(part, "")
	}
	return part
}
