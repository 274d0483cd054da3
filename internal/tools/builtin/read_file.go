package builtin

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"clined/internal/tools"
	"clined/internal/transcript"
)

// readItems is how many files one call may name.
const readItems = 30

func (k *kit) readFile() tools.Tool {
	files := optional("files", "array")
	files.Extra = json.RawMessage(`{"items":{"type":"object","properties":{"path":{"type":"string"},"start_line":{"type":"integer"},"end_line":{"type":"integer"}},"required":["path"]}}`)
	s := spec("read_file", tools.Read,
		optional("path", "string", absolutePath), optional("start_line", "integer"), optional("end_line", "integer"),
		optional("start_char", "integer"), optional("raw", "boolean"), files)
	s.ReadOnly = true
	return &simple{s, k.prepareRead}
}

// readItem is one file to read. err says why it cannot be.
type readItem struct {
	path tools.Path
	asked
	// raw asks for the text of a notebook's file.
	raw bool
	err error
}

func (k *kit) prepareRead(_ context.Context, call tools.Call) (*tools.Action, error) {
	items, err := k.readItems(call.Args)
	if err != nil {
		return nil, err
	}
	var paths []tools.Path
	for _, it := range items {
		if it.err == nil {
			paths = append(paths, it.path)
		}
	}
	if len(paths) == 0 {
		return nil, items[0].err
	}
	title := "Read " + paths[0].Display
	if len(items) > 1 {
		title = fmt.Sprintf("Read %d files", len(items))
	}
	return &tools.Action{
		Title:   title,
		Subject: tools.Subject{Kind: tools.Read, ReadOnly: true, Paths: paths},
		Run:     func(ctx context.Context, _ tools.Decision) tools.Result { return k.readAll(ctx, items) },
	}, nil
}

// readItems reads which files are meant, in either form of the call.
func (k *kit) readItems(args tools.Args) ([]readItem, error) {
	if !args.Has("files") {
		if !args.Has("path") && !args.Has(absolutePath) {
			return nil, errors.New(`read_file: a path is missing; nothing was read. Call it like this: read_file {"path": "a.txt"} or {"files": [{"path": "a.txt"}, {"path": "b.txt", "start_line": 10, "end_line": 20}]}`)
		}
		return []readItem{k.readItem(args)}, nil
	}
	elems, _ := args.Array("files")
	var items []readItem
	if args.Has("path") || args.Has(absolutePath) {
		items = append(items, k.readItem(args))
	}
	for _, e := range elems {
		one := tools.Args{"path": e}
		if text := strings.TrimSpace(string(e)); strings.HasPrefix(text, "{") {
			one, _ = tools.ParseArgs(text)
		}
		items = append(items, k.readItem(one))
	}
	switch {
	case len(items) == 0:
		return nil, errors.New("read_file: files is empty; nothing was read")
	case len(items) > readItems:
		return nil, fmt.Errorf("read_file: %d files in one call are too many, at most %d; nothing was read", len(items), readItems)
	}
	return items, nil
}

func (k *kit) readItem(args tools.Args) (it readItem) {
	it.raw = args.Bool("raw")
	if it.path, it.err = k.target(args); it.err == nil {
		it.asked, it.err = askedLines(it.path.Display, args)
	}
	return it
}

// readAll reads the items one after the other; each may fail by itself.
func (k *kit) readAll(ctx context.Context, items []readItem) tools.Result {
	var res tools.Result
	var sections []string
	left, failed := room{readChars, readMost}, 0
	for i, it := range items {
		if ctx.Err() != nil {
			return tools.Result{Text: "Interrupted: not all files were read.", Outcome: tools.Cancelled}
		}
		// What one item leaves of its share goes to the next ones.
		share := room{left.chars / (len(items) - i), left.lines / (len(items) - i)}
		text, image, err := k.readOne(ctx, it, share)
		if err != nil {
			failed++
			text = "Error: " + err.Error()
		}
		if image != nil {
			res.Images = append(res.Images, *image)
		}
		left.chars -= utf8.RuneCountInString(text)
		left.lines -= strings.Count(text, "\n") + 2
		sections = append(sections, text)
	}
	res.Text = strings.Join(sections, "\n\n")
	if failed == len(items) {
		res.Outcome = tools.Failed
	}
	return res
}

func (k *kit) readOne(ctx context.Context, it readItem, left room) (string, *transcript.Image, error) {
	if it.err != nil {
		return "", nil, it.err
	}
	info, err := k.Files.Stat(ctx, it.path)
	if err != nil {
		return "", nil, err
	}
	if !info.Exists {
		return "", nil, k.notThere(ctx, it.path)
	}
	if info.Dir {
		return "", nil, fmt.Errorf("%s is a directory: use list_files to see what is in it", it.path.Display)
	}
	switch {
	case k.Images != nil && isImage(it.path.Abs):
		return k.readImage(ctx, it.path)
	case k.Documents != nil && isDocument(it.path.Abs) && !it.raw:
		doc, ok, err := k.Documents.Document(ctx, it.path)
		if ok || err != nil && !errors.Is(err, tools.ErrTooLarge) {
			return k.readDocument(it, doc, err, left)
		}
	}
	text, err := k.readText(ctx, it, left)
	if !errors.Is(err, tools.ErrBinary) || it.raw {
		return text, nil, err
	}
	// Its content may tell more than its name.
	if k.Images != nil {
		if text, image, err := k.readImage(ctx, it.path); err == nil {
			return text, image, nil
		}
	}
	if k.Documents != nil {
		if doc, ok, err := k.Documents.Document(ctx, it.path); ok || err != nil {
			return k.readDocument(it, doc, err, left)
		}
	}
	return "", nil, err
}

