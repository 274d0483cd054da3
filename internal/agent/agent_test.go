package agent_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"clined/internal/agent"
	"clined/internal/event"
	"clined/internal/llm"
	"clined/internal/tools"
	"clined/internal/transcript"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func ok(text string) func(context.Context, tools.Call) tools.Result {
	return func(context.Context, tools.Call) tools.Result { return tools.Result{Text: text} }
}

func TestLoopRunsCallsUntilCompletion(t *testing.T) {
	s := newStage(t, nil, answer{events: call(`look {"a":1,"task_progress":"- [x] look\n- [ ] finish"}`)}, finish())
	var args tools.Args
	s.tools["look"] = func(_ context.Context, c tools.Call) tools.Result {
		args = c.Args
		return tools.Result{Text: "seen"}
	}
	s.say(t, "go")
	if end := s.sink.idle(1); end.StopReason != event.Completed || end.Error != nil {
		t.Fatalf("ended with %+v", end)
	}
	if _, has := args["task_progress"]; has || len(args) != 1 {
		t.Errorf("the tool got %v: the checklist is not its business", args)
	}
	if got := all[event.Plan](s.sink); len(got) != 1 || !got[0].Entries[0].Done || got[0].Entries[1].Text != "finish" {
		t.Errorf("plan events: %+v", got)
	}
	if got := s.lastText(1); got != "seen\n\nenv 2" {
		t.Errorf("request 2 ends with %q", got)
	}
	if got := s.lastText(0); got != "<true>go\nenv 1" {
		t.Errorf("request 1 ends with %q", got)
	}
	usage := all[event.Usage](s.sink)
	if usage[0].Used != 125 || usage[0].Size != 1000 || usage[1].TokensIn != 200 || usage[1].CacheRead != 40 {
		t.Errorf("usage events: %+v", usage)
	}
	if s.prompt.seen[1].Used != 125 {
		t.Errorf("the second request was told of %d tokens", s.prompt.seen[1].Used)
	}
	messages := all[event.Message](s.sink)
	if last := messages[len(messages)-1]; !last.Final || last.Content[0].Text != "done" {
		t.Errorf("final message: %+v", last)
	}
	if err := transcript.Validate(s.journal.messages); err != nil {
		t.Errorf("journal: %v", err)
	}
}

func TestEventsOfATurnAreInOrder(t *testing.T) {
	s := newStage(t, nil, finish())
	acc := s.say(t, "go")
	s.sink.idle(1)
	var got []string
	for _, e := range s.sink.events {
		if e.turn != acc.TurnID {
			t.Errorf("%s carries turn %q", e.Type(), e.turn)
		}
		got = append(got, e.Type())
	}
	want := "message state info messageDelta messageDelta toolCall toolCallDelta toolCallDelta message toolCall usage toolCall message state"
	if strings.Join(got, " ") != want {
		t.Errorf("events: %s\nwant:   %s", strings.Join(got, " "), want)
	}
}

// A cancel at any moment leaves a transcript that every provider accepts: the
// next prompt goes through, which the fake model checks.
func TestCancelAtEveryEvent(t *testing.T) {
	answers := []answer{{events: call(`look {}`, `read {}`)}, {events: say("text")}, finish()}
	for request := range 3 {
		for at := range len(answers[request].events) {
			t.Run(fmt.Sprintf("request %d event %d", request, at), func(t *testing.T) {
				s := newStage(t, nil, answers...)
				s.model.answers = append(slices.Clone(answers[:request+1]), finish())
				s.tools["look"], s.tools["read"] = ok("seen"), ok("read")
				s.model.at = func(r, e int) {
					if r == request && e == at {
						if err := s.Cancel(""); err != nil {
							t.Error(err)
						}
					}
				}
				acc := s.say(t, "go")
				if end := s.sink.idle(1); end.StopReason != event.Cancelled {
					t.Fatalf("ended with %+v", end)
				}
				s.say(t, "go on")
				if end := s.sink.idle(2); end.StopReason != event.Completed {
					t.Fatalf("the next turn ended with %+v", end)
				}
				idle := false
				for _, e := range s.sink.events {
					if idle && e.turn == acc.TurnID {
						t.Errorf("%s of the cancelled turn came after its end", e.Type())
					}
					st, is := e.Event.(event.State)
					idle = idle || is && st.State == event.Idle
				}
			})
		}
	}
}

