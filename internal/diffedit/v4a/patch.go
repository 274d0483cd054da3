package v4a

import (
	"fmt"
	"strings"

	"clined/internal/diffedit"
)

// Op is what a patch does with a file.
type Op string

// The operations.
const (
	Add    Op = "add"
	Update Op = "update"
	Delete Op = "delete"
)

// Patch is a whole patch. No path occurs twice in it, be it as Path or MoveTo.
type Patch struct {
	Files []File
	// Notes tell the model of adjustments, a sentence each.
	Notes []string
}

// File is what a patch does with one file.
type File struct {
	Op Op
	// Path is as written, but for blanks and quotes around it.
	Path string
	// MoveTo is the new path of an Update, "" when the file keeps its own.
	MoveTo string
	// Line is the 1-based line of its section in the patch.
	Line int
	// Content is the text of an added file; its lines end with LF.
	Content string
	// Chunks are the changes of an Update, in the order of the patch.
	Chunks []Chunk
	// Growing is true while the patch is still being written and more may come
	// for this file. Its content then has whole lines, its chunks are whole.
	Growing bool

	// parts is how many sections the file has.
	parts int
}

// Chunk is one change: lines that stand together in the file, some of which go
// or come.
type Chunk struct {
	// Line is the 1-based line in the patch where it begins.
	Line int
	// Anchors are the lines of the file that it stands behind, the outermost first.
	Anchors []Anchor
	Lines   []Line
	// AtEnd: the lines are the last of the file.
	AtEnd bool

	// part is the section it comes from, from 0, when a path has several: a
	// later one is about the text that those before leave.
	part int
	// bareBefore and bareAfter: the file has no line end at its end, before or
	// after the change.
	bareBefore, bareAfter bool
}

// Anchor names a line of the file.
type Anchor struct {
	Text string
	// Heading: it comes from the header of a unified diff, which diff tools
	// choose by rules of thumb, and can only help.
	Heading bool
}

// Line is a line of a chunk, without its sign and its line end.
type Line struct {
	Sign Sign
	Text string
}

// Sign says what becomes of a line.
type Sign byte

// The signs.
const (
	Keep   Sign = ' '
	Remove Sign = '-'
	Insert Sign = '+'
	// Unsigned is a line that stays and has lost the blank in front of it.
	Unsigned Sign = 0
)

// Error says why nothing was changed, in words for the model, at most 2 kB.
type Error struct {
	Kind diffedit.Kind
	// Path is the file concerned as written in the patch, "" for none.
	Path string
	// Chunk is its chunk concerned, from 1; 0 for none.
	Chunk int
	// Line is the 1-based line of the patch concerned, 0 for none.
	Line int
	text string
}

func (e *Error) Error() string { return e.text }

// syntaxError names a line of the patch and the rule that it breaks.
func syntaxError(line int, format string, args ...any) *Error {
	text := fmt.Sprintf(format, args...) + "; nothing was changed"
	if line > 0 {
		text = fmt.Sprintf("line %d of the patch: %s", line, text)
	}
	return &Error{Kind: diffedit.Syntax, Line: line, text: text}
}

// quoted is a path or a line as named in a message.
func quoted(s string) string {
	const limit = 160
	if len(s) > limit {
		s = strings.ToValidUTF8(s[:limit], "") + "…"
	}
	return "`" + s + "`"
}

// changes reports whether a line with the sign goes or comes.
func (s Sign) changes() bool { return s == Remove || s == Insert }
