package server

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"clined/internal/approval"
	"clined/internal/protocol"
	"clined/internal/rpc"
	"clined/internal/tools"
	"clined/internal/workspace"
)

// diffClient is an editor with a diff view: it notes what it is told, and its
// functions answer, if set.
type diffClient struct {
	protocol.Client
	t    testing.TB
	mu   sync.Mutex // guards told: views are closed side by side
	told []string
	text string // the proposed side

	open     func(ctx context.Context, p *protocol.DiffOpenParams) (*protocol.DiffOpenResult, error)
	finalize func(p *protocol.DiffFinalizeParams) *protocol.DiffFinalizeResult
	save     func(ctx context.Context, p *protocol.DiffSaveParams) (*protocol.DiffSaveResult, error)
	close    func(ctx context.Context) (*protocol.Empty, error)
	updated  []protocol.DiffUpdateParams
}

func (c *diffClient) note(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.told = append(c.told, fmt.Sprintf(format, args...))
}

func (c *diffClient) DiffOpen(ctx context.Context, p *protocol.DiffOpenParams) (*protocol.DiffOpenResult, error) {
	c.note("open %s %s", p.DiffID, p.Op)
	c.text = p.NewText
	if c.open != nil {
		return c.open(ctx, p)
	}
	return &protocol.DiffOpenResult{Opened: true}, nil
}

func (c *diffClient) DiffUpdate(_ context.Context, p *protocol.DiffUpdateParams) error {
	c.updated = append(c.updated, *p)
	lines := strings.Split(c.text, "\n")
	for _, e := range p.Edits {
		lines = append(append(lines[:e.StartLine:e.StartLine], e.Lines...), lines[e.EndLine:]...)
	}
	c.text = strings.Join(lines, "\n")
	c.note("update %d to %q", p.Rev, c.text)
	return nil
}

func (c *diffClient) DiffFinalize(_ context.Context, p *protocol.DiffFinalizeParams) (*protocol.DiffFinalizeResult, error) {
	c.note("finalize %d %v", p.Rev, p.NewText != nil)
	if p.NewText != nil {
		c.text = *p.NewText
	}
	if c.finalize != nil {
		return c.finalize(p), nil
	}
	return &protocol.DiffFinalizeResult{TextHash: hash(c.text)}, nil
}

func (c *diffClient) DiffSave(ctx context.Context, p *protocol.DiffSaveParams) (*protocol.DiffSaveResult, error) {
	c.note("save %v", p.Text != nil)
	if c.save != nil {
		return c.save(ctx, p)
	}
	return &protocol.DiffSaveResult{UserText: told(c.text), FinalText: told(c.text)}, nil
}

func told(text string) *string { return &text }

func (c *diffClient) DiffClose(ctx context.Context, p *protocol.DiffCloseParams) (*protocol.Empty, error) {
	c.note("close %s %v", p.DiffID, p.Revert)
	rpc.Queued(ctx)
	if c.close != nil {
		return c.close(ctx)
	}
	return &protocol.Empty{}, nil
}

func (c *diffClient) DiffReveal(_ context.Context, p *protocol.DiffRevealParams) (*protocol.Empty, error) {
	c.note("reveal %s at %d", p.DiffID, p.Line)
	return &protocol.Empty{}, nil
}

func (c *diffClient) want(told ...string) {
	c.t.Helper()
	if !reflect.DeepEqual(c.told, told) {
		c.t.Errorf("the editor was told\n%q\nwant\n%q", c.told, told)
	}
	c.told = nil
}

// diffTask is a task in a session with such an editor.
func diffTask(t *testing.T) (diffs, *diffClient) {
	c := &diffClient{t: t}
	n := 0
	s := newServer(t.Context(), Options{NewID: func() string { n++; return fmt.Sprint("d", n) }})
	s.client, s.workspace = c, workspace.New(workspace.Options{Roots: []string{t.TempDir()}})
	s.caps.DiffView = &protocol.DiffViewCaps{Streaming: &protocol.Empty{}}
	return diffs{&task{id: "t", s: s, stream: newStream(s, "t")}}, c
}

var diffPath = tools.Path{Display: "a.txt", Abs: "/w/a.txt", Real: "/w/a.txt"}

func growing(base, text string) tools.Proposal {
	p := whole(base, text)
	p.Growing = true
	return p
}

func whole(base, text string) tools.Proposal {
	return tools.Proposal{CallID: "c", Base: &tools.File{Path: diffPath, Text: base, Exists: base != ""}, Text: text}
}

// wantShow shows and checks what comes back.
func wantShow(t *testing.T, d diffs, p tools.Proposal, now string, ok bool) {
	t.Helper()
	got, shown := d.Show(t.Context(), p)
	if shown != ok || (got != nil) != (now != "") || got != nil && *got != now {
		t.Errorf("Show gives %v, %v", got, shown)
	}
}

