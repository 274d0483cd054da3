package trial_test

import (
	"testing"

	"clined/internal/test/fakellm"
	"clined/internal/test/trial"
)

var _ fakellm.T = (*trial.Trial)(nil)

// A run tells what ended it, then all that was complained of, and undoes
// everything, whatever fails on the way.
func TestRun(t *testing.T) {
	var order string
	var tr trial.Trial
	err := tr.Run(func() {
		tr.Cleanup(func() { order += "first" })
		tr.Cleanup(func() { tr.Fatalf("the clean-up failed") })
		tr.Cleanup(func() { order += "last " })
		tr.Errorf("a %s", "complaint")
		tr.Fatalf("the end")
		t.Error("it goes on behind its end")
	})
	if err == nil || err.Error() != "the end\na complaint\nthe clean-up failed" || order != "last first" {
		t.Errorf("%v; undone: %s", err, order)
	}
	var fine trial.Trial
	if err := fine.Run(func() { fine.Must("nothing", nil) }); err != nil {
		t.Error(err)
	}
}

// A fault of a program itself is not taken for a result; what was made is undone.
func TestRunPassesPanicsOn(t *testing.T) {
	undone := false
	defer func() {
		if p := recover(); p != "bug" || !undone {
			t.Errorf("recovered %v, undone: %v", p, undone)
		}
	}()
	var tr trial.Trial
	_ = tr.Run(func() {
		tr.Cleanup(func() { undone = true })
		panic("bug")
	})
}
