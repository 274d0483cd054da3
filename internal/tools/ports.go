package tools

import (
	"context"
	"fmt"
	"time"

	"clined/internal/transcript"
)

// Files is how tools see files: unsaved buffers lie over the disk.
type Files interface {
	// Resolve turns a path as a model or user writes it (relative to the
	// working directory, absolute, "root/…" or "@root:…" with several roots)
	// into a Path. It fails for an ambiguous or empty path and for one that is
	// hidden by the ignore file.
	Resolve(path string) (Path, error)
	// Read returns the file's text: the editor's buffer where it is open,
	// else from disk. It fails with a sentence for the model when the path is
	// missing, a directory, a device, binary (ErrBinary) or too large (ErrTooLarge).
	Read(ctx context.Context, p Path) (*File, error)
	// Window returns a part of a text of any size, in little memory: what is
	// from on, at most that many lines and bytes of it. A file that Read takes
	// has the same text here. Otherwise it fails as Read does, but for the size.
	Window(ctx context.Context, p Path, from Place, lines, bytes int) (*Window, error)
	// Stat tells what is there without reading it.
	Stat(ctx context.Context, p Path) (FileInfo, error)
	// Write replaces the whole text of base's file (base.Exists false creates
	// it and its directories). It fails with ErrChanged, changing nothing,
	// when the file or buffer is no longer what base says.
	Write(ctx context.Context, base *File, text string) (*Written, error)
	// Save is a Write that save does, such as an editor: what is checked before
	// and told after is the same. A base that is Dirty and that only the editor
	// knows is for save to check, and so is an empty file that was made for it.
	Save(ctx context.Context, base *File, save func(ctx context.Context) error) (*Written, error)
	// Keep has the text of base on disk, too, where an editor shows it and has not
	// saved it: what was saved of another text is to be undone there as well. It
	// fails with ErrChanged when that is not what the editor has.
	Keep(ctx context.Context, base *File) error
	// Remove deletes base's file. It fails as Write does, and for a file with
	// unsaved changes in the editor.
	Remove(ctx context.Context, base *File) error
	// Look is Read for what is only to be removed: of a file that is binary or too
	// large it gives what is known.
	Look(ctx context.Context, p Path) (*File, error)
	// SetAside takes base's file away, as Remove does, so that it can come back as
	// it was. It fails as Remove does.
	SetAside(ctx context.Context, base *File) (Aside, error)
	// Move gives base's file the path to and the whole text text, keeping mode and
	// encoding. Nothing may be at to: it fails with ErrChanged, changing nothing,
	// when there is, and otherwise as Remove does.
	Move(ctx context.Context, base *File, to Path, text string) (*Written, error)
}

// File is a file's text as it was when read.
type File struct {
	Path Path
	// Text with the file's own line ends, without a byte order mark.
	Text   string
	Exists bool
	// Open is true when an editor has it open; Dirty when that buffer has
	// unsaved changes.
	Open, Dirty bool
	// Encoding says in words how the file is kept on disk, "" for UTF-8.
	Encoding string
	// Tell, if set, takes the text of an edit as evidence of an encoding that the
	// file alone does not tell. It returns the file as it is in that, and what turns
	// text that was copied from this one into that of now; nil for none.
	Tell func(edit string) (now *File, copied func(string) string)
	// Shown, if set, is what Tell made this of: the file is read as that until this
	// is written.
	Shown *File
	// Opaque is set, and Text empty, for a file that is no text or too large for
	// one: it can be removed, and that is all.
	Opaque *Opaque
	// Was, if set for Write or Move, is the time of change that the file gets back
	// with a text that it had, as far as it is written on disk.
	Was time.Time
}

// Opaque is what is known of a file that is not read as a text.
type Opaque struct {
	// Size in bytes.
	Size int64
	// Binary is false for one that is merely too large to be read.
	Binary bool
	// Version is another when the file has changed.
	Version string
}

// String is for people and models.
func (o *Opaque) String() string {
	if o.Binary {
		return fmt.Sprintf("binary file, %d bytes", o.Size)
	}
	return fmt.Sprintf("large file, %d bytes", o.Size)
}

// Aside is a file that was taken away and is not given up yet. One of its methods
// is called, once.
type Aside interface {
	// PutBack gives the same file its name again: bytes, mode, times and other names
	// are as they were. It fails with ErrChanged when something has that name by now.
	PutBack() error
	// Drop gives the file up.
	Drop() error
}

// Place is a place in a text: Line from 1, Char characters (code points) into it.
type Place struct{ Line, Char int }

