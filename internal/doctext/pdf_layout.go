package doctext

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// layout makes lines of the characters of a page, in the order in which they
// are painted. That is the reading order with nearly all programs that write
// PDFs, columns included; sorting by place would mix columns. What continues a
// line further right joins it: the cells of a table's row.
type layout struct {
	b    strings.Builder
	size int

	any      bool
	angle    float64 // of the baseline, in radians
	along    float64 // where the last character ended, along the baseline
	across   float64 // its height above the origin, across the baseline
	height   float64 // its font size as painted
	start    float64 // where the line began
	lastRune rune
}

// glyph adds a character that m maps from a square of size 1 to the page.
// width is its advance in that square.
func (l *layout) glyph(text string, m matrix, width float64) {
	if text == "" {
		return
	}
	size := math.Hypot(m[2], m[3])
	if size == 0 || math.IsNaN(size) || math.IsInf(size, 0) {
		return
	}
	angle := math.Atan2(m[1], m[0])
	dx, dy := math.Cos(angle), math.Sin(angle)
	along, across := m[4]*dx+m[5]*dy, m[5]*dx-m[4]*dy
	end := along + width*math.Hypot(m[0], m[1])

	first, _ := utf8.DecodeRuneInString(text)
	switch {
	case !l.any:
		l.start = along
	case math.Abs(angle-l.angle) > 0.05:
		l.breakLine(1)
		l.start = along
	case math.Abs(across-l.across) > 0.6*max(size, l.height) && !raised(size, l.height, across-l.across):
		lines := 1
		if drop := l.across - across; drop > 2.2*max(size, l.height) || drop < 0 {
			lines = 2
		}
		l.breakLine(lines)
		l.start = along
	case along < l.along-max(size, l.height) && along <= l.start: // the next line, or the same text again
		if l.repeats(along) {
			break
		}
		l.breakLine(1)
		l.start = along
	default:
		l.gap(along-l.along, max(size, l.height), first)
	}
	l.any, l.angle, l.along, l.height = true, angle, end, size
	if !raised(size, l.height, across-l.across) || l.size == 0 {
		l.across = across
	}
	l.write(text)
}

// raised tells small characters set higher or lower, which stay in their line.
func raised(size, height, shift float64) bool {
	return size != height && math.Abs(shift) < 0.8*max(size, height)
}

func (l *layout) repeats(float64) bool { return false }

// gap writes what stands between two characters of a line.
func (l *layout) gap(gap, height float64, next rune) {
	blank := unicode.IsSpace(l.lastRune) || unicode.IsSpace(next)
	switch {
	case gap > 1.5*height:
		if !blank {
			l.write("  ")
		} else {
			l.write(" ")
		}
	case gap > 0.17*height && !blank:
		l.write(" ")
	case gap < -1.5*height && !blank: // painted out of order
		l.write("  ")
	}
}

func (l *layout) breakLine(n int) { l.write(strings.Repeat("\n", n)) }

func (l *layout) write(text string) {
	l.lastRune, _ = utf8.DecodeLastRuneInString(text)
	l.b.WriteString(text)
	l.size += len(text)
}

// text is the page's text, with no blank at the end of a line and no more than
// one blank line in a row.
func (l *layout) text() string {
	var b strings.Builder
	blank := true
	for line := range strings.SplitSeq(l.b.String(), "\n") {
		line = strings.TrimRight(line, " \u00a0")
		if line == "" && blank {
			continue
		}
		blank = line == ""
		b.WriteString(line + "\n")
	}
	return b.String()
}
