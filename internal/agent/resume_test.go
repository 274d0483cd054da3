package agent_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"clined/internal/agent"
	"clined/internal/event"
	"clined/internal/llm"
	"clined/internal/tools"
	"clined/internal/transcript"
)

// after is the task in a process that starts once the first one is gone.
func after(t *testing.T, s *stage, answers ...answer) *stage {
	t.Helper()
	h := s.journal.history(s.sink)
	return newStage(t, func(next *stage, _ *agent.Config) { next.journal.stored = h }, answers...)
}

// A process that ends at any event of any request leaves a task that goes on
// with a request every provider accepts; what was done is not done again.
func TestResumeAfterTheEndAtEveryEvent(t *testing.T) {
	answers := []answer{{events: call(`run_a {}`, `run_b {}`)}, {events: say("text")}, finish()}
	for request := range 3 {
		for at := range len(answers[request].events) {
			t.Run(fmt.Sprintf("request %d event %d", request, at), func(t *testing.T) {
				s := newStage(t, nil, answers...)
				runs := map[string]int{}
				count := func(name string) func(context.Context, tools.Call) tools.Result {
					return func(context.Context, tools.Call) tools.Result {
						runs[name]++
						return tools.Result{Text: name + " done"}
					}
				}
				s.tools["run_a"], s.tools["run_b"] = count("a"), count("b")
				s.model.at = func(r, e int) {
					if r == request && e == at {
						go s.Close()
						<-s.model.playing.Done()
					}
				}
				s.say(t, "go")
				if end := s.sink.idle(1); end.StopReason != event.Interrupted {
					t.Fatalf("ended with %+v", end)
				}
				s.Close()
				next := after(t, s, append(slices.Clone(answers[request:]), finish())...)
				maps.Copy(next.tools, s.tools)
				if _, err := next.Resume(agent.Prompt{}); err != nil {
					t.Fatal(err)
				}
				if end := next.sink.idle(1); end.StopReason != event.Completed {
					t.Fatalf("the resumed turn ended with %+v", end)
				}
				if runs["a"] != 1 || runs["b"] != 1 {
					t.Errorf("runs: %v", runs)
				}
			})
		}
	}
}

// What is known of the calls of a turn that broke off reaches the model, and
// only those that never began are made.
func TestResumeOfOpenCalls(t *testing.T) {
	calls := call(`run_done {}`, `run_lost {}`, `run_new {}`, `read_new {}`)
	for _, said := range []bool{false, true} {
		t.Run(fmt.Sprint(said), func(t *testing.T) {
			s := newStage(t, nil, answer{events: calls})
			s.tools["run_done"] = ok("first result")
			s.tools["run_lost"] = func(ctx context.Context, _ tools.Call) tools.Result {
				go s.Close()
				<-ctx.Done()
				panic("the process is gone")
			}
			s.tools["run_new"], s.tools["read_new"] = ok("third result"), ok("fourth result")
			s.say(t, "go")
			s.sink.idle(1)
			s.Close()
			h := s.journal.history(s.sink)
			for id, c := range h.Calls { // a crash tells nothing of the end of what ran
				if c.Name == "run_lost" {
					c.Status, c.Output = event.InProgress, ""
					h.Calls[id] = c
				}
			}
			next := newStage(t, func(n *stage, _ *agent.Config) { n.journal.stored = h }, finish())
			maps.Copy(next.tools, s.tools)
			for _, name := range []string{"run_done", "run_lost"} {
				next.tools[name] = func(context.Context, tools.Call) tools.Result {
					t.Errorf("%s ran again", name)
					return tools.Result{}
				}
			}
			var p agent.Prompt
			if said {
				p.Parts = []transcript.Part{transcript.TextPart("never mind")}
			}
			if _, err := next.Resume(p); err != nil {
				t.Fatal(err)
			}
			if end := next.sink.idle(1); end.StopReason != event.Completed {
				t.Fatalf("ended with %+v", end)
			}
			got := next.texts(0)
			want := []string{"first result", "its result is lost", "third result", "fourth result", "was interrupted"}
			if said {
				want = []string{"first result", "its result is lost", "was not made", "was not made", "was interrupted", "never mind"}
			}
			for _, w := range want {
				i := strings.Index(got, w)
				if i < 0 {
					t.Fatalf("the model is told\n%s\nwithout %q", got, w)
				}
				got = got[i+len(w):]
			}
		})
	}
}

