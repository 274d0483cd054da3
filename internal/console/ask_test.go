package console_test

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"clined/internal/console"
	"clined/internal/event"
	"clined/internal/protocol"
)

func showMessage(kind int, text string) *protocol.ShowMessageParams {
	p := &protocol.ShowMessageParams{Message: text}
	if err := json.Unmarshal([]byte(`{"type":`+string(rune('0'+kind))+`}`), p); err != nil {
		panic(err)
	}
	p.Message = text
	return p
}

func approvalParams() *protocol.ApprovalRequestParams {
	return &protocol.ApprovalRequestParams{
		ApprovalID: "a1", TaskID: "t1", TurnID: "u1", ToolCallID: "c1", SubjectHash: "hash", AllowFeedback: true,
		Title: "Edit price.go", Description: "Editing files asks first.",
		Subject: protocol.Subject{Type: "fileEdit", Files: []protocol.SubjectEdit{{
			SubjectPath: protocol.SubjectPath{Path: "/w/price.go"}, Op: "modify", Diff: diff,
		}}},
		Options: []protocol.ApprovalOption{
			{OptionID: "yes1", Kind: "allow_once", Name: "Allow"},
			{OptionID: "task1", Kind: "allow_always", Name: "Always", Rule: &protocol.Rule{Scope: "task", Pattern: "editing files in the workspace"}},
			{OptionID: "user1", Kind: "allow_always", Name: "Always", Rule: &protocol.Rule{Scope: "user", Pattern: "editing files in the workspace"}},
			{OptionID: "no1", Kind: "reject_once", Name: "Reject"},
		},
	}
}

func TestApprovalAnswers(t *testing.T) {
	for _, tt := range []struct{ typed, option, words string }{
		{"y", "yes1", ""}, {"YES", "yes1", ""}, {" ok. ", "yes1", ""}, {"好", "yes1", ""},
		{"n", "no1", ""}, {"No!", "no1", ""}, {"不要", "no1", ""},
		{"a\n1", "task1", ""}, {"Always\n2", "user1", ""}, {"a 2", "user1", ""}, {"A1.", "task1", ""}, {"a\n 2. ", "user1", ""},
		{"a\ny", "yes1", ""}, {"a\nn", "no1", ""}, {"a\nno, later", "no1", "later"}, {"a\nuse floats", "no1", "use floats"},
		{"yes, but keep the comment", "yes1", "but keep the comment"}, {"y\tthanks", "yes1", "thanks"},
		{"no, use floats", "no1", "use floats"}, {"n: later", "no1", "later"},
		{"use floats instead", "no1", "use floats instead"}, {"改用浮点数", "no1", "改用浮点数"},
		{"a better way is floats", "no1", "a better way is floats"}, {"always test first", "no1", "always test first"},
		{"yesterday's version", "no1", "yesterday's version"}, {"no-op it", "no1", "no-op it"}, {"not this", "no1", "not this"},
		{"yes or no?", "yes1", "or no?"},
		// Garbage is asked about again; the answer then is y.
		{"x\ny", "yes1", ""}, {"\n\n?\n...\n12\ny", "yes1", ""},
	} {
		f := newFront(t, console.Options{OutTTY: true, In: strings.NewReader(tt.typed + "\n")})
		out, err := f.ApprovalRequest(t.Context(), approvalParams())
		if err != nil || out == nil || out.OptionID != tt.option || out.SubjectHash != "hash" {
			t.Errorf("%q: %+v, %v", tt.typed, out, err)
			continue
		}
		if words := ""; out.Feedback != nil {
			words = out.Feedback.Text
			if words != tt.words {
				t.Errorf("%q: words %q, want %q", tt.typed, words, tt.words)
			}
		} else if tt.words != "" {
			t.Errorf("%q: no words", tt.typed)
		}
		again := strings.Count(tt.typed, "\n")
		if strings.HasPrefix(strings.ToLower(tt.typed), "a") {
			again = 0 // the choices are shown instead
		}
		if strings.Count(f.err.String(), "y is yes") != again {
			t.Errorf("%q: explained %d times, not %d:\n%s", tt.typed, strings.Count(f.err.String(), "y is yes"), again, f.err)
		}
	}
}

