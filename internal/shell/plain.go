package shell

import (
	"bytes"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/parser"
)

// Bounds of what can still be rewritten.
const (
	// maxCells bounds a line: what is longer is let go in pieces.
	maxCells = 4096
	// maxUp and maxUpBytes bound how far the cursor goes up.
	maxUp, maxUpBytes = 60, 32 << 10
)

// plain turns what a program writes to a terminal into the text that would be
// seen: colours, links and titles are gone, carriage return, backspace, erasing
// and moving have had their effect, on the last lines too, as progress displays
// use it, and invalid UTF-8 is replaced. The result does not depend on how the
// bytes are split.
//
// The sequences are read by a library; the lines are ours. The terminals of the
// libraries that were tried break lines at the width of a screen, have no room
// above it, and are 40 to 800 times slower (charmbracelet/x/vt took 0.5 MB/s,
// hinshun/vt10x 9 MB/s).
type plain struct {
	p     *ansi.Parser
	lines []line // that are written now: one, but for those above which the cursor went up
	row   int
	col   int
	// held are ended lines that the cursor may go up to, oldest first.
	held []byte
	// within is true when what is held begins within a line.
	within bool
	// rewrote is true when the cursor went up since it was last asked for.
	rewrote bool
	// part is a UTF-8 sequence that is not complete yet.
	part []byte

	out  []byte // what became final
	seen []byte // what is new to see
}

// line is a line that is written.
type line struct {
	cells []rune
	// was is its text when the cursor went up past it, with a line end; nil before.
	// Its cells are made of it when the cursor comes to it: untouched till then.
	was       []byte
	untouched bool
}

func newPlain() *plain {
	t := &plain{p: ansi.NewParser(), lines: make([]line, 1)}
	t.p.SetDataSize(1) // payloads are not looked at
	t.p.SetHandler(ansi.Handler{Execute: t.control, HandleCsi: t.csi, HandleEsc: t.esc})
	return t
}

// Write takes bytes and returns the text that became final, in order. seen is
// the text for somebody who watches: a line as soon as it has ended, and again
// once it was rewritten. Both are valid until the next call.
func (t *plain) Write(b []byte) (final, seen []byte) {
	t.out, t.seen = t.out[:0], t.seen[:0]
	for i := 0; i < len(b); {
		n := t.wholeLines(b[i:])
		n += t.ordinary(b[i+n:])
		if n == 0 {
			t.step(b[i])
			n = 1
		}
		i += n
	}
	if len(t.held) > 2*maxUpBytes {
		t.letOut(len(t.held) - t.reach(maxUp))
	}
	return t.out, t.seen
}

// Settle makes all lines above the cursor final.
func (t *plain) Settle() (final, seen []byte) {
	t.out, t.seen = t.out[:0], t.seen[:0]
	t.settle(t.row)
	return t.out, t.seen
}

// Flush ends the text: it returns the rest, with the line that was not ended.
func (t *plain) Flush() (final, seen []byte) {
	t.out, t.seen = t.out[:0], t.seen[:0]
	t.endPart()
	last := len(t.lines) - 1
	for last > t.row && len(t.lines[last].cells) == 0 && !t.lines[last].untouched {
		last-- // it was erased
	}
	t.settle(last)
	t.row, t.lines = 0, t.lines[:1]
	t.letGo(t.cur())
	t.letOut(len(t.held))
	t.col = 0
	return t.out, t.seen
}

// Rewrites tells whether ended lines are rewritten: since the last call the cursor
// went up.
func (t *plain) Rewrites() bool {
	was := t.rewrote
	t.rewrote = false
	return was
}

// Partial is the current line as it looks now.
func (t *plain) Partial() string { return string(t.cur().cells) }

func (t *plain) cur() *line {
	l := &t.lines[t.row]
	if l.untouched {
		l.untouched = false
		l.cells = []rune(string(bytes.TrimSuffix(l.was, newline)))
	}
	return l
}

// settle makes what is held and the first n lines final.
func (t *plain) settle(n int) {
	t.hold(n)
	t.letOut(len(t.held))
}

// letOut makes the first n bytes of what is held final.
func (t *plain) letOut(n int) {
	if n == 0 {
		return
	}
	t.out = append(t.out, t.held[:n]...)
	t.within = t.held[n-1] != '\n'
	t.held = append(t.held[:0], t.held[n:]...)
}

// hold moves the first n lines, which have ended, to those that are held.
func (t *plain) hold(n int) {
	for i := range n {
		l := &t.lines[i]
		if l.untouched {
			t.held = append(t.held, l.was...)
			continue
		}
		from := len(t.held)
		for _, r := range l.cells {
			t.held = utf8.AppendRune(t.held, r)
		}
		t.held = append(t.held, '\n')
		if text := t.held[from:]; l.was == nil || !bytes.Equal(l.was, text) {
			t.seen = append(t.seen, text...)
		}
	}
	rest := copy(t.lines, t.lines[n:])
	clear(t.lines[rest:])
	t.lines = t.lines[:rest]
	t.row -= n
}

