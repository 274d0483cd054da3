package v4a

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"clined/internal/diffedit"
)

// sections are n sections of one file, each about what the one before leaves.
func sections(n int) string {
	var b strings.Builder
	b.WriteString("*** Begin Patch\n")
	for i := range n {
		fmt.Fprintf(&b, "*** Update File: f\n@@\n-count %d\n+count %d\n", i, i+1)
	}
	return b.String() + "*** End Patch"
}

func TestManySections(t *testing.T) {
	filler := strings.Repeat("a line of a file\n", 100)
	res, err := mustParse(t, sections(2000)).Files[0].Apply("count 0\n" + filler)
	if err != nil {
		t.Fatal(err)
	}
	if want := "count 2000\n" + filler; res.Text != want || len(res.Edits) != 1 || res.Edits[0].Block != 0 {
		t.Errorf("%d edits make %.40q", len(res.Edits), res.Text)
	}
	checkEdits(t, "count 0\n"+filler, res)
}

// Sections of a large file are few, or refused before all of it is read for each.
func TestManySectionsOfALargeFile(t *testing.T) {
	text := "count 0\n" + strings.Repeat("a line of a file\n", 1<<19)
	if _, err := mustParse(t, sections(minParts)).Files[0].Apply(text); err != nil {
		t.Error(err)
	}
	d := NewDraft(text)
	_, err := d.Apply(&mustParse(t, sections(800)).Files[0])
	var e *Error
	if !errors.As(err, &e) || e.Kind != diffedit.Syntax || e.Path != "f" || e.Chunk != minParts+1 || !strings.Contains(e.Error(), "write one section with all chunks") {
		t.Errorf("%v", err)
	}
	if checkError(t, err); len(d.done) != minParts {
		t.Errorf("%d sections were applied", len(d.done))
	}
}

// What a section made is kept while those behind it are written.
func TestDraftKeepsSections(t *testing.T) {
	var p Parser
	d := NewDraft("count 0\n")
	var first *diffedit.Result
	for piece := range strings.SplitAfterSeq(sections(50), "\n") {
		p.Write(piece)
		if files := p.Files(); len(files) > 0 {
			if _, err := d.Apply(&files[0]); err != nil {
				t.Fatal(err)
			}
		}
		if len(d.done) > 0 {
			if first == nil {
				first = d.done[0].res
			}
			if d.done[0].res != first {
				t.Fatal("a section was applied again")
			}
		}
	}
	if len(d.done) != 48 { // the patch is not closed, so its last chunk may grow
		t.Errorf("%d sections are done", len(d.done))
	}
}

// The file has 20,000 lines.
func BenchmarkSections(b *testing.B) {
	text := "count 0\n" + strings.Repeat("a line of a file\n", 20_000)
	for _, n := range []int{50, 100, 200} {
		f := &mustParse(b, sections(n)).Files[0]
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if _, err := f.Apply(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
