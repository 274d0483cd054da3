package console

import (
	"bufio"
	"context"
	"io"
	"strings"
	"sync"
	"sync/atomic"
)

// ahead is how many lines are read before somebody wants them.
const ahead = 16

// lines reads lines as they come, from the first time one is wanted. Its
// goroutine ends with the reader, or with close when it holds a line that
// nobody takes.
type lines struct {
	r io.Reader
	// typed says that a person types: what was typed before a question was
	// shown does not answer it.
	typed bool
	ch    chan line
	stop  chan struct{}
	start sync.Once
	end   sync.Once
	read  atomic.Int64

	mu   sync.Mutex // guards kept
	kept []line     // read before the question that was open, oldest first
}

// line is the n-th one that was read, from 1.
type line struct {
	n    int64
	text string
}

// mark is where the reader stands: lines that it has read by now are not meant
// for what is shown from now on.
func (l *lines) mark() int64 { return l.read.Load() }

// next returns the next line; ok is false when nobody will say more or ctx has
// ended.
func (l *lines) next(ctx context.Context) (s line, ok bool) {
	l.mu.Lock()
	if len(l.kept) > 0 && ctx.Err() == nil {
		s, l.kept = l.kept[0], l.kept[1:]
		l.mu.Unlock()
		return s, true
	}
	l.mu.Unlock()
	return l.after(ctx, 0)
}

// answer returns the next line that was typed after mark; those before it are
// kept for next.
func (l *lines) answer(ctx context.Context, mark int64) (s line, ok bool) {
	if !l.typed {
		return l.next(ctx)
	}
	return l.after(ctx, mark)
}

func (l *lines) after(ctx context.Context, mark int64) (line, bool) {
	l.start.Do(func() {
		if l.r == nil {
			close(l.ch)
			return
		}
		go l.run()
	})
	for {
		select {
		case s, ok := <-l.ch:
			switch {
			case !ok:
				return line{}, false
			case s.n > mark && ctx.Err() == nil:
				return s, true
			}
			l.mu.Lock()
			l.kept = append(l.kept, s)
			l.mu.Unlock()
		case <-ctx.Done():
			return line{}, false
		}
	}
}

func (l *lines) run() {
	defer close(l.ch)
	b := bufio.NewReader(l.r)
	for {
		s, err := b.ReadString('\n')
		if s != "" {
			select {
			case l.ch <- line{n: l.read.Add(1), text: strings.TrimRight(s, "\r\n")}:
			case <-l.stop:
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// close lets the reader go; it ends with its next line at the latest.
func (l *lines) close() { l.end.Do(func() { close(l.stop) }) }
