package diffedit

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// randomText makes lines out of few words, so that they repeat and nest, with
// any line ends and bytes beyond ASCII.
func randomText(r *rand.Rand, lines int) string {
	words := []string{"if x {", "}", "return 1", "return 2", "", "foo(a, b)", "caf\xE9", "日本", "=======", "<<<<<<< HEAD", ">>>>>>> up", "1 | a", "\\=======", "“q”"}
	ends := []string{"\n", "\n", "\r\n"}
	indents := []string{"", "", "  ", "    ", "\t", "\t\t"}
	var b strings.Builder
	for i := range lines {
		b.WriteString(indents[r.IntN(len(indents))] + words[r.IntN(len(words))])
		if r.IntN(3) == 0 {
			fmt.Fprintf(&b, " // %d", i)
		}
		if i < lines-1 || r.IntN(2) == 0 {
			b.WriteString(ends[r.IntN(len(ends))])
		}
	}
	return b.String()
}

// An edit of a unique line changes no byte outside of it, whatever is around.
func TestOtherBytesStay(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	for range 3000 {
		head, tail := randomText(r, r.IntN(12)), randomText(r, r.IntN(12))
		if head != "" && !strings.HasSuffix(head, "\n") {
			head += "\n"
		}
		end := []string{"\n", "\r\n"}[r.IntN(2)]
		text := head + "\tunique = 1" + end + tail
		res, err := Replace(text, sr("unique = 1", "unique = 2"))
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if want := head + "\tunique = 2" + end + tail; res.Text != want {
			t.Fatalf("got  %q\nwant %q", res.Text, want)
		}
	}
}

// The order of blocks does not matter.
func TestOrderOfBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 2))
	applied := 0
	for range 1000 {
		text := randomText(r, 30)
		d := newDocument(text)
		var blocks []string
		for range 1 + r.IntN(4) {
			from := r.IntN(len(d.content))
			to := min(from+1+r.IntN(4), len(d.content))
			blocks = append(blocks, sr(strings.Join(d.content[from:to], "\n"), randomText(r, r.IntN(3))))
		}
		res, err := Replace(text, strings.Join(blocks, ""))
		r.Shuffle(len(blocks), func(i, j int) { blocks[i], blocks[j] = blocks[j], blocks[i] })
		again, err2 := Replace(text, strings.Join(blocks, ""))
		if (err == nil) != (err2 == nil) {
			t.Fatalf("one order fails: %v, %v\n%q\n%s", err, err2, text, strings.Join(blocks, ""))
		}
		if err == nil {
			applied++
			if res.Text != again.Text {
				t.Fatalf("%q\n%q", res.Text, again.Text)
			}
		}
	}
	if applied < 100 {
		t.Errorf("only %d of the edits applied", applied)
	}
}

// A SEARCH with one wrong line in its middle is applied where it was
// taken from or not at all.
func TestWrongMiddleLine(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 3))
	refused := 0
	for range 3000 {
		text := randomText(r, 30)
		d := newDocument(text)
		from := r.IntN(len(d.content) - 3)
		to := min(from+3+r.IntN(5), len(d.content))
		search := append([]string{}, d.content[from:to]...)
		search[1+r.IntN(len(search)-2)] += []string{" extra", "x", "()", "1"}[r.IntN(4)]
		res, err := Replace(text, sr(strings.Join(search, "\n"), "REPLACED"))
		if err != nil {
			refused++
			continue
		}
		if e := res.Edits[0]; e.Line != from+1 || e.EndLine != to {
			// Another place that truly reads so is right: then the change made
			// SEARCH equal to it.
			if got := d.content[e.Line-1 : e.EndLine]; foldAll(got) != foldAll(search) {
				t.Fatalf("edited lines %d-%d instead of %d-%d of\n%q\nSEARCH %q", e.Line, e.EndLine, from+1, to, text, search)
			}
		}
	}
	if refused < 2000 {
		t.Errorf("only %d refused", refused)
	}
}

func foldAll(lines []string) string { return strings.Join(fold(lines).lines, "\n") }

