package fakeeditor

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"clined/internal/protocol"
	"clined/internal/rpc"
)

// DiffView is a view that the daemon opened, open or not any more.
type DiffView struct {
	protocol.DiffOpenParams
	// Base is the text that was there, Proposed the other side as it is now.
	Base, Proposed string
	Rev, Updates   int
	// Sent counts the bytes of the lines that updates brought.
	Sent int
	// Final: the stream has ended. Saved: it was accepted by clined/diff/save.
	Final, Saved bool
	// Closed by the daemon, Reverted too; Left by the user.
	Closed, Reverted, Left bool
	Revealed               int
	lost                   bool     // updates were lost: the hash will tell
	made                   []string // files and folders made for it
}

// DiffHabits are how the editor deals with diff views. The zero value is a good one.
type DiffHabits struct {
	// Open and Save are "" or what is done instead: "null", "error", "refuse",
	// "hold" (no answer). Save may also be "lie": it says it did and did not,
	// "silent": it did and does not tell what, or "wait": it takes until GoOn.
	Open, Save string
	// Dirty is "" or what is said of a hidden text: "no", whatever it is, or
	// "silent" for nothing. DiskHash comes along.
	Dirty, DiskHash string
	// Lose is how many updates are lost from now on.
	Lose int
	// Touch makes an empty file where one is to be created.
	Touch bool
	// Opens: a file that was not open is, once it was saved.
	Opens bool
	// Format is what happens to a text on save, nil for nothing.
	Format func(text string) string
}

// HaveDiffs announces diff views; caps are the members of the capability.
func (e *Editor) HaveDiffs(caps ...string) {
	e.update(func() { e.diffCaps = append([]string{"diffView"}, caps...) })
}

// Behave changes the habits.
func (e *Editor) Behave(f func(h *DiffHabits)) { e.update(func() { f(&e.habits) }) }

// ViewLocked returns the newest view of a document, nil for none; for Until.
func (e *Editor) ViewLocked(uri string) *DiffView {
	for _, v := range slices.Backward(e.views) {
		if v.URI == uri {
			return v
		}
	}
	return nil
}

// ViewsLocked are all views that were opened; for Until.
func (e *Editor) ViewsLocked() []*DiffView { return e.views }

// ChangeView is the user's edit of the proposed side.
func (e *Editor) ChangeView(uri, text string) error {
	id := ""
	e.update(func() {
		if v := e.ViewLocked(uri); v != nil && v.Final && !v.gone() {
			id, v.Proposed = v.DiffID, text
		}
	})
	if id == "" {
		return fmt.Errorf("%s is in no diff view that may be changed", uri)
	}
	return e.Notify("clined/diff/didChange", map[string]any{"diffId": id, "text": text})
}

// LeaveView is the user who closes the view.
func (e *Editor) LeaveView(uri string) error {
	id := ""
	e.update(func() {
		if v := e.ViewLocked(uri); v != nil && !v.gone() {
			id, v.Left = v.DiffID, true
			e.unmake(v)
		}
	})
	if id == "" {
		return fmt.Errorf("%s is in no open diff view", uri)
	}
	return e.Notify("clined/diff/didClose", map[string]any{"diffId": id, "reason": "user"})
}

func (v *DiffView) gone() bool { return v.Closed || v.Left }

// onDiff answers clined/diff requests and takes its notifications.
func (e *Editor) onDiff(ctx context.Context, r *rpc.Request) (any, error) {
	e.mu.Lock()
	announced := e.diffCaps != nil
	e.mu.Unlock()
	if !announced {
		e.t.Errorf("the daemon sent %s to an editor without diff views", r.Method)
		return nil, rpc.ErrMethodNotFound
	}
	switch r.Method {
	case "clined/diff/open":
		return e.onDiffOpen(ctx, r.Params)
	case "clined/diff/update":
		return nil, e.onDiffUpdate(r.Params)
	case "clined/diff/finalize":
		return e.onDiffFinalize(r.Params)
	case "clined/diff/save":
		return e.onDiffSave(ctx, r.Params)
	case "clined/diff/close":
		return e.onDiffClose(r.Params)
	case "clined/diff/reveal":
		_, v, err := diffParams[protocol.DiffRevealParams](e, r.Params)
		e.update(func() { v.Revealed++ })
		return struct{}{}, err
	}
	e.t.Errorf("the daemon sent %s, which does not exist", r.Method)
	return nil, rpc.ErrMethodNotFound
}

