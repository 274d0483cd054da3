package diffedit

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// nested writes lines of a program, each with its depth.
type nested []struct {
	depth int
	text  string
}

func randomNested(r *rand.Rand, n int) nested {
	var out nested
	depth := 0
	for i := range n {
		text := fmt.Sprintf("call%d(x)", i)
		switch {
		case r.IntN(7) == 0:
			text = ""
		case r.IntN(3) == 0:
			text = fmt.Sprintf("if x%d:", i)
		}
		out = append(out, struct {
			depth int
			text  string
		}{depth, text})
		if strings.HasPrefix(text, "if") {
			depth++
		} else {
			depth = max(depth-r.IntN(3)/2*r.IntN(3), 0)
		}
	}
	return out
}

// write gives each line its indentation, from depth base on.
func (n nested) write(unit string, base int, margin string) string {
	var lines []string
	for _, l := range n {
		if l.text == "" {
			lines = append(lines, "")
		} else {
			lines = append(lines, margin+strings.Repeat(unit, l.depth-base)+l.text)
		}
	}
	return strings.Join(lines, "\n")
}

func (n nested) base() int {
	least := 99
	for _, l := range n {
		if l.text != "" {
			least = min(least, l.depth)
		}
	}
	return least
}

// A model that writes a block with another unit of indentation, or without what
// stands in front of all of it, gets what it meant: the change in the file's own
// style. Where that cannot be told, nothing changes.
func TestReindent(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 7))
	units := []string{"\t", "  ", "    "}
	refused := 0
	for range 3000 {
		file := randomNested(r, 40)
		from := r.IntN(30)
		to := from + 2 + r.IntN(8)
		search := file[from:to:to]
		at := 1 + r.IntN(len(search)-1) // a line comes behind at least one
		fresh := search[at-1]
		fresh.text = "fresh(1)"
		if strings.HasPrefix(search[at-1].text, "if") {
			fresh.depth++
		}
		if search[at-1].text == "" {
			continue
		}
		replace := append(append(append(nested{}, search[:at]...), fresh), search[at:]...)
		if r.IntN(2) == 0 { // and more below it, deeper
			more := fresh
			fresh.text = "if fresh:"
			more.depth++
			replace = append(append(append(nested{}, search[:at]...), fresh, more), search[at:]...)
		}
		want := append(append(append(nested{}, file[:from]...), replace...), file[to:]...)

		unit, other := units[r.IntN(3)], units[r.IntN(3)]
		base, margin := search.base()*r.IntN(2), strings.Repeat(" ", r.IntN(2)*2)
		res, err := Replace(file.write(unit, 0, "")+"\n", sr(search.write(other, base, margin), replace.write(other, base, margin)))
		if err != nil {
			refused++
			continue
		}
		if res.Edits[0].Tier == Exact && unit != other { // as written, and told
			if (unit == "\t") != (other == "\t") && fresh.depth > base && len(res.Notes) == 0 {
				t.Fatalf("nothing is told of other indentation: %q", res.Edits[0].New)
			}
			continue
		}
		if got := res.Text; got != want.write(unit, 0, "")+"\n" {
			t.Fatalf("unit %q, other %q, without %d levels, margin %q\nfile:\n%s\nsearch:\n%s\nreplace:\n%s\ngot:\n%s", unit, other, base, margin,
				file.write(unit, 0, ""), search.write(other, base, margin), replace.write(other, base, margin), got)
		}
	}
	t.Log(refused, "refused")
	if refused > 300 {
		t.Errorf("%d refused", refused)
	}
}
