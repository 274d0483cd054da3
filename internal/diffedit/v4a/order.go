package v4a

import (
	"math"
	"sort"

	"clined/internal/diffedit"
)

// narrow leaves of the places of each chunk those that let all chunks stand in
// the order of the patch. Where there is no such way it leaves all: chunks that
// fit one place only may come in any order.
func narrow(spots []*spot) {
	for _, s := range spots {
		s.left = s.found
	}
	if !fit(spots, func(s *spot, p diffedit.Place) (int, int) { return p.From, p.To }) {
		fit(spots, changed)
	}
}

// changed is the part of a place from its first to its last changed line: what
// stays around them two chunks may share.
func changed(s *spot, p diffedit.Place) (from, to int) {
	if !s.changes() || len(s.old) == 0 {
		return p.From, p.To
	}
	tail := 0
	for i := len(s.Lines) - 1; i >= 0 && !s.Lines[i].Sign.changes(); i-- {
		tail++
	}
	return p.From + s.lead, max(p.From+s.lead, p.To-tail)
}

// fit narrows the places to those from the first that can be chosen, going
// forward, to the last, going backward; each between is part of some way too.
// extent says which lines no two chunks may share. It reports whether there is
// a way, and changes nothing if not.
func fit(spots []*spot, extent func(*spot, diffedit.Place) (from, to int)) bool {
	first, last := make([]int, len(spots)), make([]int, len(spots))
	at := 0
	for i, s := range spots {
		first[i] = sort.Search(len(s.found), func(k int) bool {
			from, _ := extent(s, s.found[k])
			return from >= at
		})
		if first[i] == len(s.found) {
			return false
		}
		_, at = extent(s, s.found[first[i]])
	}
	at = math.MaxInt
	for i := len(spots) - 1; i >= 0; i-- {
		s := spots[i]
		last[i] = sort.Search(len(s.found), func(k int) bool {
			_, to := extent(s, s.found[k])
			return to > at
		}) - 1
		at, _ = extent(s, s.found[last[i]])
	}
	for i, s := range spots {
		s.left = s.found[first[i] : last[i]+1]
	}
	return true
}
