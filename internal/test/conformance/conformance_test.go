package main

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"clined/internal/test/binary"

	"go.uber.org/goleak"
)

// The test binary also plays the relay and the driver.
func TestMain(m *testing.M) {
	if code, played := playPart(os.Args[1:], os.Stdin, os.Stdout, os.Stderr); played {
		os.Exit(code)
	}
	flag.Parse()
	// Checks mostly wait, for children and for what is never shown.
	if err := flag.Set("test.parallel", strconv.Itoa(6*runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
	code := m.Run()
	if code == 0 {
		if err := goleak.Find(); err != nil {
			os.Stderr.WriteString(err.Error() + "\n")
			code = 1
		}
	}
	binary.Remove()
	os.Exit(code)
}

func newRig(t *testing.T, patience time.Duration, front func(context.Context, *os.File) (Front, error)) *rig {
	t.Helper()
	return &rig{binary: binary.Path(t), relay: []string{self(t), relayArg}, patience: patience, front: front}
}

func self(t *testing.T) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return exe
}

// The fake editor keeps every promise, driven directly and by lines.
func TestFakeEditor(t *testing.T) {
	if testing.Short() {
		t.Logf("this needs the real binary")
		return
	}
	for name, front := range map[string]func(context.Context, *os.File) (Front, error){
		"direct": fakeEditor(false), "plain": fakeEditor(true), "line": program(self(t), driverArg),
	} {
		r := newRig(t, time.Minute, front)
		for _, c := range checks() {
			if name == "plain" && c.tier > 1 && c.name != "edited proposal" && c.name != "accepted by hunk" {
				continue
			}
			t.Run(name+"/"+c.name, func(t *testing.T) {
				t.Parallel()
				if err := play(t.Context(), r, &c); err != nil {
					t.Errorf("the user does not get what they may expect: %s\n%v", c.expect, err)
				}
			})
		}
	}
}

// faulty is a front with a fault.
type faulty struct {
	Front
	act    func(a *Action)
	screen func(f Front, s *State)
}

func (f faulty) Do(ctx context.Context, a Action) error {
	if f.act != nil {
		f.act(&a)
	}
	if a.Verb == "" {
		return nil
	}
	return f.Front.Do(ctx, a)
}

func (f faulty) State(ctx context.Context, after int64) (State, error) {
	s, err := f.Front.State(ctx, after)
	if f.screen != nil {
		f.screen(f.Front, &s)
	}
	return s, err
}

// on changes the actions of one verb.
func on(verb string, change func(a *Action)) func(*Action) {
	return func(a *Action) {
		if a.Verb == verb {
			change(a)
		}
	}
}

func nothing(a *Action) { a.Verb = "" }

// Every fault of a front is found by the check that is for it, and told in
// words that name it.
func TestFaultsAreFound(t *testing.T) {
	if testing.Short() {
		t.Logf("this needs the real binary")
		return
	}
	without := func(drop func(Item) bool) func(Front, *State) {
		return func(_ Front, s *State) {
			var kept []Item
			for _, i := range s.Items {
				if !drop(i) {
					kept = append(kept, i)
				}
			}
			s.Items = kept
		}
	}
	tests := map[string]struct {
		check, told string
		faulty
	}{
		"does not connect":            {"handshake", "connected", faulty{screen: func(_ Front, s *State) { s.Connected = false }}},
		"complains always":            {"handshake", "commented", faulty{screen: func(_ Front, s *State) { s.Notices = []string{"hm"} }}},
		"hides why it cannot be used": {"version mismatch", "what to update", faulty{screen: func(_ Front, s *State) { s.Notices = nil }}},
		"pretends to be connected":    {"version mismatch", "pretends", faulty{screen: func(_ Front, s *State) { s.Connected = true }}},
		"shows what it does not know": {"unknown event", "unknown is shown", faulty{screen: func(_ Front, s *State) {
			s.Items = append(s.Items, Item{Kind: NoticeShown, Text: unknownWords})
		}}},
		"shows what is finished only": {"streamed text", `"Once upon" as in_progress`, faulty{screen: without(func(i Item) bool { return i.Status == "in_progress" })}},
		"shows an answer twice": {"streamed text", "twice", faulty{screen: func(_ Front, s *State) {
			if n := len(s.Items); n > 2 {
				s.Items = append(s.Items, s.Items[n-1])
			}
		}}},
		"shows no failures": {"two calls", "that failed", faulty{screen: without(func(i Item) bool { return i.Status == "failed" })}},
		"orders by status": {"two calls", "another order", faulty{screen: func(_ Front, s *State) {
			for i := range len(s.Items) - 1 {
				if s.Items[i].Kind == CallCard && s.Items[i+1].Status == "failed" {
					s.Items[i], s.Items[i+1] = s.Items[i+1], s.Items[i]
				}
			}
		}}},
		"tells only what was run": {"running command", "as in_progress", faulty{screen: func(_ Front, s *State) {
			for i := range s.Items {
				if s.Items[i].Kind == CallCard && s.Items[i].Status == "in_progress" {
					s.Items[i].Text = "execute_command"
				}
			}
		}}},
		"offers no options":            {"question", "the options are", faulty{screen: func(_ Front, s *State) { dropOptions(s) }}},
		"answers what was not offered": {"question", "stays open", faulty{act: on(Respond, func(a *Action) { a.Option, a.Text = "Blue", "" })}},
		"does not show what waits":     {"queue", "as pending", faulty{screen: without(func(i Item) bool { return i.Status == "pending" })}},
		"queues what should steer":     {"steer", "In French", faulty{act: on(Prompt, func(a *Action) { a.How = "" })}},
		"hides unsaved text":           {"unsaved text", "typed words", faulty{act: on(TypeText, nothing)}},
		"hides what would change":      {"approve", "not shown", faulty{screen: func(_ Front, s *State) { dropDetails(s) }}},
		"approves by itself":           {"approve", "price.txt", faulty{screen: approveAll}},
		"swallows the words of a no":   {"reject", "keep it lower case", faulty{act: on(Reject, func(a *Action) { a.Text = "" })}},
		"hides what was skipped":       {"reject", "skipped", faulty{screen: without(func(i Item) bool { return i.Status == "cancelled" })}},
		"shows no rule":                {"always", "the rule", faulty{screen: func(_ Front, s *State) { dropOptions(s) }}},
		"takes always for once":        {"always", "printf third", faulty{act: on(Approve, func(a *Action) { a.Always = false })}},
		"hides where a link leads":     {"behind a link", "not shown", faulty{screen: func(_ Front, s *State) { dropDetails(s) }}},
		"hides why it asks":            {"parts of a command", "why it asks", faulty{screen: func(_ Front, s *State) { dropDetails(s) }}},
		"does not cancel":              {"cancel", "cancelled", faulty{act: on(Cancel, nothing)}},
		"hides that clined died":       {"killed at work", "clined is gone", faulty{screen: func(_ Front, s *State) { s.Connected = true }}},
		"calls the interrupted idle":   {"killed at work", "interrupted", faulty{screen: calledCompleted}},
		"says go on for a resume":      {"killed while it asks", "", faulty{act: on(Resume, func(a *Action) { a.Verb, a.Text = Prompt, "go on" })}},
		"lists nothing":                {"history", "in the list", faulty{screen: func(_ Front, s *State) { s.History = nil }}},
		"appends what is edited":       {"edit a message", "What of red?", faulty{act: on(EditMessage, func(a *Action) { a.Verb = Prompt })}},
		"tells nothing of files":       {"visible files", "old.txt", faulty{act: on(Show, nothing)}},
		"saves what was proposed":      {"edited proposal", "three", faulty{act: on(EditDiff, nothing)}},
		"shows no diff":                {"streamed diff", "a diff in which", faulty{screen: func(_ Front, s *State) { s.Diffs = nil }}},
		"keeps its views":              {"streamed diff", "the diff view go", faulty{screen: keepDiffs()}},
		"takes all for a part":         {"accepted by hunk", "2 of 3", faulty{act: on(Approve, func(a *Action) { a.Hunks = nil })}},
		"forgets what was altered":     {"accepted by hunk", "by hand", faulty{act: on(EditDiff, nothing)}},
		"does not format":              {"formatted save", "the file holds", faulty{act: on(Start, func(a *Action) { a.Format = false })}},
		"leaves what was refused":      {"refused diff", "holds", faulty{screen: leaveRefused}},
		"cannot undo":                  {"one undo", "the buffer to be", faulty{act: on(Undo, nothing)}},
		"breaks the protocol somehow":  {"handshake", "never announced", faulty{screen: func(_ Front, s *State) { s.Faults = []string{"never announced"} }}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, 5*time.Second, func(ctx context.Context, _ *os.File) (Front, error) {
				tt.Front = newEditor(ctx, false)
				return tt.faulty, nil
			})
			err := play(t.Context(), r, find(t, tt.check))
			if err == nil {
				t.Fatalf("a front that %s passes the check %q", name, tt.check)
			}
			if !strings.Contains(err.Error(), tt.told) {
				t.Errorf("it says nothing of %q: %v", tt.told, err)
			}
		})
	}
}

