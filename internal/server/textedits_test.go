package server

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"clined/internal/protocol"
)

func TestTextEdits(t *testing.T) {
	for _, c := range []struct{ before, after, want string }{
		{"a\nb\nc\n", "a\nB\nc\n", `1:0-1:1 "B"`},
		{"one\ntwo\nthree\nfour\nfive\n", "ONE\ntwo\nthree\nfive\nsix\n", `0:0-0:3 "ONE" 3:0-4:0 "" 5:0-5:0 "six\n"`},
		{"a\r\nb\r\nc\r\n", "a\r\nbb\r\nc\r\nd\r\n", `1:1-1:1 "b" 3:0-3:0 "d\r\n"`},
		{"\ufeffa\r\nb", "\ufeffa\r\nb\r\nc", `1:1-1:1 "\r\nc"`},
		{"a\nb", "a\nb\n", `1:1-1:1 "\n"`},
		{"a\nb\n", "a\nb", `1:1-2:0 ""`},
		{"a\nb", "a", `0:1-1:1 ""`},
		{"", "a\nb\n", `0:0-0:0 "a\nb\n"`},
		{"a\nb\n", "", `0:0-2:0 ""`},
		{"x 😀 y\n1\n", "x 😀 z\n1\n", `0:5-0:6 "z"`},
		{"a\rb\nc\n", "a\rb\nC\n", `2:0-2:1 "C"`},
	} {
		var got []string
		for _, e := range textEdits(protocol.UTF16, c.before, c.after) {
			got = append(got, fmt.Sprintf("%d:%d-%d:%d %q", e.Range.Start.Line, e.Range.Start.Character, e.Range.End.Line, e.Range.End.Character, e.NewText))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q to %q: %s", c.before, c.after, strings.Join(got, " "))
		}
	}
}

// Edits lead to the text in every encoding, in order and apart.
func FuzzTextEdits(f *testing.F) {
	f.Add("a\r\nb\r\nc", "a\r\nB\nc\r\n")
	f.Add("1\n2\n3\n4\n5\n", "one\n2\n3\nfour\n5")
	f.Add("\r\r\n\n😀", "\r\n\r😁\n")
	f.Add("a\r\nb", "a\r")
	f.Add("", "\n\n")
	f.Fuzz(func(t *testing.T, before, after string) {
		before, after = strings.ToValidUTF8(before, "?"), strings.ToValidUTF8(after, "?") // the wire holds valid text only
		for _, enc := range []protocol.Encoding{protocol.UTF8, protocol.UTF16, protocol.UTF32} {
			edits := textEdits(enc, before, after)
			got, end := before, protocol.Position{}
			for _, e := range edits {
				if compare(e.Range.Start, end) < 0 || compare(e.Range.End, e.Range.Start) < 0 {
					t.Fatalf("%q to %q: edits overlap: %+v", before, after, edits)
				}
				end = e.Range.End
			}
			for _, e := range slices.Backward(edits) {
				got = enc.Apply(got, []protocol.ContentChange{{Range: &e.Range, Text: e.NewText}})
			}
			if got != after {
				t.Fatalf("%s: %q to %q by %+v gives %q", enc, before, after, edits, got)
			}
		}
	})
}

func compare(a, b protocol.Position) int {
	if a.Line != b.Line {
		return int(a.Line) - int(b.Line)
	}
	return int(a.Character) - int(b.Character)
}
