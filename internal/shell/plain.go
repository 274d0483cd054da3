package shell

import (
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/parser"
)

// maxCells bounds the line that a carriage return can still rewrite. What is
// longer is let go in pieces.
const maxCells = 4096

// plain turns what a program writes to a terminal into the text that would be
// seen: colours, links and titles are gone, carriage return, backspace and the
// erase and move sequences of one line have had their effect, and invalid UTF-8
// is replaced. Lines above the current one are never rewritten. The result does
// not depend on how the bytes are split.
type plain struct {
	p     *ansi.Parser
	cells []rune
	col   int
	// part is a UTF-8 sequence that is not complete yet.
	part []byte
	out  []byte
}

func newPlain() *plain {
	t := &plain{p: ansi.NewParser()}
	t.p.SetDataSize(1) // payloads are not looked at
	t.p.SetHandler(ansi.Handler{Execute: t.control, HandleCsi: t.csi})
	return t
}

// Write takes bytes and returns the text that became final; it is valid until
// the next call.
func (t *plain) Write(b []byte) []byte {
	t.out = t.out[:0]
	for i := 0; i < len(b); {
		n := t.lines(b[i:])
		n += t.ordinary(b[i+n:])
		if n == 0 {
			t.step(b[i])
			n = 1
		}
		i += n
	}
	return t.out
}

// Flush returns the rest: the line that was not ended.
func (t *plain) Flush() []byte {
	t.out = t.out[:0]
	t.endPart()
	t.letGo()
	return t.out
}

// Partial is the current line as it looks now.
func (t *plain) Partial() string { return string(t.cells) }

// lines takes the whole lines of printable ASCII that b begins with, when no
// line is begun, and returns how much that was.
func (t *plain) lines(b []byte) (n int) {
	if len(t.cells) > 0 || len(t.part) > 0 || t.p.State() != parser.GroundState {
		return 0
	}
	for i, c := range b {
		if c == '\n' {
			n = i + 1
		} else if c < ' ' || c >= 0x7f {
			break
		}
	}
	t.out = append(t.out, b[:n]...)
	return n
}

// ordinary takes the printable ASCII that b begins with, the common case, and
// returns how much that was.
func (t *plain) ordinary(b []byte) (n int) {
	if t.col != len(t.cells) || len(t.part) > 0 || t.p.State() != parser.GroundState {
		return 0
	}
	for n < len(b) && b[n] >= ' ' && b[n] < 0x7f && len(t.cells) < maxCells-1 {
		t.cells = append(t.cells, rune(b[n]))
		n++
	}
	t.col = len(t.cells)
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

func (t *plain) put(r rune) {
	if r >= 0x80 && r < 0xa0 || r == '\u2028' || r == '\u2029' {
		return // C1 controls and line separators that would fake a new line
	}
	if t.col < len(t.cells) {
		t.cells[t.col] = r
	} else {
		t.cells = append(t.cells, r)
	}
	t.col++
	if t.col == maxCells {
		t.letGo()
	}
}

// letGo moves the line, as it is, to the output.
func (t *plain) letGo() {
	for _, r := range t.cells {
		t.out = utf8.AppendRune(t.out, r)
	}
	t.cells, t.col = t.cells[:0], 0
}

func (t *plain) endLine() {
	t.letGo()
	t.out = append(t.out, '\n')
}

func (t *plain) control(c byte) {
	switch c {
	case '\n', '\v', '\f':
		t.endLine()
	case '\r':
		t.col = 0 // of what is still held, when the line is a long one
	case '\b':
		t.col = max(0, t.col-1)
	case '\t':
		t.put('\t')
	}
}

// csi has the effect of a control sequence (ECMA-48) on the current line.
func (t *plain) csi(cmd ansi.Cmd, params ansi.Params) {
	if cmd.Prefix() != 0 || cmd.Intermediate() != 0 {
		return
	}
	n, _, _ := params.Param(0, 1)
	n = min(max(n, 1), maxCells)
	switch cmd.Final() {
	case 'C':
		t.move(t.col + n)
	case 'D':
		t.col = max(0, t.col-n)
	case 'G', '`':
		t.move(n - 1)
	case 'P':
		if t.col < len(t.cells) {
			t.cells = append(t.cells[:t.col], t.cells[min(t.col+n, len(t.cells)):]...)
		}
	case 'X':
		for i := t.col; i < min(t.col+n, len(t.cells)); i++ {
			t.cells[i] = ' '
		}
	case 'K', 'J':
		mode, _, _ := params.Param(0, 0)
		t.erase(mode, cmd.Final() == 'J')
	}
}

// erase: 0 from the cursor to the end, 1 from the start to the cursor, 2 all.
func (t *plain) erase(mode int, screen bool) {
	switch {
	case mode == 0:
		t.cells = t.cells[:min(t.col, len(t.cells))]
	case mode == 1 && !screen:
		for i := 0; i <= t.col && i < len(t.cells); i++ {
			t.cells[i] = ' '
		}
	case mode == 2 && !screen:
		for i := range t.cells {
			t.cells[i] = ' '
		}
		t.cells = t.cells[:min(t.col, len(t.cells))]
	}
}

// move sets the column; blanks fill what was never written.
func (t *plain) move(col int) {
	col = min(col, maxCells-1)
	for len(t.cells) < col {
		t.cells = append(t.cells, ' ')
	}
	t.col = col
}
