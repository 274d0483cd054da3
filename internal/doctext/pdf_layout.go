package doctext

import (
	"math"
	"strings"
)

// layout makes lines of the characters of a page, in the order in which they
// are painted. That is the reading order with nearly all programs that write
// PDFs, columns included; sorting by place would mix columns. What continues a
// line further right joins it: the cells of a table's row.
//
// Blanks are told by place alone, painted or not: some programs paint them and
// then move back.
type layout struct {
	lines []*pdfLine
	size  int // bytes written

	angle  float64 // of the baseline, in radians
	along  float64 // where the last character ended, along the baseline
	height float64 // its font size as painted
	blank  bool    // a blank was painted since
}

// pdfLine is a line of text.
type pdfLine struct {
	text   strings.Builder
	across float64 // its height above the origin, across the baseline
	start  float64 // where it begins, along the baseline
	pitch  float64 // of a font whose characters have one width, else 0
	apart  bool    // there is room above it, as before a paragraph
}

// Parts of the font size that matter.
const (
	wordGap    = 0.17 // between words
	paintedGap = 0.08 // between words that a blank was painted between
	columnGap  = 1.5  // between the cells of a row
	lineShift  = 0.6  // across the baseline, to the next line
	paragraph  = 2.2  // from line to line, where a paragraph begins
)

// glyph adds a character that m maps from a square of size 1 to the page. width
// is its advance in that square.
func (l *layout) glyph(text string, m matrix, width float64, fixed bool) {
	size := math.Hypot(m[2], m[3])
	if text == "" || size == 0 || math.IsNaN(size) || math.IsInf(size, 0) {
		return
	}
	if strings.TrimSpace(text) == "" || text == "\u00a0" {
		l.blank = true
		return
	}
	angle := math.Atan2(m[1], m[0])
	dx, dy := math.Cos(angle), math.Sin(angle)
	along, across := m[4]*dx+m[5]*dy, m[5]*dx-m[4]*dy
	advance := width * math.Hypot(m[0], m[1])

	line := l.line(angle, along, across, size)
	if fixed && (line.text.Len() == 0 || line.pitch > 0) {
		line.pitch = advance
	} else {
		line.pitch = 0
	}
	if line.text.Len() > 0 {
		line.text.WriteString(l.gap(along-l.along, max(size, l.height), line.pitch))
	}
	line.text.WriteString(text)
	l.size += len(text) + 1
	l.angle, l.along, l.height, l.blank = angle, along+advance, size, false
}

// line returns the line that a character belongs to.
func (l *layout) line(angle, along, across, size float64) *pdfLine {
	height := max(size, l.height)
	apart := false
	if n := len(l.lines); n > 0 {
		last := l.lines[n-1]
		shift := across - last.across
		switch {
		case math.Abs(angle-l.angle) > 0.05:
			apart = true
		case math.Abs(shift) > lineShift*height && !(size != l.height && math.Abs(shift) < 0.8*height):
			// A small character that is set higher or lower stays in its line.
			apart = shift > 0 || -shift > paragraph*height
		case along < l.along-height && along <= last.start:
			// Back where the line began, at the same height.
		default:
			return last
		}
	}
	line := &pdfLine{across: across, start: along, apart: apart}
	l.lines = append(l.lines, line)
	return line
}

// gap is what stands between two characters of a line.
func (l *layout) gap(gap, height, pitch float64) string {
	switch {
	case pitch > 0 && gap > 0.5*pitch:
		return strings.Repeat(" ", min(int(math.Round(gap/pitch)), 40))
	case gap > columnGap*height, gap < -columnGap*height: // or painted out of order
		return "  "
	case gap > wordGap*height, l.blank && gap > paintedGap*height:
		return " "
	}
	return ""
}

// text is the page's text. Lines of a font of one width, as programs are set in,
// keep how far they are from the leftmost of those around them.
func (l *layout) text() string {
	var b strings.Builder
	left, until := 0.0, 0
	for i, line := range l.lines {
		if line.apart && i > 0 {
			b.WriteByte('\n')
		}
		if line.pitch > 0 {
			if i >= until {
				left, until = l.leftmost(i)
			}
			b.WriteString(strings.Repeat(" ", min(int(math.Round((line.start-left)/line.pitch)), 80)))
		}
		b.WriteString(line.text.String())
		b.WriteByte('\n')
	}
	return b.String()
}

// leftmost is where the leftmost line of a font of one width begins, from line i
// on to the first one of another font.
func (l *layout) leftmost(i int) (left float64, until int) {
	left = math.Inf(1)
	for ; i < len(l.lines) && l.lines[i].pitch > 0; i++ {
		left = min(left, l.lines[i].start)
	}
	return left, i
}
