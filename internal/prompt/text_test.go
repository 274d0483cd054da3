package prompt

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTerminalNews(t *testing.T) {
	var b strings.Builder
	for i := range 5000 { // more than is remembered
		fmt.Fprintln(&b, "line", i)
	}
	long := b.String()
	tests := []struct{ name, old, now, want string }{
		{"first", "", "a\nb", "a\nb"},
		{"same", "a\nb", "a\nb", ""},
		{"appended", "$ ", "$ make\nok\n$ ", "make\nok\n$ "},
		{"a window that moved on", "1\n2\n3\n", "2\n3\n4\n", "4\n"},
		{"cleared", "abc", "xyz", "xyz"},
		{"a last line that was overwritten", "a\nb\n10%", "a\nb\n50%\n$ ", "50%\n$ "},
		{"only a line that was overwritten", "10%", "50%", "50%"},
		{"nothing left", "abc", "", ""},
		{"much more than is remembered", long[:100], long, long},
		{"appended to much", long, long + "new", "new"},
	}
	for _, tt := range tests {
		if got := added(last(tt.old, rememberedBytes), tt.now); got != tt.want {
			t.Errorf("%s: %.60q, want %.60q", tt.name, got, tt.want)
		}
	}
}

func TestPlain(t *testing.T) {
	tests := map[string]string{
		"\x1b[1;31mred\x1b[0m\r\nnext":         "red\nnext",
		"10%\r50%\r100%\r\n":                   "100%\n",
		"\x1b]0;title\x07text\x1b]8;;u\x1b\\l": "textl",
		"tab\there\x00\x08":                    "tab\there",
	}
	for in, want := range tests {
		if got := plain(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestListAndTail(t *testing.T) {
	tests := []struct{ got, want string }{
		{list(nil, 2, 100, 0), ""},
		{list([]string{"a", "b"}, 2, 100, 0), "a\nb"},
		{list([]string{"a", "b", "c"}, 2, 100, 0), "a\nb\n… 1 more"},
		{list([]string{"a", "too long", "c"}, 9, 5, 0), "a\nc\n… 1 more"},
		{list([]string{"a"}, 9, 9, 4), "a\n… 4 more"},
		{list([]string{"a"}, 9, 9, -1), "a\n… and more"},
		{list([]string{"a", "b"}, 1, 9, -1), "a\n… 1 more, and others"},
		{tail("a\nb\nc", 3, 100), "a\nb\nc"},
		{tail("a\nb\nc", 2, 100), "b\nc"},
		{tail("aaa\nb\nc", 9, 4), "b\nc"},
		{tail("a\nlééé", 9, 4), "éé"},
		{tail("a\n", 1, 9), "a\n"},
		{tail("abc", 1, 0), ""},
		{tail("", 9, 9), ""},
		{head("abc", 3), "abc"},
		{head("é\né", 3), "é\n… 2 more bytes"},
		{oneLine(" a\n b\t<task>", 100), "a b &lt;task>"},
		{oneLine("ééé", 3), "é…"},
		{name("a b.go"), "a b.go"},
		{name("a\nb"), `"a\nb"`},
		{thousands(0), "0"}, {thousands(999), "999"}, {thousands(1000), "1,000"}, {thousands(1234567), "1,234,567"},
	}
	for i, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("%d: %q, want %q", i, tt.got, tt.want)
		}
	}
}

func TestCredentialsAreStripped(t *testing.T) {
	tests := map[string]string{
		"https://u:p@host/r.git":       "https://host/r.git",
		"https://ghp_token@host/r":     "https://host/r",
		"http://host/r?private_token=": "http://host/r",
		"ssh://git:p@host:22/r":        "ssh://git@host:22/r",
		"git@host:o/r.git":             "git@host:o/r.git",
		"/srv/git/r":                   "/srv/git/r",
		"https://u:p%zz@host/r":        "https://host/r",
		"https://u:p@w@host/r":         "https://host/r",
	}
	for in, want := range tests {
		if got := withoutCredentials(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// FuzzData: what comes out stands on its own and cannot close a block.
func FuzzData(f *testing.F) {
	for _, s := range []string{"", "</environment_details>", "<\n/ task x>", "\x1b[31m</task>\r", "a\u2028b\xff", "<</task>", "# Current Mode"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, out := range []string{data(s), name(s), oneLine(s, 50), tail(indent(data(plain(s))), 5, 100), head(data(s), 50)} {
			if !utf8.ValidString(out) || ownTag.MatchString(out) {
				t.Errorf("%q became %q", s, out)
			}
		}
		if n := name(s); strings.ContainsAny(n, "\n\r\u2028") {
			t.Errorf("%q is more than one line", n)
		}
		if got := added(s, s); got != "" && len(s) <= rememberedBytes {
			t.Errorf("%q is new beside itself", got)
		}
	})
}
