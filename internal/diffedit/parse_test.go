package diffedit

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// parsePieces reads a diff that comes in pieces of at most n bytes.
func parsePieces(diff string, size func() int) ([]Block, error) {
	var p Parser
	for diff != "" {
		n := min(size(), len(diff))
		p.Write(diff[:n])
		p.Blocks()
		diff = diff[n:]
	}
	return p.Finish()
}

func sameBlocks(a, b []Block) bool {
	return slices.EqualFunc(a, b, func(x, y Block) bool {
		return x.Line == y.Line && x.nested == y.nested && slices.Equal(x.body, y.body) && slices.Equal(x.dividers, y.dividers)
	})
}

// unclosed is a block whose last line may be meant as its marker.
func unclosed(last string) string { return "------- SEARCH\na\n=======\nb\n" + last }

// strange are diffs of every kind that the parser knows.
var strange = []string{
	"", "\n", "prose", sr("a", "b"), sr("", ""), sr("a", "") + "\n" + sr("b\nc", "d"),
	strings.ReplaceAll(sr("a", "b"), "\n", "\r\n"),
	"<<< SEARCH>\na\n===\nb\n>>> REPLACE >",
	"------- SEARCH\na\n=======\nb", "------- SEARCH\na\n=======\nb\n+++++++ REP", "------- SEARCH\na\n=======\n", "------- SEARCH\na\n",
	"Here:\n```\n" + sr("a", "b") + "```\ntext\n```diff\n------- SEARCH\na\n=======\nb\n```\n",
	"  ------- SEARCH\n  a\n\n    b\n  =======\n  c\n  +++++++ REPLACE\nmore\n" + sr("x", "y"),
	" - \n\t<<<<<<< SEARCH\na\n\t=======\nb\n\t>>>>>>> REPLACE",
	sr("<<<<<<< HEAD\na\n=======\nb\n>>>>>>> up", "a\n=======\nb"),
	sr(sr("a", "b"), sr("a", "c")), sr("a", "b") + "+++++++ REPLACE\n" + sr("c", "d"), sr("a", "b") + "=======\n" + sr("c", "d"),
	"------- SEARCH\na\n+++++++ REPLACE\n" + sr("b", "c"), "------- SEARCH\na\n=======\nb\n" + sr("c", "d"),
	unclosed("  +++++++ REPLACE"), unclosed("REPLACE\n\n**+++ REPLACE**\n\n"), unclosed("}+++++++ REPLACE"), unclosed("```"),
	unclosed(">>>>>>> UPDATED") + sr("c", "d"),
	"  ------- SEARCH\na\n=======\nb\n+++++++ REPLACE\n" + sr("c", "d"), "------- SEARCH\na\n  =======\nb\n+++++++ REPLACE\n=======\nc\n+++++++ REPLACE\n",
	"------- SEARCH\n  a\n  =======\n+++++++ REPLACE\n" + sr("c", "d"), "\t------- SEARCH\na\n=======\n\t=======\nb\n+++++++ REPLACE\n+++++++ REPLACE\n",
	"+++++++ REPLACE\n" + sr("a", "b"), "=======\n" + sr("a", "b") + "prose\n=======\n",
}

// However a diff is cut, its blocks are the same.
func TestPiecesGiveTheSameBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 3))
	for _, diff := range strange {
		want, wantErr := Parse(diff)
		for _, size := range []func() int{func() int { return 1 }, func() int { return 2 }, func() int { return 1 + r.IntN(9) }, func() int { return 1 + r.IntN(40) }} {
			got, err := parsePieces(diff, size)
			if !sameBlocks(got, want) || !reflect.DeepEqual(err, wantErr) {
				t.Errorf("%q: %+v, %v; whole: %+v, %v", diff, got, err, want, wantErr)
			}
		}
	}
}

// What is settled stays so, and what has ended is what a diff that ended there
// would have.
func TestBlocksAsTheyEnd(t *testing.T) {
	for _, diff := range strange {
		var p Parser
		var settled []Block
		for i := range len(diff) {
			p.Write(diff[i : i+1])
			blocks, n := p.Blocks()
			if len(blocks) > n+1 || !sameBlocks(settled, blocks[:len(settled)]) {
				t.Fatalf("%q: after %q %+v, settled before: %+v", diff, diff[:i+1], blocks, settled)
			}
			settled = blocks[:n]
		}
		all, err := p.Finish()
		if err == nil && !sameBlocks(settled, all[:len(settled)]) {
			t.Errorf("%q: %+v, settled: %+v", diff, all, settled)
		}
	}
}

