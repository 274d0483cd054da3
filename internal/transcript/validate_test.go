package transcript_test

import (
	"strings"
	"testing"

	"clined/internal/transcript"
)

func said(role transcript.Role, words string) transcript.Message {
	return transcript.Message{Role: role, Parts: []transcript.Part{transcript.TextPart(words)}}
}

func calls(ids ...string) transcript.Message {
	m := transcript.Message{Role: transcript.Assistant}
	for _, id := range ids {
		m.Parts = append(m.Parts, transcript.Part{Kind: transcript.CallPart, Call: &transcript.Call{ID: id, Name: "read_file"}})
	}
	return m
}

func results(ids ...string) transcript.Message {
	m := transcript.Message{Role: transcript.Tool}
	for _, id := range ids {
		m.Parts = append(m.Parts, transcript.Part{Kind: transcript.ResultPart, Result: &transcript.Result{CallID: id}})
	}
	return m
}

// How many messages of a transcript are sound, and what is wrong behind them.
func TestSound(t *testing.T) {
	user, answer := said(transcript.User, "do it"), said(transcript.Assistant, "done")
	unknown := said("assistent", "done")
	odd := calls("b")
	odd.Parts[0].Kind = "cell"
	for name, c := range map[string]struct {
		messages []transcript.Message
		sound    int
		fault    string
	}{
		"nothing":             {nil, 0, ""},
		"whole":               {[]transcript.Message{user, calls("a", "b"), results("a", "b"), answer}, 4, ""},
		"open calls":          {[]transcript.Message{user, calls("a")}, 2, ""},
		"no user first":       {[]transcript.Message{answer, user}, 0, "first message"},
		"unknown role":        {[]transcript.Message{user, unknown, user}, 1, "not allowed"},
		"unknown kind":        {[]transcript.Message{user, calls("a"), results("a"), odd, results("b")}, 3, "not allowed"},
		"other call":          {[]transcript.Message{user, calls("a"), results("q"), answer}, 2, "does not answer"},
		"a result too few":    {[]transcript.Message{user, calls("a", "b"), results("a")}, 2, "1 results for 2 calls"},
		"results in disorder": {[]transcript.Message{user, calls("a", "b"), results("b", "a")}, 2, "does not answer"},
		"calls passed over":   {[]transcript.Message{user, calls("a"), user}, 2, "without results"},
		"results of nothing":  {[]transcript.Message{user, results("a")}, 1, "without calls"},
		"id used twice":       {[]transcript.Message{user, calls("a"), results("a"), calls("a"), results("a")}, 3, "used twice"},
		"empty":               {[]transcript.Message{user, {Role: transcript.Assistant}}, 1, "no parts"},
		"part without field":  {[]transcript.Message{user, {Role: transcript.Assistant, Parts: []transcript.Part{{Kind: transcript.CallPart}}}}, 1, "without its field"},
	} {
		t.Run(name, func(t *testing.T) {
			n, err := transcript.Sound(c.messages)
			if n != c.sound || (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) {
				t.Errorf("%d messages, then %v", n, err)
			}
			valid := transcript.Validate(c.messages)
			if waits := name == "open calls"; (valid != nil) != (err != nil || waits) {
				t.Errorf("it is valid: %v", valid)
			}
		})
	}
}
