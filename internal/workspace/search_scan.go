package workspace

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"clined/internal/tools"
)

const (
	// scanBuffer is how much of a file is in memory at a time.
	scanBuffer = 256 << 10
	// maxShown is the length in bytes up to which a line is shown whole, around
	// how much is shown on each side of a match in a longer one.
	maxShown, around = 500, 200
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
func (s *scan) text(text string) {
	s.reset()
	s.part(unixLines([]byte(strings.TrimPrefix(text, "\ufeff")), true))
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
				return s.utf16(part, r)
			}
			part = bytes.TrimPrefix(part, bomUTF8)
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
		} else {
			s.part(unixLines(part[:whole], eof))
		}
		n = copy(s.buf, rest)
		if eof && n > 0 {
			s.part(unixLines(s.buf[:n], true))
		}
	}
	return nil
}

func isUTF16(b []byte) bool {
	return bytes.HasPrefix(b, []byte("\xFF\xFE")) || bytes.HasPrefix(b, []byte("\xFE\xFF"))
}

func (s *scan) utf16(head []byte, r io.Reader) error {
	rest, err := io.ReadAll(io.LimitReader(r, maxUTF16))
	if err != nil {
		return err
	}
	raw := append(bytes.Clone(head), rest...)
	if len(raw) > maxUTF16 {
		return errNotText
	}
	text, _, err := decode(raw)
	if err != nil {
		return errNotText
	}
	s.text(text)
	return nil
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
		if i > len(b) {
			break
		}
	}
	return b[:to]
}

// part searches a text of complete lines.
func (s *scan) part(b []byte) {
	s.finder.reset(s.p, b)
	pos, number := 0, s.line
	for pos < len(b) {
		start, end, ok := s.finder.next(pos)
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

// follow shows the context that is owed after a match, from the lines in b.
func (s *scan) follow(b []byte, number int) {
	for s.owed > 0 && len(b) > 0 {
		end := lineEnd(b, 0)
		s.emit(number, cut(b[:end], 0, 0), false)
		s.owed--
		number++
		b = b[min(end+1, len(b)):]
	}
}

// before shows the context before line number; b ends where that line begins.
func (s *scan) before(b []byte, number int) {
	want := min(s.context, number-1-s.last)
	if want <= 0 {
		return
	}
	lines := lastLines(b, want)
	if missing := want - len(lines); missing > 0 {
		lines = append(s.tail[max(0, len(s.tail)-missing):len(s.tail):len(s.tail)], lines...)
	}
	for i, text := range lines {
		s.emit(number-len(lines)+i, text, false)
	}
}

// tailOf returns the lines that may be context of what follows b.
func (s *scan) tailOf(b []byte) []string {
	lines := lastLines(b, s.context)
	if missing := s.context - len(lines); missing > 0 {
		lines = append(s.tail[max(0, len(s.tail)-missing):len(s.tail):len(s.tail)], lines...)
	}
	return lines
}

// lastLines returns up to n lines from the end of b, cut for display.
func lastLines(b []byte, n int) []string {
	lines := make([]string, 0, n)
	for len(b) > 0 && len(lines) < n {
		b = bytes.TrimSuffix(b, []byte("\n"))
		begin := lineBegin(b, len(b))
		lines = append(lines, cut(b[begin:], 0, 0))
		b = b[:begin]
	}
	for i, j := 0, len(lines)-1; i < j; i, j = i+1, j-1 {
		lines[i], lines[j] = lines[j], lines[i]
	}
	return lines
}

func countLines(b []byte) int {
	n := bytes.Count(b, []byte("\n"))
	if len(b) > 0 && b[len(b)-1] != '\n' {
		n++
	}
	return n
}

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

// cut makes a line printable: valid UTF-8, and if it is long only what is
// around the match.
func cut(line []byte, start, end int) string {
	if len(line) <= maxShown {
		return strings.ToValidUTF8(string(line), "\uFFFD")
	}
	from := max(0, start-around)
	to := min(len(line), min(end, start+around)+around)
	for from > 0 && from < len(line) && !utf8.RuneStart(line[from]) {
		from++
	}
	for to < len(line) && to > from && !utf8.RuneStart(line[to]) {
		to--
	}
	s := strings.ToValidUTF8(string(line[from:to]), "\uFFFD")
	if from > 0 {
		s = "…" + s
	}
	if to < len(line) {
		s += "…"
	}
	return s
}