func (k *kit) readImage(ctx context.Context, p tools.Path) (string, *transcript.Image, error) {
	image, err := k.Images.Image(ctx, p)
	if err != nil {
		return "", nil, err
	}
	return fmt.Sprintf("%s: image (%s, %d bytes)", p.Display, image.MediaType, len(image.Data)), &image, nil
}

// readText shows lines of a text file.
func (k *kit) readText(ctx context.Context, it readItem, left room) (string, error) {
	f, err := k.Files.Read(ctx, it.path)
	if errors.Is(err, tools.ErrTooLarge) {
		return k.readWindow(ctx, it, left)
	}
	if err != nil {
		return "", err
	}
	name := it.path.Display
	if f.Dirty {
		name += " (unsaved in the editor)"
	}
	if f.Text == "" {
		k.seen.saw(it.path.Abs, "")
		return name + " is empty", nil
	}
	about := ""
	if strings.Contains(f.Text, "\r\n") {
		about = ", CRLF line ends"
	}
	if f.Encoding != "" {
		about += ", " + f.Encoding
	}
	e, err := cutLines(it.path.Display, splitLines(f.Text), it.asked)
	if err != nil {
		return "", err
	}
	text, shown := e.write(left)
	if k.seenBefore(it.path.Abs, f.Text, e, shown) {
		return e.head(name, shown) + about + unchanged, nil
	}
	return e.head(name, shown) + about + "\n" + text, nil
}

// seenBefore reports whether the model has these lines already. Of a line that
// is read by character other parts may have been shown.
func (k *kit) seenBefore(key, text string, e *excerpt, shown lineRange) bool {
	if e.char > 0 {
		k.seen.saw(key, text)
		return false
	}
	return k.seen.show(key, text, shown)
}

// unchanged stands for lines that the model has.
const unchanged = ": unchanged since you read it, see above. (Ask again to get the lines once more.)"

// readWindow shows lines of a text that is too large to be loaded.
func (k *kit) readWindow(ctx context.Context, it readItem, left room) (string, error) {
	l := it.asked
	to := l.end
	if to <= 0 {
		to = l.start + readDefault - 1
	}
	from := tools.Place{Line: l.start, Char: max(l.char-1, 0)}
	w, err := k.Files.Window(ctx, it.path, from, min(to-l.start+1, left.lines), left.chars)
	if err != nil {
		return "", err
	}
	if w.Text == "" {
		return "", pastEnd(it.path.Display, w.Lines, l)
	}
	e := &excerpt{lines: splitLines(w.Text), first: l.start, char: l.char, open: w.Next.Char > 0, total: w.Lines, more: w.Next.Line > 0, zero: l.zero}
	text, shown := e.write(left)
	head := e.head(it.path.Display, shown) + fmt.Sprintf(", %d bytes", w.Size)
	if w.Dirty {
		head += ", unsaved in the editor"
	}
	if w.Encoding != "" {
		head += ", " + w.Encoding
	}
	return head + "\n" + text, nil
}

// readDocument shows lines of the text of a document. The file itself was not
// seen: what an edit would change are other lines.
func (k *kit) readDocument(it readItem, doc *tools.Document, err error, left room) (string, *transcript.Image, error) {
	if err != nil {
		return "", nil, err
	}
	name := fmt.Sprintf("%s (%s)", it.path.Display, doc.Kind)
	if doc.Text == "" {
		return strings.Join(append([]string{name + " holds no text"}, doc.Notes...), "; "), nil, nil
	}
	e, err := cutLines(it.path.Display, splitLines(doc.Text), it.asked)
	if err != nil {
		return "", nil, err
	}
	notes := ""
	for _, n := range doc.Notes {
		notes += "\n[Note: " + n + "]"
	}
	left.chars -= utf8.RuneCountInString(notes)
	left.lines -= len(doc.Notes)
	text, shown := e.write(left)
	sum := sha256.Sum256([]byte(doc.Text))
	if k.seenBefore(it.path.Abs+"\x00text", string(sum[:]), e, shown) {
		return e.head(name, shown) + unchanged, nil, nil
	}
	return e.head(name, shown) + "\n" + text + notes, nil, nil
}

func isImage(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp":
		return true
	}
	return false
}

// isDocument tells by its name a file that is no plain text, but has one. Others
// are found by their content.
func isDocument(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".pdf", ".docx", ".docm", ".dotx", ".xlsx", ".xlsm", ".xltx", ".ipynb":
		return true
	}
	return false
}
