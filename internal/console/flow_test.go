package console

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestFlow(t *testing.T) {
	for _, tt := range []struct {
		name   string
		width  int
		indent string
		pieces []string
		want   string
	}{
		{"whole words", 24, "", []string{"The quick brown fox jumps over the lazy dog"}, "The quick brown fox\njumps over the lazy dog"},
		{"pieces", 24, "", []string{"The qu", "ick brown f", "ox ju", "mps", " over"}, "The quick brown fox\njumps over"},
		{"indent", 24, "  ", []string{"The quick brown fox jumps over"}, "The quick brown fox\n  jumps over"},
		{"no width", 0, "  ", []string{"The quick brown fox jumps over the lazy dog\nand on"}, "The quick brown fox jumps over the lazy dog\n  and on"},
		{"narrow", 10, "", []string{"The quick brown fox"}, "The quick brown fox"},
		{"list", 24, "", []string{"- The quick brown fox jumps\n12. over the lazy dog, too\n  * x the quick brown fox"},
			"- The quick brown fox\n  jumps\n12. over the lazy dog,\n    too\n  * x the quick brown\n    fox"},
		{"long word", 20, "", []string{"see https://example.com/a/very/long/path?with=query now"}, "see\nhttps://example.com/a/very/long/path?with=query\nnow"},
		{"line ends at the end", 20, "", []string{"a\n\n", "\n"}, "a"},
		{"line ends inside", 20, "", []string{"\n\na\n\n", "\nb"}, "a\n\n\nb"},
		{"code", 24, "  ", []string{"so:\n```go\nfunc main() { println(\"hello, world\") }\n```\nand so on, and so on, so"},
			"so:\n  ```go\n  func main() { println(\"hello, world\") }\n  ```\n  and so on, and so on,\n  so"},
		{"indented line", 24, "", []string{"    four spaces and then some words"}, "    four spaces and then\n    some words"},
		{"tab", 24, "", []string{"\ta\tb"}, "    a    b"},
		{"Han", 20, "", []string{"华盛顿特区明天（周日）：气温", "很高，西风很大。"}, "华盛顿特区明天（周\n日）：气温很高，西\n风很大。"},
		{"Han and words", 24, "", []string{"气温 73°F（约 23°C），西风 9 mph。降水"}, "气温 73°F（约 23°C），\n西风 9 mph。降水"},
		{"apostrophe", 20, "", []string{"aaaaaaaaaaaaaaaaaa I’m here"}, "aaaaaaaaaaaaaaaaaa\nI’m here"},
	} {
		f := flow{width: tt.width, indent: tt.indent}
		var got strings.Builder
		for _, p := range tt.pieces {
			got.WriteString(f.add(p))
		}
		got.WriteString(f.rest())
		if got.String() != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, &got, tt.want)
		}
	}
}

// However a text is cut, it is laid out the same, loses nothing but white
// space, and keeps within the width where its words do.
func FuzzFlow(f *testing.F) {
	for _, s := range []string{
		"", "a b c\n\n d", "- one two three four five six seven", "华盛顿特区明天（周日）：气温 73°F（约 23°C）。", "```\nx y\n```\nz",
		"\t\ttabs  and   spaces \n \n", "👩‍👩‍👧 family e\u0301 combining", strings.Repeat("word ", 30), "\xff\xfe",
	} {
		f.Add(s, 3, 24)
		f.Add(s, 1, 0)
	}
	f.Fuzz(func(t *testing.T, s string, cut, width int) {
		s = clean(s) // what a flow is given
		width = min(max(width, 0), 200)
		whole := flow{width: width, indent: "  "}
		want := whole.add(s) + whole.rest()
		r := []rune(s)
		cut = min(max(cut, 0), len(r))
		parts := flow{width: width, indent: "  "}
		got := parts.add(string(r[:cut])) + parts.add(string(r[cut:])) + parts.rest()
		if got != want {
			t.Errorf("cut at %d: %q, whole: %q", cut, got, want)
		}
		bare := func(s string) string {
			return strings.Map(func(r rune) rune {
				if r == ' ' || r == '\n' || r == '\t' {
					return -1
				}
				return r
			}, s)
		}
		if bare(want) != bare(s) {
			t.Errorf("%q became %q", s, want)
		}
		if width < 40 || strings.Contains(s, "```") || strings.Contains(s, "\t") || strings.Contains(s, "   ") {
			return
		}
		for _, w := range strings.Fields(s) {
			if ansi.StringWidth(w) > 10 {
				return
			}
		}
		for line := range strings.SplitSeq(want, "\n") {
			if ansi.StringWidth(line) > width {
				t.Errorf("%d columns of %d: %q", ansi.StringWidth(line), width, line)
			}
		}
	})
}

func TestClean(t *testing.T) {
	for s, want := range map[string]string{
		"plain\ttext\n":                     "plain\ttext\n",
		"\x1b[31mred\x1b[0m":                "red",
		"\x1b]0;title\x07x\x1b]8;;u\x1b\\y": "xy",
		"\x1b]never closed\nnext":           "]never closed\nnext",
		"a\x1b[":                            "a[",
		"\x1b[2J\x1b[H\x1bc\x1b(0x":         "c(0x",
		"a\rb\bc\x7fd\u009b31me\x00":        "abcd31me",
		"txt\u202eexe.\u2066x\u2069\u200f":  "txtexe.x",
		"line\u2028sep\u2029":               "linesep",
		"bad \x9b\xff utf8":                 "bad \uFFFD\uFFFD utf8",
		"emoji 👩\u200d👧 zero\u200bwidth 日本": "emoji 👩\u200d👧 zero\u200bwidth 日本",
	} {
		if got := clean(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

func TestExact(t *testing.T) {
	for s, want := range map[string]string{
		"plain\ttext\n":            "plain\ttext\n",
		"\x1b[31mred\r\n\x00":      "␛[31mred␍\n␀",
		"\x7f\u009b\u202e\u200b":   "<U+007F><U+009B><U+202E><U+200B>",
		"soft\u00adhyphen\ufeff":   "soft<U+00AD>hyphen<U+FEFF>",
		"tag\U000e0041 bad\xff 日本": "tag<U+E0041> bad\uFFFD 日本",
	} {
		if got := exact(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

func TestSmallWords(t *testing.T) {
	for n, want := range map[int]string{0: "0", 12: "12", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		if got := thousands(n); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
	for ms, want := range map[int64]string{2000: "2 s", 7500: "7.5 s", 40: "0 s", 100: "0.1 s"} {
		if got := seconds(ms); got != want {
			t.Errorf("%d ms: %q, want %q", ms, got, want)
		}
	}
	for args, want := range map[string]string{
		`{"path":"a.go","diff":"x"}`:                    "a.go",
		`{"path":".","regex":"x\\("}`:                   `. x\(`,
		`{"b":[1,2],"a":"x","task_progress":"- [ ] y"}`: "a=x b=[1,2]",
		`{"command":"go test"}`:                         "go test",
		`{}`:                                            "",
		`not json`:                                      "",
	} {
		if got := argSummary(args); got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}
