package approval

import (
	"slices"
	"strings"
)

// sedPrints tells of a sed that prints to its output alone: sed -n '1,20p' FILE,
// sed -e 's/a/b/' -e 5q FILE. Options behind the script are none of these.
func (a args) sedPrints() bool {
	var scripts []string
	given := false // by -e, so that the first operand is a file
	for len(a) > 0 && strings.HasPrefix(a[0].text, "-") {
		w := a[0]
		a = a[1:]
		if !w.fixed {
			return false
		}
		if script, ok := strings.CutPrefix(w.text, "--expression="); ok {
			scripts, given = append(scripts, script), true
			continue
		}
		if slices.Contains(sedFlags(), w.text) {
			continue
		}
		letters, script, ok := strings.Cut(w.text[1:], "e")
		if strings.Trim(letters, "nErsuz") != "" {
			return false
		}
		if ok && script == "" {
			if len(a) == 0 || !a[0].fixed {
				return false
			}
			script, a = a[0].text, a[1:]
		}
		if ok {
			scripts, given = append(scripts, script), true
		}
	}
	if !given {
		if len(a) == 0 || !a[0].fixed {
			return false
		}
		scripts, a = []string{a[0].text}, a[1:]
	}
	for _, w := range a {
		if strings.HasPrefix(w.text, "-") {
			return false
		}
	}
	// Whether a text goes on in the next -e, programs differ.
	continues := func(s string) bool { return strings.HasSuffix(s, `\`) }
	return !slices.ContainsFunc(scripts, continues) && sedHarmless(strings.Join(scripts, "\n"))
}

var sedFlags = fields("--quiet --silent --regexp-extended --null-data --separate --unbuffered")

// sedHarmless reads a script of sed (POSIX, and what GNU's and BSD's understand)
// and tells whether it surely writes, reads and runs nothing but its input and
// output.
func sedHarmless(script string) bool {
	depth, labelled := 0, 0 // labelled is the end of a line that may all be a label
	for i := 0; i < len(script); {
		if strings.IndexByte(" \t\n;", script[i]) >= 0 {
			i++
			continue
		}
		ok := true
		switch script[i] {
		case '#':
			// Elsewhere a comment goes on behind a "\".
			end := lineEnd(script, i)
			if strings.HasSuffix(script[i:end], `\`) {
				return false
			}
			i = end
			continue
		case '}':
			depth--
			i, ok = sedEnds(script, i+1)
		default:
			if i, ok = sedAddresses(script, i); !ok || i == len(script) {
				return false
			}
			if script[i] == '{' {
				depth++
				i++
				continue
			}
			from := i
			if i, ok = sedCommand(script, i); strings.IndexByte(labelling, script[from]) >= 0 {
				labelled = lineEnd(script, from)
			}
			// Of a line that is a label, what is text here is commands elsewhere.
			ok = ok && (from >= labelled || i <= labelled)
		}
		if !ok || depth < 0 {
			return false
		}
	}
	return depth == 0
}

// sedCommand reads a command and where it ends.
func sedCommand(script string, i int) (next int, ok bool) {
	c := script[i]
	i++
	switch {
	case strings.IndexByte("=dDgGhHnNpPxzF", c) >= 0:
	case strings.IndexByte("lqQ", c) >= 0:
		i = pass(script, pass(script, i, " \t"), decimals)
	case strings.IndexByte(labelling, c) >= 0: // a label may be longer elsewhere, up to the end of the line
		i = pass(script, pass(script, i, " \t"), identifier)
		next, ok = sedEnds(script, i)
		return next, ok && (next == len(script) || script[next] != '#')
	case strings.IndexByte("aic", c) >= 0:
		return sedText(script, i)
	case c == 's' || c == 'y':
		if i == len(script) || !isDelimiter(script[i]) {
			return i, false
		}
		end := script[i]
		if i, ok = delimited(script, i+1, end, true); ok {
			i, ok = delimited(script, i, end, true) // some know brackets here, too
		}
		if !ok {
			return i, false
		}
		if c == 's' {
			i = pass(script, i, "gpiImM"+decimals) // not "e", which runs, nor "w", which writes
		}
	default:
		return i, false
	}
	return sedEnds(script, i)
}

const (
	labelling  = "btT:"
	decimals   = "0123456789"
	identifier = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_" + decimals
)

// sedEnds tells whether a command ends here.
func sedEnds(script string, i int) (next int, ok bool) {
	i = pass(script, i, " \t")
	return i, i == len(script) || strings.IndexByte(";\n}#", script[i]) >= 0
}

// sedText reads the one line of text of a, i and c, on the same line or the next.
func sedText(script string, i int) (next int, ok bool) {
	i = pass(script, i, " \t")
	if strings.HasPrefix(script[i:], "\\\n") {
		i += 2
	}
	end := lineEnd(script, i)
	text := script[i:end]
	return end, strings.TrimSpace(text) != "" && !strings.Contains(text, `\`)
}

// sedAddresses reads what stands before a command: none, one or two addresses, and
// a "!".
func sedAddresses(script string, i int) (next int, ok bool) {
	i, found, ok := sedAddress(script, i, false)
	if found && ok {
		if at := pass(script, i, " \t"); at < len(script) && script[at] == ',' {
			if i, found, ok = sedAddress(script, pass(script, at+1, " \t"), true); !found {
				return i, false
			}
		}
	}
	return pass(script, i, " \t!"), ok
}

func sedAddress(script string, i int, second bool) (next int, found, ok bool) {
	if i == len(script) {
		return i, false, true
	}
	c := script[i]
	switch {
	case c == '$':
		return i + 1, true, true
	case second && (c == '+' || c == '~'):
		next = pass(script, i+1, decimals)
		return next, true, next > i+1
	case strings.IndexByte(decimals, c) >= 0:
		if next = pass(script, i, decimals); next < len(script) && script[next] == '~' {
			next = pass(script, next+1, decimals)
		}
		return next, true, true
	case c == '\\':
		if i++; i == len(script) || !isDelimiter(script[i]) {
			return i, true, false
		}
		c = script[i]
	case c != '/':
		return i, false, true
	}
	next, ok = delimited(script, i+1, c, true)
	return pass(script, next, "IM"), true, ok && next > i+2 // an empty one would be that before
}

// isDelimiter tells of what may stand around the parts of s and y, which is
// nothing that has a meaning in brackets but ":".
func isDelimiter(c byte) bool { return strings.IndexByte("/|,#:!@%+_~&\"'<>?*$`", c) >= 0 }

// delimited reads to behind an end that is not escaped. Of expressions programs
// differ in what counts in brackets, so that those must be plain.
func delimited(text string, i int, end byte, expression bool) (next int, ok bool) {
	for i < len(text) {
		switch c := text[i]; {
		case c == end:
			return i + 1, true
		case c == '\n':
			return i, false
		case c == '\\':
			if i+1 == len(text) || text[i+1] == '\n' {
				return i, false
			}
			i += 2
		case c == '[' && expression:
			if i, ok = bracket(text, i, end); !ok {
				return i, false
			}
		default:
			i++
		}
	}
	return i, false
}

// bracket reads a bracket expression to behind its "]", and is ok with those alone
// that all programs take to end there, also the ones that know no brackets: without
// the end of the whole, a "\", a "]" as the first and a "[" but that of a class.
func bracket(text string, i int, end byte) (next int, ok bool) {
	if i++; i < len(text) && text[i] == '^' {
		i++
	}
	for first := i; i < len(text); {
		switch c := text[i]; {
		case c == end || c == '\n' || c == '\\':
			return i, false
		case c == ']':
			return i + 1, i > first
		case c == '[':
			n := len(bracketClass().FindString(text[i:]))
			// Some take "]-]" for a range.
			if at := i + n; n == 0 || end == ':' || at < len(text) && text[at] == '-' {
				return i, false
			}
			i += n
		default:
			i++
		}
	}
	return i, false
}

var bracketClass = lazy(`^\[:[a-z]+:\]`)

// pass goes on behind all of some characters.
func pass(text string, i int, of string) int {
	for i < len(text) && strings.IndexByte(of, text[i]) >= 0 {
		i++
	}
	return i
}

func lineEnd(text string, i int) int {
	if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(text)
}
