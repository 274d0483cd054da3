package diffedit

import (
	"fmt"
	"strings"
	"testing"
)

func TestDraft(t *testing.T) {
	text := "a\nb\nc\nd\n"
	for _, c := range []struct{ diff, want string }{
		{"", "-"},
		{"------- SEARCH\nb\n=======\nB\n", "-"},
		{sr("b", "B"), "a\nB\nc\nd\n"},
		{sr("b", "B") + "prose\n```\n", "a\nB\nc\nd\n"},
		{sr("b", "B") + "------- SEARCH\na\n=======\nA\n", "a\nB\nc\nd\n"},
		{sr("b", "B") + sr("a", "A"), "A\nB\nc\nd\n"},
		{sr("d", "D") + sr("a", "A") + sr("c", ""), "A\nb\nD\n"},
		{sr("zz", "B"), "-"},
		{sr("zz", "B") + sr("a", "A"), "-"},
		{sr("a", "A") + sr("a\nb", "B"), "-"},
		{sr("b", "B") + "=======\n", "-"}, // the block goes on
	} {
		for _, size := range []int{1, 3, len(c.diff) + 1} {
			g := NewDraft(text)
			for diff := c.diff; diff != ""; diff = diff[min(size, len(diff)):] {
				g.Write(diff[:min(size, len(diff))])
				g.Text()
			}
			got, ok := g.Text()
			if !ok {
				got = "-"
			}
			if got != c.want {
				t.Errorf("%q in pieces of %d: %q, want %q", c.diff, size, got, c.want)
			}
		}
	}
}

// What a draft shows last of a whole diff is what the diff makes.
func TestDraftLeadsToTheResult(t *testing.T) {
	var text, diff strings.Builder
	for i := range 300 {
		fmt.Fprintf(&text, "line %d\n", i)
		if i%7 == 3 {
			diff.WriteString(sr(fmt.Sprint("line ", 299-i), fmt.Sprint("LINE ", i)))
		}
	}
	g, shown := NewDraft(text.String()), 0
	last := ""
	for _, piece := range strings.SplitAfter(diff.String(), "E") {
		g.Write(piece)
		if now, ok := g.Text(); ok && now != last {
			last = now
			shown++
		}
	}
	want, err := Replace(text.String(), diff.String())
	if err != nil || last != want.Text || shown != 43 {
		t.Errorf("shown %d times, last %q, want %q, %v", shown, last, want.Text, err)
	}
}

func TestDraftGivesUp(t *testing.T) {
	g := NewDraft("a\n")
	g.Write(sr("a", "b"))
	for range maxReopened + 5 {
		g.Write("+++++++ REPLACE\n")
		g.Text()
	}
	g.Write("\n" + sr("c", "d"))
	if text, ok := g.Text(); ok {
		t.Errorf("shown: %q", text)
	}
}

// A block that went on after it was shown is shown anew.
func TestDraftOfABlockThatGoesOn(t *testing.T) {
	g := NewDraft("a\nb\n")
	g.Write(sr("a", "A"))
	if text, ok := g.Text(); !ok || text != "A\nb\n" {
		t.Fatalf("%q, %v", text, ok)
	}
	g.Write("+++++++ REPLACE\n------- SEARCH\nb\n")
	if text, ok := g.Text(); ok {
		t.Errorf("a marker that the file does not have is shown: %q", text)
	}
}
