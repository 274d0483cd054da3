package demo_test

import (
	"strings"
	"testing"
	"time"

	"clined/internal/approval"
	"clined/internal/demo"
	"clined/internal/event"
	"clined/internal/shell"
	"clined/internal/tools"
)

const (
	outlineCall = `list_code_definition_names {"path":"."}`
	searchCall  = `search_files {"file_pattern":"*.go","path":".","regex":"Discount\\("}`
	searchAll   = `search_files {"file_pattern":"*.go","path":".","regex":"func .*[Dd]iscount\\w*\\("}`
	priceCall   = `read_file {"path":"price.go"}`
	editCall    = `replace_in_file {"path":"price.go"}`
	testCall    = `execute_command {"command":"go test ./..."}`
)

const (
	wrong = "\treturn price - percent\n"
	right = "\treturn price - price*percent/100\n"
)

func editTask(t *testing.T) string {
	t.Helper()
	st, err := demo.Find("edit")
	if err != nil {
		t.Fatal(err)
	}
	return st.Task
}

func TestEdit(t *testing.T) {
	s := newScene(t, "edit")
	wantIn(t, s.ask(editTask(t)), "I corrected the discount in price.go", "The tests pass.")
	s.wantCalls(outlineCall, searchCall, priceCall, editCall, testCall, completeCall)
	s.wantTicked(0, 1, 2)
	wantIn(t, s.text("price.go"), right)

	// Once more, in the same conversation: nothing is left to do.
	wantIn(t, s.ask("is the discount right now?"), "looks right as it is")
	s.wantCalls(outlineCall, searchCall, priceCall, completeCall)
}

// The story as people see it: Go itself runs the tests, before and after.
func TestEditWithRealCommands(t *testing.T) {
	s := newScene(t, "edit")
	commands := shell.New(shell.Options{Settings: func() shell.Settings { return shell.Settings{Shell: "/bin/sh"} }})
	t.Cleanup(func() {
		if err := commands.Close(); err != nil {
			t.Error(err)
		}
	})
	run := func() string {
		r, err := commands.Run(t.Context(), tools.CommandLine{Line: "go test ./...", Dir: s.dir}, func(string) {})
		if err != nil {
			t.Fatal(err)
		}
		s.command = *r
		return r.Output
	}
	wantIn(t, run(), "10% off 200 is 190, want 180", "FAIL")
	wantIn(t, s.ask(editTask(t)), "But the tests fail: ", "10% off 200 is 190, want 180")
	s.wantTicked(0, 1)
	wantIn(t, run(), "ok")
}

func TestEditTestsEnd(t *testing.T) {
	for _, tt := range []struct {
		name      string
		command   tools.CommandResult
		installed []string
		calls     []string
		want      string
	}{
		{"timed out", tools.CommandResult{TimedOut: true, ExitCode: -1, Duration: time.Minute}, []string{"go"}, []string{testCall},
			"But “go test ./...” came to nothing: The command was stopped by its timeout after 1m0s"},
		{"killed", tools.CommandResult{Signal: "killed", ExitCode: -1}, []string{"go"}, []string{testCall},
			"came to nothing: The command was ended by a signal (killed)"},
		{"without Go", tools.CommandResult{Output: " price.go | 2 +-\n"}, []string{"gcc", "git", "gofmt", "cargo"},
			[]string{`execute_command {"command":"git --no-pager diff --stat"}`}, "Go is not installed here, so the tests were not run; git shows the change: price.go | 2 +-"},
		{"without Go and git", tools.CommandResult{}, []string{"make"}, nil, "Go is not installed here, so the tests were not run."},
		{"nothing detected", tools.CommandResult{}, nil, nil, "Go is not installed here, so the tests were not run."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newScene(t, "edit")
			s.command, s.installed = tt.command, tt.installed
			wantIn(t, s.ask(editTask(t)), "I corrected the discount in price.go", tt.want)
			s.wantCalls(append(append([]string{outlineCall, searchCall, priceCall, editCall}, tt.calls...), completeCall)...)
			s.wantTicked(0, 1)
		})
	}
}

