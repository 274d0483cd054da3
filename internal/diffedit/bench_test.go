package diffedit

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

var megabytes = []int{1, 2, 4, 8}

// code writes about size bytes that look like a program: lines of 40 bytes in
// the mean, some of which stand everywhere.
func code(size int) string {
	r := rand.New(rand.NewPCG(4, 9))
	words := strings.Fields("value result index buffer name count request err ctx node parent child left right total limit offset length first last")
	word := func() string { return words[r.IntN(len(words))] }
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		switch i % 8 {
		case 0:
			fmt.Fprintf(&b, "func %s%d(%s int, %s string) (%s error) {\n", word(), i, word(), word(), word())
		case 6:
			b.WriteString("\t}\n")
		case 7:
			b.WriteString("}\n\n")
		default:
			fmt.Fprintf(&b, "\t\t%s.%s[%s] = %s(%s, %d) // %s %s\n", word(), word(), word(), word(), word(), r.IntN(1000), word(), word())
		}
	}
	return b.String()
}

// edits returns a diff of n blocks of eight lines or so, all over text.
func edits(text string, n int) string {
	funcs := strings.SplitAfter(text, "}\n\n")
	var b strings.Builder
	for i := range n {
		f := strings.TrimSuffix(funcs[i*(len(funcs)-1)/n], "\n\n")
		b.WriteString(sr(f, strings.Replace(f, " = ", " := ", 1)))
	}
	return b.String()
}

func BenchmarkParse(b *testing.B) {
	for _, mb := range megabytes {
		text := code(mb << 19)
		diff := edits(text, strings.Count(text, "}\n\n")-1)
		b.Run(fmt.Sprintf("%dMB", mb), func(b *testing.B) {
			b.SetBytes(int64(len(diff)))
			for b.Loop() {
				var p Parser
				for at := 0; at < len(diff); at += 30 {
					p.Write(diff[at:min(at+30, len(diff))])
				}
				if _, err := p.Finish(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkApply(b *testing.B) {
	for _, n := range []int{1, 1000} {
		for _, mb := range megabytes {
			text := code(mb << 20)
			diff := edits(text, n)
			b.Run(fmt.Sprintf("%dBlocks/%dMB", n, mb), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					if _, err := Replace(text, diff); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkStream reads a stream of edits of that size as it comes, and applies
// it to a text twice as large, which is shown a hundred times.
func BenchmarkStream(b *testing.B) {
	for _, mb := range megabytes {
		text := code(mb << 21)
		diff := edits(text, strings.Count(text, "}\n\n")*2/5)
		b.Run(fmt.Sprintf("%dMB", mb), func(b *testing.B) {
			b.SetBytes(int64(len(diff)))
			for b.Loop() {
				g, shown := NewDraft(text), 0
				for at := 0; at < len(diff); at += 30 {
					g.Write(diff[at:min(at+30, len(diff))])
					if at >= len(diff)*shown/100 {
						g.Text()
						shown++
					}
				}
				if _, ok := g.Text(); !ok {
					b.Fatal("not shown")
				}
			}
		})
	}
}

// BenchmarkNearest looks for 50 lines that are not in the text but for a few.
func BenchmarkNearest(b *testing.B) {
	miss := func(name, text, search string) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := Replace(text, sr(search, "x")); err == nil {
					b.Fatal("found")
				}
			}
		})
	}
	changed := func(text string) string {
		lines := strings.Split(text[len(text)/2:][:1<<14], "\n")[1:51]
		for i := range lines {
			lines[i] += "x"
		}
		return strings.Join(lines, "\n")
	}
	for _, mb := range append([]int{5}, megabytes...) {
		text := code(mb << 20)
		miss(fmt.Sprintf("%dMB", mb), text, changed(text))
	}
	miss("AllAlike", strings.Repeat("\treturn value\n", 5<<20/14), strings.Repeat("\treturn value\n", 49)+"\treturn valu")
	miss("OneLine", strings.Repeat("var a=b(c);", 5<<20/11), strings.Repeat("var a = b(c);\n", 50))
	miss("LongLines", strings.Repeat(strings.Repeat("var a=b(c);", 1<<20/11)+"\n", 5), strings.Repeat(strings.Repeat("var a=b(c);", 1<<20/11)+"x\n", 5))
	miss("NotASCII", strings.Repeat("\tgrüße – “wört”\n", 5<<20/24), strings.Repeat("\tgrüße - “wört”!\n", 50))
}

// BenchmarkDividers looks for the end of a SEARCH among 10,000 dividers.
func BenchmarkDividers(b *testing.B) {
	text, diff := strings.Repeat("=======\n", 5<<20/8), sr(strings.Repeat("=======\n", 10_000)+"x", "y")
	for b.Loop() {
		if _, err := Replace(text, diff); err == nil {
			b.Fatal("found")
		}
	}
}

func BenchmarkDiff(b *testing.B) {
	text := code(5 << 20)
	few := strings.Replace(text, " = ", " := ", 10)
	var many, rewrite strings.Builder
	for i, l := range strings.SplitAfter(text, "\n") {
		if i%20 == 3 {
			l = "changed " + l
		}
		many.WriteString(l)
		rewrite.WriteString(strings.TrimSuffix(l, "\n") + ";\n")
	}
	short := strings.Repeat("a\nb\n", 700_000)
	for _, c := range []struct{ name, before, after string }{
		{"Few", text, few}, {"Many", text, many.String()}, {"Rewrite", text, rewrite.String()},
		{"ShortLines", short, strings.Repeat("b\nc\na\n", 400_000)},
		{"AllNew", "", text},
	} {
		for _, f := range []struct {
			name string
			diff func(a, b string)
		}{
			{"LineEdits", func(a, b string) { LineEdits(a, b) }}, {"Unified", func(a, b string) { Unified("f", a, b, 0) }},
		} {
			b.Run(c.name+"/"+f.name, func(b *testing.B) {
				b.SetBytes(int64(len(c.before) + len(c.after)))
				for b.Loop() {
					f.diff(c.before, c.after)
				}
			})
		}
	}
}
