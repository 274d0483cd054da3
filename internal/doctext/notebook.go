package doctext

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"clined/internal/tools"
)

// What one output of a cell may take.
const (
	outputChars = 2000
	outputLines = 40
)

// texts is a text as nbformat keeps it: one string, or one for each line.
type texts string

func (t *texts) UnmarshalJSON(raw []byte) error {
	var list []string
	if json.Unmarshal(raw, &list) == nil {
		*t = texts(strings.Join(list, ""))
		return nil
	}
	var one string
	if json.Unmarshal(raw, &one) == nil {
		*t = texts(one)
	}
	return nil // anything else, such as JSON data, is no text
}

// book is a notebook (nbformat 4; in nbformat 3 the cells are in worksheets).
type book struct {
	Cells      []cell
	Worksheets []struct{ Cells []cell }
	Metadata   struct {
		Kernelspec struct{ Name string }
		Language   struct{ Name string } `json:"language_info"`
	}
	Format int `json:"nbformat"`
}

type cell struct {
	ID     string `json:"id"`
	Type   string `json:"cell_type"`
	Source texts
	Input  texts    // nbformat 3
	Count  *int     `json:"execution_count"`
	Number *int     `json:"prompt_number"` // nbformat 3
	Outs   []output `json:"outputs"`
}

type output struct {
	Type      string `json:"output_type"`
	Name      string
	Text      texts
	Data      map[string]texts
	Ename     string
	Evalue    string
	Traceback []string
}

// extractNotebook writes the cells of a notebook with what they printed.
func extractNotebook(ctx context.Context, r io.ReaderAt, size int64, b *builder) (*tools.Document, error) {
	raw := make([]byte, size)
	if n, err := r.ReadAt(raw, 0); err != nil && err != io.EOF || int64(n) < size {
		return nil, fmt.Errorf("reading: %w", err)
	}
	var nb book
	if err := json.Unmarshal(raw, &nb); err != nil {
		return nil, damaged("it is not valid JSON: %v", err)
	}
	cells := nb.Cells
	for _, w := range nb.Worksheets {
		cells = append(cells, w.Cells...)
	}
	if nb.Format == 0 && len(cells) == 0 {
		return nil, damaged("its JSON holds no cells")
	}
	for i, c := range cells {
		if ctx.Err() != nil || b.full {
			break
		}
		if i > 0 {
			b.line("")
		}
		c.write(b, i+1)
	}
	doc := &tools.Document{Kind: "Jupyter notebook"}
	if name := nb.Metadata.Kernelspec.Name; name != "" {
		doc.Kind += ", " + oneLine(name)
	}
	if doc.Kind += fmt.Sprintf(", %d cells", len(cells)); len(cells) == 1 {
		doc.Kind = strings.TrimSuffix(doc.Kind, "s")
	}
	doc.Notes = append(doc.Notes, "these lines are not those of the file: to edit it, read its JSON with raw: true and use what that shows as SEARCH")
	return doc, nil
}

func (c *cell) write(b *builder, n int) {
	head := fmt.Sprintf("=== cell %d: %s", n, c.Type)
	if c.ID != "" {
		head += ", id " + c.ID
	}
	if count := c.Count; count != nil || c.Number != nil {
		if count == nil {
			count = c.Number
		}
		head += fmt.Sprintf(", run %d", *count)
	}
	b.line(head + " ===")
	b.lines(string(c.Source + c.Input))
	for _, o := range c.Outs {
		o.write(b)
	}
}

// write writes an output: its text, else what else it is.
func (o *output) write(b *builder) {
	head := o.Type
	if o.Name != "" {
		head = o.Name
	}
	text := string(o.Text)
	switch {
	case o.Type == "error" || o.Type == "pyerr":
		head = "error"
		if text = strings.Join(o.Traceback, "\n"); text == "" {
			text = o.Ename + ": " + o.Evalue
		}
	case text == "":
		text = string(o.Data["text/plain"])
		if text == "" {
			text = string(o.Data["text/markdown"] + o.Data["text/latex"])
		}
	}
	var other []string
	for _, media := range slices.Sorted(maps.Keys(o.Data)) {
		if media != "text/plain" && (text == "" || !strings.HasPrefix(media, "text/")) {
			other = append(other, media)
		}
	}
	if len(other) > 0 {
		head += ", " + strings.Join(other, ", ") + " not shown"
	}
	b.line("--- output: " + head + " ---")
	b.lines(cutOutput(plain(text)))
}

// plain takes the escape sequences of a terminal out.
func plain(text string) string {
	if !strings.Contains(text, "\x1b") {
		return text
	}
	return regexp.MustCompile("\x1b\\[[0-9;?]*[ -/]*[@-~]").ReplaceAllString(text, "")
}

// cutOutput keeps the head and the tail of a long output.
func cutOutput(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if n := len(lines) - outputLines; n > 0 {
		mark := fmt.Sprintf("[… %d lines of this output left out …]", n)
		lines = slices.Concat(lines[:outputLines/2], []string{mark}, lines[len(lines)-outputLines/2:])
	}
	text = strings.Join(lines, "\n")
	if n := utf8.RuneCountInString(text) - outputChars; n > 0 {
		runes := []rune(text)
		text = string(runes[:outputChars/2]) + fmt.Sprintf("\n[… %d characters of this output left out …]\n", n) + string(runes[len(runes)-outputChars/2:])
	}
	return text
}
