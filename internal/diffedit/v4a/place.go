package v4a

import "clined/internal/diffedit"

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
	case s.scope.crossed != "":
		return nil, a.crossed(s)
	case len(s.old) == 0:
		return s, a.locateNew(s)
	}
	ladder := &ladder{text: a.text, readings: readings, lowest: diffedit.Anchored}
	if s.scope.missing != "" { // the lines alone must do
		ladder.lowest = diffedit.Exact
	}
	for _, atEnd := range []bool{c.AtEnd, false} {
		for _, fits := range s.scope.filters() {
			r, found := ladder.first(func(r *reading, p diffedit.Place) bool {
				return (!atEnd || a.endsAt(p)) && fits(r.change(p))
			})
			if len(found) > 0 {
				s.reading, s.found, s.strayed = *r, found, c.AtEnd && !atEnd
				if s.scope.missing != "" && len(found) > 1 {
					return nil, a.ambiguous(s, found)
				}
				return s, nil
			}
		}
	}
	return s, a.miss(s, ladder)
}

// filters are what the anchors ask of the line where the change begins, the
// narrowest first.
func (s *scope) filters() []func(line int) bool {
	anywhere := func(int) bool { return true }
	switch {
	case s.none():
		return []func(int) bool{anywhere}
	case s.weak:
		return []func(int) bool{s.inside, s.behind, anywhere}
	}
	return []func(int) bool{s.inside, s.behind}
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
		for _, line := range at {
			s.found = append(s.found, diffedit.Place{From: line + 1, To: line + 1})
		}
	}
	return nil
}

// endsAt reports whether only blank lines follow a place.
func (a *applier) endsAt(p diffedit.Place) bool {
	for _, l := range a.text.Lines()[p.To:] {
		if !isBlank(l) {
			return false
		}
	}
	return true
}

// ladder has the places of all readings of a chunk, rung by rung.
type ladder struct {
	text     *diffedit.Text
	readings []reading
	rungs    [][][]diffedit.Place // by tier, then by reading; made when asked for
	lowest   diffedit.Tier
}

// rung returns the places on a tier, for each reading.
func (l *ladder) rung(tier diffedit.Tier) [][]diffedit.Place {
	for next := diffedit.Tier(len(l.rungs)); next <= tier; next++ {
		var places [][]diffedit.Place
		for i := range l.readings {
			places = append(places, l.text.Find(l.readings[i].old, next))
		}
		l.rungs = append(l.rungs, places)
	}
	return l.rungs[tier]
}

// first returns the places that fit of the first rung that has any, and the
// reading that they are for.
func (l *ladder) first(fits func(*reading, diffedit.Place) bool) (*reading, []diffedit.Place) {
	for tier := diffedit.Exact; tier <= l.lowest; tier++ {
		for i, places := range l.rung(tier) {
			r := &l.readings[i]
			var found []diffedit.Place
			for _, p := range places {
				if fits(r, p) {
					found = append(found, p)
				}
			}
			if len(found) > 0 {
				return r, found
			}
		}
	}
	return nil, nil
}
