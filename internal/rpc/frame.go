package rpc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Framing is how messages are set apart on the stream.
type Framing int

// Sniff takes the framing from the first non-blank byte that comes in: `C` or
// `c` begins a header, anything else newline framing. Nothing is written before
// that. Header is LSP's Content-Length framing, Newline is one message per line.
const (
	Sniff Framing = iota
	Header
	Newline
)

// DefaultMaxMessage is the largest message accepted, in bytes.
const DefaultMaxMessage = 64 << 20

// maxHeaderLine bounds a line of a header, in bytes; longer ones are garbage.
const maxHeaderLine = 4 << 10

// badFrame is input that is no message; reading may go on after it.
type badFrame struct {
	code int64
	text string
}

func (e *badFrame) Error() string { return e.text }

// frameReader cuts a stream into message bodies. After a *badFrame it stands
// behind the bad part; any other error is final.
type frameReader struct {
	r       *bufio.Reader
	max     int
	framing Framing
	// sniffed is told the framing once it is known.
	sniffed func(Framing)

	// The header being read; kept over a badFrame, so that a stray line in
	// front of a header costs no message.
	length   int64 // -1: none yet
	inHeader bool
	lost     bool // garbage was reported, and no message has come since
}

func newFrameReader(r io.Reader, f Framing, limit int, sniffed func(Framing)) *frameReader {
	return &frameReader{r: bufio.NewReaderSize(r, 64<<10), framing: f, max: limit, sniffed: sniffed, length: -1}
}

// next returns the next message body, which is the caller's to keep.
func (f *frameReader) next() ([]byte, error) {
	if f.framing == Sniff {
		if err := f.sniff(); err != nil {
			return nil, err
		}
	}
	if f.framing == Newline {
		return f.nextLine()
	}
	return f.nextHeader()
}

func (f *frameReader) sniff() error {
	for {
		b, err := f.r.ReadByte()
		if err != nil {
			return err
		}
		switch b {
		case ' ', '\t', '\r', '\n', 0xEF, 0xBB, 0xBF: // blanks, byte order mark
			continue
		case 'C', 'c':
			f.framing = Header
		default:
			f.framing = Newline
		}
		f.sniffed(f.framing)
		return f.r.UnreadByte()
	}
}

// nextLine reads one line that is not blank. The last one needs no line end.
func (f *frameReader) nextLine() ([]byte, error) {
	for {
		line, size, err := f.line(f.max)
		if err != nil {
			return nil, err
		}
		if size > int64(f.max) {
			return nil, f.tooLarge(size)
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return line, nil
		}
	}
}

func (f *frameReader) nextHeader() ([]byte, error) {
	for {
		line, size, err := f.line(maxHeaderLine)
		if err != nil {
			if err == io.EOF && f.inHeader {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
		line = bytes.TrimSpace(line)
		if len(line) == 0 && size <= maxHeaderLine {
			if !f.inHeader { // blank lines between messages do no harm
				continue
			}
			n := f.length
			f.length, f.inHeader = -1, false
			if n < 0 {
				if err := f.garbage("a header without Content-Length"); err != nil {
					return nil, err
				}
				continue
			}
			return f.body(n)
		}
		if err := f.headerLine(line, size); err != nil {
			return nil, err
		}
	}
}

// headerLine takes in one field. All but Content-Length are ignored.
func (f *frameReader) headerLine(line []byte, size int64) error {
	name, value, ok := strings.Cut(string(line), ":")
	name = strings.TrimSpace(name)
	if !ok || size > maxHeaderLine || !isToken(name) {
		return f.garbage("expected a header field such as Content-Length, got " + excerpt(line))
	}
	f.inHeader = true
	if !strings.EqualFold(name, "Content-Length") {
		return nil
	}
	n, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
	if err != nil || n < 0 {
		f.length = -1
		return f.garbage("Content-Length is no length: " + excerpt([]byte(value)))
	}
	f.length = n
	return nil
}

// garbage reports bad input once until the next message.
func (f *frameReader) garbage(text string) error {
	if f.lost {
		return nil
	}
	f.lost = true
	return &badFrame{code: CodeParseError, text: text}
}

// body reads exactly n bytes. Memory grows with what really comes.
func (f *frameReader) body(n int64) ([]byte, error) {
	f.lost = false
	if n > int64(f.max) {
		if _, err := io.CopyN(io.Discard, f.r, n); err != nil {
			return nil, unexpected(err)
		}
		return nil, f.tooLarge(n)
	}
	if n <= 1<<20 {
		b := make([]byte, n)
		_, err := io.ReadFull(f.r, b)
		return b, unexpected(err)
	}
	var buf bytes.Buffer
	if _, err := io.CopyN(&buf, f.r, n); err != nil {
		return nil, unexpected(err)
	}
	return buf.Bytes(), nil
}

func (f *frameReader) tooLarge(n int64) error {
	return &badFrame{code: CodeInvalidRequest, text: fmt.Sprintf("message of %d bytes is over the limit of %d", n, f.max)}
}

// line reads up to and without the next line feed, keeping at most limit bytes;
// size is the whole length. io.EOF comes only when there is nothing at all.
func (f *frameReader) line(limit int) (line []byte, size int64, err error) {
	for {
		part, err := f.r.ReadSlice('\n')
		if room := limit - len(line); room > 0 {
			line = append(line, part[:min(room, len(part))]...)
		}
		size += int64(len(part))
		switch {
		case err == nil:
			return bytes.TrimSuffix(line, []byte("\n")), size - 1, nil
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == io.EOF && size > 0:
			return line, size, nil
		}
		return nil, 0, err
	}
}

func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// isToken reports whether s may be the name of a header field (RFC 7230).
func isToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c <= ' ' || c >= 0x7F || strings.IndexByte(`"(),/:;<=>?@[\]{}`, c) >= 0 {
			return false
		}
	}
	return s != ""
}

// excerpt quotes the beginning of bad input for an error text.
func excerpt(b []byte) string {
	const limit = 40
	if len(b) > limit {
		return strconv.QuoteToASCII(string(b[:limit])) + "…"
	}
	return strconv.QuoteToASCII(string(b))
}