func find(t *testing.T, name string) *check {
	t.Helper()
	for _, c := range checks() {
		if c.name == name {
			return &c
		}
	}
	t.Fatalf("there is no check %q", name)
	return nil
}

func dropOptions(s *State) {
	for i := range s.Pending {
		s.Pending[i].Options = nil
	}
}

// keepDiffs shows every view that was ever there.
func keepDiffs() func(Front, *State) {
	var last []Diff
	return func(_ Front, s *State) {
		if len(s.Diffs) == 0 {
			s.Diffs = last
		}
		last = s.Diffs
	}
}

func leaveRefused(_ Front, s *State) {
	if s.Task != nil && s.Task.Status == "completed" {
		s.Buffers["a.txt"] = "ONE\n"
	}
}

func dropDetails(s *State) {
	for i := range s.Pending {
		s.Pending[i].Detail = ""
	}
}

func calledCompleted(_ Front, s *State) {
	if s.Task != nil && s.Task.Status == "interrupted" {
		s.Task.Status = "completed"
	}
}

func approveAll(f Front, s *State) {
	for _, p := range s.Pending {
		_ = f.Do(context.Background(), Action{Verb: Approve, Title: p.Title}) // it fails when it was done before
	}
	s.Pending = nil
}

func TestChecksAreNamedAndTold(t *testing.T) {
	seen := map[string]bool{}
	sentence := regexp.MustCompile(`^\p{Ll}[^.]+$`)
	for _, c := range checks() {
		if seen[c.name] || c.tier < 1 || c.tier > 3 || !sentence.MatchString(c.expect) || c.run == nil {
			t.Errorf("the check %q of tier %d: %q", c.name, c.tier, c.expect)
		}
		seen[c.name] = true
	}
}