// A transcript whose end is lost goes on: what waits for an end gets one.
func TestDamagedEnd(t *testing.T) {
	for _, end := range []int{1, 2} {
		s := newStage(t, nil, answer{events: call(`run_a {}`)}, finish())
		s.tools["run_a"] = ok("x")
		s.say(t, "go")
		s.sink.idle(1)
		h := s.journal.history(s.sink)
		h.Messages, h.Interrupted, h.Damage = h.Messages[:end], "", "the rest is gone"
		h.Calls = nil
		next := newStage(t, func(n *stage, _ *agent.Config) { n.journal.stored = h }, finish())
		next.say(t, "more")
		if e := next.sink.idle(1); e.StopReason != event.Completed {
			t.Errorf("%+v", e)
		}
		if got := next.texts(0); end == 2 && !strings.Contains(got, "its result is lost") {
			t.Errorf("the model is told %q", got)
		}
		if n := all[event.Notice](next.sink); len(n) != 1 || n[0].Text != "the rest is gone" {
			t.Errorf("notices: %+v", n)
		}
	}
}

// Prompts that were accepted and that no model saw are said when the task goes on.
func TestUnsentPromptsAreSaid(t *testing.T) {
	s := newStage(t, nil, answer{events: call(`run_wait {}`)})
	started := blocked(s)
	s.say(t, "go")
	<-started
	s.say(t, "and then")
	if _, err := s.Steer("", agent.Prompt{Parts: texts("by the way")}); err != nil {
		t.Fatal(err)
	}
	s.Close()
	next := after(t, s, finish())
	if _, err := next.Prompt(agent.Prompt{Parts: texts("here I am")}); err != nil {
		t.Fatal(err)
	}
	if end := next.sink.idle(1); end.StopReason != event.Completed {
		t.Fatalf("ended with %+v", end)
	}
	got := next.texts(0)
	for _, w := range []string{"clined was closed while this call ran", "and then", "by the way", "here I am"} {
		if strings.Count(got, w) != 1 {
			t.Errorf("%q is told %d times in\n%s", w, strings.Count(got, w), got)
		}
	}
	again := after(t, next, finish())
	if len(again.journal.stored.Unsent) != 0 {
		t.Errorf("still unsent: %+v", again.journal.stored.Unsent)
	}
}

// dies ends the process before the first message of the next turn is recorded.
func dies(s *stage) {
	s.prompt.before = func(ctx context.Context) {
		s.prompt.before = nil
		s.journal.mu.Lock()
		s.journal.fail = true
		s.journal.mu.Unlock()
		go s.Close()
		<-ctx.Done()
	}
}

// A first prompt that no request carried begins the task when it goes on, also
// when the process that takes it up dies as early.
func TestFirstPromptSurvives(t *testing.T) {
	s := newStage(t, nil)
	dies(s)
	s.say(t, "build it")
	s.sink.idle(1)
	for life := range 3 {
		next := after(t, s, finish())
		if life < 2 {
			dies(next)
		}
		if n := len(next.journal.stored.Unsent); n != 1 {
			t.Fatalf("life %d: %d messages are unsent", life, n)
		}
		for _, m := range all[event.Message](s.sink) { // what lies on disk
			next.sink.Emit("", m)
		}
		if _, err := next.Resume(agent.Prompt{}); err != nil {
			t.Fatal(err)
		}
		next.sink.idle(1)
		s = next
	}
	if end := s.sink.idle(1); end.StopReason != event.Completed {
		t.Fatalf("ended with %+v", end)
	}
	if got := s.texts(0); !strings.HasPrefix(got, "<true>build it") || strings.Contains(got, "interrupted") {
		t.Errorf("the model is told %q", got)
	}
	if info := all[event.Info](s.sink); len(info) != 1 || info[0].Title != "build it" {
		t.Errorf("title: %+v", info)
	}
}

// Messages of the user that reach the model in one are on record as said, each
// of them, by what the journal holds alone; the user can go back to each.
func TestMessagesToldInOne(t *testing.T) {
	s := newStage(t, nil, answer{events: call(`run_a {}`)}, finish(), finish())
	var ids []string
	s.tools["run_a"] = func(context.Context, tools.Call) tools.Result {
		for _, words := range []string{"use tabs", "and a test"} {
			a, err := s.Steer("", agent.Prompt{Parts: texts(words)})
			if err != nil {
				t.Error(err)
			}
			ids = append(ids, a.MessageID)
		}
		return tools.Result{Text: "result"}
	}
	s.say(t, "go")
	s.sink.idle(1)
	if h := s.journal.history(s.sink); len(h.Unsent) != 0 {
		t.Errorf("unsent: %+v", h.Unsent)
	}
	for _, id := range ids {
		if got := s.sink.status(id); got != event.Done {
			t.Errorf("message %s is %q", id, got)
		}
	}
	s.model.fresh = true
	if _, err := s.EditMessage(ids[1], agent.Prompt{Parts: texts("use blanks")}); err != nil {
		t.Fatal(err)
	}
	s.sink.idle(2)
	if got := s.texts(2); strings.Contains(got, "tabs") || strings.Contains(got, "and a test") || !strings.Contains(got, "use blanks") {
		t.Errorf("the model is told %q", got)
	}
	if r := all[event.Rewind](s.sink); len(r) != 1 || r[0].MessageID != ids[0] {
		t.Errorf("%+v", r)
	}
}

