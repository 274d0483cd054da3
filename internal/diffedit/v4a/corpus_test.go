package v4a

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"clined/internal/diffedit"
	"clined/internal/test/gosource"
)

// repeated is a text of a few copies of some lines, of which one differs in each.
func repeated(r *rand.Rand, lines []string) []string {
	from := r.IntN(len(lines) - 5)
	some := lines[from:min(from+10+r.IntN(30), len(lines))]
	var out []string
	for i := range 4 {
		at := len(out) + r.IntN(len(some))
		out = append(out, some...)
		out[at] += fmt.Sprint(i)
	}
	return out
}

// anchorsOf are the lines that line at is in the blocks of, from the outermost on.
func anchorsOf(lines []string, at int) string {
	out, w := "", width(lines[at])
	for i := at - 1; i >= 0; i-- {
		if !diffedit.IsBlank(lines[i]) && width(lines[i]) < w {
			out, w = "@@ "+strings.TrimSpace(lines[i])+"\n"+out, width(lines[i])
		}
	}
	return out
}

// change writes a chunk that changes line at, of lines from to to, and what the
// lines become.
func change(r *rand.Rand, lines []string, from, to, at int) (chunk string, fresh []string) {
	var b strings.Builder
	for i := from; i < to; i++ {
		line := lines[i]
		if i != at {
			b.WriteString(" " + line + "\n")
			fresh = append(fresh, line)
			continue
		}
		brought := diffedit.Indent(line) + "fresh()"
		switch r.IntN(3) {
		case 0:
			b.WriteString("-" + line + "\n+" + brought + "\n")
			fresh = append(fresh, brought)
		case 1:
			b.WriteString("+" + brought + "\n " + line + "\n")
			fresh = append(fresh, brought, line)
		default:
			b.WriteString("-" + line + "\n")
		}
	}
	return b.String(), fresh
}

// A patch of real code that is written as it should be is made where it was meant,
// or refused because it fits several places.
func TestPatchesOfCode(t *testing.T) {
	files := slices.DeleteFunc(gosource.Files(t, "net/http"), func(lines []string) bool { return len(lines) <= 20 })
	r := seeded(11)
	refused, runs := 0, 3000
	for range runs {
		lines := files[r.IntN(len(files))]
		if r.IntN(2) == 0 {
			lines = repeated(r, lines)
		}
		var chunks, want strings.Builder
		put := func(lines []string) {
			for _, l := range lines {
				want.WriteString(l + "\n")
			}
		}
		last := 0
		for range 1 + r.IntN(3) {
			from := last + r.IntN(1+len(lines)/3)
			to := from + 2 + r.IntN(6)
			if to > len(lines) {
				break
			}
			anchors := ""
			if r.IntN(2) == 0 {
				anchors = anchorsOf(lines, from)
			}
			if anchors == "" {
				anchors = "@@\n"
			}
			chunk, fresh := change(r, lines, from, to, from+r.IntN(to-from))
			chunks.WriteString(anchors + chunk)
			put(lines[last:from])
			put(fresh)
			last = to
		}
		put(lines[last:])
		if chunks.Len() == 0 {
			continue
		}
		res, err := applyTo(t, strings.Join(lines, "\n")+"\n", chunks.String())
		if err != nil {
			refused++
			continue
		}
		if res.Text != want.String() {
			t.Fatalf("%s\n%s\n%s", chunks.String(), diffedit.Unified("meant to made", want.String(), res.Text, 0), res.Notes)
		}
	}
	t.Log(refused, "refused")
	if refused > runs/2 {
		t.Errorf("%d of %d refused", refused, runs)
	}
}