// letGo moves a line that has not ended to those that are held.
func (t *plain) letGo(l *line) {
	from := len(t.held)
	for _, r := range l.cells {
		t.held = utf8.AppendRune(t.held, r)
	}
	if text := t.held[from:]; !bytes.Equal(bytes.TrimSuffix(l.was, newline), text) || len(l.was) == 0 {
		t.seen = append(t.seen, text...)
	}
	l.cells, l.was = l.cells[:0], nil
}

// reach is how many bytes of what is held are in the last n lines, as far as the
// cursor can go up to them: not over a line that was let go, whose length tells
// it, and not so far that Write may have made it final.
func (t *plain) reach(n int) int {
	room := maxUpBytes
	for i := range t.lines {
		room -= len(t.lines[i].was)
	}
	from := len(t.held)
	if from == 0 || t.held[from-1] != '\n' {
		return 0
	}
	for range n {
		at := bytes.LastIndexByte(t.held[:max(from-1, 0)], '\n') + 1
		if at == from || at == 0 && t.within || len(t.held)-at > room || utf8.RuneCount(t.held[at:from]) > maxCells {
			break
		}
		from = at
	}
	return len(t.held) - from
}

// up moves the cursor up, to held lines too.
func (t *plain) up(n int) {
	t.rewrote = true
	if more := min(n-t.row, maxUp-(len(t.lines)-1)); more > 0 {
		reach := t.reach(more)
		back := bytes.Clone(t.held[len(t.held)-reach:])
		var above []line
		for l := range bytes.Lines(back) {
			above = append(above, line{was: l, untouched: true})
		}
		t.held = t.held[:len(t.held)-reach]
		t.lines = append(above, t.lines...)
		t.row += len(above)
	}
	t.row = max(0, t.row-n)
}

// wholeLines takes the whole lines of printable ASCII that b begins with, when
// no line is begun, and returns how much that was.
func (t *plain) wholeLines(b []byte) (n int) {
	if len(t.lines) > 1 || len(t.lines[0].cells) > 0 || t.col > 0 || len(t.part) > 0 || t.p.State() != parser.GroundState {
		return 0
	}
	for i, c := range b {
		if c == '\n' {
			n = i + 1
		} else if c < ' ' || c >= 0x7f || i-n >= maxCells-1 {
			break
		}
	}
	if n > 0 {
		t.held = append(t.held, b[:n]...)
		t.seen = append(t.seen, b[:n]...)
		t.lines[0].was = nil
	}
	return n
}

// ordinary takes the printable ASCII that b begins with, the common case, and
// returns how much that was.
func (t *plain) ordinary(b []byte) (n int) {
	l := t.cur()
	if t.col != len(l.cells) || len(t.part) > 0 || t.p.State() != parser.GroundState {
		return 0
	}
	for n < len(b) && b[n] >= ' ' && b[n] < 0x7f && len(l.cells) < maxCells-1 {
		l.cells = append(l.cells, rune(b[n]))
		n++
	}
	t.col = len(l.cells)
	return n
}

func (t *plain) step(c byte) {
	if t.p.State() != parser.GroundState {
		t.inSequence(c)
		return
	}
	switch {
	case c >= utf8.RuneSelf:
		t.collect(c)
	case len(t.part) > 0:
		t.endPart()
		t.step(c)
	case c >= ' ' && c != 0x7f:
		t.put(rune(c))
	default:
		t.p.Advance(c)
	}
}

// inSequence feeds the parser within an escape sequence. A line end aborts one
// that was never closed, or it would swallow the rest; bytes of UTF-8 must not
// be taken for the control characters 0x80–0x9f.
func (t *plain) inSequence(c byte) {
	state := t.p.State()
	str := state == parser.OscStringState || state == parser.DcsStringState || state == parser.SosStringState ||
		state == parser.PmStringState || state == parser.ApcStringState
	switch {
	case c == '\n' && str:
		t.p.Reset()
		t.p.Advance(c)
	case c >= utf8.RuneSelf && str:
		t.p.Advance('?')
	case c >= utf8.RuneSelf:
		t.p.Reset()
		t.collect(c)
	default:
		t.p.Advance(c)
	}
}

func (t *plain) collect(c byte) {
	if len(t.part) > 0 && utf8.RuneStart(c) {
		t.endPart()
	}
	t.part = append(t.part, c)
	if !utf8.FullRune(t.part) {
		return
	}
	r, size := utf8.DecodeRune(t.part)
	rest := len(t.part) - size
	t.part = t.part[:0]
	t.put(r)
	for ; rest > 0; rest-- { // after an invalid first byte the others are continuations
		t.put(utf8.RuneError)
	}
}

// endPart gives up on an incomplete sequence.
func (t *plain) endPart() {
	if len(t.part) > 0 {
		t.part = t.part[:0]
		t.put(utf8.RuneError)
	}
}
