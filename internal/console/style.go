package console

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"github.com/fatih/color"
)

// palette colours text, or leaves it alone.
type palette struct {
	mark, good, bad, warn, faint, strong func(string) string
}

func newPalette(on bool) palette {
	paint := func(attrs ...color.Attribute) func(string) string {
		if !on {
			return func(s string) string { return s }
		}
		c := color.New(attrs...)
		c.EnableColor()
		return func(s string) string {
			if s == "" {
				return ""
			}
			return c.Sprint(s)
		}
	}
	return palette{
		mark: paint(color.FgCyan), good: paint(color.FgGreen), bad: paint(color.FgRed),
		warn: paint(color.FgYellow), faint: paint(color.Faint), strong: paint(color.Bold),
	}
}

// sequences are escape sequences that are complete: colours, moves, titles, links.
var sequences = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("\x1b\\[[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b\n]*(?:\x07|\x1b\\\\)")
})

// clean keeps text from a model, a file or a server from steering the
// terminal: escape sequences and control characters but newline and tab are
// left out, and so are those that change the direction of writing.
func clean(s string) string {
	if strings.Contains(s, "\x1b") {
		s = sequences().ReplaceAllString(s, "")
	}
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && steers(r) {
			return -1
		}
		return r
	}, s)
}

func steers(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Bidi_Control, r)
}

// exact shows text that somebody decides on: nothing is left out, what cannot
// be seen is made visible.
func exact(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n', r == '\t':
			b.WriteRune(r)
		case r < ' ':
			b.WriteRune('\u2400' + r) // its picture, such as ␛
		case steers(r), unicode.Is(unicode.Cf, r):
			fmt.Fprintf(&b, "<U+%04X>", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// oneLine puts a text on one line.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// clip shortens to n columns.
func clip(s string, n int) string { return ansi.Truncate(s, max(n, 1), "…") }

func untab(s string) string { return strings.ReplaceAll(s, "\t", "    ") }

// thousands writes 12345 as 12,345.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func seconds(ms int64) string {
	return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(ms)/1000), ".0") + " s"
}
