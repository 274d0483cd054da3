package shell

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"clined/internal/tools"
)

// maxLine bounds a line given back, in bytes. With its mark it is within what
// one line of a result may have, so that it is not cut a second time.
const maxLine = tools.MaxLineChars - 100

var newline = []byte{'\n'}

// collector keeps the head and the tail of a text, each at most half of the
// limits. Its memory does not grow with the text.
type collector struct {
	maxLines, maxBytes int // of each half

	head      []string
	headBytes int
	tail      ring
	omitted   int // lines dropped between head and tail
	shortened int // lines cut in their length

	cur     []byte // the line being written, at most maxLine
	curMore int    // its bytes beyond that
}

func collectorOf(o Options) collector {
	return collector{maxLines: max(1, o.Lines/2), maxBytes: max(1, o.Bytes/2)}
}

// add takes text in pieces of whole characters.
func (c *collector) add(text []byte) {
	text = c.skip(text)
	for len(text) > 0 {
		line, rest, ended := bytes.Cut(text, newline)
		c.extend(line)
		if ended {
			c.endLine()
		}
		text = rest
	}
}

// skip drops at once what the tail could not hold anyway, which makes a flood
// cheap, and returns the rest of text.
func (c *collector) skip(text []byte) []byte {
	if c.tail.n == 0 && c.omitted == 0 {
		return text // the head may not be full
	}
	at := bytes.LastIndexByte(text, '\n')
	for range c.maxLines {
		if at = bytes.LastIndexByte(text[:max(at, 0)], '\n'); at < 0 {
			return text
		}
	}
	c.omitted += c.tail.n + bytes.Count(text[:at+1], newline)
	c.tail.n, c.tail.size = 0, 0
	c.cur, c.curMore = c.cur[:0], 0
	return text[at+1:]
}

func (c *collector) extend(b []byte) {
	n := min(len(b), maxLine-len(c.cur))
	if c.curMore > 0 {
		n = 0
	}
	for n > 0 && n < len(b) && !utf8.RuneStart(b[n]) {
		n--
	}
	c.cur = append(c.cur, b[:n]...)
	c.curMore += len(b) - n
}

func (c *collector) endLine() {
	if c.curMore > 0 {
		c.shortened++
	}
	c.cur = c.shortenedLine()
	size := len(c.cur) + 1
	if c.omitted == 0 && c.tail.n == 0 && len(c.head) < c.maxLines && c.headBytes+size <= c.maxBytes {
		c.head = append(c.head, string(c.cur))
		c.headBytes += size
	} else {
		c.tail.push(c.cur)
		for c.tail.n > 1 && (c.tail.n > c.maxLines || c.tail.size > c.maxBytes) {
			c.tail.drop()
			c.omitted++
		}
	}
	c.cur, c.curMore = c.cur[:0], 0
}

func (c *collector) shortenedLine() []byte {
	if c.curMore == 0 {
		return c.cur
	}
	return fmt.Appendf(c.cur, " [… %d more bytes in this line …]", c.curMore)
}

// lossy tells whether something is missing.
func (c *collector) lossy() bool { return c.omitted > 0 || c.shortened > 0 || c.curMore > 0 }

// text renders what is kept, and unended, the line that is not final yet; full
// tells where the rest is, "" when nowhere. The last line has a line end if it
// was written with one.
func (c *collector) text(unended, full string) string {
	var b strings.Builder
	for _, l := range c.head {
		b.WriteString(l)
		b.WriteByte('\n')
	}
	if c.omitted > 0 {
		fmt.Fprintf(&b, "[… %d lines omitted%s …]\n", c.omitted, full)
	}
	for i := range c.tail.n {
		b.Write(c.tail.at(i))
		b.WriteByte('\n')
	}
	last := collector{cur: append([]byte(nil), c.cur...), curMore: c.curMore}
	last.extend([]byte(unended))
	b.Write(last.shortenedLine())
	if c.omitted == 0 && full != "" {
		if !strings.HasSuffix(b.String(), "\n") {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "[… long lines are cut%s …]\n", full)
	}
	return b.String()
}

// ring is a queue of lines that reuses its memory.
type ring struct {
	slots    [][]byte
	first, n int
	size     int // in bytes, with line ends
}

func (r *ring) at(i int) []byte { return r.slots[(r.first+i)%len(r.slots)] }

func (r *ring) push(line []byte) {
	if r.n == len(r.slots) {
		grown := make([][]byte, 2*r.n+8)
		for i := range r.n {
			grown[i] = r.at(i)
		}
		r.slots, r.first = grown, 0
	}
	i := (r.first + r.n) % len(r.slots)
	r.slots[i] = append(r.slots[i][:0], line...)
	r.n++
	r.size += len(line) + 1
}

func (r *ring) drop() {
	r.size -= len(r.slots[r.first]) + 1
	r.first = (r.first + 1) % len(r.slots)
	r.n--
}
