package doctext

import (
	"bytes"
	"strconv"
	"strings"
)

// tokenKind is a sort of token in a content stream or CMap.
type tokenKind byte

const (
	endToken tokenKind = iota
	numberToken
	stringToken
	nameToken
	arrayToken
	dictToken
	wordToken // an operator
)

// token is an operand or operator. Arrays and dictionaries hold their elements
// in list, those of inner ones among them: no text needs to know.
type token struct {
	kind tokenKind
	num  float64
	text string // of strings, names and operators
	list []token
}

// maxList bounds the elements of one array.
const maxList = 1 << 16

// lexer cuts a stream into tokens (ISO 32000-1, 7.2). It takes whatever there
// is: what makes no sense is passed over.
type lexer struct {
	b []byte
	i int
}

func isBlank(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0
}

func isDelimiter(c byte) bool { return bytes.IndexByte([]byte("()<>[]{}/%"), c) >= 0 }

// next returns the next token.
func (l *lexer) next() token {
	for l.i < len(l.b) {
		c := l.b[l.i]
		l.i++
		switch {
		case isBlank(c):
		case c == '%':
			l.comment()
		case c == '(':
			return token{kind: stringToken, text: l.literal()}
		case c == '<' && l.i < len(l.b) && l.b[l.i] == '<':
			l.i++
			return l.collect(dictToken)
		case c == '<':
			return token{kind: stringToken, text: l.hex()}
		case c == '[':
			return l.collect(arrayToken)
		case c == '/':
			return token{kind: nameToken, text: l.name()}
		case isDelimiter(c): // one that closes nothing
		default:
			l.i--
			return l.word()
		}
	}
	return token{}
}

func (l *lexer) comment() {
	for l.i < len(l.b) && l.b[l.i] != '\n' && l.b[l.i] != '\r' {
		l.i++
	}
}

// collect reads to the end of the array or dictionary that was opened.
func (l *lexer) collect(kind tokenKind) token {
	t := token{kind: kind}
	for depth := 1; depth > 0; {
		for l.i < len(l.b) && isBlank(l.b[l.i]) {
			l.i++
		}
		if l.i >= len(l.b) {
			break
		}
		two := l.b[l.i:min(l.i+2, len(l.b))]
		switch {
		case two[0] == ')' || two[0] == '{' || two[0] == '}' || two[0] == '>' && string(two) != ">>":
			l.i++ // closes nothing
		case two[0] == '%':
			l.comment()
		case two[0] == '[':
			depth++
			l.i++
		case two[0] == ']':
			depth--
			l.i++
		case string(two) == "<<":
			depth++
			l.i += 2
		case string(two) == ">>":
			depth--
			l.i += 2
		default:
			e := l.next()
			if e.kind == endToken {
				return t
			}
			if len(t.list) < maxList {
				t.list = append(t.list, e)
			}
		}
	}
	return t
}

// word reads a number or an operator.
func (l *lexer) word() token {
	start := l.i
	for l.i < len(l.b) && !isBlank(l.b[l.i]) && !isDelimiter(l.b[l.i]) {
		l.i++
	}
	text := string(l.b[start:l.i])
	if c := text[0]; c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.' {
		if n, err := strconv.ParseFloat(text, 64); err == nil {
			return token{kind: numberToken, num: n}
		}
	}
	return token{kind: wordToken, text: text}
}

func (l *lexer) name() string {
	var name []byte
	for l.i < len(l.b) && !isBlank(l.b[l.i]) && !isDelimiter(l.b[l.i]) {
		c := l.b[l.i]
		if c == '#' && l.i+2 < len(l.b) {
			if n, err := strconv.ParseUint(string(l.b[l.i+1:l.i+3]), 16, 8); err == nil {
				c = byte(n)
				l.i += 2
			}
		}
		name = append(name, c)
		l.i++
	}
	return string(name)
}

func (l *lexer) hex() string {
	var out []byte
	digits, value := 0, byte(0)
	for l.i < len(l.b) {
		c := l.b[l.i]
		l.i++
		if c == '>' {
			break
		}
		n := bytes.IndexByte([]byte("0123456789abcdef"), c|0x20)
		if n < 0 || isBlank(c) || c < '0' {
			continue
		}
		value = value<<4 | byte(n)
		if digits++; digits%2 == 0 {
			out = append(out, value)
			value = 0
		}
	}
	if digits%2 == 1 {
		out = append(out, value<<4)
	}
	return string(out)
}

const escaped, meant = "nrtbf", "\n\r\t\b\f"

func (l *lexer) literal() string {
	var out []byte
	for depth := 1; l.i < len(l.b); {
		c := l.b[l.i]
		l.i++
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return string(out)
			}
		case '\\':
			if l.i >= len(l.b) {
				return string(out)
			}
			c = l.b[l.i]
			l.i++
			if n := strings.IndexByte(escaped, c); n >= 0 {
				c = meant[n]
			} else if c >= '0' && c <= '7' {
				n := int(c - '0')
				for k := 0; k < 2 && l.i < len(l.b) && l.b[l.i] >= '0' && l.b[l.i] <= '7'; k++ {
					n = n*8 + int(l.b[l.i]-'0')
					l.i++
				}
				c = byte(n)
			} else if c == '\n' || c == '\r' {
				if c == '\r' && l.i < len(l.b) && l.b[l.i] == '\n' {
					l.i++
				}
				continue
			}
		}
		out = append(out, c)
	}
	return string(out)
}

// skipImage passes over the bytes of an inline image; its dictionary is read.
func (l *lexer) skipImage() {
	for l.i < len(l.b) {
		n := bytes.Index(l.b[l.i:], []byte("EI"))
		if n < 0 {
			l.i = len(l.b)
			return
		}
		at := l.i + n
		l.i = at + 2
		before := at == 0 || isBlank(l.b[at-1])
		if before && (l.i >= len(l.b) || isBlank(l.b[l.i])) && printable(l.b[l.i:min(l.i+16, len(l.b))]) {
			return
		}
	}
}

// printable tells operators from the bytes of an image.
func printable(b []byte) bool {
	for _, c := range b {
		if !isBlank(c) && (c < ' ' || c > '~') {
			return false
		}
	}
	return true
}
