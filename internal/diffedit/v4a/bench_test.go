package v4a

import (
	"fmt"
	"strings"
	"testing"
)

// program writes about size bytes that look like a program.
func program(size int) string {
	r := seeded(30)
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "func name%d(ctx context.Context, value int) error {\n", i)
		for range 6 {
			fmt.Fprintf(&b, "\t\tbuffer[%d] = compute(index, %d) // left right total\n", r.IntN(1000), r.IntN(1000))
		}
		b.WriteString("\treturn nil\n}\n\n")
	}
	return b.String()
}

// patchAll is a patch of n chunks all over text, every other one with an anchor.
func patchAll(text string, n int) string {
	funcs := strings.SplitAfter(text, "}\n\n")
	funcs = funcs[:len(funcs)-1]
	var b strings.Builder
	b.WriteString("*** Begin Patch\n*** Update File: f.go\n")
	for i := range n {
		lines := strings.Split(funcs[i*len(funcs)/n], "\n")
		if i%2 == 0 {
			fmt.Fprintf(&b, "@@ %s\n %s\n", lines[0], lines[1])
		} else {
			fmt.Fprintf(&b, "@@\n %s\n %s\n", lines[0], lines[1])
		}
		fmt.Fprintf(&b, "-%s\n+%s\n %s\n", lines[2], strings.Replace(lines[2], "=", "+=", 1), lines[3])
	}
	return b.String() + "*** End Patch\n"
}

// The sizes are those of the patch; it comes in pieces of 30 bytes.
func BenchmarkParse(b *testing.B) {
	for _, mb := range []int{1, 2, 4, 8} {
		text := program(mb << 21)
		patch := patchAll(text, mb*4600)
		b.Run(fmt.Sprintf("%dMB", mb), func(b *testing.B) {
			b.SetBytes(int64(len(patch)))
			for b.Loop() {
				var p Parser
				for at := 0; at < len(patch); at += 30 {
					p.Write(patch[at:min(at+30, len(patch))])
				}
				if _, err := p.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// The sizes are those of the file; the patch has about one MB per four of it.
func BenchmarkApply(b *testing.B) {
	for _, mb := range []int{1, 2, 4, 8} {
		text := program(mb << 20)
		for _, n := range []int{1, mb * 1000} {
			p, err := Parse(patchAll(text, n))
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("%dMB/%d", mb, n), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					if _, err := p.Files[0].Apply(text); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// A patch of one MB is shown 100 times while it is written, on a file of one MB.
func BenchmarkStream(b *testing.B) {
	text := program(1 << 20)
	patch := patchAll(text, 2000)
	b.SetBytes(int64(len(patch)))
	for b.Loop() {
		var p Parser
		d := NewDraft(text)
		step := len(patch)/100 + 1
		for at := 0; at < len(patch); at += step {
			p.Write(patch[at:min(at+step, len(patch))])
			if files := p.Files(); len(files) > 0 {
				if _, err := d.Apply(&files[0]); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
}
