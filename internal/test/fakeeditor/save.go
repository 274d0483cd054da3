package fakeeditor

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"clined/internal/protocol"
)

// onDiffSave puts the proposed side into the file as one undo step and saves,
// with what the user's editor does then.
func (e *Editor) onDiffSave(ctx context.Context, raw json.RawMessage) (any, error) {
	p, v, err := diffParams[protocol.DiffSaveParams](e, raw)
	if err != nil {
		return nil, err
	}
	if err := e.takeTime(ctx); err != nil {
		return nil, err
	}
	e.mu.Lock()
	h := e.habits
	now, exists := e.textLocked(v.URI)
	_, open := e.buffers[v.URI]
	_, hidden := e.hidden[v.URI]
	if p.Text != nil {
		v.Proposed = *p.Text
	}
	user, saved := v.Proposed, v.Proposed
	final := v.Final
	e.mu.Unlock()
	if !final {
		e.t.Errorf("a diff view is saved while it is being written")
	}
	if v.Op == "delete" || v.Op == "rename" {
		e.t.Errorf("a diff view that %ss a file is saved", v.Op)
	}
	if h.Format != nil {
		saved = h.Format(saved)
	}
	res := protocol.DiffSaveResult{UserText: &user, FinalText: &saved}
	if h.Save == "silent" {
		res = protocol.DiffSaveResult{}
	}
	switch {
	case h.Save == "null":
		return nil, nil
	case h.Save == "error":
		return nil, errors.New("the editor is confused")
	case h.Save == "refuse":
		return protocol.DiffSaveResult{Error: "the disk is full"}, nil
	case h.Save == "hold":
		e.update(func() { e.holding = true })
		<-ctx.Done()
		return nil, ctx.Err()
	case h.Save == "lie":
		return res, nil
	case exists && now != v.Base && !(now == "" && len(v.made) > 0):
		e.update(func() { v.Base = now })
		return protocol.DiffSaveResult{Text: &now}, nil
	}
	if old, _ := os.ReadFile(pathOf(v.URI)); as(string(old), shown(string(old))) != string(old) || !utf8.Valid(old) {
		e.t.Errorf("%s is to be saved by an editor that cannot keep its bytes", v.URI)
	}
	if err := write(pathOf(v.URI), saved); err != nil {
		return protocol.DiffSaveResult{Error: err.Error()}, nil
	}
	e.update(func() {
		v.Saved, v.made = true, nil
		if hidden {
			delete(e.hidden, v.URI)
		}
	})
	if !open && h.Opens {
		return res, e.Open(v.URI, saved)
	}
	if open {
		if err := e.Replace(v.URI, e.like(v.URI, saved)); err != nil {
			return nil, err
		}
		if err := e.Notify("textDocument/didSave", map[string]any{"textDocument": map[string]any{"uri": v.URI}}); err != nil {
			return nil, err
		}
	}
	return res, nil
}

// takeTime lets a save wait that is to.
func (e *Editor) takeTime(ctx context.Context) error {
	wait := make(chan struct{})
	e.update(func() {
		if e.habits.Save != "wait" {
			close(wait)
			return
		}
		e.holding, e.waiting = true, wait
	})
	select {
	case <-wait:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Save is the user who saves a buffer.
func (e *Editor) Save(uri string) error {
	text, open := e.Text(uri)
	if !open {
		return errors.New(uri + " is not open")
	}
	if err := write(pathOf(uri), shown(text)); err != nil {
		return err
	}
	return e.Notify("textDocument/didSave", map[string]any{"textDocument": map[string]any{"uri": uri}})
}

// GoOn lets the save go on that waits; from then on none does.
func (e *Editor) GoOn() {
	e.update(func() {
		e.habits.Save, e.holding = "", false
		close(e.waiting)
	})
}

// like gives a text the line ends and the mark of a buffer.
func (e *Editor) like(uri, text string) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return as(e.buffers[uri].Text, text)
}

// as gives a text with LF the line ends and the mark of another one.
func as(old, text string) string {
	if strings.Contains(old, "\r\n") {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if strings.HasPrefix(old, mark) {
		text = mark + text
	}
	return text
}

// Hide gives the editor an unsaved text that it does not tell the daemon of.
func (e *Editor) Hide(uri, text string) { e.update(func() { e.hidden[uri] = text }) }

// HoldingLocked reports whether a save is held; for Until.
func (e *Editor) HoldingLocked() bool { return e.holding }

// Undo takes the last change of a buffer back.
func (e *Editor) Undo(uri string) error {
	before := ""
	e.mu.Lock()
	b := e.buffers[uri]
	steps := 0
	if b != nil {
		steps = len(b.undo)
	}
	if steps > 0 {
		before = b.undo[steps-1]
	}
	e.mu.Unlock()
	if steps == 0 {
		return errors.New("there is nothing to undo in " + uri)
	}
	err := e.Replace(uri, before)
	e.update(func() { b.undo = b.undo[:steps-1] })
	return err
}

// UndosLocked is how many steps a buffer can be taken back; for Until.
func (e *Editor) UndosLocked(uri string) int {
	if b := e.buffers[uri]; b != nil {
		return len(b.undo)
	}
	return 0
}

// textLocked is a document as the editor has it, with LF and without a mark.
func (e *Editor) textLocked(uri string) (string, bool) {
	if text, ok := e.hidden[uri]; ok {
		return text, true
	}
	if b, ok := e.buffers[uri]; ok {
		return shown(b.Text), true
	}
	raw, err := os.ReadFile(pathOf(uri))
	return shown(decoded(raw)), err == nil
}

// decoded is a file as editors show it: they know UTF-16 by its mark, and take
// anything else for UTF-8.
func decoded(raw []byte) string {
	order := binary.ByteOrder(binary.LittleEndian)
	switch {
	case bytes.HasPrefix(raw, []byte{0xff, 0xfe}):
	case bytes.HasPrefix(raw, []byte{0xfe, 0xff}):
		order = binary.BigEndian
	default:
		return strings.ToValidUTF8(string(raw), "\ufffd")
	}
	var units []uint16
	for raw = raw[2:]; len(raw) > 1; raw = raw[2:] {
		units = append(units, order.Uint16(raw))
	}
	return string(utf16.Decode(units))
}

const mark = "\ufeff"

func shown(text string) string {
	return strings.ReplaceAll(strings.TrimPrefix(text, mark), "\r\n", "\n")
}

// write saves a text as editors do: with the line ends and the mark that the
// file has.
func write(path, text string) error {
	old, _ := os.ReadFile(path)
	text = as(string(old), text)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

// make makes the empty file of a view, and the folders it needs.
func (e *Editor) make(v *DiffView) {
	path := pathOf(v.URI)
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(dir); err == nil {
			break
		}
		v.made = append(v.made, dir)
	}
	v.made = append([]string{path}, v.made...)
	if err := write(path, ""); err != nil {
		e.t.Errorf("make %s: %v", path, err)
	}
}

// unmake takes that away again.
func (e *Editor) unmake(v *DiffView) {
	for _, path := range slices.Clone(v.made) {
		if err := os.Remove(path); err != nil {
			e.t.Errorf("remove %s: %v", path, err)
		}
	}
	v.made = nil
}

func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil {
		return uri
	}
	return u.Path
}
