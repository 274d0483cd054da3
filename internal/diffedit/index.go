package diffedit

// index finds sequences of lines: equal lines have equal ids.
type index struct {
	ids map[string]int32
	// lines has the id of each line, next the following line of that id, or -1.
	lines, next []int32
	// first line, last line and number of lines of each id.
	first, last, count []int32
}

func newIndex(lines []string) *index {
	x := &index{ids: make(map[string]int32, len(lines)/2), lines: make([]int32, len(lines)), next: make([]int32, len(lines))}
	for i, l := range lines {
		at := int32(i)
		id, ok := x.ids[l]
		if !ok {
			id = int32(len(x.first))
			x.ids[l] = id
			x.first, x.last, x.count = append(x.first, at), append(x.last, at), append(x.count, 0)
		}
		x.lines[i], x.next[i] = id, -1
		if ok {
			x.next[x.last[id]] = at
		}
		x.last[id] = at
		x.count[id]++
	}
	return x
}

// of returns the ids of lines, -1 for those that are not in the index.
func (x *index) of(lines []string) []int32 {
	out := make([]int32, len(lines))
	for i, l := range lines {
		id, ok := x.ids[l]
		if !ok {
			id = -1
		}
		out[i] = id
	}
	return out
}

// place is a line from which on n lines are alike.
type place struct{ at, n int }

// reach returns where ids begin, and how many of them stand there, in order. It
// takes time linear in the number of lines.
func (x *index) reach(ids []int32) []place {
	if len(ids) == 0 || ids[0] < 0 {
		return nil
	}
	out := make([]place, 0, x.count[ids[0]])
	for p, left := x.first[ids[0]], len(x.lines); p >= 0; p = x.next[p] {
		at, n := int(p), 1
		for n < len(ids) && at+n < len(x.lines) && x.lines[at+n] == ids[n] {
			n++
		}
		if left -= n; left < 0 {
			return x.reachRepetitive(ids)
		}
		out = append(out, place{at, n})
	}
	return out
}

// reachRepetitive is reach for lines that repeat themselves, by the Z algorithm.
func (x *index) reachRepetitive(ids []int32) []place {
	own := make([]int, len(ids))
	own[0] = len(ids)
	zRun(ids[1:], ids, own, func(i, n int) { own[i+1] = n })
	var out []place
	zRun(x.lines, ids, own, func(i, n int) {
		if n > 0 {
			out = append(out, place{i, n})
		}
	})
	return out
}

// zRun tells for each i how many of ids stand in hay from i on; own is the same
// of ids in itself, as far as it is known: up to i is enough.
func zRun(hay, ids []int32, own []int, tell func(i, n int)) {
	from, to := 0, 0 // hay[from:to] is known to begin like ids
	for i := range hay {
		n := 0
		if i < to {
			n = min(own[i-from], to-i)
		}
		for n < len(ids) && i+n < len(hay) && hay[i+n] == ids[n] {
			n++
		}
		if i+n > to {
			from, to = i, i+n
		}
		tell(i, n)
	}
}

// atLeast returns the places where n lines are alike.
func atLeast(places []place, n int) []int {
	count := 0
	for _, p := range places {
		if p.n >= n {
			count++
		}
	}
	if count == 0 {
		return nil
	}
	out := make([]int, 0, count)
	for _, p := range places {
		if p.n >= n {
			out = append(out, p.at)
		}
	}
	return out
}

// find returns where lines, one at least, stand.
func (x *index) find(lines []string) []int { return atLeast(x.reach(x.of(lines)), len(lines)) }

func (d *document) exactIndex() *index {
	if d.exact == nil {
		d.exact = newIndex(d.content)
	}
	return d.exact
}

func (d *document) trimmedIndex() *index {
	if d.trimmed == nil {
		d.trimmed = newIndex(mapLines(d.content, trimBlanks))
	}
	return d.trimmed
}

// foldedIndex is an index of the lines that are not blank, in the form of fold.
type foldedIndex struct {
	*index
	at []int
}

func (d *document) foldedIndex() *foldedIndex {
	if d.folded == nil {
		f := fold(d.content)
		d.folded = &foldedIndex{newIndex(f.lines), f.at}
	}
	return d.folded
}
