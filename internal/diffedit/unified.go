package diffedit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const contextLines = 3

// Unified returns the unified diff that leads from before to after, "" when
// they are equal. Of more than maxLines lines (0: no limit) the rest is counted.
func Unified(label, before, after string, maxLines int) string {
	if before == after {
		return ""
	}
	out := limited{max: maxLines}
	out.add("--- a/", label, "\n")
	out.add("+++ b/", label, "\n")
	line := func(sign, text string) {
		if strings.HasSuffix(text, "\n") {
			out.add(sign, text)
		} else {
			out.add(sign, text, "\n")
			out.add("\\ No newline at end of file\n")
		}
	}
	d := newLineDiff(before, after)
	for _, g := range d.groups() {
		out.add("@@ -", span(d.skipped+g.a0, g.a1-g.a0), " +", span(d.skipped+g.b0, g.b1-g.b0), " @@\n")
		g.walk(func(sign string, i, j int) {
			if sign == "+" {
				line(sign, d.b[j])
			} else {
				line(sign, d.a[i])
			}
		})
	}
	return out.String()
}

// span is a range of lines in the head of a hunk; from counts from 0.
func span(from, n int) string {
	switch {
	case n == 0:
		return strconv.Itoa(from) + ",0" // the line before
	case n == 1:
		return strconv.Itoa(from + 1)
	}
	return strconv.Itoa(from+1) + "," + strconv.Itoa(n)
}

// Numbered returns the changed lines with some lines around them, for the
// model: unchanged and new lines with their number in after, removed ones with
// their number in before. Line ends are left out, but a change of nothing else
// is told. Of more than maxLines lines (0: no limit) the rest is counted.
func Numbered(before, after string, maxLines int) string {
	if before == after {
		return ""
	}
	if lf(before) == lf(after) {
		return "(only line ends changed)\n"
	}
	out := limited{max: maxLines}
	d := newLineDiff(before, after)
	for i, g := range d.groups() {
		if i > 0 {
			out.add("…\n")
		}
		g.walk(func(sign string, i, j int) {
			number, text := j, ""
			if sign == "-" {
				number = i
			}
			if !out.full() {
				if sign == "+" {
					text = shownDiff(d.b[j])
				} else {
					text = shownDiff(d.a[i])
				}
			}
			out.add(sign, strconv.Itoa(d.skipped+number+1), " | ", text, "\n")
		})
	}
	return out.String()
}

func lf(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

// shownDiff is a line without its end, shortened when nobody would read it whole.
func shownDiff(line string) string {
	const limit = 1000
	line = strings.TrimRight(line, "\r\n")
	if len(line) > limit {
		return fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(line[:limit], ""), len(line))
	}
	return line
}

// group are changes that are shown together, with the lines around them.
type group struct {
	change
	parts []change
}

// groups joins changes whose context touches.
func (d *lineDiff) groups() []group {
	var out []group
	for i, c := range d.changes {
		before := min(contextLines, c.a0)
		end := min(c.a1+contextLines, len(d.a))
		if n := len(out); n > 0 && c.a0-before <= out[n-1].a1 {
			g := &out[n-1]
			g.a1, g.b1 = end, c.b1+end-c.a1
			g.parts = d.changes[i-len(g.parts) : i+1]
			continue
		}
		out = append(out, group{change{c.a0 - before, end, c.b0 - before, c.b1 + end - c.a1}, d.changes[i : i+1]})
	}
	return out
}

// walk tells each line of a group, with where it stands in both texts: " " for
// those in both, "-" for those of a, "+" for those of b.
func (g *group) walk(tell func(sign string, i, j int)) {
	i, j := g.a0, g.b0
	for _, c := range append(slices.Clip(g.parts), change{g.a1, g.a1, g.b1, g.b1}) {
		for ; i < c.a0; i, j = i+1, j+1 {
			tell(" ", i, j)
		}
		for ; i < c.a1; i++ {
			tell("-", i, j)
		}
		for ; j < c.b1; j++ {
			tell("+", i, j)
		}
	}
}

// limited collects lines up to a number, 0 for any, and counts the others.
type limited struct {
	strings.Builder
	max, lines int
}

func (l *limited) full() bool { return l.max > 0 && l.lines >= l.max }

// add takes a line in parts.
func (l *limited) add(parts ...string) {
	if !l.full() {
		for _, p := range parts {
			l.WriteString(p)
		}
	}
	l.lines++
}

func (l *limited) String() string {
	if l.max > 0 && l.lines > l.max {
		return l.Builder.String() + fmt.Sprintf("… %d more lines\n", l.lines-l.max)
	}
	return l.Builder.String()
}
