// Package doctext owns the text of files that are no plain text: PDF, Word
// documents, Excel workbooks and Jupyter notebooks, and what to say of other
// binary files. Extract works in this process; Reader, the port of the tools,
// has a child do it (Main), for such files come from anywhere: what a hostile
// one costs is bounded and ends with the child.
//
// It never writes a file, opens none by name, and knows nothing of paging: a
// document is a text. daemon plugs it in, cmd/clined runs the child.
package doctext

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"unicode"

	"clined/internal/tools"
)

// What one document may cost, in bytes.
const (
	// MaxFile is the largest file that is looked into.
	MaxFile = 100 << 20
	// maxText is where the text of a document ends.
	maxText = 4 << 20
	// maxPart is how much a part of a document may be once unpacked.
	maxPart = 64 << 20
)

// Format is how a file is to be understood.
type Format string

// The formats. Auto goes by the content; a notebook has no mark in it.
const (
	Auto     Format = "auto"
	Notebook Format = "notebook"
)

// errDamaged is the fault of a document that is not as its format demands.
var errDamaged = errors.New("damaged")

// damaged says what is wrong with a document.
func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errDamaged, fmt.Sprintf(format, args...))
}

// Extract returns the text of the document in r, which is size bytes long. An
// error is a phrase for the model that goes on after the file's name ("is a
// ZIP archive; …"). It stops soon after ctx ended.
func Extract(ctx context.Context, r io.ReaderAt, size int64, f Format) (doc *tools.Document, err error) {
	kind := notebook
	if f != Notebook {
		kind = identify(r, size)
	}
	defer func() {
		if fault := recover(); fault != nil {
			slog.Warn("reading a document", "kind", kind.name, "fault", fault)
			doc, err = nil, kind.broken(fmt.Errorf("%v", fault))
		}
	}()
	switch {
	case kind.extract == nil:
		return nil, kind.notice()
	case size > MaxFile:
		return nil, fmt.Errorf("is %s of %d bytes, more than the %d that are looked into; %s", kind.name, size, MaxFile, kind.hint)
	}
	b := &builder{left: maxText}
	doc, err = kind.extract(ctx, watched{ctx, r}, size, b)
	if cause := context.Cause(ctx); cause != nil {
		return nil, cause
	}
	var words refusal
	switch {
	case errors.As(err, &words):
		return nil, words
	case err != nil:
		return nil, kind.broken(err)
	}
	doc.Text = b.text()
	if b.full {
		doc.Notes = append(doc.Notes, fmt.Sprintf("the text ends here, after %d MB; %s", maxText>>20, kind.hint))
	}
	return doc, nil
}

// refusal is a complete phrase about a file that is sound but cannot be read.
type refusal string

func (r refusal) Error() string { return string(r) }

// watched ends reading when ctx ends, whoever reads.
type watched struct {
	ctx context.Context
	io.ReaderAt
}

func (w watched) ReadAt(p []byte, off int64) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.ReaderAt.ReadAt(p, off)
}

// builder collects the text of a document up to a limit in bytes.
type builder struct {
	b    strings.Builder
	left int
	full bool
}

// add appends text, and reports whether there is room for more.
func (b *builder) add(text string) bool {
	if b.full {
		return false
	}
	if len(text) > b.left {
		cut := b.left
		for cut > 0 && text[cut]&0xC0 == 0x80 {
			cut--
		}
		text, b.full = text[:cut], true
	}
	b.left -= len(text)
	b.b.WriteString(text)
	return !b.full
}

// line appends a line; what could be taken for a line end in it becomes a blank.
func (b *builder) line(text string) bool { return b.add(oneLine(text) + "\n") }

// lines appends a text of several lines.
func (b *builder) lines(text string) bool {
	for l := range strings.Lines(text) {
		if !b.line(strings.TrimRight(l, "\r\n")) {
			return false
		}
	}
	return !b.full
}

// text is what was collected, valid and without blank lines at its end.
func (b *builder) text() string {
	return strings.TrimRight(strings.ToValidUTF8(b.b.String(), "\uFFFD"), " \n")
}

// oneLine makes what could be taken for a line end a blank.
func oneLine(text string) string {
	if strings.IndexFunc(text, unicode.IsControl) < 0 && !strings.ContainsAny(text, "\u2028\u2029") {
		return text
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return r
		case r == '\n' || r == '\r' || r == '\f' || r == '\v' || r == '\u0085' || r == '\u2028' || r == '\u2029':
			return ' '
		case unicode.IsControl(r):
			return -1
		}
		return r
	}, strings.ReplaceAll(text, "\r\n", " "))
}
