package workspace

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"clined/internal/tools"
)

const tick = 10 * time.Millisecond

// A file is edited, and then the editor tells one thing after the other.
func TestChecked(t *testing.T) {
	dir := realTemp(t)
	path := filepath.Join(dir, "f.go")
	old := []Diagnostic{{Line: 3, Severity: "error", Message: "old"}, {Line: 4, Severity: "hint", Message: "h"}}
	fresh := Diagnostic{Line: 1, Severity: "error", Message: "undefined:\n  x", Source: "compiler"}
	file := func(version int32, items ...Diagnostic) FileDiagnostics {
		return FileDiagnostics{Path: path, Version: version, Items: items}
	}
	state := func(f FileDiagnostics) func(*Workspace) {
		return func(w *Workspace) {
			w.SetState(State{Diagnostics: []FileDiagnostics{f, {Path: path + "x", Items: old}}})
		}
	}
	publish := func(f FileDiagnostics) func(*Workspace) { return func(w *Workspace) { w.Publish(f) } }
	other := func(w *Workspace) { w.Publish(FileDiagnostics{Path: path + "x"}) }
	open := func(w *Workspace) { w.Open(path, "go", 1, "a\n") }
	type does = []func(*Workspace)
	for _, tc := range []struct {
		name   string
		before does
		after  does // told one by one, a tick apart
		want   tools.Checked
		waits  time.Duration
	}{
		{"nothing checks anything", does{open}, nil, tools.Checked{}, 0},
		{"other kinds of files are checked", does{open, func(w *Workspace) { w.Publish(FileDiagnostics{Path: "/x/y.ts", Items: old}) }}, nil, tools.Checked{}, 0},
		{"files of this kind are checked", does{open, func(w *Workspace) { w.Publish(FileDiagnostics{Path: "/x/y.go"}) }}, does{publish(file(2, fresh))}, tools.Checked{New: "line 1: error: undefined: x (compiler)"}, tick},
		{"not those that are not open", does{func(w *Workspace) { w.Publish(FileDiagnostics{Path: "/x/y.go"}) }}, nil, tools.Checked{}, 0},
		{"the editor names the language", does{open, func(w *Workspace) { w.SetState(State{Checked: []string{"c", "go"}}) }}, does{publish(file(0, fresh))}, tools.Checked{New: "line 1: error: undefined: x (compiler)"}, tick},
		{"another language", does{open, func(w *Workspace) { w.SetState(State{Checked: []string{"c"}}) }}, nil, tools.Checked{}, 0},
		{"told of when it was clean", does{publish(file(0))}, does{publish(file(0, fresh))}, tools.Checked{New: "line 1: error: undefined: x (compiler)"}, tick},
		{"no answer", does{state(file(0))}, nil, tools.Checked{}, problemsLimit},
		{"news of other files", does{open, publish(file(1, old...))}, does{other, other, publish(file(2))}, tools.Checked{Gone: "line 3: error: old"}, 3 * tick},
		{"the same again, by a state", does{state(file(0, old...))}, does{state(file(0, old...)), state(file(0, append([]Diagnostic{fresh, {Line: 2, Severity: "warning", Message: "w"}, {Line: 3, Severity: "information", Message: "i"}}, old...)...))},
			tools.Checked{New: "line 1: error: undefined: x (compiler)\nline 2: warning: w"}, 2 * tick},
		{"the same again, by itself, without a version", does{open, publish(file(0, old...))}, does{publish(file(0, old...))}, tools.Checked{}, tick},
		{"an older version first", does{open, publish(file(1, old...))}, does{publish(file(1, fresh)), publish(file(2, old...))}, tools.Checked{}, 2 * tick},
		{"an older version only", does{open, publish(file(1, old...))}, does{publish(file(1, fresh))}, tools.Checked{}, problemsLimit},
		{"the version in a state", does{open, state(file(1, old...))}, does{state(file(1, old...)), state(file(2, old...))}, tools.Checked{}, 2 * tick},
		{"a newer version", does{open, publish(file(1, old...))}, does{publish(file(7, fresh))}, tools.Checked{New: "line 1: error: undefined: x (compiler)", Gone: "line 3: error: old"}, tick},
		{"a version of what is not open", does{publish(file(3, old...))}, does{publish(file(1))}, tools.Checked{Gone: "line 3: error: old"}, tick},
		{"only moved", does{publish(file(0, old...))}, does{publish(file(0, Diagnostic{Line: 9, Severity: "error", Message: "old"}))}, tools.Checked{}, tick},
		{"twice as many", does{publish(file(0, old...))}, does{publish(file(0, old[0], old[0]))}, tools.Checked{New: "line 3: error: old"}, tick},
		{"a state without it", does{state(file(0, old...))}, does{func(w *Workspace) { w.SetState(State{}) }}, tools.Checked{Gone: "line 3: error: old"}, tick},
		{"a state without it takes no publication back", does{publish(file(0, old...))}, does{func(w *Workspace) { w.SetState(State{}) }}, tools.Checked{}, problemsLimit},
	} {
		t.Run(tc.name, func(t *testing.T) {
			put(t, dir, "f.go", "a\n")
			synctest.Test(t, func(t *testing.T) {
				w := New(Options{Roots: []string{dir}, Editor: obeys(func() *Workspace { return nil })})
				w.s.opts.Editor = obeys(func() *Workspace { return w })
				for _, do := range tc.before {
					do(w)
				}
				res := write(t, w, "f.go", "a\n", "b\n")
				go func() {
					for _, do := range tc.after {
						time.Sleep(tick)
						do(w)
					}
				}()
				start := time.Now()
				if got := res.Check(t.Context()); got != tc.want || time.Since(start) != tc.waits {
					t.Errorf("after %v: %q, want %q after %v", time.Since(start), got, tc.want, tc.waits)
				}
				time.Sleep(time.Second)
			})
		})
	}
}