func TestCancelWhileAToolRuns(t *testing.T) {
	s := newStage(t, nil, answer{events: call(`look {}`, `never {}`)}, finish())
	s.tools["look"] = func(ctx context.Context, _ tools.Call) tools.Result {
		if err := s.Cancel(""); err != nil {
			t.Error(err)
		}
		<-ctx.Done()
		return tools.Result{Outcome: tools.Cancelled}
	}
	s.tools["never"] = func(context.Context, tools.Call) tools.Result {
		t.Error("ran after the cancel")
		return tools.Result{}
	}
	s.say(t, "go")
	if end := s.sink.idle(1); end.StopReason != event.Cancelled {
		t.Fatalf("ended with %+v", end)
	}
	last := s.journal.messages[len(s.journal.messages)-1]
	if last.Role != transcript.Tool || len(last.Parts) != 2 || !strings.Contains(last.Parts[0].Result.Text, "interrupted") {
		t.Errorf("the transcript ends with %+v", last)
	}
	s.say(t, "again")
	if end := s.sink.idle(2); end.StopReason != event.Completed {
		t.Fatalf("the next turn ended with %+v", end)
	}
}

func TestCancelNamesATurn(t *testing.T) {
	s := newStage(t, nil, answer{events: call(`look {}`)}, finish())
	entered := make(chan struct{})
	s.tools["look"] = func(ctx context.Context, _ tools.Call) tools.Result {
		close(entered)
		<-ctx.Done()
		return tools.Result{Outcome: tools.Cancelled}
	}
	acc := s.say(t, "go")
	<-entered
	if err := s.Cancel("another"); !errors.Is(err, agent.ErrTurnMismatch) {
		t.Errorf("cancelling another turn: %v", err)
	}
	if _, err := s.Prompt(agent.Prompt{Parts: []transcript.Part{transcript.TextPart("x")}}); !errors.Is(err, agent.ErrBusy) {
		t.Errorf("a second prompt that may not wait: %v", err)
	}
	queued := s.say(t, "later")
	if err := s.Cancel(acc.TurnID); err != nil {
		t.Fatal(err)
	}
	s.sink.idle(1)
	for _, m := range all[event.Message](s.sink) {
		if m.MessageID == queued.MessageID && m.Status == event.Done {
			t.Error("a queued prompt ran after the cancel")
		}
	}
}

func TestQueuedPromptRunsNext(t *testing.T) {
	s := newStage(t, nil, answer{events: call(`look {}`)}, finish(), finish())
	s.tools["look"] = func(context.Context, tools.Call) tools.Result {
		s.say(t, "second")
		return tools.Result{Text: "ok"}
	}
	s.say(t, "first")
	if end := s.sink.idle(2); end.StopReason != event.Completed {
		t.Fatalf("ended with %+v", end)
	}
	if got := s.lastText(2); !strings.Contains(got, "second") {
		t.Errorf("request 3 ends with %q", got)
	}
}

func TestReadOnlyNeighboursRunTogether(t *testing.T) {
	s := newStage(t, nil, answer{events: call(`read1 {}`, `read2 {}`, `write {}`)}, finish())
	var both sync.WaitGroup
	both.Add(2)
	meet := func(name string) func(context.Context, tools.Call) tools.Result {
		return func(context.Context, tools.Call) tools.Result {
			both.Done()
			both.Wait() // hangs unless the other runs at the same time
			return tools.Result{Text: name}
		}
	}
	s.tools["read1"], s.tools["read2"], s.tools["write"] = meet("r1"), meet("r2"), ok("w")
	s.say(t, "go")
	s.sink.idle(1)
	if got := s.lastText(1); got != "r1\nr2\nw\n\nenv 2" {
		t.Errorf("results: %q", got)
	}
}