func TestEditDenied(t *testing.T) {
	for _, tt := range []struct {
		name, deny, words string
		calls             []string
		want              []string
		ticked            []int
		edited            bool
	}{
		{"outline", "Outline", "", []string{outlineCall, searchAll, priceCall, editCall, testCall}, []string{"The tests pass."}, []int{0, 1, 2}, true},
		{"outline, with words", "Outline", "search for it", []string{outlineCall, searchAll, priceCall, editCall, testCall}, []string{"The tests pass."}, []int{0, 1, 2}, true},
		{"search", "Search", "", []string{outlineCall, searchCall, priceCall, editCall, testCall}, []string{"The tests pass."}, []int{0, 1, 2}, true},
		{"outline and search", "Outline,Search", "not now", []string{outlineCall, searchAll}, []string{"I may not look at the code, as you said: “not now”, so I changed nothing."}, nil, false},
		{"reading", "Read", "", []string{outlineCall, searchCall, priceCall}, []string{"I may not read price.go, as you wish, so I changed nothing."}, nil, false},
		{"reading, with words", "Read", "secret", []string{outlineCall, searchCall, priceCall}, []string{"I may not read price.go, as you said: “secret”"}, nil, false},
		{"edit", "Edit", "", []string{outlineCall, searchCall, priceCall, editCall}, []string{"I left the file as it is, as you wish."}, []int{0}, false},
		{"edit, with words", "Edit", "use floats", []string{outlineCall, searchCall, priceCall, editCall},
			[]string{"I left the file as it is, as you said: “use floats”", "know no other way", "scripted model"}, []int{0}, false},
		{"tests", "Run", "", []string{outlineCall, searchCall, priceCall, editCall, testCall}, []string{"I corrected the discount", "The tests were not run, as you wish."}, []int{0, 1}, true},
		{"tests, with words", "Run", "CI does it", []string{outlineCall, searchCall, priceCall, editCall, testCall}, []string{"The tests were not run, as you said: “CI does it”."}, []int{0, 1}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newScene(t, "edit")
			s.decide = func(r approval.Request) approval.Answer {
				verb, _, _ := strings.Cut(r.Title, " ")
				return approval.Answer{Allowed: !strings.Contains(tt.deny, verb), Feedback: tt.words}
			}
			answer := s.ask(editTask(t))
			wantIn(t, answer, tt.want...)
			s.wantCalls(append(tt.calls, completeCall)...)
			s.wantTicked(tt.ticked...)
			if got := strings.Contains(s.text("price.go"), right); got != tt.edited {
				t.Errorf("edited is %v, want %v", got, tt.edited)
			}
			if !tt.edited && strings.Contains(answer, "corrected") {
				t.Errorf("claims an edit: %s", answer)
			}
		})
	}
}

// The user may write the line anew while approving.
func TestEditChangedByTheUser(t *testing.T) {
	s := newScene(t, "edit")
	s.decide = func(r approval.Request) approval.Answer {
		a := approval.Answer{Allowed: true, Feedback: "this way"}
		for _, e := range r.Subject.Edits {
			a.Edited = map[string]string{e.Path.Abs: strings.ReplaceAll(e.Base, wrong, "\treturn price * (100 - percent) / 100\n")}
		}
		return a
	}
	wantIn(t, s.ask(editTask(t)), "in your own version", "The tests pass.")
	wantIn(t, s.text("price.go"), "price * (100 - percent) / 100")
}

func TestEditThatDoesNotFit(t *testing.T) {
	s := newScene(t, "edit")
	s.onCall = func(r approval.Request) {
		if strings.HasPrefix(r.Title, "Edit") {
			s.put("price.go", "package shop\n")
		}
	}
	answer := s.ask(editTask(t))
	wantIn(t, answer, "The edit could not be made, so nothing was changed: price.go")
	s.wantCalls(outlineCall, searchCall, priceCall, editCall, completeCall)
}

func TestEditWithNothingToCorrect(t *testing.T) {
	s := newScene(t, "edit")
	s.put("price.go", strings.ReplaceAll(s.text("price.go"), wrong, right))
	wantIn(t, s.ask(editTask(t)), "looks right as it is")

	none := newScene(t, "weather")
	wantIn(t, none.ask(editTask(t)), "I found no function about a discount")
	none.wantCalls(outlineCall, searchAll, completeCall)
}

// Code below the folder has no outline there, and search finds it.
func TestEditFurtherDown(t *testing.T) {
	s := newScene(t, "weather")
	s.put("a.go", "package a\n\n// see b.go\n//\nfunc TestDiscount() {}\n")
	s.put("shop pricing.go", "package a\n\nfunc (s *Shop) discountFor(total, percent int) int {\n\treturn total - percent\n}\n")
	wantIn(t, s.ask(editTask(t)), "I corrected the discount in shop pricing.go")
	wantIn(t, s.text("shop pricing.go"), "return total - total*percent/100")
}

// In plan mode the edit is presented, and made once the user says so.
func TestEditPlanned(t *testing.T) {
	s := newScene(t, "edit")
	s.mode = tools.Plan
	st, answer := s.say(editTask(t))
	if st.StopReason != event.PlanPresented {
		t.Fatalf("ended with %+v", st)
	}
	wantIn(t, answer, "The plan:", "Replace `return price - percent` by `return price - price*percent/100`")
	if strings.Contains(s.text("price.go"), right) {
		t.Error("edited in plan mode")
	}
	s.task.SetMode(tools.Act)
	wantIn(t, s.ask("yes, do it"), "The tests pass.")
	s.wantCalls(editCall, testCall, completeCall)
}

// A mode that changes in the middle is met with the rule's own reason.
func TestEditRefusedByTheMode(t *testing.T) {
	s := newScene(t, "edit")
	s.onCall = func(r approval.Request) {
		if strings.HasPrefix(r.Title, "Read") {
			s.onCall = nil
			defer s.task.SetMode(tools.Plan)
		}
	}
	st, _ := s.say(editTask(t))
	if st.StopReason != event.PlanPresented {
		t.Errorf("ended with %+v", st)
	}
	if strings.Contains(s.text("price.go"), right) {
		t.Error("edited in plan mode")
	}
}
