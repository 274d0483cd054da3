package server

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"clined/internal/protocol"
)

// What counts is that the document is closed, whatever is answered, and nothing is
// asked of an editor that did not announce it.
func TestFollow(t *testing.T) {
	const uri, path, to = "file:///w/a.txt", "/w/a.txt", "/w/b c.txt"
	applied, refused := &protocol.ApplyEditResult{Applied: true}, &protocol.ApplyEditResult{FailureReason: "no"}
	for _, tt := range []struct {
		name   string
		kinds  []string
		closes time.Duration // after the answer; negative for never
		answer *protocol.ApplyEditResult
		fails  error
		ok     bool
		took   time.Duration
	}{
		{"done", []string{"rename", "delete"}, 0, applied, nil, true, 0},
		{"told late", []string{"rename", "delete"}, time.Second, applied, nil, true, time.Second},
		{"a lie", []string{"rename", "delete"}, -1, applied, nil, false, showLimit},
		{"refused", []string{"rename", "delete"}, -1, refused, nil, false, doubtLimit},
		{"null", []string{"rename", "delete"}, -1, nil, nil, false, doubtLimit},
		{"failed but done", []string{"rename", "delete"}, 0, nil, errors.New("confused"), true, 0},
		{"not announced", []string{"create"}, 0, applied, nil, false, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, everything)
				e := r.backend.spec.Editor.(*editor)
				e.operations = tt.kinds
				for i, kind := range []string{"rename", "delete"} {
					r.buffer(uri, "one", nil)
					var asked []protocol.DocumentEdit
					r.client.apply = func(p *protocol.ApplyEditParams) (*protocol.ApplyEditResult, error) {
						asked = append(asked, p.Edit.DocumentChanges...)
						if tt.closes >= 0 {
							time.AfterFunc(tt.closes, func() {
								r.notify(protocol.MethodDidClose, `{"textDocument":{"uri":"`+uri+`"}}`)
							})
						}
						return tt.answer, tt.fails
					}
					begin := time.Now()
					got := i == 0 && e.RenameFile(t.Context(), path, to) || i == 1 && e.DeleteFile(t.Context(), path)
					if took := time.Since(begin); got != tt.ok || took != tt.took {
						t.Errorf("%s: %v after %v", kind, got, took)
					}
					want := slices.Contains(tt.kinds, kind)
					if (len(asked) == 1) != want {
						t.Fatalf("asked %+v", asked)
					}
					if want && (asked[0].Kind != kind || i == 0 && (asked[0].OldURI != uri || asked[0].NewURI != "file:///w/b%20c.txt") || i == 1 && (asked[0].URI != uri || !asked[0].Options.IgnoreIfNotExists)) {
						t.Errorf("asked %+v", asked[0])
					}
				}
			})
		})
	}
	t.Run("not open", func(t *testing.T) {
		r := start(t, everything)
		e := r.backend.spec.Editor.(*editor)
		e.operations = []string{"rename", "delete"}
		if e.RenameFile(t.Context(), path, to) || e.DeleteFile(t.Context(), path) {
			t.Error("a file that is not open is followed")
		}
	})
}
