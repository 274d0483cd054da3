package workspace

import (
	"bytes"
	"context"
	"errors"
	"io"
)

// longLine searches a line that is larger than the buffer, of which b is the
// beginning, in parts that overlap. It returns what follows the line.
func (s *scan) longLine(ctx context.Context, r io.Reader, b []byte) (rest []byte, eof bool, err error) {
	head := cut(b, 0, 0)
	seen := s.longPart(b, true, false)
	n := copy(s.buf, b[len(b)-s.overlap():])
	for {
		m, err := io.ReadFull(r, s.buf[n:])
		eof = errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !eof {
			return nil, false, err
		}
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		part := s.buf[:n+m]
		if bytes.IndexByte(part, 0) >= 0 {
			return nil, false, errNotText
		}
		end := lineEnd(part, 0)
		ends := end < len(part) || eof
		seen = seen || s.longPart(bytes.TrimSuffix(part[:end], []byte("\r")), false, ends)
		if ends {
			if !seen && s.owed > 0 {
				s.emit(s.line, head, false)
				s.owed--
			}
			s.line++
			s.tail = nil
			return part[min(end+1, len(part)):], eof, nil
		}
		n = copy(s.buf, part[len(part)-s.overlap():])
	}
}

// overlap is how far the parts of a line that is larger than the buffer
// overlap: a match in it that is longer may be missed.
func (s *scan) overlap() int { return len(s.buf) / 32 }

// longPart looks for a match in a part of a line. One that touches a cut does
// not count, since an anchor may take the cut for an end of the line; the
// part that overlaps has it, too.
func (s *scan) longPart(b []byte, begins, ends bool) bool {
	s.finder.reset(s.p, b)
	if !s.finder.plain {
		if at, _ := s.finder.literal(0); at < 0 {
			return false
		}
	}
	for _, loc := range s.p.re.FindAllIndex(b, 3) {
		if !begins && loc[0] == 0 || !ends && loc[1] == len(b) {
			continue
		}
		if s.found() {
			s.before(nil, s.line)
			s.emit(s.line, cut(b, loc[0], loc[1]), true)
		}
		return true
	}
	return false
}
