package console

import (
	"fmt"
	"strings"
)

// How much of a call's live output is shown: its beginning as it comes, and
// its last lines at the end.
const (
	liveHead = 40
	liveTail = 8
)

// output is the live output of a call, in lines.
type output struct {
	// lines that came; part is one that has not ended yet.
	lines int
	part  string
	tail  []string
}

// add takes a piece and returns the lines to be shown now.
func (o *output) add(text string) (show []string) {
	for line := range strings.Lines(o.part + text) {
		whole, ended := strings.CutSuffix(line, "\n")
		if !ended {
			o.part = keepEnd(line)
			return show
		}
		show = append(show, o.line(whole)...)
	}
	o.part = ""
	return show
}

// maxPart bounds a line that does not end; nobody reads more of it.
const maxPart = 8 << 10

func keepEnd(s string) string {
	if len(s) > maxPart {
		return strings.ToValidUTF8(s[len(s)-maxPart:], "")
	}
	return s
}

func (o *output) line(text string) (show []string) {
	o.lines++
	switch {
	case o.lines <= liveHead:
		return []string{text}
	case o.lines == liveHead+1:
		show = []string{"… (it goes on; its end will be shown)"}
	}
	o.tail = append(o.tail, text)
	if len(o.tail) > liveTail {
		o.tail = o.tail[1:]
	}
	return show
}

// rest returns what is still to be shown at the end.
func (o *output) rest() (show []string) {
	if o.part != "" {
		show = o.line(o.part)
		o.part = ""
	}
	if o.lines <= liveHead {
		return show
	}
	if left := o.lines - liveHead - len(o.tail); left > 0 {
		show = []string{fmt.Sprintf("… %d lines", left)}
	}
	return append(show, o.tail...)
}
