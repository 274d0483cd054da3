// Package trial lets the fakes, which complain to a test, work for programs too:
// a Trial is what they take for one. Only the programs below internal/test
// import it.
package trial

import (
	"errors"
	"fmt"
	"strings"
	"sync"
)

// Trial collects what goes wrong in one run. Its methods but Fatalf and Must may
// be called from any goroutine.
type Trial struct {
	mu       sync.Mutex // guards the rest
	faults   []string
	cleanups []func()
}

// fatal is what Fatalf panics with; Run catches it.
type fatal string

// Helper is for testing.TB.
func (t *Trial) Helper() {}

// Logf is for testing.TB.
func (t *Trial) Logf(string, ...any) {}

// Errorf makes the run fail at its end.
func (t *Trial) Errorf(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.faults = append(t.faults, fmt.Sprintf(format, args...))
}

// Fatalf makes it fail now. Only the goroutine of Run may call it.
func (t *Trial) Fatalf(format string, args ...any) { panic(fatal(fmt.Sprintf(format, args...))) }

// Must fails for an error.
func (t *Trial) Must(what string, err error) {
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

// Cleanup is done at the end of the run, the last one first.
func (t *Trial) Cleanup(f func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cleanups = append(t.cleanups, f)
}

// Run runs f and then all clean-ups; one that fails does not stop the others.
// The error tells all that went wrong, what ended the run first.
func (t *Trial) Run(f func()) (err error) {
	var first string
	func() {
		defer t.undo()
		first = t.guard(f)
	}()
	wrong := t.faults
	if first != "" {
		wrong = append([]string{first}, wrong...)
	}
	if len(wrong) == 0 {
		return nil
	}
	return errors.New(strings.Join(wrong, "\n"))
}

func (t *Trial) undo() {
	for i := len(t.cleanups) - 1; i >= 0; i-- {
		if late := t.guard(t.cleanups[i]); late != "" {
			t.Errorf("%s", late)
		}
	}
}

// guard runs f and returns what Fatalf was called with, "" if it was not.
func (t *Trial) guard(f func()) (why string) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case fatal:
			why = string(p)
		default:
			panic(p)
		}
	}()
	f()
	return ""
}
