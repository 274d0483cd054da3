package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// A pattern finds the lines that a regular expression matches. Lines are
// looked at one by one: no match goes over a line's end. It may be used by
// several goroutines.
type pattern struct {
	re *regexp.Regexp
	// required are literals of which every match holds one; none if there is
	// no such set. exact tells that every one of them is a match.
	required []literal
	exact    bool
}

// compilePattern compiles an expression of RE2's syntax. The error is for the
// model.
func compilePattern(expr string) (*pattern, error) {
	if expr == "" {
		return nil, errors.New("the regular expression is empty")
	}
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil, badPattern(expr, err)
	}
	if !lineBound(tree) {
		return nil, errors.New("the regular expression asks for a line end: the search goes line by line, so look for what is on one line")
	}
	// A tree cannot be compiled as such; what it prints is the same expression.
	re, err := regexp.Compile(tree.String())
	if err != nil {
		return nil, badPattern(expr, err)
	}
	p := &pattern{re: re, required: requiredLiterals(tree)}
	p.exact = len(p.required) > 0 && isLiteral(tree)
	return p, nil
}

// badPattern says what is wrong, and what to do instead.
func badPattern(expr string, err error) error {
	reason := err.Error()
	var se *syntax.Error
	if errors.As(err, &se) {
		reason = fmt.Sprintf("%s: `%s`", se.Code, se.Expr)
	}
	hint := ""
	switch {
	case containsAny(expr, "(?=", "(?!", "(?<=", "(?<!"):
		hint = "; there is no look-around: match more and pick among the results"
	case containsAny(expr, "(?>", "*+", "++", "?+", `\K`, `\G`):
		hint = "; RE2 has no atomic groups, possessive repetition, \\K or \\G, and does without"
	case backReference.MatchString(expr):
		hint = "; there are no back-references: match more and pick among the results"
	case strings.Contains(expr, `\u`):
		hint = `; write a code point as \x{1F600}`
	default:
		hint = `; to search for one of ( ) [ ] { } . * + ? ^ $ | \ as it is, put a \ before it`
	}
	return fmt.Errorf("the regular expression is not valid: %s%s", reason, hint)
}

var backReference = regexp.MustCompile(`\\[1-9]|\\k[<{']|\(\?P=`)

func containsAny(s string, subs ...string) bool {
	return slices.ContainsFunc(subs, func(sub string) bool { return strings.Contains(s, sub) })
}

// lineBound changes an expression so that it finds in many lines at once what
// it finds in each alone: nothing matches a newline, and the ends of the text
// become those of a line. It returns false for one that needs a newline.
func lineBound(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpLiteral:
		return !slices.Contains(re.Rune, '\n')
	case syntax.OpCharClass:
		had := len(re.Rune) > 0
		re.Rune = withoutNewline(re.Rune)
		return !had || len(re.Rune) > 0
	case syntax.OpAnyChar:
		re.Op = syntax.OpAnyCharNotNL
	case syntax.OpBeginText:
		re.Op = syntax.OpBeginLine
	case syntax.OpEndText:
		re.Op = syntax.OpEndLine
	}
	for _, sub := range re.Sub {
		if !lineBound(sub) {
			return false
		}
	}
	return true
}

// withoutNewline takes the newline out of the ranges of a class.
func withoutNewline(ranges []rune) []rune {
	var out []rune
	for i := 0; i+1 < len(ranges); i += 2 {
		lo, hi := ranges[i], ranges[i+1]
		if lo > '\n' || hi < '\n' {
			out = append(out, lo, hi)
			continue
		}
		if lo < '\n' {
			out = append(out, lo, '\n'-1)
		}
		if hi > '\n' {
			out = append(out, '\n'+1, hi)
		}
	}
	return out
}

// A finder runs a pattern over text, a part of complete lines at a time.
type finder struct {
	p    *pattern
	b    []byte
	lits []literalFinder
	// plain is true where the literals cannot be relied on.
	plain bool
}

// reset makes b the text to look at. It must not change until the next reset.
func (f *finder) reset(p *pattern, b []byte) {
	f.p, f.b, f.lits = p, b, f.lits[:0]
	f.plain = len(p.required) == 0
	for i := range p.required {
		if p.required[i].foreign(b) {
			f.plain = true
		}
		f.lits = append(f.lits, literalFinder{lit: &p.required[i]})
	}
}

// block is how much text without required literals is matched at a time: up
// to here Go's regexp uses its faster algorithm on expressions of usual size.
const block = 4 << 10

// next returns where the first match begins and ends at or after pos, which is
// the beginning of a line. It finds nothing more once ctx has ended.
func (f *finder) next(ctx context.Context, pos int) (start, end int, ok bool) {
	for pos < len(f.b) && ctx.Err() == nil {
		from, to := pos, 0
		if f.plain {
			to = min(pos+block, len(f.b))
			to = lineEnd(f.b, to-1)
		} else {
			at, n := f.literal(pos)
			if at < 0 {
				return 0, 0, false
			}
			if f.p.exact {
				return at, at + n, true
			}
			from, to = lineBegin(f.b, at), lineEnd(f.b, at)
		}
		if loc := f.p.re.FindIndex(f.b[from:to]); loc != nil {
			return from + loc[0], from + loc[1], true
		}
		pos = to + 1
	}
	return 0, 0, false
}

// literal returns where the first of the required literals stands, and its
// length; -1 if there is none.
func (f *finder) literal(pos int) (at, n int) {
	at = -1
	for i := range f.lits {
		if p := f.lits[i].find(f.b, pos); p >= 0 && (at < 0 || p < at) {
			at, n = p, len(f.lits[i].lit.text)
		}
	}
	return at, n
}

// lineBegin returns the beginning of the line that i is in.
func lineBegin(b []byte, i int) int { return bytes.LastIndexByte(b[:i], '\n') + 1 }

// lineEnd returns the end of the line that i is in, its newline left out.
func lineEnd(b []byte, i int) int {
	if n := bytes.IndexByte(b[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(b)
}