func TestDiffStream(t *testing.T) {
	d, c := diffTask(t)
	wantShow(t, d, growing("1\r\n2\r\n3\r\n", "one\n2\n3\n"), "", true)
	wantShow(t, d, growing("1\r\n2\r\n3\r\n", "one\r\ntwo\n3\n"), "", true)
	wantShow(t, d, growing("1\r\n2\r\n3\r\n", "one\ntwo\n3\n"), "", true) // nothing new
	wantShow(t, d, whole("1\r\n2\r\n3\r\n", "one\r\ntwo\r\n3\r\nfour"), "", true)
	wantShow(t, d, whole("1\r\n2\r\n3\r\n", "one\r\ntwo\r\n3\r\nfour"), "", true)
	c.want("open d1 modify", `update 1 to "one\ntwo\n3\n"`, `update 2 to "one\ntwo\n3\nfour"`, "finalize 2 false")
	if got := []int{c.updated[0].ActiveLine, c.updated[1].ActiveLine}; !reflect.DeepEqual(got, []int{1, 3}) {
		t.Errorf("active lines: %v", got)
	}
	d.Close("other", false)
	d.Close("c", true)
	d.Close("c", false)
	c.want("close d1 false")
}

func TestDiffWithoutStream(t *testing.T) {
	d, c := diffTask(t)
	d.t.s.caps.DiffView.Streaming = nil
	c.open = func(_ context.Context, p *protocol.DiffOpenParams) (*protocol.DiffOpenResult, error) {
		text := "\ufeffmine\r\n"
		dirty := true
		return &protocol.DiffOpenResult{Opened: true, Text: &text, Dirty: &dirty}, nil
	}
	wantShow(t, d, growing("", "one\n"), "", false)
	wantShow(t, d, whole("1\n", "one\n"), "mine\n", true)
	wantShow(t, d, whole("mine\n", "mine\none\n"), "", true)
	c.want("open d1 modify", "finalize 0 true")
	if c.text != "mine\none\n" {
		t.Errorf("it shows %q", c.text)
	}
	d.t.s.caps.DiffView = nil
	wantShow(t, d, whole("1\n", "one\n"), "", false)
}

// A base that changed is another view.
func TestDiffOnAnotherBase(t *testing.T) {
	d, c := diffTask(t)
	wantShow(t, d, growing("1\n", "one\n"), "", true)
	wantShow(t, d, whole("1\n2\n", "one\n2\n"), "", true)
	c.want("open d1 modify", "close d1 true", "open d2 modify")
}

// What an editor shows in the end must be what it was told.
func TestDiffFinalizeMismatch(t *testing.T) {
	d, c := diffTask(t)
	wantShow(t, d, growing("1\n", "one\n"), "", true)
	c.finalize = func(*protocol.DiffFinalizeParams) *protocol.DiffFinalizeResult {
		return &protocol.DiffFinalizeResult{TextHash: hash("else")}
	}
	wantShow(t, d, whole("1\n", "two\n"), "", false)
	c.want("open d1 modify", `update 1 to "two\n"`, "finalize 1 false", "finalize 1 true", "close d1 true")

	d, c = diffTask(t)
	wantShow(t, d, growing("1\n", "one\n"), "", true)
	c.finalize = func(*protocol.DiffFinalizeParams) *protocol.DiffFinalizeResult { return nil }
	wantShow(t, d, whole("1\n", "one\n"), "", false)
	c.want("open d1 modify", "finalize 0 false", "close d1 true")

	// A user who is faster than the answer has not lost lines.
	d, c = diffTask(t)
	wantShow(t, d, growing("1\n", "one\n"), "", true)
	c.finalize = func(*protocol.DiffFinalizeParams) *protocol.DiffFinalizeResult {
		_ = d.t.s.DiffDidChange(t.Context(), &protocol.DiffDidChangeParams{DiffID: "d1", Text: "mine\n"})
		return &protocol.DiffFinalizeResult{TextHash: hash("mine\n")}
	}
	wantShow(t, d, whole("1\n", "one\n"), "", true)
	c.want("open d1 modify", "finalize 0 false")
}

