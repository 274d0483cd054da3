package builtin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"clined/internal/diffedit"
	"clined/internal/tools"
)

// maxRebases is how often an edit is made anew on a text that the editor has
// instead of what was read: one that changes all the time is not shown.
const maxRebases = 3

// maxViews is how many files of one call are shown in diff views: an editor full
// of them helps nobody.
const maxViews = 8

// show shows a change in the editor's diff view, if there is one. Where the
// editor has unsaved text, that is the base. An error is for the model.
func (k *kit) show(ctx context.Context, callID string, c *change) error {
	if k.Diffs == nil {
		return nil
	}
	for range maxRebases {
		now, ok := k.Diffs.Show(ctx, tools.Proposal{CallID: callID, Base: c.base, Text: c.text, Gone: c.gone, To: c.to})
		if !ok && now != nil {
			return errAnotherText
		}
		if !ok {
			return nil
		}
		if now == nil {
			c.shown = true
			return nil
		}
		if err := k.rebase(ctx, c, *now); err != nil {
			return err
		}
		if c.idle() {
			return nil
		}
	}
	k.closeViews(callID, false, c.path.Abs)
	return nil
}

// rebase makes a change anew on the text that the editor has.
func (k *kit) rebase(ctx context.Context, c *change, now string) error {
	c.base, c.editorOnly = k.unsaved(ctx, c.base, now)
	if c.gone || c.to != nil {
		k.seen.sawFile(c.path.Abs, c.base)
		return errUnsaved
	}
	if c.again == nil {
		if why := k.stale(c.path, c.base); why != nil {
			k.seen.sawFile(c.path.Abs, c.base)
			return why
		}
		c.text = withLineEnds(c.base.Text, c.text)
		return nil
	}
	text, notes, err := c.again(c.base.Text)
	if err != nil {
		k.seen.sawFile(c.path.Abs, c.base)
		return fmt.Errorf("the file has unsaved changes in the editor, and the edit does not fit them: %w", err)
	}
	c.text, c.notes = text, notes
	return nil
}

// errAnotherText refuses to choose between two texts of which either may be
// somebody's work.
var errAnotherText = errors.New("the editor shows another text of it than the disk has, and does not say whether that is unsaved work; nothing was changed: ask the user to save the file, or to read it again in the editor")

// errUnsaved refuses to take away what the user has not saved.
var errUnsaved = errors.New("the file has unsaved changes in the editor, so it is neither removed nor moved; nothing was changed: ask the user to save it")

// unsaved is the file of base as the editor has it. editorOnly is true when
// nobody but the editor knows that text.
func (k *kit) unsaved(ctx context.Context, base *tools.File, now string) (f *tools.File, editorOnly bool) {
	if f, err := k.reopen(ctx, base); err == nil && f.Exists && lf(f.Text) == lf(now) {
		return f, false
	}
	return &tools.File{Path: base.Path, Text: withLineEnds(base.Text, now), Exists: true, Open: true, Dirty: true}, true
}

// put writes what was allowed: through the diff view where it is shown and the
// editor can keep every byte, else the ordinary way. own is the user's version
// when they changed what was shown. given says that text is not what is shown.
func (k *kit) put(ctx context.Context, callID string, c *change, text string, given bool) (w *tools.Written, own string, err error) {
	if !c.shown || !editorKeeps(c.base, text) {
		w, err = k.Files.Write(ctx, c.base, text)
		return w, text, err
	}
	w, own, err = k.save(ctx, callID, c, text, given)
	if err == nil {
		return w, own, nil
	}
	if errors.Is(err, tools.ErrChanged) || errors.Is(err, tools.ErrTouched) || ctx.Err() != nil {
		return nil, "", err
	}
	return k.putAfter(ctx, callID, c, text, err)
}

// putAfter writes what the editor did not save, or not that it said so.
func (k *kit) putAfter(ctx context.Context, callID string, c *change, text string, failure error) (w *tools.Written, own string, err error) {
	if now, err := k.open(ctx, c.path); err == nil && now.Exists && !now.Dirty && saved(c.base.Text, text, now.Text) {
		if now.Text != text {
			c.notes = append(c.notes, fmt.Sprintf("The editor did not say that it saved it (%v), but the file holds it.", failure))
		}
		return &tools.Written{Text: now.Text, Saved: true}, text, nil
	}
	// The view goes, so that the file is as it was, and then it is written with all
	// that is checked there.
	k.closeViews(callID, false, c.path.Abs)
	if now, err := k.open(ctx, c.path); err == nil && now.Exists && lf(now.Text) == lf(text) {
		return &tools.Written{Text: now.Text, Saved: !now.Dirty}, text, nil
	}
	w, err = k.Files.Write(ctx, c.base, text)
	nothing := errors.Is(failure, tools.ErrNoView) || errors.Is(failure, errNotSaved)
	if errors.Is(err, tools.ErrChanged) && !nothing {
		err = fmt.Errorf("%w: %w", errUnclear, err)
	}
	return w, text, err
}

// errUnclear: the editor said that it did not save, or nothing, and the file is
// another than before: by that save, or by somebody else.
var errUnclear = errors.New("perhaps saved")

var errNotSaved = errors.New("the file is as it was")

// save lets the editor save what its view shows.
func (k *kit) save(ctx context.Context, callID string, c *change, text string, given bool) (w *tools.Written, own string, err error) {
	var explicit *string
	if given {
		explicit = &text
	}
	var shown *tools.Shown
	w, err = k.Files.Save(ctx, c.base, func(ctx context.Context) (err error) {
		shown, err = k.Diffs.Save(ctx, callID, c.base, explicit)
		return err
	})
	if err != nil {
		return nil, "", err
	}
	own = usersVersion(c.base.Text, text, shown.User)
	if shown.Late != nil {
		c.late = shown
	}
	if lf(w.Text) == lf(c.base.Text) && lf(own) != lf(c.base.Text) && !tellsOf(shown, w.Text) {
		return nil, "", errNotSaved
	}
	return w, own, nil
}

// saved reports whether now is text as a formatter may have left it: with the
// same words, be it in another order, where those of base are others, or else
// another than base wherever text is.
func saved(base, text, now string) bool {
	base, text, now = lf(base), lf(text), lf(now)
	if now == text {
		return true
	}
	if wanted := sorted(text); slices.Equal(sorted(now), wanted) && !slices.Equal(sorted(base), wanted) {
		return true
	}
	changed := diffedit.Hunks(base, now)
	for _, h := range diffedit.Hunks(base, text) {
		if !slices.ContainsFunc(changed, func(c diffedit.Hunk) bool { return c.From <= h.From && h.To <= c.To }) {
			return false
		}
	}
	return words(now) == words(text)
}

// sorted returns the words of a text.
func sorted(text string) []string {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	slices.Sort(words)
	return words
}

// words is a text without what formatters change.
func words(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
}

// tellsOf reports whether the editor says that it saved just this text: a
// formatter may take an edit back. No text at all is what an editor says that does
// not tell.
func tellsOf(shown *tools.Shown, text string) bool {
	return shown.Final != "" && lf(shown.Final) == lf(text)
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
