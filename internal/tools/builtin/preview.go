package builtin

import (
	"context"
	"strings"
	"sync"

	"clined/internal/diffedit"
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
	d := &draft{k: t.k, callID: callID}
	switch {
	case t.k.Diffs == nil:
		return nil
	case name == "write_to_file":
		d.text = d.written
	case name == "replace_in_file":
		d.text = d.replaced
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
	if d := ds.byID[callID]; d != nil && d.base != nil && d.base.Path.Abs == abs {
		return d.base
	}
	return nil
}

// draft is an edit that the model is still writing. One goroutine shows it,
// before the call runs.
type draft struct {
	k      *kit
	callID string
	args   argStream
	// text makes the proposal so far on a base; ok is false while there is none.
	text func(base string) (text string, ok bool)

	base *tools.File // nil before the file is known
	off  bool        // nothing is shown any more
	// shown is what was proposed last, closed the part of the diff it was made of.
	shown, closed string
}

func (d *draft) show(ctx context.Context, args string) {
	if d.off {
		return
	}
	d.args.grow(args)
	if d.base == nil && !d.open(ctx) {
		return
	}
	for range maxRebases {
		text, ok := d.text(lf(d.base.Text))
		if !ok || text == d.shown {
			return
		}
		now, ok := d.k.Diffs.Show(ctx, tools.Proposal{CallID: d.callID, Base: d.base, Text: text, Growing: true})
		if !ok {
			d.off = true
			return
		}
		d.shown = text
		if now == nil {
			return
		}
		d.base, _ = d.k.unsaved(ctx, d.base, *now)
		d.closed, d.shown = "", ""
	}
}

// open reads the file once its path is known.
func (d *draft) open(ctx context.Context) bool {
	path, whole, _ := d.args.text("path")
	if !whole || path == "" {
		if path, whole, _ = d.args.text(absolutePath); !whole {
			return false
		}
	}
	p, err := d.k.Files.Resolve(path)
	d.off = err != nil || p.Outside || p.Ignored || p.Protected != ""
	if d.off {
		return false
	}
	base, err := d.k.open(ctx, p)
	if d.off = err != nil; d.off {
		return false
	}
	d.k.drafts.mu.Lock()
	defer d.k.drafts.mu.Unlock()
	d.base = base
	return true
}

// written is what write_to_file proposes so far: the whole lines of its content,
// and behind them what the file has there still.
func (d *draft) written(base string) (string, bool) {
	content, whole, ok := d.args.text("content")
	switch {
	case !ok, strings.HasPrefix(content, "```"), d.k.stale(d.base.Path, d.base) != nil:
		return "", false // a fence may have to go, and what is refused is not shown
	case whole:
		return lf(content), true
	}
	lines := content[:strings.LastIndexByte(content, '\n')+1]
	if lines == "" {
		return "", false
	}
	lines = lf(lines)
	for range strings.Count(lines, "\n") {
		i := strings.IndexByte(base, '\n')
		if i < 0 {
			return lines, true
		}
		base = base[i+1:]
	}
	return lines + base, true
}

// replaced is what replace_in_file proposes so far: the blocks that are whole.
func (d *draft) replaced(base string) (string, bool) {
	diff, whole, _ := d.args.text("diff")
	if !whole {
		diff = diffedit.Closed(diff)
	}
	if diff == "" || diff == d.closed || !d.base.Exists {
		return "", false
	}
	d.closed = diff
	res, err := diffedit.Replace(base, diff)
	if err != nil { // the call may still make sense as a whole; if not, its end tells
		return "", false
	}
	return res.Text, true
}
