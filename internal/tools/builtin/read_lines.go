package builtin

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"clined/internal/tools"
)

const (
	// readDefault is how many lines are shown when no end is asked for.
	readDefault = 1000
	// readChars bounds the characters of one call's result, within what the
	// limits allow, so that the end of it is our own note.
	readChars = tools.MaxChars - 4000
	// readMost bounds its lines in the same way.
	readMost = tools.MaxLines - 200
	// readLineChars is where a line is cut, and how long the pieces are in
	// which one is read that was cut.
	readLineChars = tools.MaxLineChars - 200
)

// room is how much a text may take.
type room struct{ chars, lines int }

// asked is which lines a call asks for, from 1.
type asked struct {
	start int
	// end is 0 when it was not given, -1 for the last line of the file.
	end int
	// char is where in the first line to begin, from 1; 0 when it was not given.
	char int
	// zero says that lines were counted from 0.
	zero bool
}

// askedLines reads which lines of a file are meant.
func askedLines(name string, args tools.Args) (l asked, err error) {
	for _, f := range []struct {
		name string
		to   *int
	}{{"start_line", &l.start}, {"end_line", &l.end}, {"start_char", &l.char}} {
		n, ok := args.Int(f.name)
		switch {
		case !args.Has(f.name):
			continue
		case !ok:
			return l, fmt.Errorf("%s: %s is a whole number from 1 on, such as 10, not %s", name, f.name, args[f.name])
		case n < 0 && !(f.name == "end_line" && n == -1):
			return l, fmt.Errorf("%s: %s is %d, but lines and characters are counted from 1; for the end of a file leave end_line out or set it to -1", name, f.name, n)
		case n == 0 && f.name == "end_line":
			return l, fmt.Errorf("%s: end_line is 0, but lines are counted from 1", name)
		}
		l.zero = l.zero || n == 0
		*f.to = n
	}
	l.start = max(l.start, 1)
	if args.Has("start_char") {
		l.char = max(l.char, 1)
	}
	if l.end > 0 && l.end < l.start {
		return l, fmt.Errorf("%s: end_line %d is before start_line %d", name, l.end, l.start)
	}
	return l, nil
}

// excerpt is a part of a text.
type excerpt struct {
	// lines are without their ends; first is the number of the first one.
	lines []string
	first int
	// char is the number of the character that the first line begins with here,
	// 0 when it is to be shown like any other.
	char int
	// open says that the last line goes on after what is here, more that
	// something follows the last line.
	open, more bool
	// total counts the lines of the file, 0 when that is not known.
	total int
	zero  bool
}

// cutLines takes the lines asked for out of a text.
func cutLines(name string, all []string, l asked) (*excerpt, error) {
	if l.start > len(all) {
		return nil, pastEnd(name, len(all), l)
	}
	to := l.end
	if to == 0 {
		to = l.start + readDefault - 1
	} else if to < 0 {
		to = len(all)
	}
	to = min(to, len(all))
	e := &excerpt{lines: all[l.start-1 : to : to], first: l.start, char: l.char, more: to < len(all), total: len(all), zero: l.zero}
	if l.char > 1 {
		line := all[l.start-1]
		if n := utf8.RuneCountInString(line); l.char > n {
			return nil, fmt.Errorf("%s: line %d has only %s; start_char %d is past its end", name, l.start, plural(n, "character"), l.char)
		}
		e.lines = append([]string{line[offset(line, l.char-1):]}, e.lines[1:]...)
	}
	return e, nil
}

func pastEnd(name string, total int, l asked) error {
	if l.char > 1 && total >= l.start {
		return fmt.Errorf("%s: start_char %d is past the end of line %d", name, l.char, l.start)
	}
	return fmt.Errorf("%s has only %s; start_line %d is past its end", name, plural(total, "line"), l.start)
}

// head says which lines of which file are shown.
func (e *excerpt) head(name string, shown lineRange) string {
	of := ""
	if e.total > 0 {
		of = fmt.Sprintf(" of %d", e.total)
	}
	switch {
	case e.char > 0 && shown.from == shown.to:
		return fmt.Sprintf("%s, line %d%s from character %d on", name, shown.from, of, e.char)
	case shown.from == 1 && shown.to == e.total && e.char <= 1:
		return name + ", " + plural(e.total, "line")
	}
	return fmt.Sprintf("%s, lines %d-%d%s", name, shown.from, shown.to, of)
}

