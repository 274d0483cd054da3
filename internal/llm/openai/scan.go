package openai

// scan follows a JSON object as it comes in pieces, in time that is linear in
// the whole. It knows whether the object was closed, not whether it is valid.
// Text that does not begin with a bracket is no object: neither open nor closed.
type scan struct {
	depth            int
	inString, escape bool
	begun, odd       bool
	closed           bool
}

func (s *scan) add(text string) {
	for i := 0; i < len(text) && !s.odd; i++ {
		c := text[i]
		switch {
		case s.escape:
			s.escape = false
		case s.inString && c == '\\':
			s.escape = true
		case s.inString && c != '"':
		case c == ' ' || c == '\n' || c == '\r' || c == '\t':
		case !s.begun && c != '{':
			s.odd = true
		case c == '"':
			s.inString = !s.inString
		case c == '{' || c == '[':
			s.begun, s.closed = true, false
			s.depth++
		case c == '}' || c == ']':
			s.depth--
			s.closed = s.depth <= 0
		}
	}
}

// open reports whether the text so far stops in the middle of an object.
func (s *scan) open() bool { return s.begun && !s.closed }
