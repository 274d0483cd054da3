package diffedit

import (
	"slices"
	"strings"
)

const (
	// styleLines is how many lines are enough to know how a document is indented.
	styleLines = 2000
	// tabStop is how wide tabs are where they mix with spaces.
	tabStop = 8
)

// setting is what a line's indentation goes by.
type setting struct {
	kind settingKind
	// base is the line it is relative to, -1 when that is not known.
	base int
}

type settingKind string

const (
	byLevel   settingKind = ""
	byBracket settingKind = "(" // aligned with what follows a bracket or the sign of a comment
	byComment settingKind = "*" // in a block comment, one blank off
)

// settingsOf returns the settings of the lines of SEARCH and of REPLACE.
func settingsOf(search, replace []string) (ofSearch, ofReplace []setting) {
	widths := map[int]bool{}
	texts := [2][]string{search, replace}
	out := [2][]setting{}
	for t, lines := range texts {
		out[t] = alignments(lines)
		for i, l := range lines {
			if text := trimBlanks(l); text != "" && text[0] != '*' && out[t][i].kind == byLevel {
				widths[len(indentOf(l))] = true
			}
		}
	}
	for t, lines := range texts {
		for i, l := range lines {
			if text := trimBlanks(l); text != "" && text[0] == '*' && widths[len(indentOf(l))-1] {
				out[t][i].kind = byComment
			}
		}
	}
	return out[0], out[1]
}

// alignments finds lines that are aligned with what follows a bracket or the sign
// of a comment, and for lines that begin with a star the line where their comment begins.
func alignments(lines []string) []setting {
	type bracket struct{ line, column int }
	var open []bracket
	comment, text0 := -1, 0 // the line where a comment begins, and the column of its text
	out := make([]setting, len(lines))
	for i, l := range lines {
		out[i].base = -1
		in, n := len(indentOf(l)), len(open)
		switch text := trimBlanks(l); {
		case text == "":
			continue
		case text[0] == '*':
			if comment >= 0 && in == len(indentOf(lines[comment]))+1 {
				out[i].base = comment
			}
			if strings.Contains(l, "*/") {
				comment = -1
			}
			continue
		case comment >= 0 && in == text0:
			out[i] = setting{byBracket, comment}
			continue
		case n > 0 && in == open[n-1].column+1 && trimBlanks(lines[open[n-1].line][in:]) != "":
			out[i] = setting{byBracket, open[n-1].line}
		}
		if rest, ok := strings.CutPrefix(l[in:], "/*"); ok {
			comment, text0 = i, len(l)-len(strings.TrimLeft(rest, "* "))
		}
		if comment >= 0 && strings.Contains(l, "*/") {
			comment = -1
		}
		for j := in; j < len(l); j++ {
			switch l[j] {
			case '(', '[', '{':
				open = append(open, bracket{i, j})
			case ')', ']', '}':
				open = open[:max(len(open)-1, 0)]
			}
		}
	}
	return out
}

// bracketLines is how far above a match the bracket may stand that its first
// lines are aligned with.
const bracketLines = 30

// alignAlike adds to the settings what the document shows: that lines of SEARCH,
// and so of REPLACE, are aligned with a bracket above the match.
func (d *document) alignAlike(m match, search, replace []string, ofSearch, ofReplace []setting) {
	from := max(m.from-bracketLines, 0)
	inText := alignments(d.content[from:m.to])
	alike := map[string]bool{}
	for i, at := range m.pairs {
		if at >= from && inText[at-from].kind == byBracket && ofSearch[i].base < 0 && indentOf(search[i]) != "" {
			ofSearch[i].kind = byBracket
			alike[search[i]] = true
		}
	}
	for i, l := range replace {
		if alike[l] && ofReplace[i].base < 0 {
			ofReplace[i].kind = byBracket
		}
	}
}

// byLevels returns the lines whose indentation shows levels.
func byLevels(lines []string, settings []setting) []string {
	var out []string
	for i, l := range lines {
		if trimBlanks(l) != "" && settings[i].kind == byLevel {
			out = append(out, l)
		}
	}
	return out
}

// unaligned returns the lines that are not relative to another of them.
func unaligned(lines []string) []string {
	var out []string
	for i, s := range alignments(lines) {
		if s.base < 0 {
			out = append(out, lines[i])
		}
	}
	return out
}

// inLevels reports whether all lines are indented by levels of a usual width, in
// spaces, from some margin on.
func inLevels(width int, lines []string) bool {
	if !usualWidth(width) || len(lines) == 0 {
		return false
	}
	margin := len(indentOf(lines[0]))
	for _, l := range lines {
		in := indentOf(l)
		if strings.Contains(in, "\t") || (len(in)-margin)%width != 0 {
			return false
		}
	}
	return true
}

func usualWidth(width int) bool { return width == 2 || width == 4 || width == 8 }

// levelWidth returns the smallest step between the indentations of lines, in
// spaces: of those that are usual, if there is one. Where most levels are tabs,
// spaces are none.
func levelWidth(lines []string) int {
	var widths []int
	tabs, spaces := 0, 0
	for _, l := range lines {
		in := indentOf(l)
		if strings.Contains(in, "\t") {
			tabs++
			continue
		}
		if in != "" {
			spaces++
		}
		widths = append(widths, len(in))
	}
	if tabs > spaces {
		return tabStop
	}
	slices.Sort(widths)
	widths = slices.Compact(widths)
	best := 0
	for i := 1; i < len(widths); i++ {
		step := widths[i] - widths[i-1]
		if step > 1 && (best == 0 || usualWidth(step) && !usualWidth(best) || step < best && usualWidth(step) == usualWidth(best)) {
			best = step
		}
	}
	switch {
	case best > 0:
		return best
	case len(widths) == 1 && widths[0] > 1 && widths[0] <= 8:
		return widths[0]
	}
	return 4
}

// indentUnit returns a level of the document: a tab where most lines use them,
// else the most common step inwards from a line by level to the next.
func (d *document) indentUnit(fallback int) string {
	counts := map[int]int{}
	last, tabs, spaces := 0, 0, 0
	lines := d.content[:min(len(d.content), styleLines)]
	settings := alignments(lines)
	for i, l := range lines {
		in := indentOf(l)
		switch {
		case trimBlanks(l) == "", settings[i].base >= 0:
			continue
		case strings.Contains(in, "\t"):
			tabs++
			continue
		case in != "":
			spaces++
		}
		if step := len(in) - last; step > 1 && step <= 8 {
			counts[step]++
		}
		last = len(in)
	}
	if tabs > spaces {
		return "\t"
	}
	best := fallback
	for step, n := range counts {
		if n > counts[best] || n == counts[best] && step < best {
			best = step
		}
	}
	return strings.Repeat(" ", best)
}