// diffParams reads params and finds the view they name, which must be open. An
// empty one is returned beside an error.
func diffParams[P any](e *Editor, raw json.RawMessage) (*P, *DiffView, error) {
	p := new(P)
	var name struct {
		DiffID string `json:"diffId"`
	}
	if err := errors.Join(json.Unmarshal(raw, p), json.Unmarshal(raw, &name)); err != nil {
		e.t.Errorf("params that cannot be read: %v: %s", err, raw)
		return p, &DiffView{}, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, v := range e.views {
		switch {
		case v.DiffID != name.DiffID:
		case v.Closed:
			e.t.Errorf("the daemon says something of a view that it closed: %s", raw)
			return p, v, errors.New("that view is closed")
		case v.Left:
			return p, v, errors.New("the user closed that view")
		default:
			return p, v, nil
		}
	}
	e.t.Errorf("there is no diff view %q: %s", name.DiffID, raw)
	return p, &DiffView{}, errors.New("there is no such view")
}

func (e *Editor) onDiffOpen(ctx context.Context, raw json.RawMessage) (any, error) {
	v := &DiffView{}
	if err := json.Unmarshal(raw, &v.DiffOpenParams); err != nil {
		e.t.Errorf("a diff view that cannot be read: %v: %s", err, raw)
		return nil, err
	}
	v.Base, v.Proposed, v.Final = v.BaseText, v.NewText, !v.Streaming
	if !slices.Contains([]string{"create", "modify", "delete", "rename"}, v.Op) || (v.NewURI != "") != (v.Op == "rename") || v.Op == "delete" && v.NewText != "" {
		e.t.Errorf("a diff view of no known kind: %s", raw)
	}
	if strings.Contains(v.BaseText+v.NewText, "\r\n") {
		e.t.Errorf("a diff view with CRLF: %s", raw)
	}
	e.mu.Lock()
	habit := e.habits.Open
	if v.Streaming && !slices.Contains(e.diffCaps, "streaming") {
		e.t.Errorf("a stream for an editor that shows none: %s", raw)
	}
	e.mu.Unlock()
	switch habit {
	case "null":
		return nil, nil
	case "error":
		return nil, errors.New("no window is open")
	case "refuse":
		return protocol.DiffOpenResult{}, nil
	case "hold":
		e.update(func() { e.views = append(e.views, v) })
		<-ctx.Done()
		return nil, ctx.Err()
	}
	res := protocol.DiffOpenResult{Opened: true}
	e.update(func() {
		if now, exists := e.textLocked(v.URI); exists && now != v.Base {
			v.Base, res.Text = now, &now
			if _, hidden := e.hidden[v.URI]; hidden && e.habits.Dirty != "silent" {
				dirty := e.habits.Dirty != "no"
				res.Dirty, res.DiskHash = &dirty, e.habits.DiskHash
			}
			v.Final = false // it is made anew
		}
		if v.Op == "create" && e.habits.Touch {
			e.make(v)
		}
		e.views = append(e.views, v)
	})
	return res, nil
}

func (e *Editor) onDiffUpdate(raw json.RawMessage) error {
	p, v, err := diffParams[protocol.DiffUpdateParams](e, raw)
	if err != nil {
		return err
	}
	e.update(func() {
		if p.Rev <= v.Rev {
			e.t.Errorf("update %d of a diff view came after %d", p.Rev, v.Rev)
		}
		v.Rev = p.Rev
		v.Updates++
		if e.habits.Lose > 0 {
			e.habits.Lose--
			v.lost = true
			return
		}
		lines := strings.Split(v.Proposed, "\n")
		for _, ed := range p.Edits {
			if ed.StartLine < 0 || ed.EndLine < ed.StartLine || ed.EndLine > len(lines) {
				if !v.lost {
					e.t.Errorf("an update of the lines %d to %d of %d", ed.StartLine, ed.EndLine, len(lines))
				}
				continue
			}
			lines = slices.Replace(lines, ed.StartLine, ed.EndLine, ed.Lines...)
			for _, l := range ed.Lines {
				v.Sent += len(l) + 1
			}
		}
		if p.ActiveLine < 0 || p.ActiveLine > len(lines) && !v.lost {
			e.t.Errorf("the active line is %d of %d", p.ActiveLine, len(lines))
		}
		v.Proposed = strings.Join(lines, "\n")
	})
	return nil
}

func (e *Editor) onDiffFinalize(raw json.RawMessage) (any, error) {
	p, v, err := diffParams[protocol.DiffFinalizeParams](e, raw)
	if err != nil {
		return nil, err
	}
	var res protocol.DiffFinalizeResult
	e.update(func() {
		if p.Rev != v.Rev {
			e.t.Errorf("the stream ends at %d after update %d", p.Rev, v.Rev)
		}
		if p.NewText != nil {
			v.Proposed = *p.NewText
		}
		sum := sha256.Sum256([]byte(v.Proposed))
		res.TextHash = hex.EncodeToString(sum[:])
		v.Final = true
	})
	return res, nil
}

func (e *Editor) onDiffClose(raw json.RawMessage) (any, error) {
	p, v, err := diffParams[protocol.DiffCloseParams](e, raw)
	if err != nil {
		return nil, err
	}
	e.update(func() {
		v.Closed, v.Reverted = true, p.Revert
		if p.Revert {
			e.unmake(v)
		}
	})
	return struct{}{}, nil
}

// OpenViews are those that neither side closed by ctx's end, for a test's end: an
// accepted view is closed behind all else that the daemon sends.
func (e *Editor) OpenViews(ctx context.Context) (list []string) {
	_ = e.Until(ctx, "the views to be closed", func() bool {
		list = nil
		for _, v := range e.views {
			if !v.gone() {
				list = append(list, v.URI)
			}
		}
		return len(list) == 0
	})
	return list
}
