package mcphub

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// maxQueued bounds what waits for a server that does not read, in bytes.
const maxQueued = 32 << 20

var errLongLine = errors.New("it sent a line that is too long")

// filterMessages copies the JSON-RPC messages among the lines of src to dst
// until src ends, and hands any other line to garbage. A line of more than
// limit bytes ends it with errLongLine.
func filterMessages(dst io.Writer, src io.Reader, limit int, garbage func(line string)) error {
	r := bufio.NewReaderSize(src, 64<<10)
	for {
		line, err := readLine(r, limit)
		if errors.Is(err, errLongLine) {
			return err
		}
		switch {
		case isMessage(line):
			if _, err := dst.Write(append(line, '\n')); err != nil {
				return err
			}
		case len(bytes.TrimSpace(line)) > 0:
			garbage(string(line))
		}
		if err != nil {
			return nil
		}
	}
}

// readLine returns the next line without its end.
func readLine(r *bufio.Reader, limit int) ([]byte, error) {
	var line []byte
	for {
		piece, err := r.ReadSlice('\n')
		line = append(line, piece...)
		if len(line) > limit {
			return nil, fmt.Errorf("%w: more than %d bytes", errLongLine, limit)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimRight(line, "\r\n"), err
		}
	}
}

func isMessage(line []byte) bool {
	if trimmed := bytes.TrimLeft(line, " \t"); len(trimmed) == 0 || trimmed[0] != '{' {
		return false
	}
	var probe struct{ JSONRPC string }
	return json.Unmarshal(line, &probe) == nil && probe.JSONRPC == "2.0"
}

// asyncWriter writes to a file from a goroutine of its own, so that a server
// that does not read its input never blocks who talks to it: a user's cancel
// works at once.
type asyncWriter struct {
	file *os.File
	wake chan struct{}
	done chan struct{}

	mu     sync.Mutex
	queue  [][]byte // guarded by mu
	size   int      // bytes in queue; guarded by mu
	failed error    // guarded by mu
}

func newAsyncWriter(f *os.File) *asyncWriter {
	w := &asyncWriter{file: f, wake: make(chan struct{}, 1), done: make(chan struct{})}
	go w.run()
	return w
}

// Write queues a copy of p.
func (w *asyncWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.failed != nil:
		return 0, w.failed
	case w.size+len(p) > maxQueued:
		return 0, errors.New("the server does not read its input")
	}
	w.queue = append(w.queue, bytes.Clone(p))
	w.size += len(p)
	w.poke()
	return len(p), nil
}

// Close closes the file; what is still queued is dropped.
func (w *asyncWriter) Close() error {
	w.fail(os.ErrClosed)
	err := w.file.Close()
	w.poke()
	<-w.done
	return err
}

func (w *asyncWriter) poke() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

func (w *asyncWriter) fail(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failed == nil {
		w.failed, w.queue, w.size = err, nil, 0
	}
}

func (w *asyncWriter) run() {
	defer close(w.done)
	for range w.wake {
		for {
			p, err := w.next()
			if err != nil {
				return
			}
			if p == nil {
				break
			}
			if _, err := w.file.Write(p); err != nil {
				w.fail(err)
				return
			}
		}
	}
}

// next takes the first piece of the queue, nil when there is none.
func (w *asyncWriter) next() ([]byte, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failed != nil || len(w.queue) == 0 {
		return nil, w.failed
	}
	p := w.queue[0]
	w.queue = w.queue[1:]
	w.size -= len(p)
	return p, nil
}
