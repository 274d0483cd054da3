package diffedit

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestUnified(t *testing.T) {
	var lines []string
	for i := 1; i <= 20; i++ {
		lines = append(lines, fmt.Sprintf("line %d\n", i))
	}
	before := strings.Join(lines, "")
	after := strings.Replace(strings.Replace(before, "line 5\n", "line five\n", 1), "line 16\n", "", 1)
	if got, want := Unified("x.txt", before, after, 0), `--- a/x.txt
+++ b/x.txt
@@ -2,7 +2,7 @@
 line 2
 line 3
 line 4
-line 5
+line five
 line 6
 line 7
 line 8
@@ -13,7 +13,6 @@
 line 13
 line 14
 line 15
-line 16
 line 17
 line 18
 line 19
`; got != want {
		t.Errorf("got:\n%s", got)
	}
	if got, want := Numbered(before, after, 0), ` 2 | line 2
 3 | line 3
 4 | line 4
-5 | line 5
+5 | line five
 6 | line 6
 7 | line 7
 8 | line 8
…
 13 | line 13
 14 | line 14
 15 | line 15
-16 | line 16
 16 | line 17
 17 | line 18
 18 | line 19
`; got != want {
		t.Errorf("got:\n%s", got)
	}
	if got := Numbered(before, after, 3); !strings.HasSuffix(got, " 4 | line 4\n… 13 more lines\n") {
		t.Errorf("cut: %q", got)
	}
	if got := Unified("x", before, "", 5); strings.Count(got, "\n") != 6 || !strings.HasSuffix(got, "… 18 more lines\n") {
		t.Errorf("cut: %q", got)
	}
}

func TestDiffOfManyLines(t *testing.T) {
	big := strings.Repeat("same\n", 100_000)
	got := Unified("f", big+"a\n"+big, big+"b\n"+big, 0)
	if strings.Count(got, "\n") != 11 {
		t.Errorf("not minimal:\n%.500s", got)
	}
	var before, after strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&before, "line %d\n}\n", i)
		if i%100 == 50 {
			fmt.Fprintf(&after, "LINE %d\n}\n", i)
		} else {
			fmt.Fprintf(&after, "line %d\n}\n", i)
		}
	}
	got = Unified("f", before.String(), after.String(), 0)
	if minus, plus := strings.Count(got, "\n-"), strings.Count(got, "\n+")-1; minus != 200 || plus != 200 {
		t.Errorf("200 changed lines are shown as %d removed and %d added", minus, plus)
	}
}

// Whatever the texts, the edits lead from one to the other.
func TestLineEdits(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 4))
	for range 300 {
		before := randomText(r, r.IntN(200))
		lines := strings.SplitAfter(before, "\n")
		for range r.IntN(40) {
			i, j := r.IntN(len(lines)), r.IntN(len(lines))
			lines[i], lines[j] = lines[j], randomText(r, 1)
		}
		after := strings.Join(lines, "")
		var got strings.Builder
		d, at := newLineDiff(before, after), 0
		if d.skipped > 0 {
			got.WriteString(strings.Join(strings.SplitAfter(before, "\n")[:d.skipped], ""))
		}
		for _, c := range d.changes {
			got.WriteString(strings.Join(d.a[at:c.a0], "") + strings.Join(d.b[c.b0:c.b1], ""))
			at = c.a1
		}
		got.WriteString(strings.Join(d.a[at:], ""))
		if !strings.HasPrefix(after, got.String()) || !strings.HasSuffix(before, after[got.Len():]) {
			t.Fatalf("%q → %q: %q", before, after, got.String())
		}
	}
}

func TestDiffOfLineEnds(t *testing.T) {
	if got := Numbered("a\r\nb\r\n", "a\nb\n", 0); got != "(only line ends changed)\n" {
		t.Errorf("got %q", got)
	}
	if got := Unified("f", "a\r\nb\r\nc\r\n", "a\r\nB\r\nc\r\n", 0); strings.Count(got, "\n-") != 1 || strings.Count(got, "\n+") != 2 {
		t.Errorf("not minimal: %q", got)
	}
	const none = "\\ No newline at end of file\n"
	for _, tc := range [][3]string{
		{"", "a\n", "@@ -0,0 +1 @@\n+a\n"},
		{"a\n", "", "@@ -1 +0,0 @@\n-a\n"},
		{"a", "a\n", "@@ -1 +1 @@\n-a\n" + none + "+a\n"},
		{"a\nb", "a\nc", "@@ -1,2 +1,2 @@\n a\n-b\n" + none + "+c\n" + none},
	} {
		if got := Unified("f", tc[0], tc[1], 0); got != "--- a/f\n+++ b/f\n"+tc[2] {
			t.Errorf("%q: got\n%s", tc[:2], got)
		}
	}
}
