package demo_test

import (
	"strings"
	"testing"

	"clined/internal/approval"
	"clined/internal/demo"
	"clined/internal/event"
	"clined/internal/tools"
)

const (
	lookCall  = `list_files {"path":".","recursive":false}`
	helloCall = `write_to_file hello-clined.md`
)

// named is the calls with the path alone where a file is written.
func (s *scene) named() []string {
	var list []string
	for _, c := range s.calls {
		if strings.HasPrefix(c, "write_to_file ") {
			_, rest, _ := strings.Cut(c, `"path":"`)
			path, _, _ := strings.Cut(rest, `"`)
			c = "write_to_file " + path
		}
		list = append(list, c)
	}
	return list
}

// A guest creates a file that is not there, and nothing else.
func TestGuestCreates(t *testing.T) {
	for _, question := range []string{"Create a file that says hello.", "please write a new file", "Add hello-clined.md"} {
		s := newScene(t, "edit")
		s.guest = true
		before := s.text("price.go")
		wantIn(t, s.ask(question), "I created `hello-clined.md`.")
		s.calls = s.named()
		s.wantCalls(lookCall, helloCall, completeCall)
		s.wantTicked(0, 1)
		wantIn(t, s.text("hello-clined.md"), "# Hello from clined\n", "You can delete this file.\n")
		if s.text("price.go") != before {
			t.Error("another file was changed")
		}
		s.put("hello-clined.md", "mine\n")
		wantIn(t, s.ask(question), "`hello-clined-2.md`")
		if s.text("hello-clined.md") != "mine\n" {
			t.Error("the user's file was overwritten")
		}
	}
}

func TestGuestWhereMuchIs(t *testing.T) {
	s := newScene(t, "edit")
	s.guest = true
	for i := range 230 {
		s.put("f"+strings.Repeat("x", i%7)+string(rune('a'+i%26))+strings.Repeat("y", i/26)+".go", "package x\n")
	}
	s.put("zz", "")
	wantIn(t, s.ask("create a file"), "I created")
	s.put("hello-clined.md", "mine\n")
	s.ask("create a file")
	if s.text("hello-clined.md") != "mine\n" {
		t.Error("the user's file was overwritten")
	}
}

func TestGuestIsRefused(t *testing.T) {
	s := newScene(t, "edit")
	s.guest = true
	s.decide = func(r approval.Request) approval.Answer {
		return approval.Answer{Allowed: !strings.Contains(r.Title, "hello-clined.md"), Feedback: "not here"}
	}
	wantIn(t, s.ask("create a file"), "I created nothing, as you said: “not here”.")
	s.decide = func(approval.Request) approval.Answer { return approval.Answer{} }
	wantIn(t, s.ask("create a file, once more"), "I may not look into the folder")
	wantIn(t, s.ask("run a command"), "I ran nothing, as you wish.")
}

func TestGuestRunsACommand(t *testing.T) {
	s := newScene(t, "edit")
	s.guest = true
	wantIn(t, s.ask("Run a command in the terminal."), "counted to five")
	if len(s.calls) != 2 || !strings.Contains(s.calls[0], "step $i of 5") {
		t.Errorf("calls %q", s.calls)
	}
	s.command = tools.CommandResult{ExitCode: 127, Output: "sh: not found"}
	wantIn(t, s.ask("run that command again"), "did not get to its end")
}

// What is there is not repaired, and what the model does not know it says.
func TestGuestKnowsItsLimits(t *testing.T) {
	s := newScene(t, "edit")
	s.guest = true
	for _, words := range []string{"The discount in the shop is wrong: 10% off 200 should be 180.", "explain this project", "hi"} {
		wantIn(t, s.ask(words), "no language model", "- What is the weather in New York tomorrow?\n- Create a file that says hello.\n- Run a command")
		s.wantCalls(completeCall)
	}
}

func TestGuestPlans(t *testing.T) {
	s := newScene(t, "edit")
	s.guest, s.mode = true, tools.Plan
	st, answer := s.say("create a file")
	if st.StopReason != event.PlanPresented {
		t.Errorf("ended with %+v", st)
	}
	wantIn(t, answer, "create `hello-clined.md`")
	_, answer = s.say("run a command")
	wantIn(t, answer, "act mode")
}

func TestGuestExamplesAreKnown(t *testing.T) {
	for _, words := range strings.Split(strings.TrimPrefix(demo.GuestHint(), "ask it: "), " / ") {
		s := newScene(t, "weather")
		s.guest = true
		if answer := s.ask(words); strings.Contains(answer, "only a few things") {
			t.Errorf("%q: %s", words, answer)
		}
	}
}

// A city without a recording is asked for all the same, and the server's answer told.
func TestWeatherElsewhere(t *testing.T) {
	s := newScene(t, "edit")
	s.guest = true
	s.server = func(lat, lon float64) (*tools.MCPResult, error) {
		return &tools.MCPResult{Text: "No recorded forecast.", IsError: true}, nil
	}
	wantIn(t, s.ask("What is the weather in San Francisco?"), "The weather server says: No recorded forecast.")
	s.wantCalls(lookCall, `weather__get_forecast {"latitude":37.7749,"longitude":-122.4194}`, completeCall)
}
