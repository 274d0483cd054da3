// Package sse owns the reading of server-sent events (WHATWG HTML, "Server-sent
// events") as model providers really send them, and the idle timer of a stream.
//
// It never interprets what an event says and opens no connection. The dialects
// below internal/llm import it; it imports nothing of ours.
package sse

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// MaxLine is the longest line, and the most data of one event, in bytes. Whole
// files travel in one line when a model writes them as a tool argument.
const MaxLine = 16 << 20

// ErrTooLong is returned for a line or an event above MaxLine.
var ErrTooLong = fmt.Errorf("the stream holds a line of more than %d MiB", MaxLine>>20)

// Event is one event of a stream, or a sign of life.
type Event struct {
	// Name is the value of the "event" field, "" for none.
	Name string
	// Data is what the data lines hold, joined by LF; never empty except in a
	// Comment. It is valid until the next call of Next.
	Data []byte
	// Comment marks a comment line, which servers send to keep a connection alive.
	Comment bool
}

// Reader splits a stream into events. Lines end in LF, CR or CRLF; a byte order
// mark at the start, the fields "id" and "retry" and events without data are
// passed over. An event is returned as soon as its blank line (or the CR of it)
// was read; nothing is read ahead of need.
type Reader struct {
	r *bufio.Reader
	// line holds the bytes of a line that is not complete yet.
	line []byte
	data []byte
	name string
	// pending is true when the event being read has a data line.
	pending bool
	// taken is true when the event in data and name was returned.
	taken bool
	// skipLF is true after a CR: an LF right behind it belongs to the same line end.
	skipLF bool
	first  bool
	err    error
}

// NewReader returns a Reader of r.
func NewReader(r io.Reader) *Reader {
	return &Reader{r: bufio.NewReaderSize(r, 16<<10), first: true}
}

// Next returns the next event. At a clean end of the stream an event whose
// blank line is missing is returned too, then io.EOF. After any other error,
// which is ErrTooLong or the one of the underlying reader, that event is lost.
func (r *Reader) Next() (Event, error) {
	if r.err != nil {
		return Event{}, r.err
	}
	if r.taken {
		r.reset()
	}
	for {
		line, err := r.readLine()
		if err != nil && !(errors.Is(err, io.EOF) && len(line) > 0) {
			r.err = err
			if err == io.EOF && r.complete() {
				return r.take(), nil
			}
			return Event{}, err
		}
		switch {
		case len(line) == 0:
			if r.complete() {
				return r.take(), nil
			}
			r.reset()
		case line[0] == ':':
			return Event{Comment: true}, nil
		default:
			if err := r.field(line); err != nil {
				r.err = err
				return Event{}, err
			}
		}
	}
}

func (r *Reader) complete() bool { return r.pending && len(r.data) > 0 }

func (r *Reader) take() Event {
	r.taken = true
	return Event{Name: r.name, Data: r.data}
}

func (r *Reader) reset() {
	r.data, r.name, r.pending, r.taken = r.data[:0], "", false, false
}

func (r *Reader) field(line []byte) error {
	key, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(key) {
	case "event":
		r.name = string(value)
	case "data":
		if len(r.data)+len(value)+1 > MaxLine {
			return ErrTooLong
		}
		if r.pending {
			r.data = append(r.data, '\n')
		}
		r.data = append(r.data, value...)
		r.pending = true
	}
	return nil
}

// readLine returns a line without its end. The last line of a stream comes
// with io.EOF when it has no end.
func (r *Reader) readLine() ([]byte, error) {
	r.line = r.line[:0]
	for {
		buf, err := r.buffered()
		if err != nil {
			return r.text(), err
		}
		i := bytes.IndexAny(buf, "\r\n")
		n := i
		if i < 0 {
			n = len(buf)
		}
		if len(r.line)+n > MaxLine {
			return nil, ErrTooLong
		}
		r.line = append(r.line, buf[:n]...)
		if i < 0 {
			r.discard(n)
			continue
		}
		r.skipLF = buf[i] == '\r'
		r.discard(n + 1)
		return r.text(), nil
	}
}

// buffered returns what is there to read, at least one byte, having dropped an
// LF that belongs to a CR before it.
func (r *Reader) buffered() ([]byte, error) {
	for {
		b, err := r.r.Peek(1)
		if err != nil {
			return nil, err
		}
		skip := r.skipLF && b[0] == '\n'
		r.skipLF = false
		if !skip {
			return r.r.Peek(r.r.Buffered())
		}
		r.discard(1)
	}
}

// discard drops bytes that are buffered, which cannot fail.
func (r *Reader) discard(n int) { _, _ = r.r.Discard(n) }

// text returns the line read, on the first line without a byte order mark.
func (r *Reader) text() []byte {
	if !r.first {
		return r.line
	}
	r.first = false
	return bytes.TrimPrefix(r.line, []byte("\xef\xbb\xbf"))
}
