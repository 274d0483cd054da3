package v4a

import (
	"slices"

	"clined/internal/diffedit"
)

// reading is a way to take the lines of a chunk.
type reading struct {
	// old are the lines to find, fresh those that take their place.
	old, fresh []string
	runs       []diffedit.Run // of lines that go and come
	// lead is how many of old stay before the first change.
	lead int
	// adjusted is for the note, "" for a chunk as written.
	adjusted string
}

// readings returns the ways to take a chunk, the likeliest first.
func (c *Chunk) readings() []reading {
	out := []reading{c.read(func(l Line) string { return l.Text })}
	if slices.ContainsFunc(c.Lines, func(l Line) bool { return l.Sign == Keep && l.Text != "" }) {
		whole := c.read(func(l Line) string {
			if l.Sign == Keep && l.Text != "" {
				return " " + l.Text
			}
			return l.Text
		})
		whole.adjusted = "was read with context lines that have no blank in front"
		out = append(out, whole)
	}
	if old, fresh, ok := diffedit.Unnumbered(out[0].old, out[0].fresh); ok {
		bare := out[0]
		bare.old, bare.fresh, bare.adjusted = old, fresh, "was read without its line numbers"
		out = append(out, bare)
	}
	return out
}

func (c *Chunk) read(text func(Line) string) reading {
	r := reading{lead: -1}
	var run diffedit.Run
	for i, l := range c.Lines {
		switch l.Sign {
		case Remove:
			r.old = append(r.old, l.Text)
		case Insert:
			r.fresh = append(r.fresh, l.Text)
		default:
			r.old, r.fresh = append(r.old, text(l)), append(r.fresh, text(l))
			run = diffedit.Run{From: len(r.old), NewFrom: len(r.fresh)}
			continue
		}
		if r.lead < 0 {
			r.lead = run.From
		}
		run.To, run.NewTo = len(r.old), len(r.fresh)
		if i+1 == len(c.Lines) || !c.Lines[i+1].Sign.changes() {
			r.runs = append(r.runs, run)
		}
	}
	return r
}

// changes reports whether a chunk changes anything; one that does not may still
// say where the others are.
func (r *reading) changes() bool { return r.lead >= 0 }

// change is the line of a place where the change begins.
func (r *reading) change(p diffedit.Place) int {
	return max(p.From, min(p.From+r.lead, p.To-1))
}
