package v4a

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

func seeded(n uint64) *rand.Rand { return rand.New(rand.NewPCG(11, n)) }

func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// randomLine is a line of few kinds, so that they repeat, nest and look like
// what the format is made of.
func randomLine(r *rand.Rand) string {
	l := pick(r, "", "", "  ", "    ", "\t", "\t\t") + pick(r, "if x {", "}", "return 1", "return 2", "", "foo(a, b)", "caf\xE9", "日本", "*** End Patch",
		"*** Update File: x", "@@ f", "+ plus", "- minus", "-- sql", "EOF", "```", "“q”", "\\ No newline at end of file", "diff --git a/x b/x", "1 | a")
	if r.IntN(3) == 0 {
		l += fmt.Sprintf(" // %d", r.IntN(40))
	}
	return l
}

func randomText(r *rand.Rand, lines int) string {
	var b strings.Builder
	for i := range lines {
		b.WriteString(randomLine(r))
		if i < lines-1 || r.IntN(2) == 0 {
			b.WriteString(pick(r, "\n", "\n", "\r\n"))
		}
	}
	return b.String()
}

// randomPatch makes a patch without doubtful parts.
func randomPatch(r *rand.Rand) []File {
	var files []File
	for i := range 1 + r.IntN(4) {
		f := File{Op: pick(r, Add, Update, Update, Delete), Path: fmt.Sprintf("%s%d", pick(r, "a", "d/b c", "/x", "../y", "ä", "File: "), i)}
		switch f.Op {
		case Add:
			for range r.IntN(5) {
				f.Content += randomLine(r) + "\n"
			}
			if len(f.Content) > 1 && r.IntN(4) == 0 && !strings.HasSuffix(f.Content, "\n\n") {
				f.Content = strings.TrimSuffix(f.Content, "\n")
			}
		case Update:
			if r.IntN(3) == 0 {
				f.MoveTo = f.Path + ".new"
			}
			for range 1 + r.IntN(3) {
				f.Chunks = append(f.Chunks, randomChunk(r))
			}
		}
		files = append(files, f)
	}
	return files
}

func randomChunk(r *rand.Rand) Chunk {
	var c Chunk
	for range r.IntN(3) {
		c.Anchors = append(c.Anchors, Anchor{Text: strings.TrimRight("x"+randomLine(r), " \t"), Heading: r.IntN(5) == 0})
		if a := &c.Anchors[len(c.Anchors)-1]; a.Heading {
			a.Text = strings.TrimSpace(a.Text)
		}
	}
	for range 1 + r.IntN(5) {
		c.Lines = append(c.Lines, Line{pick(r, Keep, Remove, Insert), randomLine(r)})
	}
	c.Lines = append(c.Lines, Line{pick(r, Remove, Insert), randomLine(r)})
	switch r.IntN(6) {
	case 0:
		c.AtEnd = true
	case 1:
		c.AtEnd = true
		c.bareBefore = c.Lines[len(c.Lines)-1].Sign == Remove
		c.bareAfter = !c.bareBefore
	}
	return c
}

// sloppy does to a patch what models do.
func sloppy(r *rand.Rand, text string) string {
	lines := strings.SplitAfter(text, "\n")
	for range r.IntN(4) {
		i := r.IntN(len(lines))
		switch r.IntN(6) {
		case 0:
			lines[i] = "  " + lines[i]
		case 1:
			lines[i] = strings.TrimLeft(lines[i], " +-")
		case 2:
			lines = slices.Insert(lines, i, pick(r, "\n", "```\n", "EOF\n", "--- a/x\n+++ b/x\n@@\n", "@@\n", "*** Begin Patch\n"))
		case 3:
			lines = slices.Delete(lines, i, i+1)
		case 4:
			lines[i] = strings.ToLower(lines[i])
		case 5:
			lines[i] = strings.Replace(lines[i], "\n", "\r\n", 1)
		}
		if len(lines) == 0 {
			return ""
		}
	}
	return strings.Join(lines, "")
}