func TestDenialSkipsTheRest(t *testing.T) {
	s := newStage(t, nil, answer{events: call(`write {}`, `later {}`)}, finish())
	s.tools["write"] = func(context.Context, tools.Call) tools.Result {
		return tools.Result{Text: "denied", Outcome: tools.Denied, Skip: true}
	}
	s.tools["later"] = func(context.Context, tools.Call) tools.Result { t.Error("ran"); return tools.Result{} }
	s.say(t, "go")
	s.sink.idle(1)
	if got := s.lastText(1); !strings.Contains(got, "denied\nThis call was not run") {
		t.Errorf("results: %q", got)
	}
}

func TestRetries(t *testing.T) {
	busy := &llm.Error{Class: llm.Overloaded, Status: 503, Message: "busy"}
	limit := &llm.Error{Class: llm.RateLimited, Status: 429, Message: "slow down", RetryAfter: 3 * time.Second}
	half := call(`look {}`)[:4]
	s := newStage(t, nil, answer{err: limit}, answer{events: half, err: busy}, answer{events: half}, finish())
	s.say(t, "go")
	if end := s.sink.idle(1); end.StopReason != event.Completed {
		t.Fatalf("ended with %+v", end)
	}
	if want := []int64{3000, 4000, 8000}; !slices.Equal(s.clock.slept, want) {
		t.Errorf("pauses %v, want %v", s.clock.slept, want)
	}
	discarded := 0
	for _, m := range all[event.Message](s.sink) {
		if m.Status == event.Discarded {
			discarded++
		}
	}
	if discarded != 2 {
		t.Errorf("%d partial answers were marked as discarded, want 2", discarded)
	}
	waits := 0
	for _, st := range all[event.State](s.sink) {
		if st.Waiting != nil {
			waits++
			if st.Waiting.Attempt != waits+1 || st.Waiting.Max != 4 {
				t.Errorf("waiting: %+v", st.Waiting)
			}
		}
	}
	if waits != 3 || len(s.journal.messages) != 3 {
		t.Errorf("%d waits, %d messages recorded", waits, len(s.journal.messages))
	}
}

func TestNoRetries(t *testing.T) {
	for _, class := range []llm.Class{llm.Auth, llm.Quota, llm.Refused, llm.Overflow} {
		s := newStage(t, nil, answer{err: &llm.Error{Class: class, Message: "no", Hint: "do"}}, finish())
		s.say(t, "go")
		end := s.sink.idle(1)
		if end.StopReason != event.Failed || end.Error.Code != string(class) || end.Error.Hint != "do" || len(s.clock.slept) != 0 {
			t.Errorf("%s: %+v %+v", class, end, end.Error)
		}
		s.say(t, "again")
		if end := s.sink.idle(2); end.StopReason != event.Completed {
			t.Errorf("%s: the next turn ended with %+v", class, end)
		}
	}
}

func TestRetriesEnd(t *testing.T) {
	busy := answer{err: &llm.Error{Class: llm.Overloaded, Message: "busy"}}
	s := newStage(t, nil, busy, busy, busy, busy, finish())
	s.say(t, "go")
	if end := s.sink.idle(1); end.StopReason != event.Failed || len(s.model.got) != 4 || !strings.Contains(end.Error.Hint, "tried 4 times") {
		t.Errorf("%d requests, ended with %+v", len(s.model.got), end)
	}
}