// Words that could not be recorded are not said later by surprise.
func TestWordsThatCouldNotBeRecorded(t *testing.T) {
	s := newStage(t, func(s *stage, _ *agent.Config) { s.journal.fail = true })
	s.model.at = nil
	acc := s.say(t, "build it")
	if end := s.sink.idle(1); end.StopReason != event.Failed {
		t.Fatalf("ended with %+v", end)
	}
	if got := s.sink.status(acc.MessageID); got != event.Discarded {
		t.Errorf("the message is %q", got)
	}
}

func TestResumeOfATaskThatEnded(t *testing.T) {
	s := newStage(t, nil, finish(), finish())
	if _, err := s.Resume(agent.Prompt{}); !errors.Is(err, agent.ErrNothing) {
		t.Errorf("resuming nothing: %v", err)
	}
	s.say(t, "go")
	s.sink.idle(1)
	if _, err := s.Resume(agent.Prompt{}); err != nil {
		t.Fatal(err)
	}
	s.sink.idle(2)
	if got := s.lastText(1); !strings.Contains(got, "Go on.") {
		t.Errorf("the model is told %q", got)
	}
}

func TestATaskThatAnotherProcessRunsIsRefused(t *testing.T) {
	s := newStage(t, nil, finish())
	s.journal.refuse = &agent.TakenError{PID: 7}
	_, err := s.Prompt(agent.Prompt{Parts: texts("go")})
	var taken *agent.TakenError
	if !errors.As(err, &taken) || len(s.sink.events) != 0 {
		t.Errorf("%v, events %+v", err, s.sink.events)
	}
	s.journal.refuse = nil
	s.say(t, "go")
	if end := s.sink.idle(1); end.StopReason != event.Completed {
		t.Errorf("%+v", end)
	}
}

// Words that come while calls run reach the model behind their results, and
// keep the turn from ending.
func TestSteering(t *testing.T) {
	s := newStage(t, nil, answer{events: call(`run_a {}`)}, finish(), finish())
	acc := make(chan agent.Accepted, 2)
	steer := func(words string) {
		a, err := s.Steer("", agent.Prompt{Parts: texts(words)})
		if err != nil {
			t.Error(err)
		}
		acc <- a
	}
	s.tools["run_a"] = func(context.Context, tools.Call) tools.Result {
		steer("use tabs")
		return tools.Result{Text: "result"}
	}
	s.model.at = func(r, e int) {
		if r == 1 && e == 0 {
			steer("and a test")
		}
	}
	turn := s.say(t, "go")
	if end := s.sink.idle(1); end.StopReason != event.Completed {
		t.Fatalf("ended with %+v", end)
	}
	if got := s.texts(1); !strings.Contains(got, "result\n") || !strings.Contains(got, "use tabs") {
		t.Errorf("request 2 tells %q", got)
	}
	if got := s.texts(2); !strings.Contains(got, "and a test") {
		t.Errorf("request 3 tells %q", got)
	}
	for range 2 {
		a := <-acc
		if a.TurnID != turn.TurnID || s.sink.status(a.MessageID) != event.Done {
			t.Errorf("%+v is %q", a, s.sink.status(a.MessageID))
		}
	}
	if _, err := s.Steer("another", agent.Prompt{Parts: texts("x")}); !errors.Is(err, agent.ErrTurnMismatch) {
		t.Errorf("steering a turn that does not run: %v", err)
	}
}

// Words that come too late for a safe point are the next prompt.
func TestLateSteering(t *testing.T) {
	s := newStage(t, nil, answer{err: &llm.Error{Class: llm.Auth, Message: "no"}}, finish())
	var acc agent.Accepted
	s.model.at = nil
	s.prompt.before = func(context.Context) {
		if acc == (agent.Accepted{}) {
			acc, _ = s.Steer("", agent.Prompt{Parts: texts("later")})
		}
	}
	s.say(t, "go")
	if end := s.sink.idle(2); end.StopReason != event.Completed {
		t.Fatalf("ended with %+v", end)
	}
	if got := s.texts(1); !strings.Contains(got, "later") || s.sink.status(acc.MessageID) != event.Done {
		t.Errorf("request 2 tells %q; the message is %q", got, s.sink.status(acc.MessageID))
	}
}