// write writes the lines as `N | text` as far as there is room, but at least one,
// and how to read on. A line that is too long is cut, unless it is the first and
// was asked for by character: then it comes in pieces, `N:CHAR | text`.
func (e *excerpt) write(left room) (text string, shown lineRange) {
	w := &listing{left: left}
	next := tools.Place{}
	last := e.first
	for i, line := range e.lines {
		n := e.first + i
		line = strings.ToValidUTF8(line, "\uFFFD")
		open := e.open && i == len(e.lines)-1
		if i == 0 && e.char > 0 {
			char := w.pieces(n, e.char, line)
			if char == 0 && open {
				char = e.char + utf8.RuneCountInString(line)
			}
			if char > 0 {
				next = tools.Place{Line: n, Char: char}
				break
			}
			continue
		}
		if !w.add(fmt.Sprintf("%d | %s", n, shortened(n, line, open))) {
			next = tools.Place{Line: n}
			break
		}
		last = n
	}
	if next.Line == 0 && e.more && !e.open { // of an open line its mark tells
		next = tools.Place{Line: last + 1}
	}
	return w.b.String() + e.tail(next), lineRange{e.first, last}
}

// shortened cuts a line that is too long, or that is open, and says how to
// read on in it.
func shortened(n int, line string, open bool) string {
	cut := offset(line, readLineChars)
	rest := "the line goes on"
	if !open {
		if cut == len(line) {
			return line
		}
		rest = plural(utf8.RuneCountInString(line[cut:]), "character") + " more"
	}
	return fmt.Sprintf("%s [… %s: start_line %d, start_char %d]", line[:cut], rest, n, min(utf8.RuneCountInString(line), readLineChars)+1)
}

// tail says how to read on.
func (e *excerpt) tail(next tools.Place) string {
	note := ""
	if e.zero {
		note = "\n[Lines and characters are counted from 1.]"
	}
	switch {
	case next.Line == 0:
	case next.Char > 0:
		note += fmt.Sprintf("\n[Line %d goes on; read on with start_line %d, start_char %d]", next.Line, next.Line, next.Char)
	case e.total > 0:
		note += fmt.Sprintf("\n[%s more; go on with start_line %d]", plural(e.total-next.Line+1, "line"), next.Line)
	default:
		note += fmt.Sprintf("\n[More lines follow; go on with start_line %d]", next.Line)
	}
	return note
}

// beginning shows the first lines of a text.
func beginning(text string, most int) string {
	all := splitLines(text)
	e := &excerpt{lines: all[:min(most, len(all))], first: 1, more: len(all) > most, total: len(all)}
	shown, _ := e.write(room{readChars / 2, most})
	return shown
}

// listing is lines that are being written within a room.
type listing struct {
	b    strings.Builder
	left room
	any  bool
}

// add writes a row; the first one whatever its size.
func (w *listing) add(row string) bool {
	w.left.chars -= utf8.RuneCountInString(row) + 1
	w.left.lines--
	if w.any && (w.left.chars < 0 || w.left.lines < 0) {
		return false
	}
	if w.any {
		w.b.WriteByte('\n')
	}
	w.any = true
	w.b.WriteString(row)
	return true
}

// pieces writes a line that begins with its given character, and returns where
// it goes on, 0 when all of it was written.
func (w *listing) pieces(n, char int, line string) int {
	for {
		end := offset(line, readLineChars)
		if !w.add(fmt.Sprintf("%d:%d | %s", n, char, line[:end])) {
			return char
		}
		if end == len(line) {
			return 0
		}
		line = line[end:]
		char += readLineChars
	}
}

// offset is the byte where the n-th character of a text begins, from 0; its
// length when there are no more.
func offset(text string, n int) int {
	if len(text) <= n {
		return len(text)
	}
	for i := range text {
		if n == 0 {
			return i
		}
		n--
	}
	return len(text)
}
