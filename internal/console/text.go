package console

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/fatih/color"
)

// palette colours text, or leaves it alone.
type palette struct {
	mark, good, bad, warn, faint, strong func(string) string
}

func newPalette(on bool) palette {
	paint := func(attrs ...color.Attribute) func(string) string {
		c := color.New(attrs...)
		if !on {
			return func(s string) string { return s }
		}
		c.EnableColor()
		return func(s string) string { return c.Sprint(s) }
	}
	return palette{
		mark: paint(color.FgCyan), good: paint(color.FgGreen), bad: paint(color.FgRed),
		warn: paint(color.FgYellow), faint: paint(color.Faint), strong: paint(color.Bold),
	}
}

// clean keeps text from a model, a file or a server from steering the
// terminal: control characters but newline and tab are left out.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Bidi_Control, r)) {
			return -1
		}
		return r
	}, s)
}

// oneLine puts a text on one line.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// clip shortens to n characters.
func clip(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}

// telling are the arguments that say most about a call, best first.
var telling = []string{"path", "absolutePath", "command", "regex", "question", "uri", "server_name"}

// argSummary shows the arguments of a call: the telling ones, else all.
func argSummary(args string) string {
	var m map[string]json.RawMessage
	if json.Unmarshal([]byte(args), &m) != nil {
		return ""
	}
	delete(m, "task_progress")
	var out []string
	for _, k := range telling {
		if v, ok := m[k]; ok {
			out = append(out, plain(v))
		}
	}
	if len(out) > 0 {
		return strings.Join(out, " ")
	}
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		out = append(out, k+"="+plain(m[k]))
	}
	return strings.Join(out, " ")
}

func plain(v json.RawMessage) string {
	var s string
	if json.Unmarshal(v, &s) == nil {
		return s
	}
	return string(v)
}

// thousands writes 12345 as 12,345.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func percent(part, whole int) int {
	if whole == 0 {
		return 0
	}
	return part * 100 / whole
}

func seconds(ms int64) string {
	return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(ms)/1000), ".0") + " s"
}