func TestTheUsersChecklist(t *testing.T) {
	s := newStage(t, nil, answer{events: call(`run_a {"task_progress":"- [ ] one"}`)}, finish())
	s.tools["run_a"] = func(context.Context, tools.Call) tools.Result {
		if err := s.SetChecklist("- [x] mine\n- [ ] two"); err != nil {
			t.Error(err)
		}
		return tools.Result{Text: "ok"}
	}
	s.say(t, "go")
	s.sink.idle(1)
	if e := s.prompt.seen[1]; !e.ChecklistByUser || e.Checklist != "- [x] mine\n- [ ] two" {
		t.Errorf("the prompt is told of %+v", e)
	}
	plans := all[event.Plan](s.sink)
	if len(plans) != 3 || plans[0].ByUser || !plans[1].ByUser || plans[2].ByUser || !plans[2].Entries[0].Done {
		t.Errorf("plans: %+v", plans)
	}
}

// A list that the user wrote stays theirs until it is on record that the model
// was told.
func TestTheUsersChecklistSurvives(t *testing.T) {
	s := newStage(t, nil, finish())
	if err := s.SetChecklist("- [ ] mine"); err != nil {
		t.Fatal(err)
	}
	dies(s)
	s.say(t, "go")
	s.sink.idle(1)
	if plans := all[event.Plan](s.sink); len(plans) != 1 || !plans[0].ByUser {
		t.Errorf("plans: %+v", plans)
	}
}

func TestCostLimitAsks(t *testing.T) {
	s := newStage(t, func(s *stage, c *agent.Config) {
		s.model.prices = llm.Prices{Input: 5000, CacheRead: 2500, Output: 10000} // $0.60 a request
		c.Settings = func() agent.Settings { return agent.Settings{MaxCost: 1} }
	}, answer{events: call(`run_a {}`)}, answer{events: call(`run_b {}`)}, finish(), finish())
	s.tools["run_a"], s.tools["run_b"] = ok("a"), ok("b")
	s.asker.replies = []tools.Answer{{Text: "Go on for $1.00 more"}}
	s.say(t, "go")
	if end := s.sink.idle(1); end.StopReason != event.Completed || len(s.asker.asked) != 1 || !strings.Contains(s.asker.asked[0], "$1.20") {
		t.Errorf("asked %q, ended with %+v", s.asker.asked, end)
	}
	usage := all[event.Usage](s.sink)
	if got := usage[len(usage)-1].Cost; got < 1.79 || got > 1.81 {
		t.Errorf("cost %v", got)
	}
	s.say(t, "more") // the next turn has an allowance of its own
	if end := s.sink.idle(2); end.StopReason != event.Completed || len(s.asker.asked) != 1 {
		t.Errorf("asked %q, ended with %+v", s.asker.asked, end)
	}
}

// An earlier message is said in other words: what followed it is gone for the
// model.
func TestEditMessage(t *testing.T) {
	for first := range 2 {
		s := newStage(t, nil, finish(), finish(), finish())
		ids := []string{s.say(t, "one").MessageID, ""}
		s.sink.idle(1)
		ids[1] = s.say(t, "two").MessageID
		s.sink.idle(2)
		s.model.fresh = true
		forgot := s.forgot
		if _, err := s.EditMessage("none", agent.Prompt{Parts: texts("x")}); !errors.Is(err, agent.ErrNoMessage) {
			t.Errorf("editing nothing: %v", err)
		}
		if _, err := s.EditMessage(ids[first], agent.Prompt{Parts: texts("other")}); err != nil {
			t.Fatal(err)
		}
		if end := s.sink.idle(3); end.StopReason != event.Completed || s.forgot == forgot {
			t.Errorf("ended with %+v, forgot %d times", end, s.forgot-forgot)
		}
		got := s.texts(2)
		if strings.Contains(got, "two") || strings.Contains(got, "one") != (first == 1) || !strings.Contains(got, fmt.Sprintf("<%v>other", first == 0)) {
			t.Errorf("the model is told %q", got)
		}
		if r := all[event.Rewind](s.sink); len(r) != 1 || r[0].MessageID != ids[first] {
			t.Errorf("%+v", r)
		}
		if err := transcript.Validate(s.journal.messages); err != nil {
			t.Error(err)
		}
	}
}

func texts(s string) []transcript.Part { return []transcript.Part{transcript.TextPart(s)} }

// texts is all that the model is told in request n.
func (s *stage) texts(n int) string {
	s.model.mu.Lock()
	defer s.model.mu.Unlock()
	var out []string
	for _, m := range s.model.got[n].Messages {
		for _, p := range m.Parts {
			if p.Result != nil {
				out = append(out, p.Result.Text)
			}
			out = append(out, p.Text)
		}
	}
	return strings.Join(out, "\n")
}
