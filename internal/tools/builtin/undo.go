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

func (k *kit) undoStep(ctx context.Context, callID string, s *step) error {
	now := &tools.File{Path: s.path, Text: s.final(), Exists: true, Encoding: s.base.Encoding}
	var err error
	switch s.op() {
	case opCreate:
		err = k.Files.Remove(ctx, now)
	case opDelete:
		_, err = k.Files.Write(ctx, &tools.File{Path: s.path}, s.base.Text)
	case opRename:
		now.Path = *s.to
		_, err = k.Files.Move(ctx, now, s.path, s.base.Text)
	default:
		err = k.unwrite(ctx, callID, s, now)
	}
	return err
}

// unwrite gives a file the text it had. What the editor saved it saves again: a
// change of its buffer would leave the file itself as it must not be.
func (k *kit) unwrite(ctx context.Context, callID string, s *step, now *tools.File) error {
	c := &change{path: s.path, base: now, text: s.base.Text}
	if f, err := k.open(ctx, s.path); s.shown && err == nil && f.Open {
		if err := k.show(ctx, callID, c); err != nil {
			return err
		}
		defer func() { k.closeViews(callID, true, s.path.Abs) }()
	}
	w, _, err := k.put(ctx, callID, c, c.text, false)
	if err == nil && lf(w.Text) != lf(c.text) {
		return errors.New("the editor formatted it")
	}
	return err
}
