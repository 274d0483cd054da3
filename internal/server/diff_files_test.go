package server

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"clined/internal/protocol"
	"clined/internal/tools"
)

// A call that changes very many files does not fill the screen.
func TestDiffManyFiles(t *testing.T) {
	d, c := diffTask(t)
	for i := range maxViews + 2 {
		p := whole("1\n", "one\n")
		p.Base.Path = tools.Path{Abs: fmt.Sprint("/w/", i), Real: fmt.Sprint("/w/", i)}
		wantShow(t, d, p, "", i < maxViews)
	}
	other := whole("1\n", "one\n")
	other.CallID = "other"
	wantShow(t, d, other, "", true)
	d.Close("c", true, "/w/3")
	d.Close("c", false)
	if got := len(c.told); got != maxViews+1+maxViews || c.told[maxViews+1] != "close d4 false" {
		t.Errorf("%d: %q", got, c.told)
	}
}

// What goes and what moves is shown as that.
func TestDiffOps(t *testing.T) {
	d, c := diffTask(t)
	var opened []protocol.DiffOpenParams
	c.open = func(_ context.Context, p *protocol.DiffOpenParams) (*protocol.DiffOpenResult, error) {
		opened = append(opened, *p)
		return &protocol.DiffOpenResult{Opened: true}, nil
	}
	to := tools.Path{Abs: "/w/b c.txt"}
	gone, moved := whole("1\n", ""), whole("1\n", "one\n")
	gone.Gone, moved.To = true, &to
	gone.CallID, moved.CallID = "gone", "moved"
	for _, p := range []tools.Proposal{whole("1\n", "one\n"), gone, moved} {
		wantShow(t, d, p, "", true)
	}
	for _, call := range []string{"gone", "moved"} {
		if _, err := d.Save(t.Context(), call, gone.Base, nil); !errors.Is(err, tools.ErrNoView) {
			t.Errorf("%s is saved: %v", call, err)
		}
	}
	for i, want := range []string{"modify ", "delete ", "rename file:///w/b%20c.txt"} {
		if got := opened[i].Op + " " + opened[i].NewURI; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// An editor that cannot read a file's encoding has no unsaved work in it.
func TestDiffOfAnotherEncoding(t *testing.T) {
	for _, tt := range []struct {
		name, encoding, text string
		dirty, shown         bool
	}{
		{"misread", "Windows-1252", "name=caf\ufffd\n", false, false},
		{"unsaved", "Windows-1252", "name=caf\ufffd\n", true, true},
		{"read well", "UTF-16", "name=café!\n", false, true},
		{"in UTF-8", "", "name=caf\ufffd\n", false, true},
	} {
		d, c := diffTask(t)
		c.open = func(context.Context, *protocol.DiffOpenParams) (*protocol.DiffOpenResult, error) {
			dirty := true
			return &protocol.DiffOpenResult{Opened: true, Text: &tt.text, Dirty: &dirty}, nil
		}
		p := whole("name=café\n", "name=tea\n")
		p.Base.Encoding, p.Base.Dirty = tt.encoding, tt.dirty
		now := ""
		if tt.shown {
			now = tt.text
		}
		wantShow(t, d, p, now, tt.shown)
		if !tt.shown {
			c.want("open d1 modify", "close d1 true")
			wantShow(t, d, p, "", false)
		}
	}
}

// What an editor has instead of a text is unsaved work, what the disk has left
// behind, or nobody knows.
func TestDiffOnAnotherText(t *testing.T) {
	yes, no := true, false
	const disk, other = "0\n1\n", "1\n"
	for _, tt := range []struct {
		name     string
		dirty    *bool
		diskHash string
		tab      bool // the state has a dirty tab
		now      string
		ok       bool
	}{
		{"it says work", &yes, "", false, other, true},
		{"it says clean", &no, "", false, "", false},
		{"it says nothing", nil, "", false, other, false},
		{"a dirty tab", nil, "", true, other, true},
		{"clean, whatever the tab", &no, "", true, "", false},
		{"read what is there", nil, hash(disk), false, other, true},
		{"as it was read", nil, hash(other), false, "", false},
		{"both changed", &yes, hash("else"), true, other, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, c := diffTask(t)
			c.open = func(context.Context, *protocol.DiffOpenParams) (*protocol.DiffOpenResult, error) {
				return &protocol.DiffOpenResult{Opened: true, Text: told(other), Dirty: tt.dirty, DiskHash: tt.diskHash}, nil
			}
			for _, p := range []tools.Proposal{growing(disk, "0\none\n"), whole(disk, "0\none\n")} {
				p.Base.Dirty = tt.tab
				if tt.ok {
					p.Growing = false
				}
				wantShow(t, d, p, tt.now, tt.ok) // again as at first: nothing is opened twice
				if tt.ok {
					return
				}
			}
			c.want("open d1 modify", "close d1 true")
		})
	}
}