// obeys is an editor whose documents are changed at once.
type obeys func() *Workspace

func (o obeys) ApplyEdit(_ context.Context, path string, version int32, _, text string) (string, bool, error) {
	err := o().Change(path, version+1, text)
	o().Saved(path)
	return text, true, err
}

// What was told while the editor still saved is news, too.
func TestCheckedWhileSaving(t *testing.T) {
	dir := realTemp(t)
	path := filepath.Join(dir, "f.go")
	put(t, dir, "f.go", "a\n")
	w := New(Options{Roots: []string{dir}})
	w.Publish(FileDiagnostics{Path: path})
	base, err := w.Read(t.Context(), resolve(t, w, "f.go"))
	if err != nil {
		t.Fatal(err)
	}
	res, err := w.Save(t.Context(), base, func(context.Context) error {
		put(t, dir, "f.go", "b\n")
		w.Publish(FileDiagnostics{Path: path, Items: []Diagnostic{{Line: 1, Severity: "error", Message: "b"}}})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := res.Check(t.Context()); got.New != "line 1: error: b" {
		t.Errorf("%q", got)
	}
}

func TestCheckedMoved(t *testing.T) {
	dir := realTemp(t)
	put(t, dir, "f.go", "a\n")
	old := []Diagnostic{{Line: 1, Severity: "error", Message: "old"}}
	w := New(Options{Roots: []string{dir}})
	w.Publish(FileDiagnostics{Path: filepath.Join(dir, "f.go"), Items: old})
	base, err := w.Read(t.Context(), resolve(t, w, "f.go"))
	if err != nil {
		t.Fatal(err)
	}
	res, err := w.Move(t.Context(), base, resolve(t, w, "g.go"), "a\n")
	if err != nil {
		t.Fatal(err)
	}
	w.Publish(FileDiagnostics{Path: filepath.Join(dir, "f.go")})
	w.Publish(FileDiagnostics{Path: filepath.Join(dir, "g.go"), Items: old})
	if got := res.Check(t.Context()); got != (tools.Checked{}) {
		t.Errorf("%q", got)
	}
}

func TestCheckedEndsWithItsContext(t *testing.T) {
	dir := realTemp(t)
	put(t, dir, "f.go", "a\n")
	w := New(Options{Roots: []string{dir}})
	w.Publish(FileDiagnostics{Path: filepath.Join(dir, "f.go")})
	res := write(t, w, "f.go", "a\n", "b\n")
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if got := res.Check(done); got != (tools.Checked{}) {
		t.Errorf("%q", got)
	}
}

func TestDescribe(t *testing.T) {
	var many []Diagnostic
	for i := range 25 {
		many = append(many, Diagnostic{Line: i, Severity: "error", Message: fmt.Sprint(i)})
	}
	if got := describe(many, 20); strings.Count(got, "\n") != 20 || !strings.HasSuffix(got, "… 5 more") {
		t.Errorf("%q", got)
	}
}

// What the state shows is what was told last, by whatever way.
func TestPublishedInState(t *testing.T) {
	w := New(Options{Roots: []string{t.TempDir()}})
	items := func(message string) []Diagnostic {
		return []Diagnostic{{Line: 1, Severity: "error", Message: message}}
	}
	want := func(want string) {
		t.Helper()
		var got []string
		for _, f := range w.State().Diagnostics {
			for _, d := range f.Items {
				got = append(got, f.Path+" "+d.Message)
			}
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	w.Publish(FileDiagnostics{Path: "/b", Items: items("1")})
	want("/b 1") // of an editor that tells no state
	w.SetState(State{Diagnostics: []FileDiagnostics{{Path: "/c", Items: items("2")}}})
	want("/c 2, /b 1")
	w.Publish(FileDiagnostics{Path: "/c", Items: items("3")})
	w.Publish(FileDiagnostics{Path: "/a", Items: items("4")})
	want("/c 3, /a 4, /b 1")
	w.Publish(FileDiagnostics{Path: "/b"})
	want("/c 3, /a 4")
	w.SetState(State{Diagnostics: []FileDiagnostics{{Path: "/c", Items: items("5")}}})
	want("/c 5, /a 4")
	w.SetState(State{})
	want("/a 4")
}

// asks answers like an editor that is asked for problems, one answer after the other.
type asks struct {
	answers []asked
	settle  []time.Duration
}

type asked struct {
	items []Diagnostic
	known bool
	err   error
}

func (a *asks) Check(_ context.Context, path string, settle time.Duration) (FileDiagnostics, bool, error) {
	next := a.answers[0]
	a.answers, a.settle = a.answers[1:], append(a.settle, settle)
	return FileDiagnostics{Path: path, Items: next.items}, next.known, next.err
}

func TestCheckedByAsking(t *testing.T) {
	one := []Diagnostic{{Line: 1, Severity: "error", Message: "one"}}
	two := []Diagnostic{{Line: 1, Severity: "error", Message: "two"}}
	down := asked{err: errors.New("down")}
	for _, tc := range []struct {
		name    string
		answers []asked
		want    tools.Checked
		waits   time.Duration
	}{
		{"changed", []asked{{one, true, nil}, {two, true, nil}}, tools.Checked{New: "line 1: error: two", Gone: "line 1: error: one"}, 0},
		{"the same", []asked{{one, true, nil}, {one, true, nil}}, tools.Checked{}, 0},
		{"not checked", []asked{{}, {}}, tools.Checked{}, 0},
		{"not checked any more", []asked{{one, true, nil}, {}}, tools.Checked{}, 0},
		{"no answer to the second", []asked{{one, true, nil}, down}, tools.Checked{}, problemsLimit},
		{"no answer", []asked{down, down}, tools.Checked{}, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := realTemp(t)
			put(t, dir, "f.go", "a\n")
			synctest.Test(t, func(t *testing.T) {
				w := New(Options{Roots: []string{dir}})
				a := &asks{answers: tc.answers}
				w.AskFor(a)
				res := write(t, w, "f.go", "a\n", "b\n")
				start := time.Now()
				if got := res.Check(t.Context()); got != tc.want || time.Since(start) != tc.waits {
					t.Errorf("after %v: %q", time.Since(start), got)
				}
				if len(a.settle) != 2 || a.settle[0] != 0 || a.settle[1] != problemsLimit {
					t.Errorf("settle %v", a.settle)
				}
			})
		})
	}
}
