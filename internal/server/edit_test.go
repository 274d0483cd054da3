package server

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"clined/internal/protocol"
)

// What an editor shows only after its answer, makes of the text, or never shows.
func TestApplyEditWaits(t *testing.T) {
	const uri, path = "file:///w/a.txt", "/w/a.txt"
	const before, after = "one", "two"
	tests := []struct {
		name string
		show []string // after the answer, a second apart
		text string
		took time.Duration
		err  string
	}{
		{"late", []string{after}, after, time.Second, ""},
		{"late, with the user typing", []string{"oneX", after}, after, 2 * time.Second, ""},
		{"formatted", []string{"TWO"}, "TWO", showLimit, ""},
		{"never", nil, "", showLimit, "the new text did not show"},
		{"undone", []string{"x", before}, "", showLimit, "the new text did not show"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, everything)
				r.buffer(uri, before, func(_ *protocol.ApplyEditParams, show func(string)) *protocol.ApplyEditResult {
					go func() {
						for _, text := range tt.show {
							time.Sleep(time.Second)
							show(text)
						}
					}()
					return &protocol.ApplyEditResult{Applied: true}
				})
				begin := time.Now()
				text, _, err := r.backend.spec.Editor.ApplyEdit(t.Context(), path, 1, before, after)
				if text != tt.text || (err != nil) != (tt.err != "") || err != nil && !strings.Contains(err.Error(), tt.err) {
					t.Errorf("%q, %v", text, err)
				}
				if took := time.Since(begin); took != tt.took {
					t.Errorf("took %v", took)
				}
			})
		})
	}
	t.Run("closed meanwhile", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := start(t, everything)
			r.buffer(uri, before, func(*protocol.ApplyEditParams, func(string)) *protocol.ApplyEditResult {
				r.notify(protocol.MethodDidClose, `{"textDocument":{"uri":"`+uri+`"}}`)
				return &protocol.ApplyEditResult{Applied: true}
			})
			_, _, err := r.backend.spec.Editor.ApplyEdit(t.Context(), path, 1, before, after)
			if err == nil || !strings.Contains(err.Error(), "was closed") {
				t.Errorf("err = %v", err)
			}
		})
	})
}

// Whatever an editor says of an edit, or does not say, its buffer tells.
func TestApplyEditInDoubt(t *testing.T) {
	const uri, path = "file:///w/a.txt", "/w/a.txt"
	refused := &protocol.ApplyEditResult{FailureReason: "no"}
	tests := []struct {
		name   string
		show   string // before the answer, "" for nothing
		answer *protocol.ApplyEditResult
		fails  error
		silent bool
		took   time.Duration
		err    string
	}{
		{name: "refused but made", show: "two", answer: refused},
		{name: "failed but made", show: "two", fails: errors.New("confused")},
		{name: "made without an answer", show: "two", silent: true, took: applyLimit},
		{name: "no answer", silent: true, took: applyLimit + doubtLimit, err: "not answered"},
		{name: "refused", answer: refused, took: doubtLimit, err: "refused: no"},
		{name: "refused, and typed in", show: "oneX", answer: refused, took: doubtLimit, err: "another by now"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, everything)
				end := make(chan struct{})
				defer close(end)
				var answers func(string)
				r.buffer(uri, "one", func(_ *protocol.ApplyEditParams, show func(string)) *protocol.ApplyEditResult {
					answers = show
					return nil
				})
				plain := r.client.apply
				r.client.apply = func(p *protocol.ApplyEditParams) (*protocol.ApplyEditResult, error) {
					_, _ = plain(p)
					if tt.show != "" {
						answers(tt.show)
					}
					if tt.silent {
						<-end
					}
					return tt.answer, tt.fails
				}
				begin := time.Now()
				text, _, err := r.backend.spec.Editor.ApplyEdit(t.Context(), path, 1, "one", "two")
				if (err != nil) != (tt.err != "") || err != nil && !strings.Contains(err.Error(), tt.err) || err == nil && text != "two" {
					t.Errorf("%q, %v", text, err)
				}
				if took := time.Since(begin); took != tt.took {
					t.Errorf("took %v", took)
				}
			})
		})
	}
}

// A document is saved as long as nothing changed since, whatever its versions say.
func TestSavedByNow(t *testing.T) { synctest.Test(t, testSavedByNow) }

func testSavedByNow(t *testing.T) {
	const uri = "file:///w/a.txt"
	r := start(t, everything)
	e := r.backend.spec.Editor.(*editor)
	doc := `{"textDocument":{"uri":"` + uri + `","version":2,"languageId":"","text":"one"},"contentChanges":[{"text":"two"}]}`
	for i, step := range []struct {
		method string
		saved  bool
	}{
		{protocol.MethodDidSave, false}, // of what is not open
		{protocol.MethodDidOpen, false},
		{protocol.MethodDidSave, true},
		{protocol.MethodDidChange, false}, // with the same version
		{protocol.MethodDidSave, true},
		{protocol.MethodDidOpen, false}, // anew
		{protocol.MethodDidSave, true},
		{protocol.MethodDidClose, false},
	} {
		r.notify(step.method, doc)
		synctest.Wait()
		if got := e.isSaved(uri); got != step.saved {
			t.Errorf("%d, behind %s: %v", i, step.method, got)
		}
	}
}
