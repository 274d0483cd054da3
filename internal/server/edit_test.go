package server

import (
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
