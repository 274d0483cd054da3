package builtin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"clined/internal/tools"
	"clined/internal/transcript"
)

const (
	// readWindow is how many lines are shown when no end is asked for.
	readWindow = 1000
	// readChars bounds the characters of one call's result, within what the
	// limits allow, so that the end of it is our own note.
	readChars = tools.MaxChars - 4000
	// readLines bounds its lines in the same way.
	readLines = tools.MaxLines - 200
	// readLineChars is where a line is cut.
	readLineChars = tools.MaxLineChars - 150
	// readItems is how many files one call may name.
	readItems = 30
)

func (k *kit) readFile() tools.Tool {
	files := optional("files", "array")
	files.Extra = json.RawMessage(`{"items":{"type":"object","properties":{"path":{"type":"string"},"start_line":{"type":"integer"},"end_line":{"type":"integer"}},"required":["path"]}}`)
	s := spec("read_file", tools.Read,
		optional("path", "string", absolutePath), optional("start_line", "integer"), optional("end_line", "integer"), files)
	s.ReadOnly = true
	return &simple{s, k.prepareRead}
}

// readItem is one file to read. err says why it cannot be.
type readItem struct {
	path       tools.Path
	start, end int // 0 means not given
	err        error
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
	it.start, _ = args.Int("start_line")
	it.end, _ = args.Int("end_line")
	it.path, it.err = k.target(args)
	return it
}

// room is how much a text may take.
type room struct{ chars, lines int }

// readAll reads the items one after the other; each may fail by itself.
func (k *kit) readAll(ctx context.Context, items []readItem) tools.Result {
	var res tools.Result
	var sections []string
	left, failed := room{readChars, readLines}, 0
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
	if k.Images != nil && isImage(it.path.Abs) {
		image, err := k.Images.Image(ctx, it.path)
		if err != nil {
			return "", nil, err
		}
		return fmt.Sprintf("%s: image (%s, %d bytes)", it.path.Display, image.MediaType, len(image.Data)), &image, nil
	}
	f, err := k.Files.Read(ctx, it.path)
	if err != nil {
		return "", nil, err
	}
	text, err := k.showLines(f, it, left)
	return text, nil, err
}

// showLines returns the lines asked for under a line that says what they are.
func (k *kit) showLines(f *tools.File, it readItem, left room) (string, error) {
	lines := splitLines(f.Text)
	name := it.path.Display
	if f.Dirty {
		name += " (unsaved in the editor)"
	}
	if len(lines) == 0 {
		k.seen.saw(it.path.Abs, f.Text)
		return name + " is empty", nil
	}
	from, to := max(it.start, 1), it.end
	switch {
	case from > len(lines):
		return "", fmt.Errorf("%s has only %s; start_line %d is past its end", it.path.Display, plural(len(lines), "line"), from)
	case to > 0 && to < from:
		return "", fmt.Errorf("%s: end_line %d is before start_line %d", it.path.Display, to, from)
	case to < 0: // the last line, as some models write it
		to = len(lines)
	case to == 0:
		to = from + readWindow - 1
	}
	to = min(to, len(lines))

	shown, last, cut := numbered(lines, from, to, left)
	head := fmt.Sprintf("%s, lines %d-%d of %d", name, from, last, len(lines))
	if from == 1 && last == len(lines) {
		head = name + ", " + plural(len(lines), "line")
	}
	if strings.Contains(f.Text, "\r\n") {
		head += ", CRLF line ends"
	}
	if f.Encoding != "" {
		head += ", " + f.Encoding
	}
	if k.seen.show(it.path.Abs, f.Text, lineRange{from, last}) {
		return head + ": unchanged since you read it, see above. (Ask again to get the lines once more.)", nil
	}
	text := head + "\n" + shown
	if cut {
		text += "\n[Long lines were cut; to see more of one, use execute_command with `cut -c`.]"
	}
	if last < len(lines) {
		text += fmt.Sprintf("\n[%s more; go on with start_line %d]", plural(len(lines)-last, "line"), last+1)
	}
	return text, nil
}

// numbered writes the lines from..to as `N | text` as far as there is room, but
// at least one line. last is the last one written; cut is true when a line was
// shortened.
func numbered(lines []string, from, to int, left room) (text string, last int, cut bool) {
	var b strings.Builder
	for n := from; n <= min(to, from+max(left.lines, 1)-1); n++ {
		line := strings.ToValidUTF8(lines[n-1], "\uFFFD")
		if chars := utf8.RuneCountInString(line); chars > readLineChars {
			line = string([]rune(line)[:readLineChars]) + fmt.Sprintf(" [… %d more characters in this line]", chars-readLineChars)
			cut = true
		}
		line = fmt.Sprintf("%d | %s", n, line)
		if left.chars -= utf8.RuneCountInString(line) + 1; left.chars < 0 && n > from {
			break
		}
		if n > from {
			b.WriteByte('\n')
		}
		b.WriteString(line)
		last = n
	}
	return b.String(), last, cut
}

func isImage(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp":
		return true
	}
	return false
}
