package ignore

import (
	"math/bits"
	"strings"
)

// A glob is a compiled pattern with wildcards. Matching follows all ways
// through it side by side, so it takes time of at most pattern times path
// whatever the pattern is. It works on bytes, as git does.
type glob struct {
	// What each match begins and ends with and has in it: a cheap way to say no.
	prefix, suffix, inner string
	ops                   []op
	// reach holds, for each op and the end, the ops that stand next once one gets
	// there, as bits; for patterns that fit.
	reach []uint64
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
// as one with an open bracket. With fold it is for paths in lower case, and as
// with git an escaped capital then matches nothing.
func compileGlob(s string, nameOnly, fold bool) (g *glob, ok bool) {
	g = &glob{}
	n := strings.IndexAny(s, `*?[\`)
	if g.prefix = s[:n]; fold {
		g.prefix = lower(g.prefix)
	}
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
			g.ops = append(g.ops, op{kind: opByte, b: rest[i]})
		default:
			if fold {
				c = lowerByte(c)
			}
			g.ops = append(g.ops, op{kind: opByte, b: c})
		}
		i++
	}
	g.literals()
	if len(g.ops) < 64 {
		g.reach = make([]uint64, len(g.ops)+1)
		for i := range g.reach {
			g.reach[i] = g.from(i)
		}
	}
	return g, true
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

// literals sets suffix and inner, the longest run of given bytes.
func (g *glob) literals() {
	var run []byte
	for _, o := range g.ops {
		if o.kind != opByte {
			run = nil
			continue
		}
		if run = append(run, o.b); len(run) > len(g.inner) {
			g.inner = string(run)
		}
	}
	g.suffix = string(run)
}

// from returns op i, and those that follow it without taking a byte.
func (g *glob) from(i int) uint64 {
	next := uint64(1) << i
	if i < len(g.ops) {
		switch g.ops[i].kind {
		case opStar, opDeep:
			next |= g.from(i + 1)
		case opDirs:
			next |= g.from(i+1) | g.from(i+2)
		}
	}
	return next
}

func (g *glob) match(s string) bool {
	if !strings.HasPrefix(s, g.prefix) {
		return false
	}
	s = s[len(g.prefix):]
	switch {
	case !strings.HasSuffix(s, g.suffix):
		return false
	case len(g.inner) > len(g.suffix) && !strings.Contains(s, g.inner):
		return false
	case g.reach != nil:
		return g.matchBits(s)
	}
	return g.matchLong(s)
}

// matchBits follows all ways at once: a bit of at stands for one before its op.
func (g *glob) matchBits(s string) bool {
	at := g.reach[0]
	for i := 0; i < len(s) && at != 0; i++ {
		next := uint64(0)
		for left := at; left != 0; left &= left - 1 {
			n := bits.TrailingZeros64(left)
			if n == len(g.ops) {
				break
			}
			to, also := g.ops[n].take(n, s[i])
			if to >= 0 {
				next |= g.reach[to]
			}
			if also >= 0 {
				next |= g.reach[also]
			}
		}
		at = next
	}
	return at&(1<<len(g.ops)) != 0
}

// take returns where byte c leads to from op n, and where else; -1 for nowhere.
func (o *op) take(n int, c byte) (to, also int) {
	to, also = -1, -1
	switch o.kind {
	case opByte:
		if o.b == c {
			to = n + 1
		}
	case opSet:
		if o.set.has(c) {
			to = n + 1
		}
	case opStar:
		if c != '/' {
			to = n
		}
	case opDeep:
		to = n
	case opInDirs:
		if to = n; c == '/' {
			also = n + 1
		}
	}
	return to, also
}

// matchLong is for patterns of more ops than there are bits: cur and next hold,
// per op, whether a way stands before it.
func (g *glob) matchLong(s string) bool {
	n := len(g.ops) + 1
	cur, next := make([]bool, n), make([]bool, n)
	g.mark(cur, 0)
	for i := range len(s) {
		alive := false
		for n := range g.ops {
			if !cur[n] {
				continue
			}
			to, also := g.ops[n].take(n, s[i])
			if to >= 0 {
				g.mark(next, to)
				alive = true
			}
			if also >= 0 {
				g.mark(next, also)
			}
		}
		if !alive {
			return false
		}
		cur, next = next, cur
		clear(next)
	}
	return cur[n-1]
}

// mark marks op i, and those that follow it without taking a byte.
func (g *glob) mark(states []bool, i int) {
	for !states[i] {
		states[i] = true
		if i == len(g.ops) {
			return
		}
		switch g.ops[i].kind {
		case opStar, opDeep:
			i++
		case opDirs:
			g.mark(states, i+1)
			i += 2
		default:
			return
		}
	}
}
