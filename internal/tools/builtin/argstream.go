package builtin

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// argStream reads the texts in the JSON object of a call's arguments while the
// model writes it. What it has of a text is always the beginning of what the
// whole object has there. What is no JSON it stops at: the call will fail, and
// then the end tells.
type argStream struct {
	// texts are those of the object itself, by key; of a key that stands there
	// twice, the last.
	texts map[string]*argText

	at    int // how much was read
	state readState
	depth int // of objects and arrays inside a value
	// inner is where reading a text inside of these stands.
	inner struct{ text, escaped bool }
	key   argText
	value *argText // nil while no text of the object itself is read
	// held is the beginning of an escape or of a character.
	held []byte
	// high is the first half of a surrogate pair, 0 for none.
	high rune
}

// argText is a text as far as it was read.
type argText struct {
	strings.Builder
	whole bool
}

type readState int

const (
	beforeObject readState = iota
	beforeKey
	inKey
	beforeColon
	beforeValue
	inText
	inOther
	afterObject
	noJSON
)

// grow reads on; args begins with what was read before.
func (s *argStream) grow(args string) {
	for s.at < len(args) && s.state < afterObject {
		if s.state == inKey || s.state == inText {
			s.at += s.readText(args[s.at:])
			continue
		}
		s.step(args[s.at])
		s.at++
	}
}

// text returns what was read of a text so far, and whether that is all of it;
// ok is false while nothing of it was seen.
func (s *argStream) text(key string) (text string, whole, ok bool) {
	t := s.texts[key]
	if t == nil {
		return "", false, false
	}
	return t.String(), t.whole, true
}

// step takes a byte outside of the object's own texts.
func (s *argStream) step(c byte) {
	if s.state == inOther {
		s.other(c)
		return
	}
	if strings.IndexByte(" \t\r\n", c) >= 0 {
		return
	}
	switch s.state {
	case beforeObject:
		s.expect(c, '{', beforeKey)
	case beforeKey:
		switch c {
		case ',':
		case '}':
			s.state = afterObject
		default:
			s.key = argText{}
			s.expect(c, '"', inKey)
		}
	case beforeColon:
		s.expect(c, ':', beforeValue)
	case beforeValue:
		if c == '"' {
			s.value = &argText{}
			if s.texts == nil {
				s.texts = map[string]*argText{}
			}
			s.texts[s.key.String()] = s.value
			s.state = inText
			return
		}
		s.state = inOther
		s.other(c)
	}
}

func (s *argStream) expect(got, want byte, next readState) {
	s.state = noJSON
	if got == want {
		s.state = next
	}
}

// other passes over a value that is no text.
func (s *argStream) other(c byte) {
	in := &s.inner
	switch {
	case in.escaped:
		in.escaped = false
	case in.text && c == '\\':
		in.escaped = true
	case c == '"':
		in.text = !in.text
	case in.text:
	case c == '{' || c == '[':
		s.depth++
	case s.depth == 0 && (c == ',' || c == '}'):
		s.state = beforeKey
		s.step(c)
	case c == '}' || c == ']':
		s.depth--
	}
}

// readText takes what it can of a text and returns how much that was.
func (s *argStream) readText(args string) int {
	out := s.value
	if s.state == inKey {
		out = &s.key
	}
	if len(s.held) == 0 {
		// What needs no thought goes over in one piece.
		if n := plainLength(args); n > 0 {
			s.unpaired(out)
			out.WriteString(args[:n])
			return n
		}
	}
	c := args[0]
	switch {
	case len(s.held) > 0 && s.held[0] == '\\':
		s.held = append(s.held, c)
		s.escape(out)
	case len(s.held) > 0 && utf8.RuneStart(c): // the character before was cut off
		s.unpaired(out)
		for range s.held {
			out.WriteRune(utf8.RuneError)
		}
		s.held = nil
		return 0
	case c == '"':
		s.unpaired(out)
		out.whole = true
		if s.state++; out == s.value { // behind the key its colon, behind the value the next key
			s.value, s.state = nil, beforeKey
		}
	case c == '\\':
		s.held = append(s.held, c)
	default:
		s.held = append(s.held, c)
		s.character(out)
	}
	return 1
}

// plainLength is the length of the whole characters before what is special.
func plainLength(args string) int {
	n := len(args)
	if i := strings.IndexAny(args, `"\`); i >= 0 {
		n = i
	}
	if utf8.ValidString(args[:n]) {
		return n
	}
	ok := 0
	for ok < n {
		r, size := utf8.DecodeRuneInString(args[ok:n])
		if r == utf8.RuneError && size == 1 {
			break
		}
		ok += size
	}
	return ok
}

// character takes what is held, once it is a whole character or cannot become one.
func (s *argStream) character(out *argText) {
	if !utf8.FullRune(s.held) {
		return
	}
	s.unpaired(out)
	for len(s.held) > 0 { // invalid bytes are one character each, as in encoding/json
		r, size := utf8.DecodeRune(s.held)
		out.WriteRune(r)
		s.held = s.held[size:]
	}
	s.held = nil
}

// unpaired writes the mark for half a surrogate pair that stays alone.
func (s *argStream) unpaired(out *argText) {
	if s.high != 0 {
		out.WriteRune(utf8.RuneError)
		s.high = 0
	}
}

var shortEscapes = map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escape takes what is held, once it is a whole escape.
func (s *argStream) escape(out *argText) {
	if s.held[1] != 'u' {
		c, ok := shortEscapes[s.held[1]]
		if !ok {
			s.state = noJSON
			return
		}
		s.unpaired(out)
		out.WriteByte(c)
		s.held = nil
		return
	}
	if c := s.held[len(s.held)-1]; len(s.held) > 2 && !isHex(c) {
		s.state = noJSON
		return
	}
	if len(s.held) < len(`\uXXXX`) {
		return
	}
	var r rune
	for _, c := range s.held[2:] {
		r = r<<4 | hexValue(c)
	}
	s.held = nil
	if s.high != 0 {
		if both := utf16.DecodeRune(s.high, r); both != utf8.RuneError {
			out.WriteRune(both)
			s.high = 0
			return
		}
		s.unpaired(out)
	}
	if utf16.IsSurrogate(r) {
		s.high = r
		return
	}
	out.WriteRune(r)
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func hexValue(c byte) rune {
	switch {
	case c <= '9':
		return rune(c - '0')
	case c <= 'F':
		return rune(c-'A') + 10
	}
	return rune(c-'a') + 10
}