// What is not offered is not taken, and not explained either.
func TestApprovalWithoutAlwaysAndWords(t *testing.T) {
	p := approvalParams()
	p.AllowFeedback, p.Options = false, []protocol.ApprovalOption{
		{OptionID: "yes1", Kind: "allow_once"}, {OptionID: "bare", Kind: "allow_always"}, {OptionID: "no1", Kind: "reject_once"}}
	f := newFront(t, console.Options{OutTTY: true, In: strings.NewReader("a\nsome words\nyes, words\nn\n")})
	out, err := f.ApprovalRequest(t.Context(), p)
	if err != nil || out == nil || out.OptionID != "no1" || out.Feedback != nil {
		t.Errorf("%+v, %v", out, err)
	}
	if text := f.err.String(); strings.Contains(text, "a always") || !strings.Contains(text, "there is no always for this") || strings.Contains(text, "words for") || strings.Contains(text, "what to do instead") || strings.Count(text, "y is yes, n is no\n") != 3 {
		t.Errorf("shown:\n%s", text)
	}
	p.Options = p.Options[:1]
	f = newFront(t, console.Options{OutTTY: true, In: strings.NewReader("n\ny\n")})
	if out, err := f.ApprovalRequest(t.Context(), p); err != nil || out == nil || out.OptionID != "yes1" {
		t.Errorf("%+v, %v", out, err)
	}
}

// What an approval shows of each kind of subject.
func TestApprovalGolden(t *testing.T) {
	edit := approvalParams()
	command := approvalParams()
	command.Title, command.Description = "Run `git log --oneline …`", "git log asks first, because it may run a pager."
	command.Subject = protocol.Subject{Type: "command", Command: "git log --oneline --format='%h %an %s' --since=yesterday --author=somebody@example.com | head -20 &&\n\techo \x1b[2Kdone \u202etxt.exe", Cwd: "/home/dev/a folder"}
	command.Options[1].Rule = &protocol.Rule{Scope: "workspace", Pattern: "commands that start with `git log` or `head` or `echo` or a few others that go over the end of the line"}
	mcp := approvalParams()
	mcp.Title, mcp.Description = "Use get_forecast of MCP server weather", "Calling MCP tools asks first."
	mcp.Subject = protocol.Subject{Type: "mcp", Server: "weather", Tool: "get_forecast",
		Args: json.RawMessage(`{"longitude": -77.0369,"latitude":38.9072,"places":["a",{"b":"c"}],"note":"two\nlines \u001b[31m and more than fits on a line of this terminal, so it goes on below"}`)}
	mcp.Options[1].Rule.Pattern = "the tool get_forecast of the MCP server weather as it is now"
	read := approvalParams()
	read.Title, read.Description = "Read 2 files", "/etc/passwd is outside the workspace."
	read.Subject = protocol.Subject{Type: "fileRead", Paths: []protocol.SubjectPath{
		{Path: "/w/link", Real: "/etc/passwd", Outside: true}, {Path: "/w/.env", Protected: "it holds secrets"}, {Path: "/w/.env", Protected: "it holds secrets"}}}
	read.Options = append(read.Options[:1:1], read.Options[3])
	odd := approvalParams()
	odd.Title, odd.Description, odd.Subject = "A thing\nof two lines", "", protocol.Subject{Type: "mcp", Server: "s", Args: json.RawMessage(`{"a":1,`)}
	odd.Options[1].Rule.Scope = "galaxy"

	var all strings.Builder
	for _, p := range []*protocol.ApprovalRequestParams{edit, command, mcp, read, odd} {
		f := newFront(t, console.Options{OutTTY: true, Width: 80, In: strings.NewReader("y\n")})
		if out, err := f.ApprovalRequest(t.Context(), p); err != nil || out == nil {
			t.Errorf("%s: %+v, %v", p.Title, out, err)
		}
		all.WriteString(f.err.String() + "\n")
	}
	wantHarmless(t, all.String())
	golden(t, "approvals-80", all.String())
}

