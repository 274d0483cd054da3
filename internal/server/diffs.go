package server

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"clined/internal/approval"
	"clined/internal/fileuri"
	"clined/internal/protocol"
	"clined/internal/tools"
)

// maxViews is how many files of one call are shown: who changes more is asked to
// look at the approval.
const maxViews = 20

// views are the diff views of a session that are open, or were tried to be.
type views struct {
	mu   sync.Mutex // guards the rest
	byID map[string]*view
	// calm is when views are opened again, after a request that the editor left
	// unanswered.
	calm time.Time
	// front is the id of the view that the editor was last asked to show.
	front string
	// behind holds unsaved texts, by absolute path, behind which the disk changed.
	behind map[string]string

	// closing counts the views whose end is not answered yet.
	closing sync.WaitGroup
}

// close takes views away, all at once.
func (vs *views) close(list []*view, revert bool) {
	var endings []farewell
	for _, v := range list {
		vs.remove(v)
		if v.end() {
			endings = append(endings, v.startClosing(revert))
		}
	}
	vs.wait(revert, endings...)
}

// wait waits until what closes views is on its way, and, for views that are taken
// back by an editor that answers, until it is done, but not for long.
func (vs *views) wait(revert bool, endings ...farewell) {
	for _, e := range endings {
		<-e.queued
	}
	if !revert || vs.paused() {
		return
	}
	timer := time.NewTimer(closeWait)
	defer timer.Stop()
	for _, e := range endings {
		select {
		case <-e.answered:
		case <-timer.C:
			return
		}
	}
}

// leave notes that the disk has left an unsaved text of the editor's behind:
// saving anything made on that would undo what others wrote. leftBehind tells.
func (vs *views) leave(p tools.Path, text string) {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	if vs.behind == nil {
		vs.behind = map[string]string{}
	}
	vs.behind[p.Abs] = text
}

func (vs *views) leftBehind(p tools.Path, text string) bool {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	old, ok := vs.behind[p.Abs]
	return ok && old == text
}

func (vs *views) add(v *view) {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	if vs.byID == nil {
		vs.byID = map[string]*view{}
	}
	vs.byID[v.id], vs.front = v, v.id
}

// pause lets no view be opened for a while; paused tells.
func (vs *views) pause() {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	vs.calm = time.Now().Add(viewPause)
}

func (vs *views) paused() bool {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	return time.Now().Before(vs.calm)
}

func (vs *views) remove(v *view) {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	delete(vs.byID, v.id)
}

func (vs *views) get(id string) *view {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	return vs.byID[id]
}

// of returns the views of a call.
func (vs *views) of(t *task, callID string) []*view {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	var list []*view
	for _, v := range vs.byID {
		if v.t == t && v.callID == callID {
			list = append(list, v)
		}
	}
	return list
}

// find returns the view of a call and file, nil for none.
func (vs *views) find(t *task, callID string, p tools.Path) *view {
	for _, v := range vs.of(t, callID) {
		if v.path.Abs == p.Abs {
			return v
		}
	}
	return nil
}

// toFront notes that v is to be in front; false when it is there already.
func (vs *views) toFront(v *view) bool {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	changed := vs.front != v.id
	vs.front = v.id
	return changed
}

// diffs are the diff views of a task.
type diffs struct{ t *task }

var _ tools.Diffs = diffs{}

// Show implements tools.Diffs.
func (d diffs) Show(ctx context.Context, p tools.Proposal) (now *string, ok bool) {
	s := d.t.s
	caps := s.caps.DiffView
	if caps == nil || p.Growing && caps.Streaming == nil {
		return nil, false
	}
	base, text := plain(p.Base.Text), plain(p.Text)
	v := s.views.find(d.t, p.CallID, p.Base.Path)
	if v != nil && !v.open() {
		return v.unclear, false
	}
	if v != nil && v.base != base {
		v.close(true)
		v = nil
	}
	if v != nil {
		return nil, v.show(ctx, text, p.Growing)
	}
	if s.views.paused() || len(s.views.of(d.t, p.CallID)) >= maxViews {
		return nil, false
	}
	v = &view{t: d.t, id: s.o.NewID(), callID: p.CallID, path: p.Base.Path, base: base, shown: text, lookOnly: p.Gone || p.To != nil}
	s.views.add(v)
	return v.begin(ctx, p)
}

