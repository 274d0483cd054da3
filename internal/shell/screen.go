package shell

import "github.com/charmbracelet/x/ansi"

// put writes a character at the cursor.
func (t *plain) put(r rune) {
	if r >= 0x80 && r < 0xa0 || r == '\u2028' || r == '\u2029' {
		return // C1 controls and line separators that would fake a new line
	}
	l := t.cur()
	for len(l.cells) < t.col {
		l.cells = append(l.cells, ' ') // the cursor came from another line
	}
	if t.col < len(l.cells) {
		l.cells[t.col] = r
	} else {
		l.cells = append(l.cells, r)
	}
	if t.col++; t.col < maxCells {
		return
	}
	t.hold(t.row)
	t.letGo(t.cur())
	t.col = 0
}

// endLine goes to the next line; a new one ends all above it.
func (t *plain) endLine() {
	if t.col = 0; t.row < len(t.lines)-1 {
		t.row++
		return
	}
	t.row++
	if n := len(t.lines); n < cap(t.lines) && n == 1 {
		t.lines = t.lines[:2]
	} else {
		t.lines = append(t.lines, line{})
	}
	cells := t.lines[0].cells
	t.hold(t.row)
	t.lines[0] = line{cells: cells[:0]} // its room is used again
}

// control has the effect of a control character.
func (t *plain) control(c byte) {
	switch c {
	case '\n', '\v', '\f':
		t.endLine()
	case '\r':
		t.col = 0 // of what is still there, when the line is a long one
	case '\b':
		t.col = max(0, t.col-1)
	case '\t':
		t.put('\t')
	}
}

// esc has the effect of an escape sequence without parameters (ECMA-48).
func (t *plain) esc(cmd ansi.Cmd) {
	if cmd.Intermediate() != 0 {
		return
	}
	switch cmd.Final() {
	case 'E':
		t.endLine()
	case 'M':
		t.up(1)
	}
}

// csi has the effect of a control sequence (ECMA-48).
func (t *plain) csi(cmd ansi.Cmd, params ansi.Params) {
	if cmd.Prefix() != 0 || cmd.Intermediate() != 0 {
		return
	}
	n, _, _ := params.Param(0, 1)
	n = min(max(n, 1), maxCells)
	l := t.cur()
	switch cmd.Final() {
	case 'A':
		t.up(n)
	case 'B', 'e':
		t.row = min(t.row+n, len(t.lines)-1)
	case 'C', 'a':
		t.move(t.col + n)
	case 'D':
		t.col = max(0, t.col-n)
	case 'E':
		t.row, t.col = min(t.row+n, len(t.lines)-1), 0
	case 'F':
		t.up(n)
		t.col = 0
	case 'G', '`':
		t.move(n - 1)
	case 'P':
		if t.col < len(l.cells) {
			l.cells = append(l.cells[:t.col], l.cells[min(t.col+n, len(l.cells)):]...)
		}
	case 'X':
		for i := t.col; i < min(t.col+n, len(l.cells)); i++ {
			l.cells[i] = ' '
		}
	case 'K', 'J':
		mode, _, _ := params.Param(0, 0)
		t.erase(mode, cmd.Final() == 'J')
	}
}

// erase: 0 from the cursor to the end, 1 from the start to the cursor, 2 all; of
// the line, or of the screen. What stands above the cursor is never erased as a
// whole: it is the log of what happened.
func (t *plain) erase(mode int, screen bool) {
	l := t.cur()
	switch {
	case mode == 0:
		l.cells = l.cells[:min(t.col, len(l.cells))]
		if screen {
			for i := t.row + 1; i < len(t.lines); i++ {
				t.lines[i].cells, t.lines[i].untouched = t.lines[i].cells[:0], false
			}
		}
	case mode == 1 && !screen:
		for i := 0; i <= t.col && i < len(l.cells); i++ {
			l.cells[i] = ' '
		}
	case mode == 2 && !screen:
		l.cells = l.cells[:0]
	}
}

// move sets the column; blanks fill what was never written, once something is.
func (t *plain) move(col int) { t.col = min(col, maxCells-1) }
