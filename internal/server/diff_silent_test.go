package server

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"clined/internal/approval"
	"clined/internal/protocol"
	"clined/internal/tools"
)

// An editor that answers nothing about its views holds up neither an approval
// of many files nor a cancel, however many views it has.
func TestDiffsOfASilentEditor(t *testing.T) {
	const files = 8
	path := func(i int) tools.Path { return tools.Path{Abs: fmt.Sprint("/w/", i), Real: fmt.Sprint("/w/", i)} }
	stage := func(t *testing.T) (diffs, *diffClient) {
		d, c := diffTask(t)
		c.close = func(ctx context.Context) (*protocol.Empty, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		for i := range files {
			p := growing("1\n", "one\n")
			p.Base.Path = path(i)
			wantShow(t, d, p, "", true)
		}
		return d, c
	}
	took := func(t *testing.T, limit time.Duration, f func()) {
		t.Helper()
		begin := time.Now()
		if f(); time.Since(begin) > limit {
			t.Errorf("it took %v", time.Since(begin))
		}
	}
	t.Run("finalize", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			d, c := stage(t)
			c.finalize = func(*protocol.DiffFinalizeParams) *protocol.DiffFinalizeResult {
				time.Sleep(viewLimit)
				return nil
			}
			d.t.s.views.pause()
			took(t, time.Second, func() {
				for i := range files {
					p := whole("1\n", "one\n")
					p.Base.Path = path(i)
					wantShow(t, d, p, "", false)
				}
			})
			d.t.s.views.closing.Wait()
			if n := len(c.told); n != 2*files {
				t.Errorf("%q", c.told)
			}
		})
	})
	t.Run("close", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			d, _ := stage(t)
			took(t, closeWait, func() { d.Close("c", false) })
			d.t.s.views.closing.Wait()
		})
	})
	t.Run("accepted", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			d, c := stage(t)
			c.close = func(context.Context) (*protocol.Empty, error) {
				time.Sleep(time.Second)
				return &protocol.Empty{}, nil
			}
			took(t, 0, func() { d.Close("c", true) })
			if n := len(c.told); n != 2*files {
				t.Errorf("what is said next may overtake it: %q", c.told)
			}
			d.t.s.views.closing.Wait()
		})
	})
	t.Run("save and reveal", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			d, c := stage(t)
			d.t.s.views.pause()
			c.told = nil
			d.t.s.views.find(d.t, "c", path(1)).reveal(t.Context())
			if _, err := d.Save(t.Context(), "c", &tools.File{Path: path(1), Text: "1\n"}, nil); !errors.Is(err, errPaused) {
				t.Error(err)
			}
			c.want()
		})
	})
}

// An edited text counts by any name of its file: the approval's, where a link
// leads, and the one under which the view was opened.
func TestEditedByAnyName(t *testing.T) {
	d, _ := diffTask(t)
	link := tools.Path{Abs: "/w/link.txt", Real: "/w/real.txt"}
	p := whole("1\n", "one\n")
	p.Base.Path = link
	wantShow(t, d, p, "", true)
	d.t.s.views.find(d.t, "c", link).uri = "file:///w/other.txt"
	r := approval.Request{CallID: "c", Subject: tools.Subject{Edits: []tools.FileEdit{{Path: link}}}}
	for name, counts := range map[string]bool{"link": true, "real": true, "other": true, "none": false} {
		out := d.t.unaliased(&protocol.ApprovalOutcome{EditedContent: map[string]string{"file:///w/" + name + ".txt": "mine\n"}}, r)
		got, err := edited(r, out, true)
		if (err == nil) != counts || counts && got[link.Abs] != "mine\n" {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}