func TestALongWaitIsTheUsersToDecide(t *testing.T) {
	long := answer{err: &llm.Error{Class: llm.RateLimited, Message: "limit", RetryAfter: 99999 * time.Second}}
	s := newStage(t, nil, long)
	s.say(t, "go")
	if end := s.sink.idle(1); end.StopReason != event.Failed || len(s.asker.asked) != 1 || len(s.clock.slept) != 0 {
		t.Errorf("asked %v, slept %v, ended with %+v", s.asker.asked, s.clock.slept, end)
	}
}

func TestTextWithoutCalls(t *testing.T) {
	s := newStage(t, nil, answer{events: say("a")}, answer{events: say("b")}, answer{events: say("c")}, finish())
	s.asker.replies = []tools.Answer{{Text: "use the tools"}}
	s.say(t, "go")
	if end := s.sink.idle(1); end.StopReason != event.Completed {
		t.Fatalf("ended with %+v", end)
	}
	for n, want := range []string{"<true>go", "did not use a tool", "did not use a tool", "<feedback>\nuse the tools"} {
		if got := s.lastText(n); !strings.Contains(got, want) {
			t.Errorf("request %d ends with %q, want %q in it", n, got, want)
		}
	}
}

func TestTextOnlyFamilyIsPlainChat(t *testing.T) {
	s := newStage(t, func(s *stage, _ *agent.Config) { s.model.family = llm.TextOnly }, answer{events: say("hello")})
	s.say(t, "hi")
	if end := s.sink.idle(1); end.StopReason != event.Completed {
		t.Fatalf("ended with %+v", end)
	}
	ms := all[event.Message](s.sink)
	if last := ms[len(ms)-1]; !last.Final || last.Content[0].Text != "hello" || last.MessageID != ms[len(ms)-2].MessageID {
		t.Errorf("messages: %+v", ms)
	}
}

func TestCutOffCallsNeverRun(t *testing.T) {
	cut := call(`write {"content":"# T`)
	cut[len(cut)-1].Reason = llm.Length
	s := newStage(t, nil, answer{events: cut}, answer{events: cut}, answer{events: cut}, finish())
	s.tools["write"] = func(context.Context, tools.Call) tools.Result { t.Error("ran"); return tools.Result{} }
	s.say(t, "go")
	if end := s.sink.idle(1); end.StopReason != event.NeedsUser || len(s.model.got) != 3 {
		t.Errorf("%d requests, ended with %+v", len(s.model.got), end)
	}
	if !strings.Contains(s.asker.asked[0], "output limit") {
		t.Errorf("the user was asked %q", s.asker.asked)
	}
}

func TestFailingLoopAsks(t *testing.T) {
	bad := answer{events: call(`write {"a": 1}`)}
	other := answer{events: call(`edit {"b":2}`)}
	for name, answers := range map[string][]answer{
		"same": {bad, bad, bad}, "pair": {bad, other, bad, other, bad, other},
	} {
		s := newStage(t, nil, append(answers, finish())...)
		s.tools["write"] = func(context.Context, tools.Call) tools.Result { return tools.Fail("no") }
		s.tools["edit"] = s.tools["write"]
		s.asker.replies = []tools.Answer{{Text: "Go on"}}
		s.say(t, "go")
		if end := s.sink.idle(1); end.StopReason != event.Completed || len(s.asker.asked) != 1 {
			t.Errorf("%s: asked %v, ended with %+v", name, s.asker.asked, end)
		}
	}
}

func TestRepeatedSuccessIsNoticedThenAsked(t *testing.T) {
	same := answer{events: call(`look {"a":1}`)}
	s := newStage(t, nil, same, same, same, same, same, finish())
	s.tools["look"] = ok("x")
	s.say(t, "go")
	if end := s.sink.idle(1); end.StopReason != event.NeedsUser {
		t.Errorf("ended with %+v", end)
	}
	if strings.Contains(s.lastText(2), "same call") || !strings.Contains(s.lastText(3), "same call") {
		t.Error("the notice does not come with the third result")
	}
}

