package diffedit

import (
	"fmt"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

const contextLines = 3

// Unified returns the unified diff that leads from before to after, "" when
// they are equal. Of more than maxLines lines (0: no limit) the rest is counted.
func Unified(label, before, after string, maxLines int) string {
	d, ok := hunks(label, before, after)
	if !ok {
		return ""
	}
	return shorten(strings.SplitAfter(d.String(), "\n"), maxLines)
}

// Numbered returns the changed lines with some lines around them, for the
// model: unchanged and new lines with their number in after, removed ones with
// their number in before. Line ends are left out, but a change of nothing else
// is told. Of more than maxLines lines (0: no limit) the rest is counted.
func Numbered(before, after string, maxLines int) string {
	d, ok := hunks("", before, after)
	if !ok {
		return ""
	}
	if lf(before) == lf(after) {
		return "(only line ends changed)\n"
	}
	var out []string
	for i, h := range d.Hunks {
		if i > 0 {
			out = append(out, "…\n")
		}
		from, to := h.FromLine, h.ToLine
		for _, l := range h.Lines {
			text := shownDiff(l.Content)
			switch l.Kind {
			case udiff.Delete:
				out = append(out, fmt.Sprintf("-%d | %s\n", from, text))
				from++
			case udiff.Insert:
				out = append(out, fmt.Sprintf("+%d | %s\n", to, text))
				to++
			default:
				out = append(out, fmt.Sprintf(" %d | %s\n", to, text))
				from, to = from+1, to+1
			}
		}
	}
	return shorten(out, maxLines)
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

func hunks(label, before, after string) (udiff.UnifiedDiff, bool) {
	if before == after {
		return udiff.UnifiedDiff{}, false
	}
	d, err := udiff.ToUnifiedDiff("a/"+label, "b/"+label, before, lineEdits(before, after, 0), contextLines)
	return d, err == nil
}

// block is how many bytes are compared at once.
const block = 4 << 10

// commonHead is the length of the whole lines that both texts begin with.
func commonHead(a, b string) int {
	n, i := min(len(a), len(b)), 0
	for n-i >= block && a[i:i+block] == b[i:i+block] {
		i += block
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return strings.LastIndexByte(a[:i], '\n') + 1
}

// commonTail is the length of the whole lines that both texts end with.
func commonTail(a, b string) int {
	n, i := min(len(a), len(b)), 0
	for n-i >= block && a[len(a)-i-block:len(a)-i] == b[len(b)-i-block:len(b)-i] {
		i += block
	}
	for i < n && a[len(a)-i-1] == b[len(b)-i-1] {
		i++
	}
	begins := func(s string) bool { return i == len(s) || s[len(s)-i-1] == '\n' }
	if begins(a) && begins(b) {
		return i
	}
	same := a[len(a)-i:]
	if line := strings.IndexByte(same, '\n'); line >= 0 {
		return len(same) - line - 1
	}
	return 0
}

func shorten(lines []string, maxLines int) string {
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	if maxLines <= 0 || len(lines) <= maxLines {
		return strings.Join(lines, "")
	}
	return strings.Join(lines[:maxLines], "") + fmt.Sprintf("… %d more lines\n", len(lines)-maxLines)
}
