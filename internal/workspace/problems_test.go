package workspace

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestNewProblems(t *testing.T) {
	dir := realTemp(t)
	path := filepath.Join(dir, "f.go")
	old := []Diagnostic{{Line: 3, Severity: "error", Message: "old"}, {Line: 4, Severity: "hint", Message: "h"}}
	state := func(items ...Diagnostic) State {
		return State{Diagnostics: []FileDiagnostics{{Path: path, Items: items}, {Path: path + "x", Items: old}}}
	}
	for _, tc := range []struct {
		name   string
		before State
		after  []State // told one by one
		want   string
		waits  time.Duration
	}{
		{"not checked by the editor", State{}, []State{state(old...)}, "", 0},
		{"no answer", state(), nil, "", problemsLimit},
		{"other news first", state(old...), []State{state(old...), state(append([]Diagnostic{{Line: 1, Severity: "error", Message: "undefined:\n  x", Source: "compiler"}, {Line: 2, Severity: "warning", Message: "w"}, {Line: 3, Severity: "information", Message: "i"}}, old...)...)},
			"line 1: error: undefined: x (compiler)\nline 2: warning: w", 20 * time.Millisecond},
		{"only moved", state(old...), []State{state(Diagnostic{Line: 9, Severity: "error", Message: "old"})}, "", 10 * time.Millisecond},
		{"twice as many", state(old...), []State{state(old[0], old[0])}, "line 3: error: old", 10 * time.Millisecond},
	} {
		t.Run(tc.name, func(t *testing.T) {
			put(t, dir, "f.go", "a\n")
			synctest.Test(t, func(t *testing.T) {
				w := New(Options{Roots: []string{dir}})
				w.SetState(tc.before)
				go func() {
					for _, s := range tc.after {
						time.Sleep(10 * time.Millisecond)
						w.SetState(s)
					}
				}()
				start := time.Now()
				res := write(t, w, "f.go", "a", "b")
				if res.Problems != tc.want || time.Since(start) != tc.waits {
					t.Errorf("after %v: %q, want %q after %v", time.Since(start), res.Problems, tc.want, tc.waits)
				}
				synctest.Wait()
				time.Sleep(time.Second)
			})
		})
	}
	var many []Diagnostic
	for i := range 25 {
		many = append(many, Diagnostic{Line: i, Severity: "error", Message: fmt.Sprint(i)})
	}
	if got := describe(many); strings.Count(got, "\n") != 20 || !strings.HasSuffix(got, "… 5 more") {
		t.Errorf("%q", got)
	}
	done, cancel := context.WithCancel(context.Background())
	cancel()
	w := New(Options{Roots: []string{dir}})
	w.SetState(state())
	if got := w.newProblems(done, resolve(t, w, "f.go"), w.State()); got != "" {
		t.Errorf("after cancel: %q", got)
	}
}
