package protocol

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

var encodings = []Encoding{UTF8, UTF16, UTF32}

// Exactly `go` is replaced in each encoding.
func TestColumns(t *testing.T) {
	const line = `s := "日本😀go"`
	for e, columns := range map[Encoding][2]uint32{UTF16: {10, 12}, UTF8: {16, 18}, UTF32: {9, 11}} {
		change := ContentChange{Range: &Range{Start: Position{Character: columns[0]}, End: Position{Character: columns[1]}}, Text: "C"}
		if got := e.Apply(line, []ContentChange{change}); got != `s := "日本😀C"` {
			t.Errorf("%s: %s", e, got)
		}
	}
}

func TestOffsetsClamp(t *testing.T) {
	tests := []struct {
		text         string
		line, column uint32
		want         int
	}{
		{"ab\ncd\n", 0, 99, 2},
		{"ab\ncd\n", 1, 1, 4},
		{"ab\ncd\n", 2, 0, 6},
		{"ab\ncd\n", 2, 5, 6},
		{"ab\ncd\n", 99, 99, 6},
		{"ab\r\ncd", 0, 3, 2},
		{"ab\r\ncd", 1, 0, 4},
		{"ab\rcd", 1, 1, 4},
		{"", 0, 1, 0},
		{"", 4294967295, 4294967295, 0},
		{"😀x", 0, 1, 0}, // inside a surrogate pair
		{"😀x", 0, 2, 4},
		{"\xffx", 0, 1, 1},
	}
	for _, tt := range tests {
		if got := UTF16.Offset(tt.text, Position{Line: tt.line, Character: tt.column}); got != tt.want {
			t.Errorf("%q %d:%d: %d, want %d", tt.text, tt.line, tt.column, got, tt.want)
		}
	}
	if got := UTF8.Offset("日", Position{Character: 2}); got != 0 {
		t.Errorf("inside a rune: %d", got)
	}
	for offset, want := range map[int]Position{-1: {}, 2: {Character: 2}, 3: {Character: 2}, 4: {Line: 1}, 99: {Line: 1, Character: 2}} {
		if got := UTF16.Position("ab\r\ncd", offset); got != want {
			t.Errorf("offset %d: %v, want %v", offset, got, want)
		}
	}
	reversed := ContentChange{Range: &Range{Start: Position{Character: 3}, End: Position{Character: 1}}, Text: "X"}
	if got := UTF16.Apply("abcde", []ContentChange{reversed}); got != "abcXde" {
		t.Errorf("a reversed range: %s", got)
	}
}

func TestChooseEncoding(t *testing.T) {
	for offered, want := range map[string]Encoding{"": UTF16, "utf-7": UTF16, "utf-7 utf-32 utf-8": UTF32, "utf-8 utf-16": UTF8} {
		if got := ChooseEncoding(strings.Fields(offered)); got != want {
			t.Errorf("%q: %s", offered, got)
		}
	}
}

// text makes small texts that are rich in the hard cases.
func text(rnd *rand.Rand) string {
	parts := []string{"a", "b", "é", "日", "😀", "\n", "\r\n", "\r", "\t", "e\u0301", "\u2028"}
	var b strings.Builder
	for range rnd.IntN(12) {
		b.WriteString(parts[rnd.IntN(len(parts))])
	}
	return b.String()
}

// An offset that a position can name comes back; widths agree with unicode/utf16.
func TestPositionsRoundTrip(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		s := text(rnd)
		for i := range len(s) + 1 {
			if !boundary(s, i) {
				continue
			}
			for _, e := range encodings {
				if back := e.Offset(s, e.Position(s, i)); back != i {
					t.Fatalf("%q %s: offset %d comes back as %d", s, e, i, back)
				}
			}
			lineStart := strings.LastIndexAny(s[:i], "\r\n") + 1
			if got := UTF16.Position(s, i).Character; int(got) != len(utf16.Encode([]rune(s[lineStart:i]))) {
				t.Fatalf("%q: column of %d is %d", s, i, got)
			}
		}
	}
}

// Incremental changes against the whole text as the oracle.
func TestMinimalEdits(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 20000 {
		from, to := text(rnd), text(rnd)
		if rnd.IntN(2) == 0 { // similar texts
			i, j := cut(rnd, from), cut(rnd, from)
			to = from[:min(i, j)] + text(rnd) + from[max(i, j):]
		}
		checkEdit(t, from, to)
	}
	edit := UTF16.MinimalEdit("ab😀c\n", "ab😁c\n")
	if edit.NewText != "😁" || edit.Range.Start.Character != 2 || edit.Range.End.Character != 4 {
		t.Errorf("%+v", edit)
	}
}

func cut(rnd *rand.Rand, s string) int {
	i := rnd.IntN(len(s) + 1)
	for !boundary(s, i) {
		i--
	}
	return i
}

func checkEdit(t testing.TB, from, to string) {
	t.Helper()
	for _, e := range encodings {
		edit := e.MinimalEdit(from, to)
		got := e.Apply(from, []ContentChange{{Range: &edit.Range, Text: edit.NewText}})
		if got != to {
			t.Fatalf("%s: %q to %q by %+v gives %q", e, from, to, edit, got)
		}
		if utf8.ValidString(to) && !utf8.ValidString(edit.NewText) {
			t.Fatalf("a rune is split: %q", edit.NewText)
		}
	}
}

