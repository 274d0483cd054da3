package workspace

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"clined/internal/tools"
)

// linesOf is what a search must find, told by the plainest means.
func linesOf(re *regexp.Regexp, text string) (numbers []int) {
	text = strings.TrimLeft(text, mark)
	if text == "" {
		return nil
	}
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if re.MatchString(strings.TrimSuffix(line, "\r")) {
			numbers = append(numbers, i+1)
		}
	}
	return numbers
}

func found(s *scan) (numbers []int) {
	for _, l := range s.lines {
		if l.Match {
			numbers = append(numbers, l.Number)
		}
	}
	return numbers
}

// FuzzScan holds the search against line-by-line matching: literals, blocks
// and parts must not change what is found.
func FuzzScan(f *testing.F) {
	for _, regex := range []string{
		"a", "foo", "(?i)foo", "(?i)ask", "foo|bar|baz", "(?i)foo|BAR", "^", "$", "^$", "x*", `\bfoo\b`, `[^a]b`, `a\s*b`, `(?s)a.b`, `\Aa`, `a\z`,
		`foo\w+bar`, "(foo)+", "fo{2,3}", "(?i)k", "(?i)ss", "ü", "(?i)Ü", `\x{FFFD}`, `[\r\n]a`, "(?m)^a$", "(?U)a.*b", "()", "a|", `\w+\(`, `\pL`,
	} {
		f.Add(regex, "foo bar\nfoobar\r\n\n\nBAR ask\u212A ſſ a b\nxfoo\xff\n")
		f.Add(regex, "\ufeffa\nb\r\n"+strings.Repeat("line\n", 40)+"foo")
	}
	f.Fuzz(func(t *testing.T, regex, text string) {
		re, err := regexp.Compile(regex)
		if err != nil || strings.ContainsRune(text, 0) || len(text) > 1<<16 || isUTF16([]byte(text)) {
			return
		}
		p, err := compilePattern(regex)
		if err != nil {
			return // needs a newline, or is empty
		}
		// A lone \r at the very end is taken for half a line end.
		text = strings.TrimSuffix(text, "\r")
		want := fmt.Sprint(linesOf(re, text))
		const all = 1 << 20
		memory := &scan{p: p, most: all}
		if err := memory.text(t.Context(), text); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(found(memory)); got != want {
			t.Errorf("%q in %q: lines %s, want %s", regex, text, got, want)
		}
		longest := 0
		for line := range strings.Lines(text) {
			longest = max(longest, len(line))
		}
		parts := &scan{p: p, most: all, context: 2, buf: make([]byte, longest+70)}
		if err := parts.read(t.Context(), iotest.OneByteReader(strings.NewReader(text))); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(found(parts)); got != want {
			t.Errorf("%q in parts of %q: lines %s, want %s", regex, text, got, want)
		}
		checkContext(t, parts, text)
		tiny := &scan{p: p, most: 3, context: 1, buf: make([]byte, 64)}
		if err := tiny.read(t.Context(), strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
		if tiny.kept > 3 || tiny.total < tiny.kept {
			t.Errorf("kept %d of %d", tiny.kept, tiny.total)
		}
	})
}

// checkContext checks that each line is shown once, in order, as it is, and
// only near a match.
func checkContext(t *testing.T, s *scan, text string) {
	lines := strings.Split(strings.TrimLeft(text, mark), "\n")
	last := 0
	inReach := map[int]bool{}
	for _, m := range found(s) {
		for n := m - s.context; n <= m+s.context; n++ {
			inReach[n] = true
		}
	}
	shown := map[int]bool{}
	for _, l := range s.lines {
		want := strings.ToValidUTF8(strings.TrimSuffix(lines[l.Number-1], "\r"), "\uFFFD")
		if l.Number <= last || !inReach[l.Number] || len(want) < maxShown && l.Text != want {
			t.Errorf("line %d after %d: %q, want %q", l.Number, last, l.Text, want)
		}
		last = l.Number
		shown[l.Number] = true
	}
	count := countLines([]byte(strings.TrimLeft(text, mark)))
	for n := 1; n <= count; n++ {
		if inReach[n] && !shown[n] {
			t.Errorf("line %d is missing in the context of %q", n, text)
		}
	}
}

func TestRequiredLiterals(t *testing.T) {
	tests := []struct {
		regex, want string
		exact       bool
	}{
		{"foo", "foo", true},
		{"(foo)", "foo", true},
		{"(?i)Foo", "~foo", true},
		{`func\s+(\w+)`, "func", false},
		{"foo.*barbaz", "barbaz", false},
		{"TODO|FIXME", "TODO FIXME", true},
		{"(?i)todo|FIXME", "~todo ~fixme", true},
		{"a(b|cd)e{2}", "a", false},
		{"(foo)?bar", "bar", false},
		{"(foo)*", "", false},
		{"foo|.", "", false},
		{`[A-Z]\d`, "", false},
		{"(?i)straße", "~stra", false},
		{"(foo){2,}", "foo", false},
		{"^foo$", "foo", false},
	}
	for _, tt := range tests {
		p, err := compilePattern(tt.regex)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, l := range p.required {
			text := string(l.text)
			if l.fold {
				text = "~" + text
			}
			got = append(got, text)
		}
		if s := strings.Join(got, " "); s != tt.want || p.exact != tt.exact {
			t.Errorf("%s: %q, exact %v; want %q, %v", tt.regex, s, p.exact, tt.want, tt.exact)
		}
	}
}

func TestShares(t *testing.T) {
	tests := []struct {
		counts []int
		limit  int
		want   []int
	}{
		{[]int{500, 3}, 300, []int{297, 3}},
		{[]int{3, 500}, 300, []int{3, 297}},
		{[]int{1, 1, 1}, 300, []int{1, 1, 1}},
		{[]int{5, 5, 5}, 10, []int{4, 3, 3}},
		{[]int{5, 5, 5}, 2, []int{1, 1, 0}},
		{[]int{0, 9}, 4, []int{0, 4}},
		{nil, 4, []int{}},
	}
	for _, tt := range tests {
		if got, _ := shares(tt.counts, tt.limit); fmt.Sprint(got) != fmt.Sprint(tt.want) {
			t.Errorf("shares(%v, %d) = %v, want %v", tt.counts, tt.limit, got, tt.want)
		}
	}
}

func TestSearchStopsInTime(t *testing.T) {
	dir := t.TempDir()
	tree := NewTree(TreeOptions{})
	tree.searchTime = -time.Second
	r, err := tree.Search(t.Context(), tools.Path{Display: ".", Abs: dir, Real: dir}, "x", "", tools.SearchLimits{})
	if err != nil || !r.Incomplete {
		t.Errorf("result = %+v, error = %v; want an incomplete result", r, err)
	}
}

func TestCompareNames(t *testing.T) {
	sorted := []string{"", "1", "2", "010", "10", "_x", "A", "a", "a1", "a02", "a10", "a10b", "B", "b.go", "ß", "ü"}
	for i, a := range sorted {
		for j, b := range sorted {
			got := compareNames(a, b)
			if (got < 0) != (i < j) || (got > 0) != (i > j) {
				t.Errorf("compareNames(%q, %q) = %d", a, b, got)
			}
		}
	}
}

func TestUnixLines(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "a": "a", "a\r\nb": "a\nb", "\r\n\r\n": "\n\n", "a\rb\r\n": "a\rb\n", "a\r": "a", "\r\r\n": "\r\n", "a\nb\r\nc": "a\nb\nc",
	} {
		if got := unixLines([]byte(in), true); !bytes.Equal(got, []byte(want)) {
			t.Errorf("unixLines(%q) = %q, want %q", in, got, want)
		}
	}
}
