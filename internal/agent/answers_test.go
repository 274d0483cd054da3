package agent_test

import (
	"strings"
	"testing"
	"time"

	"clined/internal/agent"
	"clined/internal/event"
	"clined/internal/llm"
	"clined/internal/tools"
	"clined/internal/transcript"
)

// Only the option that goes on goes on. What the user says beside or instead of
// it is never lost: the model hears it now, or when the task goes on.
func TestWordsAtALimit(t *testing.T) {
	for _, c := range []struct {
		name, answer string
		goesOn       bool
		told         string
	}{
		{"the option", "Go on for 1 more", true, ""},
		{"the option, with words", "Go on for 1 more\n\nbut use b.txt", true, "<feedback>\nbut use b.txt\n</feedback>"},
		{"words", "no, do not go on! use b.txt", false, "<feedback>\nno, do not go on! use b.txt\n</feedback>"},
		{"a yes alone", "Yes", true, ""},
		{"a yes with words", "yes, but use b.txt", false, "<feedback>\nyes, but use b.txt"},
		{"a no alone", "n", false, ""},
		{"words that begin like the option", "Go on for 1 more? no", false, "<feedback>\nGo on for 1 more? no"},
		{"stop", "Stop here", false, ""},
		{"stop, with words", "Stop here\n\nI will do it myself", false, "<feedback>\nI will do it myself\n</feedback>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t, func(_ *stage, c *agent.Config) {
				c.Settings = func() agent.Settings { return agent.Settings{MaxRequests: 1} }
			}, answer{events: call(`look {}`)}, finish(), finish())
			s.tools["look"] = ok("x")
			s.asker.replies = []tools.Answer{{Text: c.answer}}
			s.say(t, "go")
			end, want := s.sink.idle(1), event.NeedsUser
			if c.goesOn {
				want = event.Completed
			}
			if end.StopReason != want || len(s.asker.asked) != 1 {
				t.Fatalf("asked %v, ended with %+v", s.asker.asked, end)
			}
			if !c.goesOn {
				if len(s.model.got) != 1 {
					t.Fatalf("%d requests", len(s.model.got))
				}
				if told := len(all[event.Notice](s.sink)) > 0; told != (c.told != "") {
					t.Errorf("the user is told what becomes of the words: %v", told)
				}
				s.say(t, "now go on")
				s.sink.idle(2)
			}
			if err := transcript.Validate(s.journal.messages); err != nil {
				t.Error(err)
			}
			if n := said(s.model.got[1].Messages, c.told); c.told != "" && n != 1 {
				t.Errorf("the model was told %d times", n)
			} else if c.told == "" && said(s.model.got[1].Messages, "<feedback>") != 0 {
				t.Error("the model was told something")
			}
		})
	}
}

// said counts the messages that say something, and sees that roles alternate.
func said(messages []transcript.Message, words string) (n int) {
	for i, m := range messages {
		if i > 0 && m.Role == transcript.User && messages[i-1].Role == transcript.User {
			return -1
		}
		if strings.Contains(m.Text(), words) {
			n++
		}
	}
	return n
}

func TestWordsAtALongWait(t *testing.T) {
	long := answer{err: &llm.Error{Class: llm.RateLimited, Message: "limit", RetryAfter: 99999 * time.Second}}
	for _, c := range []struct {
		name, answer string
		waits        bool
		told         string
	}{
		{"wait", "Wait", true, ""},
		{"wait, with words", "Wait\n\nand use b.txt", true, "and use b.txt"},
		{"a yes alone", "y", true, ""},
		{"words", "Waiting? no, use b.txt", false, "<feedback>\nWaiting? no, use b.txt"},
		{"stop, with words", "Stop here\n\ntoo long", false, "<feedback>\ntoo long\n</feedback>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t, nil, long, finish(), finish())
			s.asker.replies = []tools.Answer{{Text: c.answer}}
			s.say(t, "go")
			if end := s.sink.idle(1); (end.StopReason == event.Completed) != c.waits || (len(s.clock.slept) == 1) != c.waits {
				t.Fatalf("slept %v, ended with %+v", s.clock.slept, end)
			}
			if !c.waits {
				s.say(t, "again")
				s.sink.idle(2)
			}
			if err := transcript.Validate(s.journal.messages); err != nil {
				t.Error(err)
			}
			last := s.model.got[len(s.model.got)-1].Messages
			if n := said(last, c.told); c.told != "" && n != 1 {
				t.Errorf("the model was told %d times: %+v", n, last)
			}
		})
	}
}

// A "stop" with words stops where the model made mistakes, too.
func TestStopWithWordsStops(t *testing.T) {
	s := newStage(t, nil, answer{events: say("a")}, answer{events: say("b")}, answer{events: say("c")}, finish())
	s.asker.replies = []tools.Answer{{Text: "Stop here\n\nI have enough"}}
	s.say(t, "go")
	if end := s.sink.idle(1); end.StopReason != event.Cancelled || len(s.model.got) != 3 {
		t.Fatalf("%d requests, ended with %+v", len(s.model.got), end)
	}
	s.say(t, "one more thing")
	s.sink.idle(2)
	if n := said(s.model.got[3].Messages, "<feedback>\nI have enough"); n != 1 {
		t.Errorf("the model was told %d times", n)
	}
}
