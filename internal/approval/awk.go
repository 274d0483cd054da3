package approval

import (
	"slices"
	"strings"
)

// awkPrints tells of an awk whose program prints to its output alone: awk [-F:]
// [-v x=1] 'NR > 5 {print $1}' FILE….
func (a args) awkPrints() bool {
	for len(a) > 1 && a[0].fixed {
		letter, value := a[0].text[:min(2, len(a[0].text))], a[0].text[min(2, len(a[0].text)):]
		if letter != "-F" && letter != "-v" {
			break
		}
		if a = a[1:]; value == "" {
			if len(a) < 2 || !a[0].fixed {
				return false
			}
			value, a = a[0].text, a[1:]
		}
		if letter == "-v" && !awkAssigns().MatchString(value) {
			return false
		}
	}
	if len(a) == 0 || !a[0].fixed || strings.HasPrefix(a[0].text, "-") || !awkHarmless(a[0].text) {
		return false
	}
	return !slices.ContainsFunc(a[1:], func(w word) bool {
		return !w.fixed || strings.HasPrefix(w.text, "-") || strings.HasPrefix(w.text, "/inet")
	})
}

var awkAssigns = lazy(`^[A-Za-z_][A-Za-z0-9_]*=`)

// awkReaches are the names by which a program runs others, or reads what it was
// not given. They count in texts, too.
var awkReaches = lazy(`\b(system|getline|ENVIRON|ARGV|ARGC|SYMTAB|FUNCTAB|PROCINFO)\b`)

// awkHarmless reads a program of awk and tells whether it surely writes, reads and
// runs nothing but its input and output: "|" and, in print, ">" would.
func awkHarmless(program string) bool {
	if awkReaches().MatchString(program) {
		return false
	}
	s := awkReader{text: program}
	for s.at < len(program) {
		if !s.token() {
			return false
		}
	}
	return len(s.open) == 0
}

// awkReader reads a program token by token.
type awkReader struct {
	text string
	at   int
	// last says what the token before is: that decides whether a "/" divides.
	last awkToken
	// printing is set from print on until what surely ends the statement.
	printing bool
	// open are the "(", "[" and "{" that are, and an 'i' for each "(" of a control
	// structure.
	open []byte
}

type awkToken int

const (
	awkOperator awkToken = iota // an operand, such as a regular expression, follows
	awkOperand
	awkControl // if, while and such, before its parenthesis
	awkUnclear // programs may differ in what follows
)

// token reads one; false when it may do more than compute and print.
func (s *awkReader) token() (ok bool) {
	c := s.text[s.at]
	switch {
	case c == ' ' || c == '\t':
		s.at++
		return true
	case strings.HasPrefix(s.text[s.at:], "\\\n"):
		s.at += 2
		return true
	case c == '#':
		end := lineEnd(s.text, s.at)
		ok = !strings.Contains(s.text[s.at:end], `\`)
		s.at = end
		return ok
	case c == '"':
		s.at, ok = delimited(s.text, s.at+1, '"', false)
		s.last = awkOperand
		return ok
	case c == '/':
		return s.slash()
	case strings.IndexByte(decimals+".", c) >= 0:
		return s.number()
	case strings.IndexByte(identifier, c) >= 0:
		return s.name()
	}
	return s.operator(c)
}

// slash reads a division, or a regular expression.
func (s *awkReader) slash() (ok bool) {
	switch s.last {
	case awkOperand:
		s.at++
		s.last = awkOperator
		return true
	case awkOperator:
		s.at, ok = delimited(s.text, s.at+1, '/', true)
		s.last = awkOperand
		return ok
	}
	return false
}

func (s *awkReader) number() (ok bool) {
	s.at, s.last = pass(s.text, s.at, decimals+"."), awkOperand
	if s.at < len(s.text) && strings.IndexByte("eE", s.text[s.at]) >= 0 {
		s.at = pass(s.text, s.at+1, decimals)
	}
	return s.at == len(s.text) || strings.IndexByte(identifier, s.text[s.at]) < 0
}

// name reads a name; false where it is a keyword for some programs alone.
func (s *awkReader) name() (ok bool) {
	from := s.at
	s.at = pass(s.text, s.at, identifier)
	s.last = awkOperand
	switch s.text[from:s.at] {
	case "print", "printf":
		s.printing, s.last = true, awkOperator
	case "return", "in", "else", "do", "exit":
		s.last = awkOperator
	case "if", "while", "for":
		s.last = awkControl
	case "case", "switch", "default", "func", "include", "load", "namespace", "eval", "BEGINFILE", "ENDFILE":
		return false
	case "next", "nextfile", "break", "continue", "function", "delete", "BEGIN", "END":
		s.last = awkUnclear
	default:
		if slices.Contains(awkFunctions(), s.text[from:s.at]) {
			s.last = awkUnclear
		}
	}
	return true
}

// awkFunctions are built in, some of them in some programs alone, which may call
// them without parentheses.
var awkFunctions = fields("length rand srand fflush close int sqrt exp log sin cos atan2 toupper tolower substr index split match sub gsub sprintf gensub systime mktime strftime and or xor compl lshift rshift")

func (s *awkReader) operator(c byte) bool {
	before := s.last
	s.last = awkOperator
	for _, twice := range []string{"&&", "||", "++", "--"} {
		if strings.HasPrefix(s.text[s.at:], twice) {
			if c == '+' || c == '-' {
				s.last = awkUnclear
			}
			s.at += 2
			return true
		}
	}
	s.at++
	switch c {
	case '(':
		if before == awkControl {
			c = 'i'
		}
		s.open = append(s.open, c)
	case '[', '{':
		s.open = append(s.open, c)
	case ')', ']', '}':
		return s.closes(c)
	case '$':
		s.last = awkUnclear
	case ';':
		s.printing = false
	case '\n':
		if n := len(s.open); n > 0 && s.open[n-1] != '{' {
			s.last = awkUnclear
		}
	case '>':
		return !s.printing && !strings.HasPrefix(s.text[s.at:], ">")
	case ',', '+', '-', '*', '%', '^', '!', '<', '=', '~', '?', ':':
	default: // "|" and "&" alone, "@" and what is no text of awk
		return false
	}
	return true
}

// closes reads what closes the innermost that is open; false for anything else.
func (s *awkReader) closes(c byte) bool {
	n := len(s.open) - 1
	if n < 0 {
		return false
	}
	is := s.open[n]
	s.open = s.open[:n]
	switch c {
	case ')':
		if s.last = awkOperand; is == 'i' {
			s.last = awkUnclear
		}
		return is == '(' || is == 'i'
	case ']':
		s.last = awkOperand
		return is == '['
	}
	s.printing = false
	return is == '{'
}
