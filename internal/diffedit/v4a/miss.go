package v4a

import (
	"fmt"
	"strconv"
	"strings"

	"clined/internal/diffedit"
)

// maxNamedLines keeps a message to the model short.
const maxNamedLines = 20

// fail words what is wrong with a chunk.
func (a *applier) fail(kind diffedit.Kind, s *spot, format string, args ...any) *Error {
	return &Error{Kind: kind, Path: a.file.Path, Chunk: s.n, Line: s.Line, text: fmt.Sprintf(
		"chunk %d of %s (line %d of the patch)", s.n, quoted(a.file.Path), s.Line) + fmt.Sprintf(format, args...)}
}

// decided refuses a chunk that fits several places still.
func (a *applier) decided(s *spot) error {
	if len(s.left) == 1 {
		return nil
	}
	return a.ambiguous(s, s.left)
}

func (a *applier) ambiguous(s *spot, places []diffedit.Place) *Error {
	hint := "add lines around it, or `@@` lines with the class and the function it is in, until it fits only one"
	if s.scope.missing != "" {
		hint = "its anchor " + quoted(s.scope.missing) + " is not in the file; " + hint
	}
	what := "fits"
	if len(s.old) == 0 {
		what = "has only new lines, and its anchor fits"
	}
	return a.fail(diffedit.Ambiguous, s, " %s %d places, at lines %s; %s; nothing was changed", what, len(places), numbers(places, len(s.old) == 0), hint)
}

// numbers lists the lines of places; of an empty place it is the line above.
func numbers(places []diffedit.Place, empty bool) string {
	var at []string
	for i, p := range places {
		if i == maxNamedLines {
			at = append(at, fmt.Sprintf("… %d more", len(places)-i))
			break
		}
		line := p.From + 1
		if empty {
			line = p.From
		}
		at = append(at, strconv.Itoa(line))
	}
	return strings.Join(at, ", ")
}

// nowhere refuses a chunk of only new lines that does not say where they go.
func (a *applier) nowhere(s *spot) error {
	why := ""
	if s.scope.missing != "" {
		why = ", and its anchor " + quoted(s.scope.missing) + " is not in the file"
	}
	return a.fail(diffedit.EmptySearch, s, " has only new lines%s: where do they belong? Put a line of the file above or below them (with a blank in front), or `@@ ` and the line above; nothing was changed", why)
}

// costly refuses a chunk when too much was looked at for the ones before and it.
func (a *applier) costly(s *spot) error {
	return a.fail(diffedit.Ambiguous, s, " and those before it have anchors that fit very many lines, or that are nowhere in the file; give each chunk one or two anchors that are whole lines of the file and stand there once; nothing was changed")
}

// manyParts refuses a file that has too many sections for its size.
func manyParts(f *File, from int) *Error {
	return &Error{Kind: diffedit.Syntax, Path: f.Path, Chunk: from + 1, Line: f.Chunks[from].Line, text: fmt.Sprintf(
		"%s has more than %d `*** Update File` sections, too many for a file of its size, since each is about the whole text that the one before leaves; write one section with all chunks, which are about the file as it is now; nothing was changed",
		quoted(f.Path), f.Chunks[from].part)}
}

// crossed refuses a chunk whose anchors stand in the file in another order.
func (a *applier) crossed(s *spot) error {
	return a.fail(diffedit.Miss, s, " has the anchor %s, which is in the file, but not behind %s (line %d); name the outermost first, or fewer; nothing was changed",
		quoted(s.scope.crossed), quoted(s.scope.name), s.scope.last[0].From+1)
}

// unclear refuses a chunk with something in doubt about its new lines.
func (a *applier) unclear(s *spot, doubt string) error {
	return a.fail(diffedit.Miss, s, " is %s but for its blanks, and %s; nothing was changed", lineRange(s.left[0]), doubt)
}

func (a *applier) overlap(x, y diffedit.Edit) error {
	first, second := min(x.Block, y.Block), max(x.Block, y.Block)
	s := &spot{Chunk: &a.chunks[second-a.first], n: second}
	return a.fail(diffedit.Overlap, s, " and chunk %d both change line %d; join them into one chunk; nothing was changed", first, y.Line)
}

// miss words what is known about a chunk that fits nowhere.
func (a *applier) miss(s *spot, l *ladder) error {
	if err := a.misplaced(s, l); err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString(" is not in the file; nothing was changed.")
	if s.scope.missing != "" {
		fmt.Fprintf(&b, " Its anchor %s is not there either.", quoted(s.scope.missing))
	}
	if n := a.earlier(s); n > 0 {
		fmt.Fprintf(&b, " Its lines are what chunk %d puts there: all chunks of a section are about the file as it is before it, so join them.", n)
	}
	if at := a.text.Find(trimmedEdges(s.fresh), diffedit.Trimmed); len(at) == 1 {
		fmt.Fprintf(&b, " What it makes of them already stands at line %d.", at[0].From+1)
	}
	switch near := a.text.Nearby(s.old, "the chunk"); {
	case len(a.text.Lines()) == 0:
		b.WriteString(" The file is empty: only lines with + can go there.")
	case near == "":
		b.WriteString(" No line of the file is similar to it; read the file again.")
	default:
		b.WriteString(near + "Copy the lines that stay and go from the file as it is now.")
	}
	return a.fail(diffedit.Miss, s, "%s", b.String())
}

// misplaced is the error for a chunk that is in the file, but not where its
// anchors say.
func (a *applier) misplaced(s *spot, l *ladder) error {
	l.lowest = s.Chunk.lowest()
	_, found := l.first(anywhere, false)
	switch at := numbers(found, false); {
	case len(found) == 0:
		return nil
	case !s.scope.none() && !s.scope.weak:
		return a.fail(diffedit.Miss, s, " stands at line %s, which is not behind its anchor %s (line %d); name a line above the change, or none; nothing was changed",
			at, quoted(s.scope.name), s.scope.last[0].From+1)
	default:
		return a.fail(diffedit.Miss, s, " looks like line %s, but not exactly, and its anchor %s is not in the file; copy both from the file as it is now; nothing was changed", at, quoted(s.scope.missing))
	}
}

// earlier returns the number of an earlier chunk that makes the lines that a
// chunk looks for, 0 for none.
func (a *applier) earlier(s *spot) int {
	for i := range a.chunks[:s.n-a.first] {
		made := a.chunks[i].readings()[0].fresh
		if len(diffedit.NewText(strings.Join(made, "\n")).Find(s.old, diffedit.Trimmed)) > 0 {
			return a.first + i
		}
	}
	return 0
}

// trimmedEdges are lines without blank ones around them.
func trimmedEdges(lines []string) []string {
	for len(lines) > 0 && diffedit.IsBlank(lines[0]) {
		lines = lines[1:]
	}
	for len(lines) > 0 && diffedit.IsBlank(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	return lines
}