// Window is a part of a file's text.
type Window struct {
	// Text has the file's own line ends. It starts and ends within a line when
	// that was asked for or the line does not fit.
	Text string
	// Next is where the file goes on; its Line is 0 when there is nothing more.
	Next Place
	// Lines of the whole file, 0 when that was not seen: it was when Next.Line is
	// 0, also of a window that would start after the end.
	Lines int
	// Size of the file in bytes.
	Size int64
	// Open, Dirty and Encoding are as in File.
	Open, Dirty bool
	Encoding    string
}

// FileInfo is what Stat tells.
type FileInfo struct {
	Exists, Dir bool
	// Size in bytes.
	Size int64
	// ID is the same for all names of a file that has several (hard links), "" for
	// others.
	ID string
}

// Written tells what became of a write.
type Written struct {
	// Text is what the file holds now; it differs from what was asked when the
	// editor formatted it on save.
	Text string
	// Check, if set, waits until the editor's checkers have seen the text, and
	// tells what they found. It is to be used at most once, and when all is written
	// that belongs together: what is found in between would be no news.
	Check func(ctx context.Context) Checked
	// Saved is false when the text is in the editor's buffer but not on disk.
	Saved bool
	// Was is when the file had been changed last before, zero if nobody can say.
	Was time.Time
}

// Checked is what an edit did to the problems that the editor shows of a file, as
// lines for the model: those that are new, and those that are gone.
type Checked struct{ New, Gone string }

// Images reads pictures, with the same limits and refusals as Files.Read.
type Images interface {
	// Image returns the picture at p; its media type is told by its content.
	Image(ctx context.Context, p Path) (transcript.Image, error)
}

// Documents gives the text of files that are no plain text.
type Documents interface {
	// Document returns the text of a PDF, Word document, Excel workbook or
	// notebook. ok is false for a file of no kind that is known, such as a
	// plain text. An error is a sentence for the model: why a document cannot
	// be read, or what another kind of file is and how to look at it.
	Document(ctx context.Context, p Path) (doc *Document, ok bool, err error)
}

// Document is the text of a document.
type Document struct {
	// Kind in words, with its size, such as "PDF, 3 pages".
	Kind string
	// Text has lines that mark pages, sheets and cells ("=== page 2 of 3 ===").
	Text string
	// Notes are sentences on what Text does not show.
	Notes []string
}

// Lister lists files.
type Lister interface {
	// List returns paths below dir, relative to it, directories with a
	// trailing slash, at most limit of them, and whether there are more: without
	// entries that is a directory of which all is left out.
	List(ctx context.Context, dir Path, recursive bool, limit int) (entries []string, more bool, err error)
}

// Searcher searches file contents.
type Searcher interface {
	// Search returns what matches the regular expression (RE2 syntax) in the
	// files below p whose names match glob ("" for all).
	Search(ctx context.Context, p Path, regex, glob string, limits SearchLimits) (*SearchResult, error)
}

// SearchLimits bounds an answer; zero fields mean the engine's defaults.
type SearchLimits struct {
	// Matches in all and per file.
	Matches, PerFile int
	// Context lines before and after each match.
	Context int
}

// SearchResult is an answer in a stable order.
type SearchResult struct {
	Files []FileMatches
	// Total counts all matches, shown or not; TotalFiles the files with matches.
	Total, TotalFiles int
	// Searched counts the files that were looked into.
	Searched int
	// Incomplete is true when the search stopped before it had seen everything.
	Incomplete bool
}

// FileMatches are the matches of one file.
type FileMatches struct {
	// Path is as Path.Display shows it.
	Path  string
	Lines []MatchLine
	// Total counts this file's matches, shown or not.
	Total int
}

// MatchLine is a matching line or a line of context.
type MatchLine struct {
	// Number is 1-based.
	Number int
	// Text without line end, cut around the match when it is long.
	Text  string
	Match bool
}

// Definitions finds the definitions in source code.
type Definitions interface {
	// Definitions returns those of one file, from its text. ok is false when
	// the language is not known.
	Definitions(ctx context.Context, path string, source []byte) (defs []Definition, ok bool, err error)
}

// Definition is a named thing in a source file.
type Definition struct {
	// Kind such as "function", "method", "class", "struct", "interface", "type".
	Kind string
	Name string
	// Line and EndLine are 1-based.
	Line, EndLine int
	// Depth is the nesting below the file, from 0.
	Depth int
	// Signature is the source line that shows it, trimmed.
	Signature string
}

// Asker puts a question to the user and waits.
type Asker interface {
	Ask(ctx context.Context, q Question) (Answer, error)
}

// Question is put to the user; Options may be empty.
type Question struct {
	Text    string
	Options []string
}

// Answer is what the user said. Nobody answers when Cancelled is true.
type Answer struct {
	Text      string
	Images    []transcript.Image
	Cancelled bool
}

// Spill keeps texts that are too long for the model.
type Spill interface {
	// Keep stores text and returns the path of a file the model may read.
	Keep(callID, text string) (path string, err error)
}