// A long command or change is shown to its last letter, however narrow the
// terminal is.
func TestApprovalHidesNothing(t *testing.T) {
	for _, width := range []int{0, 20, 80} {
		p := approvalParams()
		long := strings.Repeat("abcdefghij", 100)
		p.Subject.Files[0].Diff = "@@ -1 +1 @@\n+" + strings.Repeat("x\n+", 500) + long + "\n"
		p.Subject.Command = long
		p.Subject.Server, p.Subject.Args = "s", json.RawMessage(`{"a":"`+long+`"}`)
		f := newFront(t, console.Options{OutTTY: true, Width: width, In: strings.NewReader("y\n")})
		if _, err := f.ApprovalRequest(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		flat := strings.Join(strings.Fields(f.err.String()), "")
		if n := strings.Count(flat, long); n != 3 {
			t.Errorf("width %d: %d of 3 shown", width, n)
		}
		if n := strings.Count(f.err.String(), "\n    +x"); n != 500 {
			t.Errorf("width %d: %d lines of the change", width, n)
		}
	}
}

// An approved change is not shown again; another one is.
func TestApprovedDiffOnce(t *testing.T) {
	for _, tt := range []struct {
		made  string
		count int
	}{{diff, 1}, {strings.ReplaceAll(diff, "price*percent/100", "percent*price/100"), 2}} {
		f := newFront(t, console.Options{OutTTY: true, In: strings.NewReader("y\n")})
		c := event.ToolCall{ToolCallID: "c1", Name: "replace_in_file", Kind: "edit", Args: `{"path":"price.go"}`, Status: event.InProgress}
		f.events(c)
		if _, err := f.ApprovalRequest(t.Context(), approvalParams()); err != nil {
			t.Fatal(err)
		}
		c.Status, c.Title, c.Diff = event.Done, "Edit price.go", tt.made
		f.events(c)
		if n := strings.Count(f.err.String(), "@@ -10,4"); n != tt.count {
			t.Errorf("shown %d times, want %d:\n%s", n, tt.count, f.err)
		}
	}
}

func TestQuestions(t *testing.T) {
	p := &protocol.AskParams{AskID: "q1", TaskID: "t1", Text: "Which of them shall it be, the one that is here or the other one that is not here yet?\n", Options: []string{"The first one", "The second\x1b[5m one, which has a long description that goes on and on and on"}}
	for _, tt := range []struct {
		typed string
		want  protocol.AskResult
	}{
		{"1", protocol.AskResult{Action: "accept", Option: "The first one"}},
		{" 2 ", protocol.AskResult{Action: "accept", Option: p.Options[1]}},
		{"3", protocol.AskResult{Action: "accept", Text: "3"}},
		{"0", protocol.AskResult{Action: "accept", Text: "0"}},
		{"neither, do both", protocol.AskResult{Action: "accept", Text: "neither, do both"}},
		{"\n  \ny", protocol.AskResult{Action: "accept", Text: "y"}},
	} {
		f := newFront(t, console.Options{OutTTY: true, Width: 60, In: strings.NewReader(tt.typed + "\n")})
		res, err := f.Ask(t.Context(), p)
		if err != nil || res == nil || res.Action != tt.want.Action || res.Option != tt.want.Option || res.Text != tt.want.Text {
			t.Errorf("%q: %+v, %v", tt.typed, res, err)
		}
		if tt.typed == "1" {
			golden(t, "question-60", f.err.String())
		}
		wantHarmless(t, f.err.String())
	}
}

// What happens while a question is open is shown after the answer.
func TestNothingTalksOverAQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		keys := newTypist()
		f := newFront(t, console.Options{OutTTY: true, In: keys, InTTY: true})
		done := make(chan struct{})
		running := event.ToolCall{ToolCallID: "c1", Name: "replace_in_file", Kind: "edit", Args: `{"path":"price.go"}`, Status: event.InProgress}
		other := event.ToolCall{ToolCallID: "c2", Name: "read_file", Kind: "read", Args: `{"path":"a.go"}`, Status: event.InProgress}
		f.events(say("m1", "I will"), running, other)
		go func() {
			defer close(done)
			if out, err := f.ApprovalRequest(t.Context(), approvalParams()); err != nil || out == nil || out.OptionID != "yes1" {
				t.Errorf("%+v, %v", out, err)
			}
		}()
		synctest.Wait()
		asked := f.err.String()
		if !strings.HasSuffix(asked, "\n  › ") {
			t.Errorf("the question ends with %q", asked[max(0, len(asked)-40):])
		}
		other.Status, other.Title, other.Output = event.Done, "Read a.go", "a.go, 1 line"
		f.events(other, event.State{State: event.RequiresAction})
		time.Sleep(time.Hour) // the other one was slow, too
		if f.err.String() != asked {
			t.Errorf("while asking: %q", strings.TrimPrefix(f.err.String(), asked))
		}
		keys.enter("y")
		<-done
		if got := strings.TrimPrefix(f.err.String(), asked); got != "  ✓ Read a.go\n    │ a.go, 1 line\n" {
			t.Errorf("afterwards: %q", got)
		}
		time.Sleep(time.Minute) // the approved one takes long
		wantIn(t, f.err.String(), "▸ replace_in_file price.go\n")
		keys.w.Close()
	})
}

// Of two questions at a time the second one waits.
func TestOneQuestionAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		keys := newTypist()
		f := newFront(t, console.Options{OutTTY: true, In: keys, InTTY: true})
		answers := make(chan string, 3)
		ctx, cancel := context.WithCancel(t.Context())
		for _, text := range []string{"first?", "second?"} {
			go func() {
				res, err := f.Ask(t.Context(), &protocol.AskParams{Text: text})
				if err != nil {
					t.Error(err)
				}
				answers <- text + res.Text
			}()
			synctest.Wait()
		}
		go func() { // withdrawn before it was ever shown
			if res, err := f.Ask(ctx, &protocol.AskParams{Text: "third?"}); res != nil || err != nil {
				t.Errorf("%+v, %v", res, err)
			}
			answers <- "third"
		}()
		synctest.Wait()
		cancel()
		if got := <-answers; got != "third" || strings.Contains(f.err.String(), "second?") {
			t.Errorf("%s, shown:\n%s", got, f.err)
		}
		keys.enter("A")
		if got := <-answers; got != "first?A" {
			t.Error(got)
		}
		synctest.Wait()
		keys.enter("B")
		if got := <-answers; got != "second?B" || strings.Contains(f.err.String(), "third?") {
			t.Errorf("%s, shown:\n%s", got, f.err)
		}
		keys.w.Close()
	})
}

