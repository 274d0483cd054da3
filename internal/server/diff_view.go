package server

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"
	"time"

	"clined/internal/diffedit"
	"clined/internal/protocol"
	"clined/internal/tools"
)

// How long an editor may take: to answer what only concerns its view, and to
// save, where formatters and the like are at work. One that takes longer shows
// a dialog, or is stopped: it is left alone for a while, for edits wait for it.
const (
	viewLimit = 15 * time.Second
	saveLimit = 30 * time.Second
	viewPause = time.Minute
	// closeWait is how long anybody waits until a view is taken back: what the
	// editor made for it is to be gone then.
	closeWait = 2 * time.Second
)

// view is one diff view: what the editor was told of a proposal. Its requests
// are made by whoever works on the call, one at a time; what the editor tells
// may come at any time.
type view struct {
	t      *task
	id     string
	callID string
	path   tools.Path
	uri    string
	// base and shown are the two sides as the editor was last told, with LF.
	base, shown string
	rev         int
	// lookOnly: the file is to go or to move, which no save does.
	lookOnly bool
	// onDisk, if set, is what the disk had when the editor showed another text
	// that it had not told of: only that is the view's to replace.
	onDisk *string

	mu sync.Mutex // guards the rest
	// final: the proposal is whole, and the user may change it.
	final bool
	// ended: there is nothing in the editor any more, or never was.
	ended bool
	// user is what the user made of the proposal, nil for what it was; touches
	// counts how often they were at it.
	user    *string
	touches int
	// allowed is what was shown when it was allowed, as far as what followed is
	// known; nil for the proposal.
	allowed *string
	// unclear is a text of the editor's of which nobody knows whether it is unsaved
	// work; nil for none.
	unclear *string
}

func (v *view) open() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return !v.ended
}

// end notes that the editor shows nothing any more; false when that was known.
func (v *view) end() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	was := v.ended
	v.ended = true
	return !was
}

func (v *view) setFinal(yes bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.final, v.user, v.allowed = yes, nil, nil
}

// errPaused: the editor left a request unanswered a moment ago.
var errPaused = errors.New("the editor does not answer")

// request makes a request about the view and waits for its answer.
func request[P, R any](ctx context.Context, v *view, limit time.Duration, f func(context.Context, *P) (*R, error), p *P) (*R, error) {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	res, err := f(limited, p)
	switch {
	case err != nil && limited.Err() != nil && ctx.Err() == nil:
		v.t.s.views.pause()
		v.t.s.log.Warn("the editor did not answer; no diff view is opened for a while", "request", fmt.Sprintf("%T", p), "waited", limit)
	case err == nil && res == nil:
		err = errors.New("it was answered with null")
	}
	return res, err
}

// show brings the view to another text; it reports whether the editor shows it.
func (v *view) show(ctx context.Context, text string, growing bool) bool {
	v.mu.Lock()
	final := v.final
	v.mu.Unlock()
	edits := diffedit.LineEdits(v.shown, text)
	if final && len(edits) == 0 {
		return true
	}
	v.shown = text
	if growing || v.t.s.caps.DiffView.Streaming != nil {
		v.update(edits)
	}
	if growing {
		return true
	}
	v.setFinal(true)
	if err := v.finalize(ctx); err != nil {
		v.t.s.log.Info("the diff view is given up", "path", v.path.Display, "err", err)
		v.close(true)
		return false
	}
	return v.open()
}

// update sends edits, the last one in the text first.
func (v *view) update(edits []diffedit.LineEdit) {
	if len(edits) == 0 {
		return
	}
	v.rev++
	p := &protocol.DiffUpdateParams{DiffID: v.id, Rev: v.rev, Edits: make([]protocol.LineEdit, len(edits))}
	for i, e := range edits {
		p.Edits[i] = protocol.LineEdit{StartLine: e.From, EndLine: e.To, Lines: e.Lines}
		p.ActiveLine += len(e.Lines)
		if i > 0 {
			p.ActiveLine -= e.To - e.From
		}
	}
	p.ActiveLine = max(0, p.ActiveLine+edits[0].From-1)
	_ = v.t.s.client.DiffUpdate(v.t.s.ctx, p)
}

// finalize ends the stream. An editor that has another text is told it whole.
func (v *view) finalize(ctx context.Context) error {
	p := &protocol.DiffFinalizeParams{DiffID: v.id, Rev: v.rev, TextHash: hash(v.shown)}
	if v.t.s.caps.DiffView.Streaming == nil {
		p.NewText = &v.shown
	}
	for {
		if v.t.s.views.paused() {
			return errPaused
		}
		res, err := request(ctx, v, viewLimit, v.t.s.client.DiffFinalize, p)
		if err != nil {
			return err
		}
		user, changed := v.userText()
		if res.TextHash == p.TextHash || changed && res.TextHash == hash(user) {
			return nil
		}
		if p.NewText != nil {
			return errors.New("it shows another text than it was told")
		}
		v.t.s.log.Info("the diff view lost lines and is told all of them again", "path", v.path.Display, "rev", v.rev)
		v.setFinal(true)
		p.NewText = &v.shown
	}
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// reveal brings the view to the front, where the first change is.
func (v *view) reveal(ctx context.Context) {
	if v.t.s.views.paused() {
		return
	}
	p := &protocol.DiffRevealParams{DiffID: v.id}
	if edits := diffedit.LineEdits(v.base, v.shown); len(edits) > 0 {
		p.Line = edits[len(edits)-1].From
	}
	if _, err := request(ctx, v, viewLimit, v.t.s.client.DiffReveal, p); err != nil {
		v.t.s.log.Debug("the diff view was not brought to the front", "err", err)
	}
}