// An editor that says no is not asked again for that call, one that says nothing
// not for a while; whatever it opens late is closed.
func TestDiffNotOpened(t *testing.T) {
	d, c := diffTask(t)
	c.open = func(context.Context, *protocol.DiffOpenParams) (*protocol.DiffOpenResult, error) { return nil, nil }
	wantShow(t, d, growing("1\n", "one\n"), "", false)
	wantShow(t, d, whole("1\n", "one\n"), "", false)
	d.Close("c", false)
	c.open = nil
	wantShow(t, d, whole("1\n", "one\n"), "", true)
	c.want("open d1 modify", "open d2 modify")

	synctest.Test(t, func(t *testing.T) {
		d, c := diffTask(t)
		c.open = func(ctx context.Context, _ *protocol.DiffOpenParams) (*protocol.DiffOpenResult, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		begin := time.Now()
		wantShow(t, d, growing("1\n", "one\n"), "", false)
		if took := time.Since(begin); took != viewLimit {
			t.Errorf("took %v", took)
		}
		p := whole("1\n", "one\n")
		p.CallID = "next"
		wantShow(t, d, p, "", false)
		c.want("open d1 modify", "close d1 true")
		time.Sleep(viewPause)
		c.open = nil
		p.CallID = "later"
		wantShow(t, d, p, "", true)
	})

	d, c = diffTask(t)
	ctx, cancel := context.WithCancel(t.Context())
	c.open = func(ctx context.Context, _ *protocol.DiffOpenParams) (*protocol.DiffOpenResult, error) {
		cancel()
		return nil, ctx.Err()
	}
	if _, ok := d.Show(ctx, growing("1\n", "one\n")); ok {
		t.Error("a cancelled view is shown")
	}
	d.Close("c", false)
	c.want("open d1 modify", "close d1 true")
	c.open = nil
	p := whole("1\n", "one\n")
	p.CallID = "next"
	wantShow(t, d, p, "", true) // a cancel is not the editor's fault
}

// The user's edits count from the end of the stream on, until the answer.
func TestDiffUserEdits(t *testing.T) {
	d, c := diffTask(t)
	s := d.t.s
	change := func(text string) {
		t.Helper()
		if err := s.DiffDidChange(t.Context(), &protocol.DiffDidChangeParams{DiffID: "d1", Text: text}); err != nil {
			t.Error(err)
		}
	}
	r := approval.Request{CallID: "c", Subject: tools.Subject{Edits: []tools.FileEdit{{Path: diffPath}}}}
	edited := func(given map[string]string) map[string]string {
		a := approval.Answer{Allowed: true, Edited: given}
		d.t.shownEdits(&a, r)
		return a.Edited
	}
	wantShown := func(id string) {
		t.Helper()
		p := approvalParams(r, "a", "t")
		if d.t.shownFor(t.Context(), r, p); p.DiffID != id || p.Subject.Files[0].DiffID != id {
			t.Errorf("shown by %q and %q, not %q", p.DiffID, p.Subject.Files[0].DiffID, id)
		}
	}
	if err := s.DiffDidChange(t.Context(), &protocol.DiffDidChangeParams{DiffID: "d1"}); err == nil {
		t.Error("a view that is not open was changed")
	}
	wantShown("")
	wantShow(t, d, growing("0\n1\n", "0\none\n"), "", true)
	change("too early\n")
	wantShow(t, d, whole("0\n1\n", "0\none\n"), "", true)
	if got := edited(nil); got != nil {
		t.Errorf("edited: %v", got)
	}
	change("0\r\none\r\nmine\r\n")
	if got := edited(nil); got[diffPath.Abs] != "0\none\nmine\n" {
		t.Errorf("edited: %v", got)
	}
	if got := edited(map[string]string{diffPath.Abs: "with the answer"}); got[diffPath.Abs] != "with the answer" {
		t.Errorf("edited: %v", got)
	}
	a := approval.Answer{}
	if d.t.shownEdits(&a, r); a.Edited != nil {
		t.Errorf("a no with %v", a.Edited)
	}
	change("0\none\n")
	if got := edited(nil); got != nil {
		t.Errorf("taken back: %v", got)
	}
	other := whole("1\n", "x\n")
	other.CallID = "other"
	wantShow(t, d, other, "", true)
	wantShown("d1")
	wantShown("d1") // in front by now
	_ = s.DiffDidClose(t.Context(), &protocol.DiffDidCloseParams{DiffID: "d1"})
	_ = s.DiffDidClose(t.Context(), &protocol.DiffDidCloseParams{DiffID: "d1"})
	wantShown("")
	if _, err := d.Save(t.Context(), "c", whole("1\n", "").Base, nil); !errors.Is(err, tools.ErrNoView) {
		t.Error(err)
	}
	wantShow(t, d, whole("0\n1\n", "0\none\n"), "", false)
	d.Close("c", false)
	c.want("open d1 modify", "finalize 0 false", "open d2 modify", "reveal d1 at 1")
}

func TestDiffSave(t *testing.T) {
	base, mark := "1\n", "\ufeff"
	own, changed, later := "given\r\n", "1\nmine\n", "1\nlater\n"
	for name, c := range map[string]struct {
		base    string
		text    *string
		answers []*protocol.DiffSaveResult
		want    *tools.Shown
		err     string
		told    []string
	}{
		"as shown":          {base, nil, []*protocol.DiffSaveResult{{UserText: told("user\n"), FinalText: told(mark + "final\r\n")}}, &tools.Shown{User: "user\n", Final: "final\n"}, "", []string{"save false"}},
		"given":             {base, &own, []*protocol.DiffSaveResult{{UserText: told("?"), FinalText: told("given\n")}}, &tools.Shown{User: "given\n", Final: "given\n"}, "", []string{"save true"}},
		"silent":            {base, nil, []*protocol.DiffSaveResult{{FinalText: told("one\n")}}, &tools.Shown{User: "one\n", Final: "one\n"}, "", []string{"save false"}},
		"emptied":           {base, nil, []*protocol.DiffSaveResult{{UserText: told(""), FinalText: told("")}}, &tools.Shown{}, "", []string{"save false"}},
		"told nothing":      {base, nil, []*protocol.DiffSaveResult{{}}, &tools.Shown{User: "one\n", Final: "one\n"}, "", []string{"save false"}},
		"given and told no": {base, &own, []*protocol.DiffSaveResult{{}}, &tools.Shown{User: "given\n", Final: "given\n"}, "", []string{"save true"}},
		"null":              {base, nil, []*protocol.DiffSaveResult{nil}, nil, "answered with null", []string{"save false"}},
		"failed":            {base, nil, []*protocol.DiffSaveResult{{Error: "read only"}}, nil, "read only", []string{"save false"}},
		"changed":           {base, nil, []*protocol.DiffSaveResult{{Text: &changed}}, nil, tools.ErrChanged.Error(), []string{"save false"}},
		"changed and known": {changed, &own, []*protocol.DiffSaveResult{{Text: &changed}, {FinalText: told("given\n")}}, &tools.Shown{User: "given\n", Final: "given\n"}, "", []string{"save true", "save true"}},
		"changed twice":     {changed, &own, []*protocol.DiffSaveResult{{Text: &changed}, {Text: &later}}, nil, tools.ErrChanged.Error(), []string{"save true", "save true"}},
		"another change":    {changed, &own, []*protocol.DiffSaveResult{{Text: &later}}, nil, tools.ErrChanged.Error(), []string{"save true"}},
	} {
		t.Run(name, func(t *testing.T) {
			d, client := diffTask(t)
			wantShow(t, d, whole(base, "one\n"), "", true)
			client.told = nil
			client.save = func(context.Context, *protocol.DiffSaveParams) (*protocol.DiffSaveResult, error) {
				res := c.answers[0]
				c.answers = c.answers[1:]
				return res, nil
			}
			got, err := d.Save(t.Context(), "c", whole(c.base, "").Base, c.text)
			if !reflect.DeepEqual(got, c.want) || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("%+v, %v", got, err)
			}
			client.want(c.told...)
		})
	}
}

