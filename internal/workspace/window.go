package workspace

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"clined/internal/tools"

	"golang.org/x/text/transform"
)

// windowBuffer is how much of a file is in memory at a time.
const windowBuffer = 256 << 10

// Window implements tools.Files. What lies before the window is read past, in
// parts; nothing after it is read.
func (w *Workspace) Window(ctx context.Context, p tools.Path, from tools.Place, lines, most int) (*tools.Window, error) {
	f, err := w.Read(ctx, p)
	if errors.Is(err, tools.ErrTooLarge) {
		return w.windowOfFile(ctx, p, from, lines, most)
	}
	if err != nil {
		return nil, err
	}
	win, err := window(ctx, strings.NewReader(f.Text), from, lines, most)
	if err != nil {
		return nil, err
	}
	win.Lines = strings.Count(f.Text, "\n")
	if f.Text != "" && !strings.HasSuffix(f.Text, "\n") {
		win.Lines++
	}
	win.Open, win.Dirty, win.Encoding = f.Open, f.Dirty, f.Encoding
	info, err := w.Stat(ctx, p)
	win.Size = info.Size
	return win, err
}

// windowOfFile reads a file that is too large to be loaded. Its encoding is told
// by its start alone.
func (w *Workspace) windowOfFile(ctx context.Context, p tools.Path, from tools.Place, lines, most int) (*tools.Window, error) {
	f, info, err := w.openFile(p)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	br := bufio.NewReaderSize(f, windowBuffer)
	head, err := br.Peek(windowBuffer)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, sentence(p, err)
	}
	enc, err := sniff(head)
	if err != nil {
		return nil, binaryFile(p, info.Size())
	}
	var r io.Reader = br
	if enc.charset != utf16LE && enc.charset != utf16BE {
		_, _ = br.Discard(enc.bom * len(bomUTF8)) // they were seen
	}
	if d := enc.decoder(); d != nil {
		r = transform.NewReader(br, d)
	}
	win, err := window(ctx, r, from, lines, most)
	if err != nil {
		return nil, sentence(p, err)
	}
	if !utf8.ValidString(win.Text) {
		win.Text, enc.charset = string([]rune(win.Text)), utf8Broken
	}
	win.Size, win.Encoding = info.Size(), enc.String()
	return win, nil
}
