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

// reachRepetitive is reach for lines that repeat themselves.
func (x *index) reachRepetitive(ids []int32) []place {
	return zReach(len(x.lines), len(ids),
		func(i, j int) bool { return x.lines[i] == ids[j] },
		func(i, j int) bool { return ids[i] == ids[j] })
}

// zReach returns where some of m lines stand in n others, by the Z algorithm:
// same compares one of the n with one of the m, own two of the m.
func zReach(n, m int, same, own func(i, j int) bool) []place {
	inOwn := make([]int, m)
	inOwn[0] = m
	zRun(m-1, m, inOwn, func(i, j int) bool { return own(i+1, j) }, func(i, k int) { inOwn[i+1] = k })
	out := make([]place, 0, n)
	zRun(n, m, inOwn, same, func(i, k int) {
		if k > 0 {
			out = append(out, place{i, k})
		}
	})
	return out
}

// zRun tells for each of n lines how many of the m stand from there on; inOwn
// says the same of the m themselves, as far as it is known: up to there is
// enough.
func zRun(n, m int, inOwn []int, same func(i, j int) bool, tell func(i, k int)) {
	from, to := 0, 0 // these lines are known to be as the m begin
	for i := range n {
		k := 0
		if i < to {
			k = min(inOwn[i-from], to-i)
		}
		if i+k >= to {
			for k < m && i+k < n && same(i+k, k) {
				k++
			}
		}
		if i+k > to {
			from, to = i, i+k
		}
		tell(i, k)
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
