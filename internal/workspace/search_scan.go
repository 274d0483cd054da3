package workspace

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	"clined/internal/tools"
)

const (
	// scanBuffer is how much of a file is in memory at a time.
	scanBuffer = 256 << 10
	// maxUTF16 is the size of the largest UTF-16 file that is searched.
	maxUTF16 = 16 << 20
)

// errNotText says that a file holds no text.
var errNotText = errors.New("binary")

// A scan searches one file after the other. It reads a part at a time and
// never holds more than that.
type scan struct {
	p       *pattern
	context int // lines of context
	most    int // matches that are kept of a file

	buf    []byte
	finder finder

	// What was found in the current file.
	total, kept int
	lines       []tools.MatchLine

	line int // the number of the line at the beginning of the next part
	last int // the number of the newest line in lines
	owed int // lines of context that are still to follow
	// tail are the lines before the next part, for context.
	tail []string
}

func (s *scan) reset() {
	s.total, s.kept, s.lines = 0, 0, nil
	s.line, s.last, s.owed, s.tail = 1, 0, 0, nil
}

// text searches a text that is in memory.
func (s *scan) text(ctx context.Context, text string) error {
	s.reset()
	return s.part(ctx, unixLines([]byte(strings.TrimLeft(text, mark)), true))
}

// read searches a file. It fails with errNotText when the file is binary.
func (s *scan) read(ctx context.Context, r io.Reader) error {
	s.reset()
	if s.buf == nil {
		s.buf = make([]byte, scanBuffer)
	}
	n, first, eof := 0, true, false
	for !eof {
		m, err := io.ReadFull(r, s.buf[n:])
		n += m
		if eof = errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF); err != nil && !eof {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		part := s.buf[:n]
		if first {
			if isUTF16(part) {
				return s.utf16(ctx, part, r)
			}
			part = bytes.TrimLeft(part, mark)
			first = false
		}
		if bytes.IndexByte(part, 0) >= 0 {
			return errNotText
		}
		whole := len(part)
		if !eof {
			whole = bytes.LastIndexByte(part, '\n') + 1
		}
		rest := part[whole:]
		if whole == 0 && !eof {
			if rest, eof, err = s.longLine(ctx, r, part); err != nil {
				return err
			}
		} else if err := s.part(ctx, unixLines(part[:whole], eof)); err != nil {
			return err
		}
		if n = copy(s.buf, rest); eof && n > 0 {
			return s.part(ctx, unixLines(s.buf[:n], true))
		}
	}
	return nil
}

func isUTF16(b []byte) bool {
	return bytes.HasPrefix(b, []byte("\xFF\xFE")) || bytes.HasPrefix(b, []byte("\xFE\xFF"))
}

func (s *scan) utf16(ctx context.Context, head []byte, r io.Reader) error {
	rest, err := io.ReadAll(io.LimitReader(r, maxUTF16))
	if err != nil {
		return err
	}
	raw := append(bytes.Clone(head), rest...)
	if len(raw) > maxUTF16 {
		return errNotText
	}
	text, _, err := decode(raw, knowledge{})
	if err != nil {
		return errNotText
	}
	return s.text(ctx, text)
}

// unixLines makes line ends newlines alone, in place.
func unixLines(b []byte, eof bool) []byte {
	if eof {
		b = bytes.TrimSuffix(b, []byte("\r"))
	}
	i := bytes.Index(b, []byte("\r\n"))
	if i < 0 {
		return b
	}
	to := i
	for i < len(b) {
		n := bytes.Index(b[i:], []byte("\r\n"))
		if n < 0 {
			n = len(b) - i
		}
		to += copy(b[to:], b[i:i+n])
		i += n + 1 // the \n stays, as the beginning of what is next
	}
	return b[:to]
}

// part searches a text of complete lines. It fails when ctx has ended.
func (s *scan) part(ctx context.Context, b []byte) error {
	s.finder.reset(s.p, b)
	pos, number := 0, s.line
	for pos < len(b) {
		start, end, ok := s.finder.next(ctx, pos)
		if !ok {
			break
		}
		begin, stop := lineBegin(b, start), lineEnd(b, start)
		at := number + bytes.Count(b[pos:begin], []byte("\n"))
		s.follow(b[pos:begin], number)
		if s.found() {
			s.before(b[:begin], at)
			s.emit(at, cut(b[begin:stop], start-begin, end-begin), true)
		}
		pos, number = min(stop+1, len(b)), at+1
	}
	s.follow(b[pos:], number)
	s.line = number + countLines(b[pos:])
	s.tail = s.tailOf(b)
	return ctx.Err()
}

// found counts a match and tells whether it is to be shown.
func (s *scan) found() bool {
	s.total++
	s.owed = 0
	if s.kept == s.most {
		return false
	}
	s.kept++
	s.owed = s.context
	return true
}

func (s *scan) emit(number int, text string, match bool) {
	s.lines = append(s.lines, tools.MatchLine{Number: number, Text: text, Match: match})
	s.last = number
}