// A line that was typed before a question was shown does not answer it; it is
// kept for the next prompt. Input that nobody types is taken as it comes.
func TestTypedAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		keys := newTypist()
		f := newFront(t, console.Options{OutTTY: true, In: keys, InTTY: true})
		ask := func() chan string {
			got := make(chan string, 1)
			go func() {
				res, err := f.Ask(t.Context(), &protocol.AskParams{Text: "?"})
				if err != nil || res == nil {
					t.Errorf("%+v, %v", res, err)
				}
				got <- res.Text
			}()
			synctest.Wait()
			return got
		}
		first := ask()
		keys.enter("one", "too early")
		if got := <-first; got != "one" {
			t.Error(got)
		}
		synctest.Wait()
		second := ask()
		keys.enter("two")
		if got := <-second; got != "two" {
			t.Error(got)
		}
		keys.w.Close()
	})
	f := newFront(t, console.Options{OutTTY: true, In: strings.NewReader("one\ntwo")})
	for _, want := range []string{"one", "two"} {
		if res, err := f.Ask(t.Context(), &protocol.AskParams{Text: "?"}); err != nil || res == nil || res.Text != want {
			t.Errorf("%+v, %v", res, err)
		}
	}
}

// An approval that is answered elsewhere, or whose turn ends, ends its line.
func TestTakenBack(t *testing.T) {
	for name, end := range map[string]func(f *front, cancel func()){
		"answered elsewhere": func(_ *front, cancel func()) { cancel() },
		"turn over":          func(f *front, _ func()) { f.events(idle(event.Cancelled)) },
		"daemon gone":        func(f *front, _ func()) { f.Lost(io.ErrUnexpectedEOF) },
	} {
		synctest.Test(t, func(t *testing.T) {
			keys := newTypist()
			f := newFront(t, console.Options{OutTTY: true, In: keys, InTTY: true})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			done := make(chan struct{})
			go func() {
				defer close(done)
				if out, err := f.ApprovalRequest(ctx, approvalParams()); out != nil || err != nil {
					t.Errorf("%s: %+v, %v", name, out, err)
				}
			}()
			synctest.Wait()
			end(f, cancel)
			<-done
			wantIn(t, f.err.String(), "  › \n    (no answer is needed any more)\n")
			if strings.Contains(f.err.String(), "nobody is there") {
				t.Errorf("%s:\n%s", name, f.err)
			}
			// What is typed now is for the next question.
			go func() {
				synctest.Wait() // it is asked
				keys.enter("later")
			}()
			if res, err := f.Ask(t.Context(), &protocol.AskParams{Text: "?"}); err != nil || res == nil || res.Text != "later" {
				t.Errorf("%s: %+v, %v", name, res, err)
			}
			keys.w.Close()
		})
	}
}

// Nobody there, and no task to cancel: a single tool run by hand.
func TestNobodyWithoutATask(t *testing.T) {
	for _, in := range []io.Reader{nil, strings.NewReader(""), strings.NewReader(strings.Repeat("?\n", 1000))} {
		f := newFront(t, console.Options{OutTTY: true, In: in})
		if out, err := f.ApprovalRequest(t.Context(), approvalParams()); out != nil || err != nil {
			t.Errorf("%+v, %v", out, err)
		}
		wantIn(t, f.err.String(), "clined: a decision is needed and nobody is there to make it: Edit price.go\n",
			"hint: run it in a terminal, or allow it beforehand with --auto edit, or everything with --yes\n")
	}
	for _, anyway := range []bool{false, true} {
		p := commandParams("ls; x")
		p.AsksAnyway = anyway
		f := newFront(t, console.Options{OutTTY: true})
		f.ApprovalRequest(t.Context(), p)
		if said := f.err.String(); strings.Contains(said, "--auto command") == anyway || !strings.Contains(said, "everything") || !strings.Contains(said, "with --yes") {
			t.Errorf("%v\n%s", anyway, said)
		}
	}
	f := newFront(t, console.Options{OutTTY: true})
	if res, err := f.Ask(t.Context(), &protocol.AskParams{Text: "Which\none?"}); res != nil || err != nil {
		t.Errorf("%+v, %v", res, err)
	}
	wantIn(t, f.err.String(), "nobody is there to make it: Which one?\n", "hint: run it in a terminal, or say it in the task itself\n")
}
