package doctext

import "strings"

// Widths of the ASCII characters from the blank to "~" in the standard fonts
// that a file need not tell them of, in thousandths (Adobe's font metrics for
// the core 14). The bold faces differ little.
var (
	helveticaWidths = [...]int16{
		278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
		556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
		611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
		667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
		222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
	}
	timesWidths = [...]int16{
		250, 333, 408, 500, 500, 833, 778, 180, 333, 333, 500, 564, 250, 333, 250, 278, 500, 500, 500,
		500, 500, 500, 500, 500, 500, 500, 278, 278, 564, 564, 564, 444, 921, 722, 667, 667, 722, 611,
		556, 722, 722, 333, 389, 722, 611, 889, 722, 722, 556, 722, 667, 556, 611, 722, 722, 944, 722,
		722, 611, 333, 278, 333, 469, 500, 333, 444, 500, 444, 500, 444, 333, 500, 500, 278, 278, 500,
		278, 778, 500, 500, 500, 500, 333, 389, 278, 500, 500, 722, 500, 500, 444, 480, 200, 480, 541,
	}
)

// standardWidths are those of the font that stands for one without widths; nil
// for one whose characters are all of one width.
func standardWidths(font string) []int16 {
	switch {
	case strings.Contains(font, "Courier"), strings.Contains(font, "Mono"):
		return nil
	case strings.Contains(font, "Times"), strings.Contains(font, "Serif"):
		return timesWidths[:]
	}
	return helveticaWidths[:]
}
