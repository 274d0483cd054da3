package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
)

// frames are the messages of a stream in either framing of the protocol.
type frames struct {
	r *bufio.Reader
	// lines is true in newline framing.
	lines bool
	known bool
}

// next returns the body of the next message.
func (f *frames) next() ([]byte, error) {
	if !f.known {
		first, err := f.r.Peek(1)
		if err != nil {
			return nil, err
		}
		f.known, f.lines = true, first[0] != 'C' && first[0] != 'c'
	}
	if f.lines {
		line, err := f.r.ReadBytes('\n')
		if err == io.EOF && len(bytes.TrimSpace(line)) > 0 {
			err = nil
		}
		return bytes.TrimSpace(line), err
	}
	header, err := textproto.NewReader(f.r).ReadMIMEHeader()
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil || n < 0 {
		return nil, fmt.Errorf("a header without its length: %v", header)
	}
	body := make([]byte, n)
	_, err = io.ReadFull(f.r, body)
	return body, err
}

// frame writes a message the way the stream does.
func frame(w io.Writer, body []byte, lines bool) error {
	if lines {
		_, err := w.Write(append(body, '\n'))
		return err
	}
	_, err := w.Write(append(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", len(body)), body...))
	return err
}
