package builtin

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"clined/internal/tools"
)

// maxRebases is how often an edit is made anew on a text that the editor has
// instead of what was read: one that changes all the time is not shown.
const maxRebases = 3

// show shows a proposal in the editor's diff view, if there is one. Where the
// editor has unsaved text, that is the base. An error is for the model.
func (k *kit) show(ctx context.Context, p proposal) (proposal, error) {
	if k.Diffs == nil {
		return p, nil
	}
	for range maxRebases {
		now, ok := k.Diffs.Show(ctx, tools.Proposal{CallID: p.callID, Base: p.base, Text: p.text})
		if !ok {
			return p, nil
		}
		if now == nil {
			p.shown = true
			return p, nil
		}
		var err error
		if p, err = k.rebase(ctx, p, *now); err != nil {
			return p, err
		}
	}
	k.Diffs.Close(p.callID, false)
	return p, nil
}

// rebase makes a proposal anew on the text that the editor has.
func (k *kit) rebase(ctx context.Context, p proposal, now string) (proposal, error) {
	p.base, p.editorOnly = k.unsaved(ctx, p.base, now)
	if p.again == nil {
		if why := k.stale(p.path, p.base); why != nil {
			k.seen.sawFile(p.path.Abs, p.base)
			return p, why
		}
		p.text = withLineEnds(p.base.Text, p.text)
		return p, nil
	}
	text, notes, err := p.again(p.base.Text)
	if err != nil {
		k.seen.sawFile(p.path.Abs, p.base)
		return p, fmt.Errorf("the file has unsaved changes in the editor, and the edit does not fit them: %w", err)
	}
	p.text, p.notes = text, notes
	return p, nil
}

// unsaved is the file of base as the editor has it. editorOnly is true when
// nobody but the editor knows that text.
func (k *kit) unsaved(ctx context.Context, base *tools.File, now string) (f *tools.File, editorOnly bool) {
	if f, err := k.open(ctx, base.Path); err == nil && f.Exists && lf(f.Text) == lf(now) {
		return f, false
	}
	return &tools.File{Path: base.Path, Text: withLineEnds(base.Text, now), Exists: true, Open: true, Dirty: true}, true
}

// put writes what was allowed: through the diff view where it is shown and the
// editor can keep every byte, else the ordinary way. own is the user's version
// when they changed what was shown. given says that text is not what is shown.
func (k *kit) put(ctx context.Context, p proposal, text string, given bool) (w *tools.Written, own string, err error) {
	if !p.shown {
		w, err = k.Files.Write(ctx, p.base, text)
		return w, text, err
	}
	if !editorKeeps(p.base, text) {
		w, err = k.Files.Write(ctx, p.base, text)
		k.Diffs.Close(p.callID, err == nil)
		return w, text, err
	}
	w, own, err = k.save(ctx, p, text, given)
	switch {
	case err == nil:
		k.Diffs.Close(p.callID, true)
		return w, own, nil
	case errors.Is(err, tools.ErrChanged), ctx.Err() != nil:
		return nil, "", err
	}
	// The editor did not, or not that anybody could see: the view goes, so that
	// the file is as it was, and then it is written with all that is checked there.
	k.Diffs.Close(p.callID, false)
	if now, err := k.open(ctx, p.path); err == nil && now.Exists && lf(now.Text) == lf(text) {
		return &tools.Written{Text: now.Text, Saved: !now.Dirty}, text, nil
	}
	w, err = k.Files.Write(ctx, p.base, text)
	return w, text, err
}

var errNotSaved = errors.New("the file is as it was")

// save lets the editor save what its view shows.
func (k *kit) save(ctx context.Context, p proposal, text string, given bool) (w *tools.Written, own string, err error) {
	var explicit *string
	if given {
		explicit = &text
	}
	var shown *tools.Shown
	w, err = k.Files.Save(ctx, p.base, func(ctx context.Context) (err error) {
		shown, err = k.Diffs.Save(ctx, p.callID, p.base, explicit)
		return err
	})
	if err != nil {
		return nil, "", err
	}
	own = withLineEnds(text, shown.User)
	if lf(w.Text) == lf(p.base.Text) && lf(own) != lf(p.base.Text) {
		return nil, "", errNotSaved
	}
	return w, own, nil
}

// editorKeeps reports whether an editor that shows texts with LF saves this one
// byte for byte: it knows UTF-8, and one kind of line end for a file.
func editorKeeps(base *tools.File, text string) bool {
	if base.Encoding != "" {
		return false
	}
	crlf := strings.Count(base.Text, "\r\n")
	if crlf == 0 {
		return !strings.Contains(base.Text+text, "\r")
	}
	pure := crlf == strings.Count(base.Text, "\n") && crlf == strings.Count(base.Text, "\r")
	return pure && !strings.Contains(lf(text), "\r") && strings.ReplaceAll(lf(text), "\n", "\r\n") == text
}
