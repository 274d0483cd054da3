package ignore

import "strings"

// parseSet compiles the bracket expression at s[i] and returns where it ends.
// ok is false for one that is not closed or names an unknown class: git then
// lets the whole pattern match nothing.
func parseSet(s string, i int, fold bool) (set *byteSet, end int, ok bool) {
	set = &byteSet{}
	i++
	negated := i < len(s) && (s[i] == '!' || s[i] == '^')
	if negated {
		i++
	}
	prev := byte(0) // what a range may begin with; 0 for nothing
	for first := true; ; first = false {
		if i >= len(s) {
			return nil, 0, false
		}
		c := s[i]
		switch {
		case c == ']' && !first:
			finishSet(set, negated)
			return set, i + 1, true
		case c == '-' && prev != 0 && i+1 < len(s) && s[i+1] != ']':
			i++
			if s[i] == '\\' {
				if i++; i == len(s) {
					return nil, 0, false
				}
			}
			set.addRange(prev, s[i], fold)
			prev = 0
		case c == '[' && strings.HasPrefix(s[i+1:], ":"):
			n := strings.IndexByte(s[i+2:], ']')
			if n < 0 {
				return nil, 0, false
			}
			name, isClass := strings.CutSuffix(s[i+2:i+2+n], ":")
			if !isClass { // an ordinary bracket
				set.add('[')
				prev = '['
				break
			}
			if !addClass(set, name, fold) {
				return nil, 0, false
			}
			i += 2 + n
			prev = 0
		default:
			if c == '\\' {
				if i++; i == len(s) {
					return nil, 0, false
				}
				c = s[i]
			}
			set.add(c)
			prev = c
		}
		i++
	}
}

// addRange adds a range. With fold, for paths in lower case, that is also the
// letters whose capitals are in it; as with git, not those of a single capital.
func (s *byteSet) addRange(from, to byte, fold bool) {
	for i := int(from); i <= int(to); i++ {
		s.add(byte(i))
		if fold {
			s.add(lowerByte(byte(i)))
		}
	}
}

func finishSet(set *byteSet, negated bool) {
	if negated {
		for i := range set {
			set[i] = ^set[i]
		}
	}
	set.remove('/')
}

// addClass adds a POSIX class of ASCII characters, with git's idea of a space.
func addClass(set *byteSet, name string, fold bool) bool {
	if name == "upper" && fold {
		name = "alpha"
	}
	in := classes[name]
	if in == nil {
		return false
	}
	for b := range byte(0x80) {
		if in(b) {
			set.add(b)
		}
	}
	return true
}

var classes = map[string]func(b byte) bool{
	"alnum":  func(b byte) bool { return isAlpha(b) || isDigit(b) },
	"alpha":  isAlpha,
	"blank":  func(b byte) bool { return b == ' ' || b == '\t' },
	"cntrl":  func(b byte) bool { return b < ' ' || b == 0x7f },
	"digit":  isDigit,
	"graph":  isGraph,
	"lower":  func(b byte) bool { return 'a' <= b && b <= 'z' },
	"print":  func(b byte) bool { return isGraph(b) || b == ' ' },
	"punct":  func(b byte) bool { return isGraph(b) && !isAlpha(b) && !isDigit(b) },
	"space":  func(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' },
	"upper":  func(b byte) bool { return 'A' <= b && b <= 'Z' },
	"xdigit": func(b byte) bool { return isDigit(b) || 'a' <= b|0x20 && b|0x20 <= 'f' },
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }
func isAlpha(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }
func isGraph(b byte) bool { return ' ' < b && b < 0x7f }