func TestRequestLimitAsks(t *testing.T) {
	limit := func(_ *stage, c *agent.Config) {
		c.Settings = func() agent.Settings { return agent.Settings{MaxRequests: 1} }
	}
	s := newStage(t, limit, answer{events: call(`look {}`)}, finish())
	s.tools["look"] = ok("x")
	s.asker.replies = []tools.Answer{{Text: "Go on for 1 more"}}
	s.say(t, "go")
	if end := s.sink.idle(1); end.StopReason != event.Completed || len(s.asker.asked) != 1 {
		t.Errorf("asked %v, ended with %+v", s.asker.asked, end)
	}
}

func TestBadArgumentsAreToldToTheModel(t *testing.T) {
	s := newStage(t, nil, answer{events: call(`look {"a":`)}, finish())
	s.tools["look"] = func(context.Context, tools.Call) tools.Result { t.Error("ran"); return tools.Result{} }
	s.say(t, "go")
	if end := s.sink.idle(1); end.StopReason != event.Completed || !strings.Contains(s.lastText(1), "JSON") {
		t.Errorf("ended with %+v after %q", end, s.lastText(1))
	}
}

func TestJournalFailureStopsTheTurn(t *testing.T) {
	s := newStage(t, nil, finish())
	s.journal.fail = true
	s.say(t, "go")
	if end := s.sink.idle(1); end.StopReason != event.Failed || end.Error.Code != "journal" || len(s.model.got) != 0 {
		t.Errorf("%d requests, ended with %+v", len(s.model.got), end.Error)
	}
}

func TestModeChangeReachesNextRequestAndCalls(t *testing.T) {
	s := newStage(t, nil, answer{events: call(`look {}`)}, answer{events: call(`look {}`)}, finish())
	var modes []tools.Mode
	s.tools["look"] = func(_ context.Context, c tools.Call) tools.Result {
		modes = append(modes, c.Mode)
		s.SetMode(tools.Act)
		return tools.Result{Text: "x"}
	}
	if _, err := s.Prompt(agent.Prompt{Parts: []transcript.Part{transcript.TextPart("p")}, Mode: tools.Plan}); err != nil {
		t.Fatal(err)
	}
	s.sink.idle(1)
	if !slices.Equal(modes, []tools.Mode{tools.Plan, tools.Act}) {
		t.Errorf("calls ran in %v", modes)
	}
	e := s.prompt.seen
	if e[0].Mode != tools.Plan || e[0].ModeChanged || e[1].Mode != tools.Act || !e[1].ModeChanged || e[2].ModeChanged {
		t.Errorf("the model was told %+v", e)
	}
}

func TestCloseEndsARunningTurn(t *testing.T) {
	s := newStage(t, nil, answer{events: call(`look {}`)})
	entered := make(chan struct{})
	s.tools["look"] = func(ctx context.Context, _ tools.Call) tools.Result {
		close(entered)
		<-ctx.Done()
		return tools.Result{Outcome: tools.Cancelled}
	}
	s.say(t, "go")
	<-entered
	s.Close()
	if end := s.sink.idle(1); end.StopReason != event.Interrupted {
		t.Errorf("ended with %+v", end)
	}
	if _, err := s.Prompt(agent.Prompt{}); !errors.Is(err, agent.ErrClosed) {
		t.Errorf("a prompt after the end: %v", err)
	}
}

func TestABugEndsOnlyTheTurn(t *testing.T) {
	s := newStage(t, nil, answer{events: call(`write {}`)}, finish())
	s.tools["write"] = func(context.Context, tools.Call) tools.Result { return tools.Result{} }
	s.model.at = func(r, e int) {
		if r == 0 && e == 3 {
			panic("bug")
		}
	}
	s.say(t, "go")
	if end := s.sink.idle(1); end.StopReason != event.Failed || end.Error.Code != "internal" {
		t.Errorf("ended with %+v", end)
	}
	s.say(t, "again")
	if end := s.sink.idle(2); end.StopReason != event.Completed {
		t.Errorf("ended with %+v", end)
	}
}