func TestReport(t *testing.T) {
	good := result{check: &check{tier: 1, name: "good", expect: "it works"}}
	bad := result{check: &check{tier: 2, name: "bad", expect: "it works too"}, err: errors.New("it does not:\nno")}
	tests := map[string]struct {
		results []result
		ok      bool
		want    string
	}{
		"all":  {[]result{good, good}, true, "✓ 1 good: it works\n✓ 1 good: it works\nx: tier 1: 2 of 2\n"},
		"some": {[]result{good, bad}, false, "✓ 1 good: it works\n✗ 2 bad: it works too\n    it does not:\n    no\nx: tier 1: 1 of 1, tier 2: 0 of 1\n"},
		"none": {nil, false, "x: no check was run\n"},
	}
	for name, tt := range tests {
		var out strings.Builder
		for _, r := range tt.results {
			tell(&out, r)
		}
		if ok := summary(&out, "x", tt.results); ok != tt.ok || out.String() != tt.want {
			t.Errorf("%s: %v\n%s", name, ok, out.String())
		}
	}
}

func TestArguments(t *testing.T) {
	file := filepath.Join(t.TempDir(), "clined")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ args, fault string }{
		{"-front emacs", "emacs"}, {"-tier one", "one"}, {"-only (", "missing"}, {"-bin /nowhere/clined", "build it first"},
	} {
		args := strings.Fields(tt.args)
		if !strings.HasPrefix(tt.args, "-bin") {
			args = append([]string{"-bin", file}, args...)
		}
		var out strings.Builder
		if _, err := run(t.Context(), args, &out); err == nil || !strings.Contains(err.Error(), tt.fault) {
			t.Errorf("%s: %v", tt.args, err)
		}
	}
	var out strings.Builder
	if ok, err := run(t.Context(), []string{"-bin", file, "-tier", "3"}, &out); ok || err != nil || !strings.Contains(out.String(), "no check") {
		t.Errorf("nothing to run is a success: %v, %v, %q", ok, err, out.String())
	}
}
