package workspace

import (
	"strings"
	"unicode"
)

// common1 returns what tells the lead and trail bytes of the more common characters
// of a table of several bytes, as its standard divides them; nil for others.
func (t *table) common1() func(lead, trail byte) bool {
	within := func(from, to, trails byte) func(lead, trail byte) bool {
		return func(lead, trail byte) bool { return lead >= from && lead <= to && trail >= trails }
	}
	switch t.name {
	case "Shift_JIS":
		return within(0x88, 0x97, 0x40) // level 1 of JIS X 0208
	case "EUC-JP":
		return within(0xB0, 0xCF, 0xA1)
	case "EUC-KR":
		return within(0xB0, 0xC8, 0xA1) // the syllables of KS X 1001
	case "Big5":
		return within(0xA4, 0xC6, 0x40)
	case "GBK", "GB18030":
		return within(0xB0, 0xD7, 0xA1) // level 1 of GB 2312
	}
	return nil
}

// short tells how much a text, be it a single character, looks like the profile:
// 1 when all of its characters beyond ASCII are among the common ones.
func (r *reading) short() float64 {
	runs := strings.FieldsFunc(r.text, func(c rune) bool { return !beyondASCII(c) })
	if r.table.wide() {
		return r.shortWide(runs)
	}
	const least, many, mixed = 4, 10, 0.4
	n, sum, likely := 0, 0.0, 1.0
	before := ' '
	for _, c := range strings.Join(runs, " ") {
		// Capitals within words and marks on nothing come from a wrong table.
		if r.alone && (unicode.IsLower(before) && unicode.IsUpper(c) || unicode.Is(unicode.Mn, c) && strings.ContainsRune(" เแโใไาะ", before)) {
			likely = mixed
		}
		before = c
		switch {
		case unicode.IsSpace(c):
			continue
		case strings.ContainsRune(r.common, c):
			sum++
		case strings.ContainsRune(r.common, unicode.ToLower(c)):
			sum += 0.5
		}
		n++
	}
	if n < least || r.must != "" && !strings.ContainsAny(r.text, r.must) || r.alone && !loneRuns(r.text) {
		return 0
	}
	r.few = n < many && (r.common == greek || r.common == thai) // words of other scripts often look like these
	return likely * sum / float64(n)
}

// loneRuns reports whether no letter beyond ASCII stands beside one of ASCII.
func loneRuns(text string) bool {
	var before rune
	for _, c := range text {
		if beyondASCII(c) && asciiLetter(before) || asciiLetter(c) && beyondASCII(before) && unicode.IsLetter(before) {
			return false
		}
		before = c
	}
	return true
}

// shortWide is short for characters of several bytes. One that stands alone and has
// an ASCII letter for its second byte counts for nothing: it may be a letter of
// Western Europe with that behind it.
func (r *reading) shortWide(runs []string) float64 {
	const kanaRun, narrow, rare = 5, 0.5, 0.35
	n, sum := 0, 0.0
	level1 := r.table.common1()
	for _, run := range runs {
		chars := []rune(run)
		half := 0
		for _, c := range chars {
			if halfKana(c) {
				half++
			}
		}
		for _, c := range chars {
			raw, err := r.table.encode(string(c))
			if err != nil || c > 0xFF && !unicode.IsLetter(c) && !halfKana(c) && !unicode.Is(unicode.Co, c) {
				continue
			}
			n++
			switch {
			case halfKana(c):
				if half >= kanaRun {
					sum += narrow
				}
			case len(raw) != 2 || len(chars) == 1 && asciiLetter(rune(raw[1])):
			case strings.ContainsRune(r.common, c):
				sum++
			case level1(raw[0], raw[1]):
				sum += rare
			}
		}
	}
	return sum / float64(max(n, 1))
}

// halfKana reports whether a character is one of the narrow ones of JIS X 0201.
func halfKana(c rune) bool { return c >= 0xFF61 && c <= 0xFF9F }
