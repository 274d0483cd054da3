package server

import (
	"context"
	"strings"
	"unicode/utf8"

	"clined/internal/fileuri"
	"clined/internal/protocol"
	"clined/internal/tools"
)

// begin opens the view; see tools.Diffs.Show for what is returned.
func (v *view) begin(ctx context.Context, of tools.Proposal) (now *string, ok bool) {
	if v.t.s.workspace.Behind(v.path) { // what is in the buffer is the user's to save
		v.t.s.log.Info("no diff view: the disk changed behind unsaved text", "path", v.path.Display)
		v.end()
		return nil, false
	}
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
	return v.beginOn(ctx, of, res)
}

// beginOn goes on with a view of a file of which the editor has another text than
// was thought: unsaved work is its base from then on. What the disk has left behind
// is not, and where nobody can tell, nothing is done.
func (v *view) beginOn(ctx context.Context, of tools.Proposal, res *protocol.DiffOpenResult) (now *string, ok bool) {
	s, text := v.t.s, plain(*res.Text)
	switch v.kindOf(ctx, of, text, res) {
	case leftBehind:
		s.log.Info("no diff view: the editor has not read the file again since the disk changed", "path", v.path.Display)
		v.takeBack(true)
		return nil, false
	case unclear:
		s.log.Warn("no edit: the editor does not tell its unsaved work from what the disk has left behind", "path", v.path.Display)
		v.unclear = &text
		v.takeBack(true)
		return v.unclear, false
	}
	v.base = text
	v.setFinal(false)
	return &v.base, true
}

// kind is what a text of an editor's is that the disk does not have.
type kind int

const (
	work kind = iota
	leftBehind
	unclear
)

// kindOf tells what the editor has instead of the view's base.
func (v *view) kindOf(ctx context.Context, of tools.Proposal, text string, res *protocol.DiffOpenResult) kind {
	s := v.t.s
	switch known, stale := s.stale(ctx, v.path, v.base, text); {
	case stale, !known && s.views.leftBehind(v.path, text):
		return leftBehind
	case known:
		return work
	}
	disk := v.base
	v.onDisk = &disk
	switch {
	case !of.Base.Exists, res.DiskHash == hash(v.base):
		return work
	case res.DiskHash == hash(text):
		return leftBehind
	case res.DiskHash != "":
		return unclear
	case res.Dirty != nil && !*res.Dirty:
		return leftBehind
	case res.Dirty != nil, of.Base.Dirty: // a tab tells, too
		return work
	}
	return unclear
}

// lossy reports whether some of a text was not understood.
func lossy(text string) bool { return strings.ContainsRune(text, utf8.RuneError) }
