package doctext

import (
	"bytes"
	"strconv"
)

// Objects of a PDF (ISO 32000-1, 7.3): nil, bool, float64, pdfString, pdfName,
// pdfArray, pdfDict, pdfRef and *pdfStream.
type (
	pdfString string
	pdfName   string
	pdfArray  []any
	pdfDict   map[pdfName]any
	// pdfRef is the number of another object. Generations are of no use: the
	// last object of a number is the one that counts.
	pdfRef int
)

// pdfStream is a stream as it is in the file.
type pdfStream struct {
	dict pdfDict
	raw  []byte
	// number and generation of its object, which keys are made of.
	number, generation int
}

const (
	// objectDepth bounds arrays and dictionaries within each other.
	objectDepth = 100
	// maxObjects bounds the objects of a file; the largest books have some
	// hundred thousand.
	maxObjects = 2_000_000
)

// word is anything else in a file, such as "endobj".
type pdfWord string

// object reads the next object, or the word that stands there; so are brackets
// that are nested too deeply.
func (l *lexer) object(depth int) any {
	l.blanks()
	if l.i >= len(l.b) {
		return pdfWord("")
	}
	c := l.b[l.i]
	l.i++
	switch {
	case c == '(':
		return pdfString(l.literal())
	case c == '<' && l.i < len(l.b) && l.b[l.i] == '<':
		l.i++
		if depth >= objectDepth {
			return pdfWord("<<")
		}
		return l.dict(depth)
	case c == '<':
		return pdfString(l.hex())
	case c == '[' && depth < objectDepth:
		return l.array(depth)
	case c == '/':
		return pdfName(l.name())
	case c == '>' && l.i < len(l.b) && l.b[l.i] == '>':
		l.i++
		return pdfWord(">>")
	case isDelimiter(c):
		return pdfWord(c)
	}
	l.i--
	t := l.word()
	if t.kind == numberToken {
		return l.reference(t.num)
	}
	switch t.text {
	case "true":
		return true
	case "false":
		return false
	case "null":
		return nil
	}
	return pdfWord(t.text)
}

// blanks passes over blanks and comments.
func (l *lexer) blanks() {
	for l.i < len(l.b) {
		switch c := l.b[l.i]; {
		case isBlank(c):
			l.i++
		case c == '%':
			l.comment()
		default:
			return
		}
	}
}

// reference returns "n g R" as such, else the number alone.
func (l *lexer) reference(n float64) any {
	back := l.i
	if n < 1 || n > maxObjects*4 || n != float64(int(n)) {
		return n
	}
	l.blanks()
	start := l.i
	for l.i < len(l.b) && l.b[l.i] >= '0' && l.b[l.i] <= '9' {
		l.i++
	}
	if l.i > start {
		l.blanks()
		if l.i < len(l.b) && l.b[l.i] == 'R' && (l.i+1 == len(l.b) || isBlank(l.b[l.i+1]) || isDelimiter(l.b[l.i+1])) {
			l.i++
			return pdfRef(n)
		}
	}
	l.i = back
	return n
}

func (l *lexer) array(depth int) any {
	a := pdfArray{}
	for {
		switch o := l.object(depth + 1).(type) {
		case pdfWord:
			if o == "]" {
				return a
			}
			if o == "" || o == "endobj" || o == ">>" {
				l.i -= len(o)
				return a
			}
		default:
			a = append(a, o)
		}
	}
}

func (l *lexer) dict(depth int) any {
	d := pdfDict{}
	for {
		switch key := l.object(depth + 1).(type) {
		case pdfWord:
			if key == ">>" {
				return d
			}
			if key == "" || key == "endobj" || key == "stream" {
				l.i -= len(key)
				return d
			}
		case pdfName:
			back := l.i
			value := l.object(depth + 1)
			if w, ok := value.(pdfWord); ok {
				if l.i = back; w == "" {
					return d
				}
				if w != ">>" && w != "endobj" {
					l.i += len(w)
				}
				continue
			}
			d[key] = value
		}
	}
}

// stream returns the stream that follows a dictionary, nil when none does. It
// is as long as its dictionary says if that is true, else it goes to its end
// mark.
func (l *lexer) stream(d pdfDict) *pdfStream {
	l.blanks()
	if !bytes.HasPrefix(l.b[l.i:], []byte("stream")) {
		return nil
	}
	l.i += len("stream")
	if l.i < len(l.b) && l.b[l.i] == '\r' {
		l.i++
	}
	if l.i < len(l.b) && l.b[l.i] == '\n' {
		l.i++
	}
	start := l.i
	if n, ok := d["Length"].(float64); ok && n >= 0 && n <= float64(len(l.b)-start) {
		end := start + int(n)
		if rest := bytes.TrimLeft(l.b[end:min(end+20, len(l.b))], "\r\n\t \x00"); bytes.HasPrefix(rest, []byte("endstream")) {
			l.i = end
			return &pdfStream{dict: d, raw: l.b[start:end]}
		}
	}
	end := bytes.Index(l.b[start:], []byte("endstream"))
	if end < 0 {
		end = len(l.b) - start
	}
	l.i = start + end
	return &pdfStream{dict: d, raw: bytes.TrimRight(l.b[start:l.i], "\r\n")}
}

// number before i, read backwards; at is where it begins, -1 for none.
func numberBefore(b []byte, i int) (n, at int) {
	end := i
	for i > 0 && b[i-1] >= '0' && b[i-1] <= '9' && end-i < 10 {
		i--
	}
	if i == end {
		return 0, -1
	}
	n, err := strconv.Atoi(string(b[i:end]))
	if err != nil {
		return 0, -1
	}
	return n, i
}

// blanksBefore goes back over blanks.
func blanksBefore(b []byte, i int) int {
	for i > 0 && isBlank(b[i-1]) {
		i--
	}
	return i
}