// The buffer of a saved file is waited for; an editor that never answers is not.
func TestDiffSaveWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, c := diffTask(t)
		s := d.t.s
		_ = s.DidOpen(t.Context(), &protocol.DidOpenParams{TextDocument: protocol.TextDocumentItem{URI: "file:///w/a.txt", Version: 1, Text: "1\n"}})
		c.open = func(_ context.Context, p *protocol.DiffOpenParams) (*protocol.DiffOpenResult, error) {
			if p.BaseVersion != 1 || p.URI != "file:///w/a.txt" {
				t.Errorf("%+v", p)
			}
			return &protocol.DiffOpenResult{Opened: true}, nil
		}
		wantShow(t, d, whole("1\n", "one\n"), "", true)
		c.save = func(context.Context, *protocol.DiffSaveParams) (*protocol.DiffSaveResult, error) {
			time.AfterFunc(time.Second, func() {
				_ = s.DidChange(t.Context(), &protocol.DidChangeParams{
					TextDocument:   protocol.VersionedDocument{URI: "file:///w/a.txt", Version: 2},
					ContentChanges: []protocol.ContentChange{{Text: "one\n"}}})
			})
			return &protocol.DiffSaveResult{UserText: told("one\n"), FinalText: told("one\n")}, nil
		}
		begin := time.Now()
		if _, err := d.Save(t.Context(), "c", whole("1\n", "").Base, nil); err != nil || time.Since(begin) != time.Second {
			t.Errorf("%v after %v", err, time.Since(begin))
		}
		c.save = func(ctx context.Context, _ *protocol.DiffSaveParams) (*protocol.DiffSaveResult, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		begin = time.Now()
		if _, err := d.Save(t.Context(), "c", whole("1\n", "").Base, nil); err == nil || time.Since(begin) != saveLimit {
			t.Errorf("%v after %v", err, time.Since(begin))
		}
	})
}
