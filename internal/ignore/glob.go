package ignore

import "strings"

// A glob is a compiled pattern with wildcards. Matching follows all ways
// through it side by side, so it takes time of at most pattern times path
// whatever the pattern is. It works on bytes, as git does.
type glob struct {
	prefix, suffix string // literal ends, a cheap way to say no
	ops            []op
}

type opKind uint8

const (
	opByte   opKind = iota // one given byte
	opSet                  // one byte of a set, never a slash
	opStar                 // any bytes but slashes
	opDeep                 // any bytes
	opDirs                 // nothing, or leads into the opInDirs that follows it
	opInDirs               // any bytes up to and including a slash
)

type op struct {
	kind opKind
	b    byte
	set  *byteSet
}

type byteSet [4]uint64

func (s *byteSet) add(b byte)      { s[b>>6] |= 1 << (b & 63) }
func (s *byteSet) remove(b byte)   { s[b>>6] &^= 1 << (b & 63) }
func (s *byteSet) has(b byte) bool { return s[b>>6]&(1<<(b&63)) != 0 }

// compileGlob compiles a pattern. ok is false when it can match nothing, such
// as one with an open bracket.
func compileGlob(s string, nameOnly, fold bool) (g *glob, ok bool) {
	g = &glob{}
	n := strings.IndexAny(s, `*?[\`)
	g.prefix = s[:n]
	// git compares the literal beginning apart, and what follows counts as the
	// beginning of a pattern: "a**/b" crosses slashes as "**/b" does.
	rest := s[n:]
	for i := 0; i < len(rest); {
		switch c := rest[i]; c {
		case '*':
			end := i
			for end < len(rest) && rest[end] == '*' {
				end++
			}
			i = g.addStars(rest, i, end, nameOnly)
			continue
		case '?':
			g.ops = append(g.ops, op{kind: opSet, set: anyButSlash})
		case '[':
			set, next, ok := parseSet(rest, i, fold)
			if !ok {
				return nil, false
			}
			g.ops = append(g.ops, op{kind: opSet, set: set})
			i = next
			continue
		case '\\':
			i++
			if i == len(rest) {
				return nil, false
			}
			g.addByte(rest[i], fold)
		default:
			g.addByte(c, fold)
		}
		i++
	}
	g.suffix = literalEnd(g.ops)
	return g, true
}

func (g *glob) addByte(b byte, fold bool) {
	if fold && 'A' <= b && b <= 'Z' {
		b += 'a' - 'A'
	}
	g.ops = append(g.ops, op{kind: opByte, b: b})
}

// addStars compiles the asterisks rest[i:end] and returns where to go on. Two
// or more of them as a whole path element cross slashes.
func (g *glob) addStars(rest string, i, end int, nameOnly bool) int {
	after := rest[end:]
	whole := end-i > 1 && !nameOnly && (i == 0 || rest[i-1] == '/')
	switch {
	case whole && strings.HasPrefix(after, "/"):
		g.ops = append(g.ops, op{kind: opDirs}, op{kind: opInDirs})
		return end + 1
	case whole && (after == "" || strings.HasPrefix(after, `\/`)):
		g.ops = append(g.ops, op{kind: opDeep})
	default:
		g.ops = append(g.ops, op{kind: opStar})
	}
	return end
}

var anyButSlash = func() *byteSet {
	s := &byteSet{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
	s.remove('/')
	return s
}()

func literalEnd(ops []op) string {
	i := len(ops)
	for i > 0 && ops[i-1].kind == opByte {
		i--
	}
	var b strings.Builder
	for _, o := range ops[i:] {
		b.WriteByte(o.b)
	}
	return b.String()
}

func (g *glob) match(s string) bool {
	if !strings.HasPrefix(s, g.prefix) {
		return false
	}
	s = s[len(g.prefix):]
	if !strings.HasSuffix(s, g.suffix) {
		return false
	}
	// cur and next hold, per op, whether a way through stands before it; the
	// last element stands for the end of the pattern.
	var small [2][64]bool
	n := len(g.ops) + 1
	cur, next := small[0][:], small[1][:]
	if n > len(cur) {
		cur, next = make([]bool, n), make([]bool, n)
	}
	cur, next = cur[:n], next[:n]
	g.reach(cur, 0)
	for i := range len(s) {
		if !g.step(cur, next, s[i]) {
			return false
		}
		cur, next = next, cur
		clear(next)
	}
	return cur[n-1]
}

// step moves every way in cur over byte c, and tells whether one is left.
func (g *glob) step(cur, next []bool, c byte) (alive bool) {
	for i, o := range g.ops {
		if !cur[i] {
			continue
		}
		to := -1
		switch o.kind {
		case opByte:
			if o.b == c {
				to = i + 1
			}
		case opSet:
			if o.set.has(c) {
				to = i + 1
			}
		case opStar:
			if c != '/' {
				to = i
			}
		case opDeep:
			to = i
		case opInDirs:
			to = i
			if c == '/' {
				g.reach(next, i+1)
			}
		}
		if to >= 0 {
			g.reach(next, to)
			alive = true
		}
	}
	return alive
}

// reach marks op i, and those that follow it without taking a byte.
func (g *glob) reach(states []bool, i int) {
	for !states[i] {
		states[i] = true
		if i == len(g.ops) {
			return
		}
		switch g.ops[i].kind {
		case opStar, opDeep:
			i++
		case opDirs:
			g.reach(states, i+1)
			i += 2
		default:
			return
		}
	}
}
