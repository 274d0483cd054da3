package fakeeditor

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf16"

	"clined/internal/protocol"
)

// Buffer is an open document.
type Buffer struct {
	URI     string
	Text    string
	Version int32
	// undo are the texts before each change, the newest last.
	undo []string
	// cursor is where the user is, in bytes.
	cursor int
}

// URI makes a file URI of an absolute path, as editors do.
func URI(path string) string { return (&url.URL{Scheme: "file", Path: path}).String() }

// Open opens a buffer with text, which need not be what the disk has.
func (e *Editor) Open(uri, text string) error {
	e.update(func() { e.buffers[uri] = &Buffer{URI: uri, Text: text, Version: 1} })
	err := e.Notify("textDocument/didOpen", map[string]any{
		"textDocument": map[string]any{"uri": uri, "languageId": "plaintext", "version": 1, "text": text},
	})
	return errors.Join(err, e.check(uri))
}

// Replace makes text the buffer's whole text and tells the daemon.
func (e *Editor) Replace(uri, text string) error {
	e.mu.Lock()
	old := ""
	if b := e.buffers[uri]; b != nil {
		old = b.Text
	}
	e.mu.Unlock()
	from, oldTo, newTo := protocol.Differing(old, text)
	return e.change(uri, []any{map[string]any{"text": text}}, text, []cut{{from, oldTo, newTo - from}})
}

// cut is a part of a text, in bytes, and the size of what takes its place.
type cut struct{ from, to, size int }

// follow keeps a cursor at its place in a text: behind what takes the place of
// the text that it is in.
func (c cut) follow(cursor int) int {
	switch {
	case cursor >= c.to:
		return cursor + c.size - (c.to - c.from)
	case cursor > c.from:
		return c.from + c.size
	}
	return cursor
}

// Edit replaces a range in the buffer and tells the daemon of just that.
func (e *Editor) Edit(uri string, r protocol.Range, text string) error {
	e.mu.Lock()
	b := e.buffers[uri]
	e.mu.Unlock()
	if b == nil {
		return fmt.Errorf("%s is not open", uri)
	}
	return e.change(uri, []any{map[string]any{"range": r, "text": text}}, splice(b.Text, r, text), []cut{cutOf(b.Text, r, text)})
}

func cutOf(text string, r protocol.Range, with string) cut {
	return cut{offset(text, r.Start), offset(text, r.End), len(with)}
}

// change is one step of undo, told by one notification. The cuts are those of
// the changes, one after the other.
func (e *Editor) change(uri string, changes []any, text string, cuts []cut) error {
	var version int32
	e.update(func() {
		b := e.buffers[uri]
		if b == nil {
			return
		}
		b.undo = append(b.undo, b.Text)
		b.Text = text
		for _, c := range cuts {
			b.cursor = c.follow(b.cursor)
		}
		b.Version++
		version = b.Version
	})
	if version == 0 {
		return fmt.Errorf("%s is not open", uri)
	}
	err := e.Notify("textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": uri, "version": version}, "contentChanges": changes,
	})
	return errors.Join(err, e.check(uri))
}

// PutCursor puts the cursor of a buffer somewhere; CursorLocked is where it is.
func (e *Editor) PutCursor(uri string, p protocol.Position) {
	e.update(func() {
		if b := e.buffers[uri]; b != nil {
			b.cursor = offset(b.Text, p)
		}
	})
}

// CursorLocked returns the text in front of a buffer's cursor; for Until.
func (e *Editor) CursorLocked(uri string) string {
	if b := e.buffers[uri]; b != nil {
		return b.Text[:b.cursor]
	}
	return ""
}

// AppliedLocked are the requests of workspace/applyEdit that were done; for Until.
func (e *Editor) AppliedLocked() []protocol.ApplyEditParams { return e.applied }

// CloseBuffer closes a document.
func (e *Editor) CloseBuffer(uri string) error {
	e.update(func() { delete(e.buffers, uri) })
	return e.Notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": uri}})
}

// Text returns a buffer's text, and whether it is open.
func (e *Editor) Text(uri string) (string, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	b, ok := e.buffers[uri]
	if !ok {
		return "", false
	}
	return b.Text, true
}

// RefuseEdits makes the editor turn workspace/applyEdit down, or not.
func (e *Editor) RefuseEdits(yes bool) { e.update(func() { e.refuseEdits = yes }) }

// onApplyEdit changes buffers the way an editor does: all or nothing, for the
// version it has only, then didChange, then the answer.
func (e *Editor) onApplyEdit(raw json.RawMessage) (any, error) {
	var p protocol.ApplyEditParams
	if err := json.Unmarshal(raw, &p); err != nil {
		e.t.Errorf("an edit that cannot be read: %v: %s", err, raw)
		return nil, err
	}
	e.mu.Lock()
	refuse := e.refuseEdits
	for _, d := range p.Edit.DocumentChanges {
		if d.Kind != "" {
			continue
		}
		b := e.buffers[d.TextDocument.URI]
		if b == nil || b.Version != d.TextDocument.Version {
			refuse = true
		}
	}
	e.mu.Unlock()
	if refuse {
		return protocol.ApplyEditResult{FailureReason: "the document is another version"}, nil
	}
	for _, d := range p.Edit.DocumentChanges {
		if d.Kind != "" {
			if applied, err := e.operate(d); err != nil || !applied {
				return protocol.ApplyEditResult{Applied: applied, FailureReason: "no"}, err
			}
			continue
		}
		e.mu.Lock()
		text := e.buffers[d.TextDocument.URI].Text
		e.mu.Unlock()
		edits := slices.Clone(d.Edits)
		slices.SortStableFunc(edits, func(a, b protocol.TextEdit) int { // from the end to the start
			if a.Range.Start.Line != b.Range.Start.Line {
				return int(b.Range.Start.Line) - int(a.Range.Start.Line)
			}
			return int(b.Range.Start.Character) - int(a.Range.Start.Character)
		})
		var changes []any
		var cuts []cut
		for _, ed := range edits {
			changes = append(changes, map[string]any{"range": ed.Range, "text": ed.NewText})
			cuts = append(cuts, cutOf(text, ed.Range, ed.NewText))
			text = splice(text, ed.Range, ed.NewText)
		}
		if err := e.change(d.TextDocument.URI, changes, text, cuts); err != nil {
			return nil, err
		}
	}
	e.update(func() { e.applied = append(e.applied, p) })
	return protocol.ApplyEditResult{Applied: true}, nil
}

// splice replaces a range given in UTF-16 columns, LSP's default.
func splice(text string, r protocol.Range, with string) string {
	from, to := offset(text, r.Start), offset(text, r.End)
	if to < from {
		from, to = to, from
	}
	return text[:from] + with + text[to:]
}

// offset finds a position in a text; beyond a line's end is its end.
func offset(text string, p protocol.Position) int {
	at := 0
	for range p.Line {
		n := strings.IndexByte(text[at:], '\n')
		if n < 0 {
			return len(text)
		}
		at += n + 1
	}
	column := uint32(0)
	for i, r := range text[at:] {
		if r == '\n' || column >= p.Character {
			return at + i
		}
		column += uint32(utf16.RuneLen(r))
	}
	return len(text)
}

// TextLocked is Text for use inside Until.
func (e *Editor) TextLocked(uri string) string {
	if b, ok := e.buffers[uri]; ok {
		return b.Text
	}
	return ""
}
