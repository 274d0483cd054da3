package workspace

import (
	"bytes"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// A literal is a text that must be in a line for it to match.
type literal struct {
	text []byte
	// fold finds ASCII letters in either case; text is then in lower case, and
	// rare the index of the byte that is looked for first.
	fold bool
	rare int
}

const (
	maxLiterals = 32
	maxLiteral  = 64
)

// requiredLiterals returns literals one of which is part of every match; none
// if it does not find such a set.
func requiredLiterals(re *syntax.Regexp) []literal {
	switch re.Op {
	case syntax.OpLiteral:
		return literalOf(re)
	case syntax.OpCapture, syntax.OpPlus:
		return requiredLiterals(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return requiredLiterals(re.Sub[0])
		}
	case syntax.OpConcat:
		var best []literal
		for _, sub := range re.Sub {
			if set := requiredLiterals(sub); worth(set) > worth(best) {
				best = set
			}
		}
		return best
	case syntax.OpAlternate:
		var all []literal
		for _, sub := range re.Sub {
			set := requiredLiterals(sub)
			if all = append(all, set...); len(set) == 0 || len(all) > maxLiterals {
				return nil
			}
		}
		return all
	}
	return nil
}

// worth is how well a set of literals tells lines apart: the length of its
// shortest, and few of them.
func worth(set []literal) int {
	if len(set) == 0 {
		return 0
	}
	shortest := maxLiteral
	for _, l := range set {
		shortest = min(shortest, len(l.text))
	}
	return shortest*2*maxLiterals - len(set)
}

func literalOf(re *syntax.Regexp) []literal {
	if re.Flags&syntax.FoldCase == 0 {
		text := []byte(string(re.Rune))
		if !utf8.Valid(text) || bytes.ContainsRune(text, utf8.RuneError) {
			return nil // stands for any invalid byte, too
		}
		return []literal{{text: text[:min(len(text), maxLiteral)]}}
	}
	// Other scripts fold in more ways than ASCII: keep the longest ASCII part.
	best := ""
	for part := range strings.FieldsFuncSeq(string(re.Rune), func(r rune) bool { return r >= utf8.RuneSelf }) {
		if len(part) > len(best) {
			best = part
		}
	}
	if len(best) < 2 {
		return nil
	}
	l := literal{text: bytes.ToLower([]byte(best[:min(len(best), maxLiteral)])), fold: true}
	for i, b := range l.text {
		if rarity(b) < rarity(l.text[l.rare]) {
			l.rare = i
		}
	}
	return []literal{l}
}

// isLiteral tells whether an expression is nothing but literals, whole, so
// that finding one is a match.
func isLiteral(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpCapture:
		return isLiteral(re.Sub[0])
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase != 0 {
			for _, r := range re.Rune {
				if r >= utf8.RuneSelf {
					return false
				}
			}
		}
		return len(string(re.Rune)) <= maxLiteral
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			if !isLiteral(sub) {
				return false
			}
		}
		return true
	}
	return false
}

// byFrequency are the bytes of source code, the rarest first, as far as it
// matters here.
const byFrequency = "~`^@$%!?\\Q|QJZXKVWjqzxYkvHGBUwNDMPLFRCOyAEITSbg+'&*[]{}9876543#hmfupc:=ldi;\"/<>()0o21.,-a_nsrte \t"

func rarity(b byte) int { return strings.IndexByte(byFrequency, b) + 1 }

// foreign tells whether b holds letters beyond ASCII that a folded literal
// should find and would not: the Kelvin sign for k, the long s for s.
func (l *literal) foreign(b []byte) bool {
	return l.fold &&
		(bytes.IndexByte(l.text, 'k') >= 0 && bytes.Contains(b, []byte("\u212A")) ||
			bytes.IndexByte(l.text, 's') >= 0 && bytes.Contains(b, []byte("ſ")))
}

// A literalFinder finds a literal from ever later places of one text. It
// remembers what lies ahead, so that all calls together read the text once.
type literalFinder struct {
	lit *literal
	// found is the place that was found last; upper and lower are the next
	// places of the rare byte. They are -1 when there is none, and valid only
	// once known.
	found, lower, upper int
	known, knownByte    bool
}

// find returns the first place at or after pos, or -1.
func (f *literalFinder) find(b []byte, pos int) int {
	if f.known && (f.found < 0 || f.found >= pos) {
		return f.found
	}
	f.known = true
	if f.lit.fold {
		f.found = f.findFold(b, pos)
	} else {
		f.found = indexFrom(b, pos, f.lit.text)
	}
	return f.found
}

func (f *literalFinder) findFold(b []byte, pos int) int {
	rare, text := f.lit.rare, f.lit.text
	c := text[rare]
	at := pos + rare // where the rare byte may stand
	for at < len(b) {
		if !f.knownByte || f.lower >= 0 && f.lower < at {
			f.lower = byteFrom(b, at, c)
		}
		if !f.knownByte || f.upper >= 0 && f.upper < at {
			f.upper = -1
			if u := upper(c); u != c {
				f.upper = byteFrom(b, at, u)
			}
		}
		f.knownByte = true
		next := f.lower
		if next < 0 || f.upper >= 0 && f.upper < next {
			next = f.upper
		}
		if next < 0 {
			return -1
		}
		if start := next - rare; start+len(text) <= len(b) && equalFold(b[start:start+len(text)], text) {
			return start
		}
		at = next + 1
	}
	return -1
}

// equalFold compares with ASCII text in lower case.
func equalFold(b, lower []byte) bool {
	for i, c := range b {
		if c != lower[i] && (c < 'A' || c > 'Z' || c+'a'-'A' != lower[i]) {
			return false
		}
	}
	return true
}

func upper(b byte) byte {
	if 'a' <= b && b <= 'z' {
		return b - 'a' + 'A'
	}
	return b
}

func byteFrom(b []byte, pos int, c byte) int {
	if i := bytes.IndexByte(b[pos:], c); i >= 0 {
		return pos + i
	}
	return -1
}

func indexFrom(b []byte, pos int, text []byte) int {
	if pos >= len(b) {
		return -1
	}
	if i := bytes.Index(b[pos:], text); i >= 0 {
		return pos + i
	}
	return -1
}