func TestBlocksEndWithTheirMarker(t *testing.T) {
	var p Parser
	p.Write("------- SEARCH\na\n=======\nb\n+++++++ REPLACE")
	if b, _ := p.Blocks(); len(b) != 0 {
		t.Errorf("a marker that may go on ends a block: %+v", b)
	}
	p.Write("\n")
	if b, settled := p.Blocks(); len(b) != 1 || settled != 0 {
		t.Errorf("%+v, %d settled", b, settled)
	}
	p.Write("\n------- SEARCH\nc\n")
	if b, settled := p.Blocks(); len(b) != 1 || settled != 1 {
		t.Errorf("%+v, %d settled", b, settled)
	}
	p.Write("=======\nd\n+++++++ REPLACE\n=======\n")
	if b, settled := p.Blocks(); len(b) != 1 || settled != 1 {
		t.Errorf("a block that went on is whole: %+v, %d settled", b, settled)
	}
}

func TestParse(t *testing.T) {
	type want struct{ search, replace string }
	for _, c := range []struct {
		name, diff string
		want       []want
	}{
		{"an indented block in a list", "1. do\n   ------- SEARCH\n   a\n     b\n\n   =======\n   c\n   +++++++ REPLACE\n2. then\n", []want{{"a\n  b\n", "c"}}},
		{"only the markers are indented", "  ------- SEARCH\na\n    b\n  =======\nc\n  +++++++ REPLACE", []want{{"a\n    b", "c"}}},
		{"the fence around an unclosed block ends", "```\n------- SEARCH\na\n=======\nb\n```\n", []want{{"a", "b"}}},
		{"a fence in an unclosed block stays", "------- SEARCH\na\n=======\n```\nb\n```\n", []want{{"a", "```\nb\n```"}}},
		{"a few signs at the end are text", "------- SEARCH\na\n=======\n+++\nb\n+++\n", []want{{"a", "+++\nb\n+++"}}},
		{"no blank in markers", "-------SEARCH\na\n=======\nb\n+++++++REPLACE\n", []want{{"a", "b"}}},
		{"blocks back to back, all in CRLF", strings.ReplaceAll(sr("a", "b")+sr("c", "d"), "\n", "\r\n"), []want{{"a\r", "b\r"}, {"c\r", "d\r"}}},
		{"the SEARCH marker alone is indented", "  ------- SEARCH\n\ta\n=======\n\tb\n+++++++ REPLACE\n" + sr("c", "d"), []want{{"\ta", "\tb"}, {"c", "d"}}},
		{"the divider alone is indented", "------- SEARCH\n\ta\n  =======\n\tb\n+++++++ REPLACE\n" + sr("c", "d"), []want{{"\ta", "\tb"}, {"c", "d"}}},
		{"the last marker alone is not indented", "  ------- SEARCH\n  a\n  =======\n  b\n+++++++ REPLACE\n" + sr("c", "d"), []want{{"a", "b"}, {"c", "d"}}},
		{"indented markers are text", sr("  ------- SEARCH\n  =======\n  +++++++ REPLACE", "x"), []want{{"  ------- SEARCH\n  =======\n  +++++++ REPLACE", "x"}}},
	} {
		blocks, err := Parse(c.diff)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var got []want
		for _, b := range blocks {
			search, replace := b.split(b.plainSplit())
			got = append(got, want{strings.Join(search, "\n"), strings.Join(replace, "\n")})
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A last line that was meant as a marker is none of the file's.
func TestMisspeltEnd(t *testing.T) {
	for _, last := range []string{
		"  +++++++ REPLACE", "\t+++++++ REPLACE\n\n", "+++++++ REPLACE</diff>", ">>>>>>> REPLACE </diff>", "+++++++ REPLACE.", "**+++++++ REPLACE**", "`+++++++ REPLACE`",
		"------- REPLACE", "======= REPLACE", "<<<<<<< REPLACE\n", ">>>>>>> UPDATED", "+++ UPDATED", "```", "  ```\n\n", "+++++++ REPLACE:\r\n",
	} {
		blocks, err := Parse(unclosed(last))
		if err != nil || len(blocks) != 1 {
			t.Errorf("%q: %v", last, err)
			continue
		}
		if _, replace := blocks[0].split(0); !slices.Equal(replace, []string{"b"}) {
			t.Errorf("%q: REPLACE is %q", last, replace)
		}
	}
	for _, last := range []string{"}+++++++ REPLACE", "b() // >>>>>>> REPLACE\n", "a ======= UPDATED"} {
		if _, err := Parse(unclosed(last)); err == nil || !strings.Contains(err.Error(), "a line of its own") {
			t.Errorf("%q: %v", last, err)
		}
	}
	for _, last := range []string{"+++", "++++++", ">>>>", "++++\r\n\n", "REPLACE", " REPLACE\n", "++ REPLACE", ">REPLACE"} {
		if _, err := Parse(unclosed(last)); err == nil || !strings.Contains(err.Error(), "may be a part of its marker or text: end the block with") {
			t.Errorf("%q: %v", last, err)
		}
		line := strings.TrimRight(last, "\r\n")
		for _, diff := range []string{"------- SEARCH\na\n" + line + "\n=======\nb\n" + line, "------- SEARCH\na\n=======\n" + line + "\nb\n" + line} {
			if _, err := Parse(diff); err != nil {
				t.Errorf("the block has the line more than once: %q: %v", diff, err)
			}
		}
	}
	for _, last := range []string{"++", ">>", "replace", "REPLACE()", "# ===== REPLACE ME", "+++++++ REPLACEMENT", "--- updated", "```go", "x >>> y", "UPDATED ======="} {
		blocks, err := Parse(unclosed(last))
		if err != nil {
			t.Errorf("%q: %v", last, err)
		} else if _, replace := blocks[0].split(0); !slices.Equal(replace, []string{"b", last}) {
			t.Errorf("%q is text, but REPLACE is %q", last, replace)
		}
	}
	text := "a\n  +++++++ REPLACE\n"
	if res, err := Replace(text, "------- SEARCH\na\n  +++++++ REPLACE\n=======\nb\n  +++++++ REPLACE"); err != nil || res.Text != "b\n  +++++++ REPLACE\n" {
		t.Errorf("a line of the file: %v, %v", res, err)
	}
}

func TestParseRefuses(t *testing.T) {
	for diff, says := range map[string]string{
		"":                               "the diff holds no block",
		"\n\n":                           "the diff holds no block",
		"------- SEARCH\na\n":            "block 1 (line 1 of the diff) has no `=======` line",
		"\n------- SEARCH\na\n=======\n": "block 1 (line 2 of the diff) ends with its `=======` line",
		sr("a", "b") + "------- SEARCH\na\n+++++++ REPLACE\n": "block 2 (line 6 of the diff) has no `=======` line",
		"------- SEARCH\n  a\n  =======\n+++++++ REPLACE\n":   "as far in as its SEARCH marker",
		"+++++++ REPLACE\n" + sr("a", "b"):                    "line 1 of the diff is a REPLACE marker without a SEARCH marker",
	} {
		_, err := Parse(diff)
		var e *Error
		if !errors.As(err, &e) || e.Kind != Syntax || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "nothing was changed") {
			t.Errorf("%q: %v", diff, err)
		}
	}
}

// randomBlock has lines of all sorts but whole markers.
func randomLines(r *rand.Rand, n int) string {
	var out []string
	for range n {
		out = append(out, []string{"", "a", "\tb()", "-----", "---", "- x", "  =======", "+++", "<<<<<<< HEAD", ">>>>>>> up", "``", "x == y", "`" + "SEARCH", "REPLACE"}[r.IntN(14)])
	}
	return strings.Join(out, "\n")
}

// What is written as blocks is read as these blocks.
func TestRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for range 2000 {
		var diff string
		var want [][2]string
		for range 1 + r.IntN(4) {
			w := [2]string{randomLines(r, 1+r.IntN(4)), randomLines(r, 1+r.IntN(4))}
			want = append(want, w)
			diff += "------- SEARCH\n" + w[0] + "\n=======\n" + w[1] + "\n+++++++ REPLACE\n" + []string{"", "\n", "and then\n", "```\n"}[r.IntN(4)]
		}
		blocks, err := parsePieces(diff, func() int { return 1 + r.IntN(20) })
		if err != nil || len(blocks) != len(want) {
			t.Fatalf("%q: %+v, %v", diff, blocks, err)
		}
		for i := range blocks {
			search, replace := blocks[i].split(0)
			if got := [2]string{strings.Join(search, "\n"), strings.Join(replace, "\n")}; got != want[i] {
				t.Fatalf("%q: block %d is %q, want %q", diff, i+1, got, want[i])
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for i, diff := range strange {
		f.Add(diff, uint8(i))
	}
	f.Fuzz(func(t *testing.T, diff string, seed uint8) {
		r := rand.New(rand.NewPCG(4, uint64(seed)))
		want, wantErr := Parse(diff)
		got, err := parsePieces(diff, func() int { return 1 + r.IntN(1+int(seed)) })
		if !sameBlocks(got, want) || !reflect.DeepEqual(err, wantErr) {
			t.Errorf("%+v, %v; whole: %+v, %v", got, err, want, wantErr)
		}
	})
}
