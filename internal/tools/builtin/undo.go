package builtin

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"clined/internal/tools"
)

// undoLimit bounds putting back what was done before a later file failed, which
// goes on when the call itself was interrupted.
const undoLimit = 30 * time.Second

// undo puts back the steps that were done, the last one first, and tells of it;
// "" when there are none.
func (k *kit) undo(ctx context.Context, callID string, steps []*step) string {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), undoLimit)
	defer cancel()
	var back, left []string
	ordered := inOrder(steps)
	for i := len(ordered) - 1; i >= 0; i-- {
		s := ordered[i]
		if !s.done {
			continue
		}
		if err := k.undoStep(ctx, callID, s); err != nil {
			left = append(left, fmt.Sprintf("%s (%v)", s.path.Display, err))
			k.noteSeen(s)
			continue
		}
		back = append(back, s.path.Display)
	}
	text := ""
	if len(back) > 0 {
		text = "\nWhat had been done before was taken back: " + strings.Join(back, ", ") + "."
	}
	if len(left) > 0 {
		text += "\nThis could not be taken back, so look at what is there: " + strings.Join(left, "; ") + "."
	}
	return text
}

// errUndoUnsaved: the editor has the text as it was, and the file has not.
var errUndoUnsaved = errors.New("its old text is in the editor and not saved yet, so commands still see the new one")

func (k *kit) undoStep(ctx context.Context, callID string, s *step) error {
	now := &tools.File{Path: s.path, Text: s.final(), Exists: true, Encoding: s.base.Encoding}
	saved := s.written == nil || s.written.Saved // by what is to be undone
	if s.written != nil {
		now.Was = s.written.Was
	}
	var w *tools.Written
	var err error
	switch s.op() {
	case opCreate:
		return k.Files.Remove(ctx, now)
	case opDelete:
		return s.aside.PutBack()
	case opRename:
		now.Path = *s.to
		w, err = k.Files.Move(ctx, now, s.path, s.base.Text)
	default:
		w, err = k.unwrite(ctx, callID, s, now)
	}
	if err != nil {
		return err
	}
	// What the model is to know of, if this is not all.
	s.to, s.written = nil, w
	if (saved || !s.base.Dirty) && !w.Saved {
		// By what is undone, or by the user meanwhile, the disk may have the other text.
		if k.Files.Keep(ctx, &tools.File{Path: s.path, Text: w.Text, Exists: true}) != nil {
			return errUndoUnsaved
		}
		w.Saved = true
	}
	if lf(w.Text) != lf(s.base.Text) {
		return errors.New("the editor formatted it")
	}
	return nil
}

// unwrite gives a file the text it had. What the editor saved it saves again: a
// change of its buffer would leave the file itself as it must not be.
func (k *kit) unwrite(ctx context.Context, callID string, s *step, now *tools.File) (*tools.Written, error) {
	c := &change{path: s.path, base: now, text: s.base.Text}
	if f, err := k.open(ctx, s.path); s.shown && err == nil && f.Open {
		if err := k.show(ctx, callID, c); err != nil {
			return nil, err
		}
		defer func() { k.closeViews(callID, true, s.path.Abs) }()
	}
	w, _, err := k.put(ctx, callID, c, c.text, false)
	return w, err
}
