package shell

import (
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

const (
	// liveEvery allows 20 updates a second.
	liveEvery = 50 * time.Millisecond
	// liveBytes bounds an update.
	liveBytes = 8 << 10
)

// live passes text on as it comes, coalesced and bounded, in order, and never
// after redirect took its receiver away. A line that is not ended is shown too; when it was rewritten
// meanwhile it is shown anew once it ends.
type live struct {
	mu      sync.Mutex
	emit    func(string) // nil when nobody watches
	pending []byte
	skipped int
	line    string // the unended line as it looks now
	shown   string // what of it was passed on
	last    time.Time
	timer   *time.Timer
}

// add takes text that became final and the unended line after it.
func (l *live) add(text []byte, line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.emit == nil {
		return
	}
	l.takeLocked(text)
	l.line = line
	if len(line) > liveBytes {
		l.line = strings.ToValidUTF8(line[:liveBytes], "")
	}
	if wait := liveEvery - time.Since(l.last); wait <= 0 {
		l.flushLocked()
	} else if l.timer == nil {
		l.timer = time.AfterFunc(wait, l.tick)
	}
}

func (l *live) takeLocked(text []byte) {
	if len(text) == 0 {
		return
	}
	text, anew := after(text, &l.shown)
	if anew {
		l.pending = append(l.pending, '\n')
	}
	if len(text) > liveBytes { // only the end could be shown
		l.skipped += len(l.pending) + len(text) - liveBytes
		l.pending = append(l.pending[:0], text[len(text)-liveBytes:]...)
	} else {
		l.pending = append(l.pending, text...)
	}
	if over := len(l.pending) - liveBytes; over > 0 {
		l.skipped += over
		l.pending = append(l.pending[:0], l.pending[over:]...)
	}
}

func (l *live) tick() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.timer = nil
	if l.emit != nil {
		l.flushLocked()
	}
}

func (l *live) flushLocked() {
	if more, ok := strings.CutPrefix(l.line, l.shown); ok {
		l.pending = append(l.pending, more...)
		l.shown = l.line
	}
	if len(l.pending) == 0 {
		return
	}
	b := l.pending
	for len(b) > 0 && l.skipped > 0 && !utf8.RuneStart(b[0]) {
		b, l.skipped = b[1:], l.skipped+1
	}
	text := string(b)
	if l.skipped > 0 {
		text = fmt.Sprintf("[… %d bytes not shown …]\n", l.skipped) + text
	}
	l.pending, l.skipped = l.pending[:0], 0
	l.last = time.Now()
	l.emit(text)
}

// redirect passes on what is left, and what comes later to emit; nil for no one.
func (l *live) redirect(emit func(string)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.timer != nil {
		l.timer.Stop()
		l.timer = nil
	}
	if l.emit != nil {
		l.flushLocked()
	}
	l.emit = emit
}
