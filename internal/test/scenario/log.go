package scenario

import (
	"bytes"
	"context"
	"sync"
)

// Log is what a daemon wrote for maintainers.
type Log struct {
	mu   sync.Mutex // guards the rest
	text bytes.Buffer
	// grew is closed and replaced at each write.
	grew chan struct{}
}

func newLog() *Log { return &Log{grew: make(chan struct{})} }

// Write implements io.Writer.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.grew)
	l.grew = make(chan struct{})
	return l.text.Write(p)
}

// String returns all of it.
func (l *Log) String() string {
	text, _ := l.now()
	return text
}

func (l *Log) now() (text string, grew <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String(), l.grew
}

// until waits for a text that is right.
func (l *Log) until(ctx context.Context, right func(text string) error) error {
	for {
		text, grew := l.now()
		err := right(text)
		if err == nil {
			return nil
		}
		select {
		case <-grew:
		case <-ctx.Done():
			return err
		}
	}
}

// logged waits until the daemon's log has these parts.
func (s *Stage) logged(args []string) error {
	return s.log.until(s.ctx, func(text string) error { return hasParts("the log", text, s.expandAll(args)) })
}
