package builtin

import (
	"context"
	"sync"

	"clined/internal/tools"
)

// Tools are the built-in tools of one task.
type Tools struct{ k *kit }

// Forget makes the model and the tools share nothing any more, for a model that
// does not know what the tools told it.
func (t *Tools) Forget() { t.k.seen.clear() }

// Begin returns what shows a call of that tool while the model writes its
// arguments, nil when nothing does. It is given the arguments so far, each time
// with more behind them, and shows what they propose for a file; a file that
// would be asked about for its own sake, or that cannot be edited, is not shown.
func (t *Tools) Begin(callID, name string) func(ctx context.Context, args string) {
	if t.k.Diffs == nil {
		return nil
	}
	d := &draft{k: t.k, callID: callID}
	switch name {
	case "write_to_file":
		d.look = d.oneFile(&growingText{})
	case "replace_in_file":
		d.look = d.oneFile(&growingBlocks{})
	case "apply_patch":
		d.look = d.patch()
	default:
		return nil
	}
	t.k.drafts.put(d)
	return d.show
}

// Over ends what Begin began: the call came to its end, or will never run. What
// is shown of it and was not accepted is taken back. It may be called for any call.
func (t *Tools) Over(callID string) {
	if t.k.Diffs != nil {
		t.k.drafts.drop(callID)
		t.k.Diffs.Close(callID, false)
	}
}

// drafts are the calls that were shown while they were written.
type drafts struct {
	mu   sync.Mutex
	byID map[string]*draft
}

func (ds *drafts) put(d *draft) {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	if ds.byID == nil {
		ds.byID = map[string]*draft{}
	}
	ds.byID[d.callID] = d
}

func (ds *drafts) drop(callID string) {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	delete(ds.byID, callID)
}

// base is what the view of a call and file was opened on, nil for none.
func (ds *drafts) base(callID, abs string) *tools.File {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	if d := ds.byID[callID]; d != nil {
		for _, f := range d.files {
			if f.base.Path.Abs == abs {
				return f.base
			}
		}
	}
	return nil
}

// draft is an edit that the model is still writing. One goroutine shows it,
// before the call runs.
type draft struct {
	k      *kit
	callID string
	args   argStream
	// look shows what the arguments tell by now.
	look func(ctx context.Context)
	off  bool // nothing is shown any more
	// files are those that are shown; their bases are guarded by drafts.mu.
	files []*draftFile
}

// draftFile is a file of a draft.
type draftFile struct {
	base *tools.File
	// shown is what was proposed last, once something was.
	shown string
	any   bool
	to    *tools.Path
}

// growing makes the text that a call proposes for a file so far.
type growing interface {
	// begin tells the text that the file has, with LF: at first, and when it
	// turns out to be another one.
	begin(base string)
	// text returns the proposal; ok is false while there is none.
	text() (text string, ok bool)
}

func (d *draft) show(ctx context.Context, args string) {
	if !d.off {
		d.args.grow(args)
		d.look(ctx)
	}
}

// open reads the file of a path. nil says that it is not shown.
func (d *draft) open(ctx context.Context, name string) *draftFile {
	p, err := d.k.fileAt(name)
	if err != nil || p.Outside || p.Ignored || p.Protected != "" {
		return nil
	}
	base, err := d.k.open(ctx, p)
	if err != nil {
		return nil
	}
	f := &draftFile{base: base}
	d.k.drafts.mu.Lock()
	defer d.k.drafts.mu.Unlock()
	d.files = append(d.files, f)
	return f
}

// propose brings the view of f to what g makes; false when there is none.
func (d *draft) propose(ctx context.Context, f *draftFile, g growing) bool {
	for range maxRebases {
		text, ok := g.text()
		if !ok || f.any && text == f.shown {
			return true
		}
		now, ok := d.k.Diffs.Show(ctx, tools.Proposal{CallID: d.callID, Base: f.base, Text: text, To: f.to, Growing: true})
		if !ok {
			return false
		}
		f.shown, f.any = text, true
		if now == nil {
			return true
		}
		base, _ := d.k.unsaved(ctx, f.base, *now)
		d.k.drafts.mu.Lock()
		f.base = base
		d.k.drafts.mu.Unlock()
		f.shown, f.any = "", false
		g.begin(lf(base.Text))
	}
	return true
}
