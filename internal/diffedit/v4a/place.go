package v4a

import (
	"sort"
	"strings"

	"clined/internal/diffedit"
)

// spot is a chunk and where it may stand.
type spot struct {
	*Chunk
	n int // its number in the file, from 1
	reading
	// found are its places, in order, and left those that the other chunks leave.
	// None has lines when the chunk only brings new ones.
	found, left []diffedit.Place
	// strayed: it is not at the end of the file, where it was said to be.
	strayed bool
	scope   *scope
	made    *made // nil before its edit was made
}

// locate finds the places that a chunk can mean.
func (a *applier) locate(c *Chunk, n int) (*spot, error) {
	s := &spot{Chunk: c, n: n, scope: a.newScope(c.Anchors)}
	readings := c.readings()
	s.reading = readings[0]
	switch {
	case a.looked > maxLooked:
		return nil, a.costly(s)
	case s.scope.crossed != "":
		return nil, a.crossed(s)
	case len(s.old) == 0:
		return s, a.locateNew(s)
	}
	ladder := &ladder{a: a, readings: readings, scope: s.scope, lowest: c.lowest()}
	if s.scope.missing != "" { // the lines alone must do
		ladder.lowest = diffedit.Exact
	}
	for _, atEnd := range []bool{c.AtEnd, false} {
		for _, bound := range s.scope.bounds() {
			r, found := ladder.first(bound, atEnd)
			if a.looked > maxLooked {
				return nil, a.costly(s)
			}
			if len(found) == 0 {
				continue
			}
			s.reading, s.found, s.strayed = *r, found, c.AtEnd && !atEnd
			if s.scope.missing != "" && len(found) > 1 {
				return nil, a.ambiguous(s, found)
			}
			return s, nil
		}
	}
	return s, a.miss(s, ladder)
}

// lowest is the last rung of the ladder that a chunk may be found on. One that is
// only about blank lines needs them to be there: on Anchored they do not count.
func (c *Chunk) lowest() diffedit.Tier {
	for _, l := range c.Lines {
		if l.Sign.changes() && !diffedit.IsBlank(l.Text) {
			return diffedit.Anchored
		}
	}
	return diffedit.Trimmed
}

// bound is what anchors ask of the line where the change begins.
type bound int

const (
	anywhere bound = iota
	behind         // the anchors, however far
	inside         // the blocks that they open
)

// bounds are what the anchors ask, the narrowest first.
func (s *scope) bounds() []bound {
	switch {
	case s.none():
		return []bound{anywhere}
	case s.weak:
		return []bound{inside, behind, anywhere}
	}
	return []bound{inside, behind}
}

// locateNew places a chunk that only brings new lines: it needs an anchor, the
// end of the file, or an empty file.
func (a *applier) locateNew(s *spot) error {
	at := s.scope.nested
	if len(at) == 0 {
		at = s.scope.last
	}
	switch end := len(a.text.Lines()); {
	case end == 0 || s.AtEnd:
		s.found = []diffedit.Place{{From: end, To: end}}
	case s.scope.missing != "" || s.scope.none() || s.scope.weak:
		return a.nowhere(s)
	default:
		a.looked += len(at)
		for _, p := range at {
			s.found = append(s.found, diffedit.Place{From: p.From + 1, To: p.From + 1})
		}
	}
	return nil
}

// ladder has the places of all readings of a chunk, rung by rung.
type ladder struct {
	a        *applier
	readings []reading
	scope    *scope
	lowest   diffedit.Tier
}

// first returns the places of the first rung that has some within a bound, and
// the reading that they are for. atEnd asks that only blank lines follow.
func (l *ladder) first(bound bound, atEnd bool) (*reading, []diffedit.Place) {
	for tier := diffedit.Exact; tier <= l.lowest; tier++ {
		for i := range l.readings {
			r := &l.readings[i]
			key := finding{tier, strings.Join(r.old, "\n")}
			found := l.a.find(r.old, key)
			if atEnd {
				found = found[sort.Search(len(found), func(i int) bool { return found[i].To >= l.a.contentEnd }):]
			}
			switch bound {
			case behind:
				found = l.scope.behind(found, r.change)
			case inside:
				found = l.inside(found, r, fitting{key, l.scope, r.lead, atEnd})
			}
			if len(found) > 0 {
				return r, found
			}
		}
	}
	return nil, nil
}

// inside returns the places within the blocks of the anchors, once for chunks
// that look for the same lines there.
func (l *ladder) inside(found []diffedit.Place, r *reading, key fitting) []diffedit.Place {
	if len(found) == 0 {
		return nil
	}
	fit, ok := l.a.fitting[key]
	if !ok {
		fit = l.a.inside(l.scope.blocks, found, r.change)
		l.a.fitting[key] = fit
	}
	return fit
}

// find is Text.Find, once for chunks that look for the same lines: a file may
// hold them very often.
func (a *applier) find(lines []string, key finding) []diffedit.Place {
	found, ok := a.found[key]
	if !ok {
		found = a.text.Find(lines, key.tier)
		a.found[key] = found
	}
	return found
}

// finding is what was looked for on a tier.
type finding struct {
	tier  diffedit.Tier
	lines string
}

// fitting is what was looked for in the blocks of anchors.
type fitting struct {
	finding
	scope *scope
	lead  int
	atEnd bool
}

// maxLooked bounds, in lines of the file, what is looked at because the anchors
// and lines of a section fit many of them; reading bytesPerLook bytes counts as
// one. All of it takes about a second.
const (
	maxLooked    = 50_000_000
	bytesPerLook = 32
)