// Save implements tools.Diffs.
func (d diffs) Save(ctx context.Context, callID string, base *tools.File, text *string) (*tools.Shown, error) {
	v := d.t.s.views.find(d.t, callID, base.Path)
	if v == nil || !v.open() || v.lookOnly {
		return nil, tools.ErrNoView
	}
	return v.save(ctx, plain(base.Text), text)
}

// Touched implements tools.Diffs.
func (d diffs) Touched(callID string, base *tools.File, text string) (now string, err error) {
	v := d.t.s.views.find(d.t, callID, base.Path)
	if v == nil {
		return text, nil
	}
	return v.touched(plain(text))
}

// Close implements tools.Diffs.
func (d diffs) Close(callID string, accepted bool, files ...string) {
	list := slices.DeleteFunc(d.t.s.views.of(d.t, callID), func(v *view) bool {
		return len(files) > 0 && !slices.Contains(files, v.path.Abs)
	})
	d.t.s.views.close(list, !accepted)
}

// plain is a text as it goes over the wire.
func plain(text string) string {
	return strings.ReplaceAll(strings.TrimPrefix(text, "\uFEFF"), "\r\n", "\n")
}

// shownFor notes the open views of what an approval is asked for, and brings
// the first one to the front.
func (t *task) shownFor(ctx context.Context, r approval.Request, p *protocol.ApprovalRequestParams) {
	for i, e := range r.Subject.Edits {
		v := t.s.views.find(t, r.CallID, e.Path)
		if v == nil || !v.open() {
			continue
		}
		p.Subject.Files[i].DiffID = v.id
		if p.DiffID != "" {
			continue
		}
		p.DiffID = v.id
		if t.s.views.toFront(v) {
			v.reveal(ctx)
		}
	}
}

// shownEdits adds to an answer what the user made of the texts in the views,
// where the outcome itself brings no other text.
func (t *task) shownEdits(a *approval.Answer, r approval.Request) {
	if !a.Allowed {
		return
	}
	for _, e := range r.Subject.Edits {
		v := t.s.views.find(t, r.CallID, e.Path)
		if v == nil {
			continue
		}
		text, changed := v.allow()
		if _, given := a.Edited[e.Path.Abs]; changed && !given {
			if a.Edited == nil {
				a.Edited = map[string]string{}
			}
			a.Edited[e.Path.Abs] = text
		}
	}
}

// DiffDidChange takes the user's edits to a proposal.
func (s *server) DiffDidChange(_ context.Context, p *protocol.DiffDidChangeParams) error {
	v := s.views.get(p.DiffID)
	if v == nil {
		return protocol.InvalidParams("diffId", "%q names no open diff view", p.DiffID)
	}
	v.changed(plain(p.Text))
	return nil
}

// DiffDidClose notes that the user closed a view, which decides nothing: what
// they made of the proposal before still is their version of it. Editors also
// tell of views that were closed from here.
func (s *server) DiffDidClose(_ context.Context, p *protocol.DiffDidCloseParams) error {
	if v := s.views.get(p.DiffID); v != nil {
		v.end()
	}
	return nil
}

// document is the open document of a file, as the editor spells it.
func (s *server) document(p tools.Path) (uri, languageID string, version int32, text string) {
	for _, d := range s.workspace.Documents() {
		if d.Path != "" && (d.Path == p.Abs || d.Real == p.Real) {
			return d.URI, d.LanguageID, d.Version, d.Text
		}
	}
	return fileuri.FromPath(p.Abs), "", 0, ""
}

// stale reports whether a text that an editor shows is that of an open document
// without unsaved work, which the disk, holding base, has left behind. known tells
// whether the editor shares the document at all.
func (s *server) stale(ctx context.Context, p tools.Path, base, text string) (known, stale bool) {
	for _, d := range s.workspace.Documents() {
		if d.Path == "" || d.Path != p.Abs && d.Real != p.Real {
			continue
		}
		now, err := s.workspace.Read(ctx, p)
		return true, err == nil && !now.Dirty && plain(now.Text) == base && plain(d.Text) == text
	}
	return false, false
}

// onDisk is the text of a file that is not open, "" for none.
func (s *server) onDisk(ctx context.Context, p tools.Path) string {
	f, err := s.workspace.Read(ctx, p)
	if err != nil {
		return ""
	}
	return plain(f.Text)
}
