package server

import (
	"context"
	"errors"

	"clined/internal/protocol"
	"clined/internal/tools"
)

// save lets the editor save the view; see tools.Diffs.Save. An editor that finds
// its buffer changed since it opened the view has what it finds as the base from
// then on: if text was made on that, it is asked once more.
func (v *view) save(ctx context.Context, base string, text *string) (*tools.Shown, error) {
	if v.t.s.workspace.Behind(v.path) {
		v.t.s.log.Warn("the diff view was not saved: the disk changed behind unsaved text", "path", v.path.Display)
		return nil, tools.ErrChanged
	}
	if v.onDisk != nil && v.t.s.onDisk(ctx, v.path) != *v.onDisk {
		v.t.s.views.leave(v.path, v.base)
		v.t.s.log.Warn("the diff view was not saved: the disk changed behind unsaved text", "path", v.path.Display)
		return nil, tools.ErrChanged
	}
	if v.t.s.views.paused() {
		return nil, errPaused
	}
	p := &protocol.DiffSaveParams{DiffID: v.id}
	if text != nil {
		given, err := v.touched(plain(*text))
		if err != nil {
			return nil, err
		}
		p.Text = &given
	}
	touches := v.timesTouched()
	res, err := request(ctx, v, saveLimit, v.t.s.client.DiffSave, p)
	if err == nil && res.Text != nil && plain(*res.Text) == base && v.base != base && text != nil {
		v.base = base
		res, err = request(ctx, v, saveLimit, v.t.s.client.DiffSave, p)
	}
	switch {
	case err != nil:
	case res.Text != nil:
		err = tools.ErrChanged
	case res.Error != "":
		err = errors.New(res.Error)
	}
	if err != nil {
		v.t.s.log.Warn("the diff view was not saved", "path", v.path.Display, "err", err)
		return nil, err
	}
	shown := v.saved(ctx, p.Text, res)
	if late := v.touchedSince(touches); late != nil && *late != shown.User && *late != shown.Final {
		shown.Late = late
	}
	return shown, nil
}

// saved is what was saved, as far as the editor tells, once its buffer is known
// to hold it.
func (v *view) saved(ctx context.Context, given *string, res *protocol.DiffSaveResult) *tools.Shown {
	shown := &tools.Shown{User: v.shown}
	user, changed := v.userText()
	switch {
	case given != nil:
		shown.User = *given
	case res.UserText != nil:
		shown.User = plain(*res.UserText)
	case changed:
		shown.User = user
	}
	if shown.Final = shown.User; res.FinalText != nil {
		shown.Final = plain(*res.FinalText)
	}
	_, _, _, buffer := v.t.s.document(v.path)
	if res.FinalText != nil || plain(buffer) == v.base { // else it holds what was made of the text
		v.t.s.edits.settle(ctx, v.uri, shown.Final)
	}
	return shown
}
