package diffedit

// form is how lines are compared on a rung of the ladder.
type form struct {
	of func(line string) string
	// is reports whether a line has that form, without making it.
	is func(line, form string) bool
}

var forms = [tiers]form{
	Exact:    {trimCR, func(line, form string) bool { return line == form }},
	Trimmed:  {trimBlanks, func(line, form string) bool { return trimBlanks(line) == form }},
	Anchored: {foldLine, foldsTo},
}

// fewSearches is up to how often a document is read through for lines; for more
// it has an index, which takes as long to make as some tens of them.
const fewSearches = 4

// reach returns where lines, in the form of a rung, begin, and how many of them
// stand there, in order. On Anchored places count nonBlank lines. It takes time
// linear in the number of lines.
func (d *document) reach(tier Tier, lines []string) []place {
	if len(lines) == 0 {
		return nil
	}
	if d.searches[tier]++; d.indexes[tier] == nil && d.searches[tier] <= fewSearches {
		return d.scan(tier, lines)
	}
	x := d.indexes[tier]
	if x == nil {
		all := make([]string, d.count(tier))
		for i := range all {
			all[i] = d.formed(tier, i)
		}
		x = newIndex(all)
		d.indexes[tier] = x
	}
	return x.reach(x.of(lines))
}

// scan reads the document through.
func (d *document) scan(tier Tier, lines []string) []place {
	is, n := forms[tier].is, d.count(tier)
	var found []place
	for i, left := 0, n; i < n; i++ {
		if !is(d.line(tier, i), lines[0]) {
			continue
		}
		p := place{i, 1}
		for p.n < len(lines) && i+p.n < n && is(d.line(tier, i+p.n), lines[p.n]) {
			p.n++
		}
		if left -= p.n; left < 0 { // the document repeats itself
			return zReach(n, len(lines),
				func(i, j int) bool { return is(d.line(tier, i), lines[j]) },
				func(i, j int) bool { return lines[i] == lines[j] })
		}
		found = append(found, p)
	}
	return found
}

// count is how many lines a rung looks at, line the i-th of them, and formed
// that in the rung's form.
func (d *document) count(tier Tier) int {
	if tier == Anchored {
		return len(d.nonBlank())
	}
	return len(d.content)
}

func (d *document) line(tier Tier, i int) string {
	if tier == Anchored {
		return d.content[d.full[i]]
	}
	return d.content[i]
}

func (d *document) formed(tier Tier, i int) string {
	if tier == Exact { // a CR that is no line end stays
		return d.content[i]
	}
	return forms[tier].of(d.line(tier, i))
}

// nonBlank returns which lines something can be seen of.
func (d *document) nonBlank() []int {
	if d.full == nil {
		d.full = make([]int, 0, len(d.content))
		for i, l := range d.content {
			if !foldsTo(l, "") {
				d.full = append(d.full, i)
			}
		}
	}
	return d.full
}