// linesOf is the plain way to cut a text into lines, each without its end.
func linesOf(s string) []string {
	return strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s), "\n")
}

// columnsOf is the width of a line in each encoding by other means.
func columnsOf(e Encoding, line string) int {
	switch e {
	case UTF8:
		return len(line)
	case UTF32:
		return utf8.RuneCountInString(line)
	}
	return len(utf16.Encode([]rune(line)))
}

// A position is where the lines, counted another way, say; it is clamped to
// them, and every offset between runes comes back.
func FuzzPositions(f *testing.F) {
	f.Add("a\r\nb😀\rc\n", uint32(1), uint32(2), 5)
	f.Add("\r\r\n\n\r", uint32(3), uint32(0), 1)
	f.Add("日本", uint32(0), uint32(99), -1)
	f.Add("", uint32(4294967295), uint32(4294967295), 7)
	f.Fuzz(func(t *testing.T, s string, line, column uint32, offset int) {
		s = strings.ToValidUTF8(s, "?") // the wire holds valid text only
		lines := linesOf(s)
		for _, e := range encodings {
			at := e.Offset(s, Position{Line: line, Character: column})
			if at < 0 || at > len(s) || !boundary(s, at) {
				t.Fatalf("%q %s %d:%d is offset %d, where no position can lie", s, e, line, column, at)
			}
			p := e.Position(s, at)
			last := uint32(len(lines) - 1)
			want := Position{Line: min(line, last), Character: column}
			if width := uint32(columnsOf(e, lines[want.Line])); line > last || column > width {
				want.Character = width
			}
			if p.Line != want.Line || p.Character > want.Character || want.Character-p.Character > 3 {
				t.Fatalf("%q %s %d:%d is %+v, want %+v", s, e, line, column, p, want)
			}
			if back := e.Offset(s, e.Position(s, offset)); offset >= 0 && offset <= len(s) && boundary(s, offset) && back != offset {
				t.Fatalf("%q %s: offset %d comes back as %d", s, e, offset, back)
			}
		}
	})
}

func FuzzMinimalEdit(f *testing.F) {
	f.Add("a\r\nb", "a\nb")
	f.Add("日😀", "日😁")
	f.Add("\r\r\n", "\r\n\r")
	f.Fuzz(func(t *testing.T, from, to string) {
		// The wire holds valid text only.
		checkEdit(t, strings.ToValidUTF8(from, "?"), strings.ToValidUTF8(to, "?"))
	})
}

func FuzzApply(f *testing.F) {
	f.Add("ab\r\ncd", uint32(0), uint32(1), uint32(9), uint32(9), "x")
	f.Add("日😀\r", uint32(0), uint32(2), uint32(0), uint32(3), "é\n")
	f.Add("a\nb", uint32(1), uint32(1), uint32(0), uint32(0), "")
	f.Add("\r\n\r\n", uint32(0), uint32(0), uint32(1), uint32(1), "\r")
	f.Fuzz(func(t *testing.T, s string, l1, c1, l2, c2 uint32, insert string) {
		r := Range{Start: Position{Line: l1, Character: c1}, End: Position{Line: l2, Character: c2}}
		for _, e := range encodings {
			got := e.Apply(s, []ContentChange{{Range: &r, Text: insert}, {Text: s}, {Range: &r, Text: insert}})
			if !strings.Contains(got, insert) || len(got) > len(s)+len(insert) {
				t.Errorf("%q with %v %q: %q", s, r, insert, got)
			}
		}
	})
}

// Lines are found alike in long texts, however they end.
func TestLongTexts(t *testing.T) {
	for _, end := range []string{"\n", "\r\n", "\r", "\n\r"} {
		line := strings.Repeat("x", 90) + "é" + end
		s := strings.Repeat(line, 1000) + "last"
		perLine := uint32(1)
		if end == "\n\r" {
			perLine = 2
		}
		for _, n := range []int{0, 1, 88, 89, 90, 91, 500, 999, 1000} {
			p := Position{Line: uint32(n) * perLine, Character: 2}
			if got := UTF16.Offset(s, p); got != n*len(line)+2 {
				t.Errorf("%q: line %d is at %d, want %d", end, n, got, n*len(line)+2)
			}
		}
		if got := UTF16.Offset(s, Position{Line: 4000}); got != len(s) {
			t.Errorf("%q: beyond the end: %d of %d", end, got, len(s))
		}
	}
	s := strings.Repeat("\n", 20000)
	for _, n := range []int{8191, 8192, 8193, 16384, 20000, 20001} {
		if got := UTF16.Offset(s, Position{Line: uint32(n)}); got != min(n, 20000) {
			t.Errorf("line %d is at %d", n, got)
		}
	}
}

// A key typed at the end of a file of 10 MB.
func BenchmarkApply(b *testing.B) {
	for name, end := range map[string]string{"LF": "\n", "CRLF": "\r\n"} {
		b.Run(name, func(b *testing.B) {
			text := strings.Repeat("line"+end, 2_000_000)
			at := Position{Line: 1_900_000, Character: 1}
			change := []ContentChange{{Range: &Range{Start: at, End: at}, Text: "x"}}
			for b.Loop() {
				UTF16.Apply(text, change)
			}
		})
	}
}
