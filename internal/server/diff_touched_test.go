package server

import (
	"context"
	"errors"
	"testing"

	"clined/internal/approval"
	"clined/internal/protocol"
	"clined/internal/tools"
)

// What the user goes on to type after their yes counts: before the save, where it
// fits what they allowed, else nothing is saved; while it is saved it is told.
func TestDiffTouchedAfterTheYes(t *testing.T) {
	base := whole("1\n2\n3\n", "").Base
	stage := func(t *testing.T) (d diffs, c *diffClient, typed func(string)) {
		d, c = diffTask(t)
		typed = func(text string) {
			if err := d.t.s.DiffDidChange(t.Context(), &protocol.DiffDidChangeParams{DiffID: "d1", Text: text}); err != nil {
				t.Error(err)
			}
		}
		wantShow(t, d, whole("1\n2\n3\n", "one\n2\nthree\n"), "", true)
		typed("one, mine\n2\nthree\n")
		a := approval.Answer{Allowed: true}
		d.t.shownEdits(&a, approval.Request{CallID: "c", Subject: tools.Subject{Edits: []tools.FileEdit{{Path: diffPath}}}})
		if a.Edited[diffPath.Abs] != "one, mine\n2\nthree\n" {
			t.Errorf("%v", a.Edited)
		}
		return d, c, typed
	}
	taken := "one, mine\n2\n3\n" // without the second change
	for _, tt := range []struct{ name, now, want string }{
		{"nothing", "one, mine\n2\nthree\n", taken},
		{"beside", "one, mine too\n2\nthree\n", "one, mine too\n2\n3\n"},
		{"in what was left", "one, mine\n2\nthree!\n", ""},
		{"what was taken already", "one, mine\n2\n3\n", taken},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, c, typed := stage(t)
			typed(tt.now)
			var saved string
			c.save = func(_ context.Context, p *protocol.DiffSaveParams) (*protocol.DiffSaveResult, error) {
				saved = *p.Text
				return &protocol.DiffSaveResult{}, nil
			}
			shown, err := d.Save(t.Context(), "c", base, &taken)
			now, failure := d.Touched("c", base, taken)
			switch {
			case tt.want == "" && (!errors.Is(err, tools.ErrTouched) || !errors.Is(failure, tools.ErrTouched) || now != tt.now || saved != ""):
				t.Errorf("%v, %v, %q, saved %q", err, failure, now, saved)
			case tt.want != "" && (err != nil || shown.User != tt.want || saved != tt.want || shown.Late != nil):
				t.Errorf("%+v, %v, saved %q", shown, err, saved)
			}
		})
	}
	t.Run("late", func(t *testing.T) {
		d, c, typed := stage(t)
		c.save = func(context.Context, *protocol.DiffSaveParams) (*protocol.DiffSaveResult, error) {
			typed("one, late\n2\nthree\n")
			return &protocol.DiffSaveResult{UserText: told("one, mine\n2\nthree\n"), FinalText: told("formatted\n")}, nil
		}
		shown, err := d.Save(t.Context(), "c", base, nil)
		if err != nil || shown.Late == nil || *shown.Late != "one, late\n2\nthree\n" {
			t.Errorf("%+v, %v", shown, err)
		}
	})
	t.Run("told of what it saved itself", func(t *testing.T) {
		d, c, typed := stage(t)
		c.save = func(_ context.Context, p *protocol.DiffSaveParams) (*protocol.DiffSaveResult, error) {
			typed(*p.Text)
			typed("formatted\n")
			return &protocol.DiffSaveResult{UserText: p.Text, FinalText: told("formatted\n")}, nil
		}
		if shown, err := d.Save(t.Context(), "c", base, &taken); err != nil || shown.Late != nil {
			t.Errorf("%+v, %v", shown, err)
		}
	})
}
