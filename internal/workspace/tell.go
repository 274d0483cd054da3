package workspace

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"clined/internal/tools"
)

// withTell gives a file whose encoding is not known what takes an edit's word for it.
func withTell(f *tools.File, d *diskFile) *tools.File {
	const most = 1 << 20 // it is tried with each table
	damaged := d.enc == (encoding{charset: utf8Broken})
	if !damaged && d.enc != (encoding{charset: bytewise}) || d.size > most {
		return f
	}
	f.Tell = func(edit string) (*tools.File, func(string) string) {
		raw, err := d.enc.encode(d.text)
		if err != nil {
			return nil, nil
		}
		r := told(raw, edit, damaged)
		if r == nil {
			return nil, nil
		}
		now := *f
		now.Text, now.Encoding, now.Tell, now.Shown = r.text, r.table.name, nil, f
		return &now, r.plain
	}
	return f
}

// asTold has a file be as base is, where that was told by an edit and the file is
// still what the edit was made for.
func asTold(base, f *tools.File, v *version) error {
	if base.Shown == nil || v.disk == nil || v.dirty || f.Text != base.Shown.Text {
		return nil
	}
	raw, err := v.disk.enc.encode(f.Text)
	if err != nil {
		return err
	}
	text, enc, err := decode(raw, knowledge{before: findTable(base.Encoding)})
	if err != nil {
		return err
	}
	v.disk.text, v.disk.enc = text, enc
	f.Text, f.Encoding = text, enc.String()
	return nil
}

// reading is a text as it is in a table.
type reading struct {
	profile
	table *table
	text  string
	// plain turns what of the text is shown as Latin-1 into what it is.
	plain func(string) string
	// bytes are those of the edit, nil when the table does not have all of it.
	bytes []byte
	// found is how much of the edit the text holds.
	found int
	// looks is how much a short text looks like the profile, from 0 to 1.
	looks float64
	// few: that is too few letters to take it for what it looks like.
	few bool
}

// told returns what a text is that a table could not be guessed of, as the text of
// an edit tells: what is in both, or else what the edit would add to it. It is nil
// where that leaves a doubt. Of one that may be damaged UTF-8, and is not shown as
// Latin-1, only what is in both tells.
func told(raw []byte, edit string, damaged bool) *reading {
	if !strings.ContainsFunc(edit, beyondLatin1) {
		return nil
	}
	var all []*reading
	for _, p := range profiles() {
		r := &reading{profile: p, table: findTable(p.table)}
		text, ok := r.table.decode(raw)
		if !ok {
			continue
		}
		r.text, r.plain = text, func(text string) string { return text }
		if !damaged {
			r.plain = r.table.unshown(text)
		}
		if out, err := r.table.encode(r.plain(edit)); err == nil {
			r.bytes, r.found = out, r.table.shared(text, edit)
		}
		r.looks = r.short()
		all = append(all, r)
	}
	if r := first(all, func(r *reading) float64 {
		if r.found == 1 && !r.looksBest(all) { // a single letter may be there by chance
			return -1
		}
		return float64(r.found)
	}, func(_, _ *reading) float64 { return 2 }); r != nil || damaged {
		return r
	}
	const others = 0.7
	return first(all, func(r *reading) float64 {
		switch {
		case r.bytes == nil || r.few || !r.writes(r.plain(edit)):
			return -r.looks * others
		case r.looks < leastLooks:
			return 0
		}
		return r.looks
	}, func(a, b *reading) float64 {
		if a.must != "" && a.common == b.common { // the same words, but for single letters
			return 1.1
		}
		return clearly
	})
}

// leastLooks is how much a text must look like a profile for that to tell, and
// clearly how many times as much as like others.
const leastLooks, clearly = 0.5, 1.5

// looksBest reports whether a text clearly looks like this reading's profile, and
// like none of those that read it as something else.
func (r *reading) looksBest(all []*reading) bool {
	return r.looks >= leastLooks && !slices.ContainsFunc(all, func(other *reading) bool {
		return !r.same(other) && other.looks*clearly > r.looks
	})
}

// first returns the reading of most weight that has margin times that of each that
// is another; a weight below zero is that of one that can only be in the way.
func first(all []*reading, weight func(*reading) float64, margin func(a, b *reading) float64) *reading {
	var best *reading
	most := 0.0
	for _, r := range all {
		if s := weight(r); s > most {
			best, most = r, s
		}
	}
	for _, r := range all {
		if best != nil && !best.same(r) && max(weight(r), -weight(r))*margin(best, r) > most {
			return nil
		}
	}
	return best
}

// same reports whether it makes no difference which one of two is taken.
func (r *reading) same(other *reading) bool {
	return r.text == other.text && (other.bytes == nil || bytes.Equal(r.bytes, other.bytes))
}

func beyondLatin1(r rune) bool { return r > 0xFF && unicode.IsLetter(r) }

func beyondASCII(r rune) bool { return r > unicode.MaxASCII }

// unshown returns what makes of a text's parts, as they are shown as Latin-1, what
// they are.
func (t *table) unshown(text string) func(string) string {
	var pairs [][2]string
	known := map[string]bool{}
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return !beyondASCII(r) }) {
		if raw, err := t.encode(part); err == nil && !known[part] {
			known[part] = true
			pairs = append(pairs, [2]string{asLatin1(raw), part})
		}
	}
	slices.SortStableFunc(pairs, func(a, b [2]string) int { return len(b[0]) - len(a[0]) })
	var list []string
	for _, p := range pairs {
		list = append(list, p[:]...)
	}
	return strings.NewReplacer(list...).Replace
}

// wide reports whether a table has characters of several bytes.
func (t *table) wide() bool { return t.common1() != nil }

// shared is how many characters of an edit a text has too, in pieces that are
// hardly there by chance: words of single bytes, pairs of other characters, and
// those that stand alone.
func (t *table) shared(text, edit string) int {
	const shortest = 3
	n := 0
	met := map[string]bool{}
	piece := func(s string) {
		if !met[s] && strings.Contains(text, s) {
			n += len([]rune(s))
		}
		met[s] = true
	}
	notLetter := func(r rune) bool { return !unicode.IsLetter(r) || t.wide() && !beyondLatin1(r) }
	for _, word := range strings.FieldsFunc(edit, notLetter) {
		chars := []rune(word)
		switch {
		case !strings.ContainsFunc(word, beyondLatin1):
		case t.wide() && len(chars) > 1:
			for i := range chars[1:] {
				piece(string(chars[i : i+2]))
			}
		case t.wide() || len(chars) >= shortest:
			piece(word)
		}
	}
	return n
}

// writes reports whether the letters of an edit are of the profile's kind.
func (p profile) writes(edit string) bool {
	for _, r := range edit {
		if !beyondASCII(r) || !unicode.IsLetter(r) || strings.ContainsRune(p.common, r) || r >= 0xFF00 && r < 0xFF66 {
			continue
		}
		for _, script := range []*unicode.RangeTable{
			unicode.Latin, unicode.Cyrillic, unicode.Greek, unicode.Hebrew, unicode.Arabic, unicode.Thai,
			unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		} {
			if unicode.Is(script, r) && (p.must != "" || !strings.ContainsFunc(p.common, func(c rune) bool { return unicode.Is(script, c) })) {
				return false
			}
		}
	}
	return true
}
