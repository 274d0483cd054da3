package mcphub

import (
	"bytes"
	"slices"
	"strings"
	"sync"
)

const (
	logLines     = 200
	logLineBytes = 1000
)

// serverLog keeps the last lines that a server printed, bounded and without
// secrets. It outlives the server's connections.
type serverLog struct {
	mu    sync.Mutex
	lines []string // guarded by mu
	total int      // lines ever added; guarded by mu
}

func (l *serverLog) add(line string) {
	if len(line) > logLineBytes {
		line = line[:logLineBytes] + "…"
	}
	line = strings.ToValidUTF8(line, "\uFFFD")
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.lines) == logLines {
		l.lines = slices.Delete(l.lines, 0, 1)
	}
	l.lines = append(l.lines, line)
	l.total++
}

// mark returns the present end of the log, for since.
func (l *serverLog) mark() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.total
}

// since returns the last lines that were added after mark, at most n.
func (l *serverLog) since(mark, n int) []string {
	l.mu.Lock()
	n = min(n, l.total-mark)
	l.mu.Unlock()
	return l.tail(n)
}

// tail returns the last n lines, oldest first.
func (l *serverLog) tail(n int) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.lines[max(0, len(l.lines)-n):])
}

// lineWriter cuts what is written into lines and hands each to add. Lines
// longer than it wants to hold come in pieces.
type lineWriter struct {
	add  func(line string)
	rest []byte
}

const maxPiece = 64 << 10

func (w *lineWriter) Write(p []byte) (int, error) {
	w.rest = append(w.rest, p...)
	for {
		end := bytes.IndexByte(w.rest, '\n')
		if end < 0 {
			break
		}
		w.flush(w.rest[:end])
		w.rest = w.rest[end+1:]
	}
	if len(w.rest) > maxPiece {
		w.close()
	}
	return len(p), nil
}

func (w *lineWriter) close() {
	w.flush(w.rest)
	w.rest = nil
}

func (w *lineWriter) flush(line []byte) {
	line = bytes.TrimRight(line, "\r")
	if len(bytes.TrimSpace(line)) > 0 {
		w.add(string(line))
	}
}
