package server

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"clined/internal/diffedit"
	"clined/internal/fileuri"
	"clined/internal/protocol"
	"clined/internal/rpc"
	"clined/internal/tools"
)

// How long an editor may take: to answer what only concerns its view, and to
// save, where formatters and the like are at work. One that takes longer shows
// a dialog, or is stopped: it is left alone for a while, for edits wait for it.
const (
	viewLimit = 5 * time.Second
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

// changed takes the proposed side as it is now. While the model writes it is not
// the user's to change.
func (v *view) changed(text string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.final && !v.ended {
		v.user = &text
		v.touches++
	}
}

// shows is the proposed side as the user left it.
func (v *view) showsLocked() string {
	if v.user != nil {
		return *v.user
	}
	return v.shown
}

// allow notes that what is shown now is allowed, and returns it if the user made
// another text of the proposal.
func (v *view) allow() (text string, changed bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	text = v.showsLocked()
	v.allowed = &text
	return text, text != v.shown
}

// touched makes on text what the user changed since it was allowed, and takes that
// for allowed too; see tools.Diffs.Touched.
func (v *view) touched(text string) (string, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	was, now := v.shown, v.showsLocked()
	if v.allowed != nil {
		was = *v.allowed
	}
	if was == now {
		return text, nil
	}
	merged, ok := diffedit.Merge(was, now, text)
	if !ok {
		return now, tools.ErrTouched
	}
	v.allowed = &now
	return merged, nil
}

func (v *view) timesTouched() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.touches
}

// touchedSince returns what the user made of the proposal since they had been at
// it so often, nil for nothing.
func (v *view) touchedSince(touches int) *string {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.touches == touches {
		return nil
	}
	now := v.showsLocked()
	return &now
}

// userText returns what the user made of the proposal, if that is another text.
func (v *view) userText() (text string, changed bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.user == nil || *v.user == v.shown {
		return "", false
	}
	return *v.user, true
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

// begin opens the view; see tools.Diffs.Show for what is returned.
func (v *view) begin(ctx context.Context, of tools.Proposal) (now *string, ok bool) {
	v.t.stream.whenReleased(ctx)
	p := &protocol.DiffOpenParams{
		DiffID: v.id, TaskID: v.t.id, ToolCallID: v.callID, Op: "modify", BaseText: v.base, NewText: v.shown, Streaming: of.Growing,
	}
	switch {
	case of.Gone:
		p.Op = "delete"
	case of.To != nil:
		p.Op, p.NewURI = "rename", fileuri.FromPath(of.To.Abs)
	case !of.Base.Exists:
		p.Op = "create"
	}
	var version int32
	var text string
	v.uri, p.LanguageID, version, text = v.t.s.document(v.path)
	if p.URI = v.uri; plain(text) == v.base {
		p.BaseVersion = version
	}
	v.setFinal(!of.Growing)
	res, err := request(ctx, v, viewLimit, v.t.s.client.DiffOpen, p)
	switch {
	case err != nil:
		v.t.s.log.Info("no diff view", "path", v.path.Display, "err", err)
		if ctx.Err() != nil || v.t.s.views.paused() { // it may open all the same
			v.tellClosed(true)
		}
		v.end()
		return nil, false
	case !res.Opened:
		v.end()
		return nil, false
	case res.Text == nil || plain(*res.Text) == v.base:
		return nil, v.open()
	case of.Base.Encoding != "" && !of.Base.Dirty && lossy(*res.Text) && !lossy(v.base):
		// It is no work of the user's, but what the editor could read of the file.
		v.t.s.log.Info("no diff view: the editor does not know the encoding", "path", v.path.Display, "encoding", of.Base.Encoding)
		v.takeBack(true)
		return nil, false
	}
	switch known, stale := v.t.s.stale(ctx, v.path, v.base, plain(*res.Text)); {
	case stale || !known && v.t.s.views.leftBehind(v.path, plain(*res.Text)):
		v.t.s.log.Info("no diff view: the editor has not read the file again since the disk changed", "path", v.path.Display)
		v.takeBack(true)
		return nil, false
	case !known:
		disk := v.base
		v.onDisk = &disk
	}
	v.base = plain(*res.Text)
	v.setFinal(false)
	return &v.base, true
}

// lossy reports whether some of a text was not understood.
func lossy(text string) bool { return strings.ContainsRune(text, utf8.RuneError) }

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

// save lets the editor save the view; see tools.Diffs.Save. An editor that finds
// its buffer changed since it opened the view has what it finds as the base from
// then on: if text was made on that, it is asked once more.
func (v *view) save(ctx context.Context, base string, text *string) (*tools.Shown, error) {
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

// close takes the view away.
func (v *view) close(revert bool) { v.t.s.views.close([]*view{v}, revert) }

// takeBack takes a view away that is not tried again.
func (v *view) takeBack(revert bool) {
	if v.end() {
		v.tellClosed(revert)
	}
}

// tellClosed says that the view is to go, and waits for that, but not for long.
func (v *view) tellClosed(revert bool) {
	v.t.s.views.wait(revert, v.startClosing(revert))
}

// farewell is how far the end of a view is.
type farewell struct {
	// queued is closed when nothing that is told the editor can come before it,
	// answered when it is done.
	queued, answered <-chan struct{}
}

// startClosing says so. It also works at the end of the session, and for a call
// whose context has ended: what the view did to the editor is to be undone.
func (v *view) startClosing(revert bool) farewell {
	s := v.t.s
	queued, answered := make(chan struct{}), make(chan struct{})
	once := sync.OnceFunc(func() { close(queued) })
	s.views.closing.Go(func() {
		defer close(answered)
		defer once()
		ctx := rpc.OnQueued(context.WithoutCancel(s.ctx), once)
		if _, err := request(ctx, v, viewLimit, s.client.DiffClose, &protocol.DiffCloseParams{DiffID: v.id, Revert: revert}); err != nil {
			s.log.Debug("the end of a diff view was not answered", "err", err)
		}
	})
	return farewell{queued, answered}
}
