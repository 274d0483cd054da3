package diffedit

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// applyLines makes edits one after the other.
func applyLines(t testing.TB, text string, edits []LineEdit) string {
	t.Helper()
	lines := strings.Split(text, "\n")
	for _, e := range edits {
		if e.From < 0 || e.To < e.From || e.To > len(lines) {
			t.Fatalf("%+v in a text of %d lines", e, len(lines))
		}
		lines = append(append(lines[:e.From:e.From], e.Lines...), lines[e.To:]...)
	}
	return strings.Join(lines, "\n")
}

func TestLineEditsAreSmall(t *testing.T) {
	for _, c := range []struct {
		name, before, after string
		want                []LineEdit
	}{
		{"equal", "a\n", "a\n", nil},
		{"from nothing", "", "a\nb\n", []LineEdit{{0, 0, []string{"a", "b"}}}},
		{"appended", "a\n", "a\nb\n", []LineEdit{{1, 1, []string{"b"}}}},
		{"line end added", "a", "a\n", []LineEdit{{1, 1, []string{""}}}},
		{"line end removed", "a\n", "a", []LineEdit{{1, 2, []string{}}}},
		{"emptied", "a\nb", "", []LineEdit{{0, 2, []string{""}}}},
		{"two places", "a\nb\nc\nd\ne\n", "A\nb\nc\nd\nE\n", []LineEdit{{4, 5, []string{"E"}}, {0, 1, []string{"A"}}}},
		{"a line gone", "a\nb\nc\n", "a\nc\n", []LineEdit{{1, 2, []string{}}}},
	} {
		if got := LineEdits(c.before, c.after); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// Whatever the texts, the edits lead from one to the other.
func FuzzLineEdits(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nB\nc")
	f.Add("", "\n")
	f.Add("x\n\n\ny", "x\n\ny\n")
	f.Fuzz(func(t *testing.T, before, after string) {
		if got := applyLines(t, before, LineEdits(before, after)); got != after {
			t.Errorf("%q → %q gives %q", before, after, got)
		}
	})
}

func TestLineEditsLead(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	for range 200 {
		before := strings.Repeat("the same line\n", r.IntN(700)) + randomText(r, r.IntN(50)) + strings.Repeat("end\n", r.IntN(2000))
		lines := strings.SplitAfter(before, "\n")
		for range r.IntN(6) {
			lines[r.IntN(len(lines))] = randomText(r, r.IntN(3))
		}
		after := strings.Join(lines, "")
		if got := applyLines(t, before, LineEdits(before, after)); got != after {
			t.Fatalf("%q → %q gives %q", before, after, got)
		}
	}
}

// A text of two megabytes that grows by a line, with more behind it.
func BenchmarkLineEditsAppend(b *testing.B) {
	head, tail := strings.Repeat("a line of some text\n", 50_000), strings.Repeat("what is there still\n", 50_000)
	before, after := head+tail, head+"one more line\n"+tail
	b.ReportAllocs()
	for b.Loop() {
		if n := len(LineEdits(before, after)); n != 1 {
			b.Fatal(n)
		}
	}
}
