package workspace

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"unicode/utf8"

	"clined/internal/tools"
)

// window cuts a window out of a text. What Window.Size and the fields after it
// say is left to the caller.
func window(ctx context.Context, r io.Reader, from tools.Place, lines, most int) (*tools.Window, error) {
	c := &cutter{ctx: ctx, r: bufio.NewReaderSize(r, windowBuffer), at: tools.Place{Line: 1}}
	if err := c.skip(max(from.Line, 1), from.Char); err != nil {
		return nil, err
	}
	text, err := c.take(c.at.Line+max(lines, 1), max(most, utf8.UTFMax))
	if err != nil {
		return nil, err
	}
	next := c.at
	if _, err := c.more(); err != nil { // to see whether there is anything
		return nil, err
	}
	if c.end {
		whole := next.Line
		if next.Char == 0 {
			whole--
		}
		return &tools.Window{Text: string(text), Lines: whole}, nil
	}
	// A line is cut only when it does not fit by itself.
	if end := bytes.LastIndexByte(text, '\n') + 1; end > 0 && end < len(text) {
		text, next.Char = text[:end], 0
	}
	return &tools.Window{Text: string(text), Next: next}, nil
}

// cutter reads a text on, and knows where it is.
type cutter struct {
	ctx context.Context
	r   *bufio.Reader
	// at is the place of what comes next. Of a line that is skipped Char only
	// tells whether anything of it was seen.
	at  tools.Place
	end bool
}

// more returns what comes next, in whole characters; nothing at the end.
func (c *cutter) more() ([]byte, error) {
	if err := c.ctx.Err(); err != nil {
		return nil, err
	}
	_, err := c.r.Peek(utf8.UTFMax)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	b, _ := c.r.Peek(c.r.Buffered())
	c.end = len(b) == 0
	if err == nil {
		b = wholeRunes(b)
	}
	return b, nil
}

// wholeRunes leaves out a character at the end that is not complete.
func wholeRunes(b []byte) []byte {
	for i := 1; i <= min(utf8.UTFMax-1, len(b)); i++ {
		if last := b[len(b)-i:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				return b[:len(b)-i]
			}
			break
		}
	}
	return b
}

// skip goes to a character of a line, to the end of a line that is shorter.
func (c *cutter) skip(line, char int) error {
	for c.at.Line < line {
		b, err := c.more()
		if err != nil || c.end {
			return err
		}
		b, ends := upToLine(b, line-c.at.Line)
		if c.at.Line += ends; b[len(b)-1] == '\n' {
			c.at.Char = 0
		} else {
			c.at.Char = 1
		}
		_, _ = c.r.Discard(len(b))
	}
	for c.at.Char < char {
		b, err := c.more()
		if err != nil || c.end {
			return err
		}
		end := bytes.IndexByte(b, '\n')
		if end < 0 {
			end = len(b)
		}
		b = upToChar(b[:end], char-c.at.Char)
		if len(b) == 0 {
			return nil
		}
		c.at.Char += characters(b)
		_, _ = c.r.Discard(len(b))
	}
	return nil
}

// take returns what comes before a line, at most that many bytes.
func (c *cutter) take(line, most int) (text []byte, err error) {
	for c.at.Line < line {
		b, err := c.more()
		if err != nil || c.end {
			return text, err
		}
		if left := most - len(text); len(b) > left {
			b = wholeRunes(b[:left])
		}
		if len(b) == 0 {
			break
		}
		b, ends := upToLine(b, line-c.at.Line)
		text = append(text, b...)
		if ends > 0 {
			c.at = tools.Place{Line: c.at.Line + ends}
		}
		c.at.Char += characters(b[bytes.LastIndexByte(b, '\n')+1:])
		_, _ = c.r.Discard(len(b))
	}
	return text, nil
}

// upToLine cuts b after its n-th line end and returns how many it has then.
func upToLine(b []byte, n int) ([]byte, int) {
	if ends := bytes.Count(b, []byte("\n")); ends < n {
		return b, ends
	}
	end := 0
	for range n {
		end += bytes.IndexByte(b[end:], '\n') + 1
	}
	return b[:end], n
}

// upToChar cuts b after its n-th character.
func upToChar(b []byte, n int) []byte {
	if len(b) <= n {
		return b
	}
	end := 0
	for ; n > 0 && end < len(b); n-- {
		_, size := utf8.DecodeRune(b[end:])
		end += size
	}
	return b[:end]
}

// characters is utf8.RuneCount, faster for what is ASCII.
func characters(b []byte) int {
	rest := b
	for ; len(rest) >= 8; rest = rest[8:] {
		if binary.LittleEndian.Uint64(rest)&0x8080808080808080 != 0 {
			break
		}
	}
	return len(b) - len(rest) + utf8.RuneCount(rest)
}