// check holds what is true of every answer.
func check(t *testing.T, text, diff string) {
	t.Helper()
	res, err := Replace(text, diff)
	if err != nil {
		var e *Error
		if !errors.As(err, &e) || len(err.Error()) > 2000 || !strings.Contains(err.Error(), "nothing was changed") {
			t.Fatalf("a strange error: %v", err)
		}
		return
	}
	at := 0
	var b strings.Builder
	for _, e := range res.Edits {
		if e.Start < at || e.End < e.Start || e.End > len(text) {
			t.Fatalf("edit out of order: %+v", e)
		}
		b.WriteString(text[at:e.Start] + e.New)
		at = e.End
	}
	b.WriteString(text[at:])
	if b.String() != res.Text {
		t.Fatal("edits and text differ")
	}
	blocks, _ := Parse(diff)
	slices.Reverse(blocks)
	for range 2 { // the other way round, and again
		again, err := Apply(text, blocks)
		if err != nil || again.Text != res.Text {
			t.Fatalf("the other way round: %v, %v; want %q", again, err, res.Text)
		}
	}
}

func FuzzReplace(f *testing.F) {
	f.Add("a\nb\n", sr("a", "c"))
	f.Add("a\r\nb", sr("b", "c\nd"))
	f.Add("<<<<<<< HEAD\na=1\n=======\na=2\n>>>>>>> up\n", sr("<<<<<<< HEAD\na=1\n=======\na=2\n>>>>>>> up", "a=3"))
	f.Add("\tif a {\n\t\tb()\n\t}\n", sr("  if a {\n    b()\n  }", "  if a {\n    c()\n      d()\n  }"))
	f.Add("def f():\n    pass\n", sr("1 | def f():\n2 |     pass", "1 | def f():\n2 |     return 1"))
	f.Add("a\rb", "<<< SEARCH>\na\n===\n=======\n\\=======\n>>>")
	f.Add("", sr("", "x"))
	f.Add("“a”\n\n b\nc", sr("\"a\"\nb\nc", ""))
	f.Fuzz(func(t *testing.T, text, diff string) { check(t, text, diff) })
}

// FuzzSearch replaces lines of the text itself: they are found there, or stand
// elsewhere as well.
func FuzzSearch(f *testing.F) {
	f.Add("a\nb\nc\n", uint8(1), uint8(1), "x\ny")
	f.Add("a\r\nb\r\na", uint8(2), uint8(1), "")
	f.Add("\t=======\n=======\n", uint8(0), uint8(2), "=======")
	f.Fuzz(func(t *testing.T, text string, from, count uint8, replace string) {
		d := newDocument(text)
		if int(from) >= len(d.content) || count == 0 {
			return
		}
		to := min(int(from)+int(count), len(d.content))
		search := d.content[from:to]
		for _, l := range append(strings.Split(replace, "\n"), search...) {
			if _, escaped := escapedLine(l); markerOf(l) != noMarker || escaped || strings.ContainsAny(l, "\r\n") {
				return
			}
		}
		res, err := Replace(text, sr(strings.Join(search, "\n"), replace))
		var e *Error
		switch {
		case errors.As(err, &e):
			if e.Kind != Ambiguous && !(len(search) == 1 && search[0] == "" && e.Kind == EmptySearch) {
				t.Fatalf("%q in %q: %v", search, text, err)
			}
		case res.Edits[0].Start != d.offsets[from] || res.Edits[0].End != d.offsets[to]:
			t.Fatalf("%q in %q: %+v", search, text, res.Edits[0])
		}
	})
}

func FuzzDiff(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nc\nd\n")
	f.Add("a\r\nb", "a\nb\n")
	f.Add("", "x")
	f.Fuzz(func(t *testing.T, before, after string) {
		u, n := Unified("f", before, after, 0), Numbered(before, after, 0)
		if (u == "") != (before == after) || (n == "") != (before == after) {
			t.Fatalf("%q → %q: %q, %q", before, after, u, n)
		}
	})
}
