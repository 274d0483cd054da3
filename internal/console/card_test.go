package console_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"clined/internal/console"
	"clined/internal/event"
	"clined/internal/protocol"
)

func part(verdict, command, reason, rule string) protocol.SubjectPart {
	return protocol.SubjectPart{Command: command, Verdict: verdict, Reason: reason, Rule: rule}
}

// offers are the ways to say always: patterns by scopes, as a daemon makes them.
func offers(patterns, scopes []string) (list []protocol.ApprovalOption) {
	list = append(list, protocol.ApprovalOption{OptionID: "allow_once", Kind: "allow_once"})
	for i, p := range patterns {
		for j, s := range scopes {
			list = append(list, protocol.ApprovalOption{OptionID: fmt.Sprintf("always_%d_%d", i, j), Kind: "allow_always", Rule: &protocol.Rule{Scope: s, Pattern: p}})
		}
	}
	return append(list, protocol.ApprovalOption{OptionID: "reject_once", Kind: "reject_once"})
}

func commandParams(line string, parts ...protocol.SubjectPart) *protocol.ApprovalRequestParams {
	return &protocol.ApprovalRequestParams{
		ApprovalID: "a1", TaskID: "t1", ToolCallID: "c1", SubjectHash: "hash", AllowFeedback: true,
		Title: "Run `" + line + "`", Description: "Running commands asks first.",
		Subject: protocol.Subject{Type: "command", Command: line, Cwd: "/home/dev/src/shop", Parts: parts,
			Sandbox: "writes only in the workspace, temporary folders and tool caches"},
		Options: offers([]string{"commands that start with `git push`", "exactly `git push origin main`"}, []string{"task", "workspace", "user"}),
	}
}

func cards() []*protocol.ApprovalRequestParams {
	push := commandParams("npm test 2>/dev/null && git push origin main",
		part("allow", "npm test 2>/dev/null", "", "the user's rule for commands that start with `npm test`"),
		part("ask", "git push origin main", "`git` here changes the repository.", ""))
	push.Description = "`git` here changes the repository."
	one := commandParams("make", part("ask", "make", "Running commands asks first.", ""))
	one.Options = offers([]string{"commands that start with `make`"}, []string{"task"})
	denied := commandParams("cd build && ls | rm -rf \x1b[2K/ && kubectl --namespace staging delete deployment the-shop-with-a-long-name\n",
		part("allow", "cd build", "", "autoApprove.command (safe)"), part("allow", "ls", "", ""),
		part("deny", "rm -rf \x1b[2K/", "The user's settings deny commands that start with `rm`.", ""),
		part("ask", "kubectl --namespace staging delete deployment the-shop-with-a-long-name", "Running commands asks first.", ""))
	denied.Description = "Something about all of it."
	outside := commandParams("touch /etc/motd", part("ask", "touch /etc/motd", "The command would run outside of the sandbox.", ""))
	outside.Title, outside.Description = "Run outside the sandbox `touch /etc/motd`", "The command would run outside of the sandbox."
	outside.Subject.Unsandboxed, outside.Subject.Sandbox = true, ""
	outside.Options = offers(nil, nil)
	const refused = `It ran in a sandbox, which probably made it fail: the sandbox does not let commands write "/etc/motd": they write in the workspace, temporary folders and tool caches only. It would run once more, without the sandbox.`
	again := commandParams("env A=1 touch /etc/motd; ls && rm x", part("ask", "env A=1 touch /etc/motd", refused, ""), part("ask", "ls", refused, ""),
		part("ask", "rm x", "The user's settings ask before commands that start with `rm`.", ""))
	again.Title, again.Description = "Run outside the sandbox `env A=1 touch /etc/motd; ls && rm x`", refused
	again.Subject.Unsandboxed, again.Subject.Sandbox = true, ""
	again.Options = offers(nil, nil)
	ruled := *again // the rule is the stronger reason
	ruled.Description = again.Subject.Parts[2].Reason
	var parts []protocol.SubjectPart
	for i := range 30 {
		parts = append(parts, part(map[bool]string{true: "ask", false: "allow"}[i%10 == 0], fmt.Sprintf("step %d", i), map[bool]string{true: "Running commands asks first."}[i%10 == 0], "autoApprove.command (safe)"))
	}
	many := commandParams("step 0; step 1; step 2 …", parts...)
	move := approvalParams()
	move.Title, move.Description = "Move a.go to b/a.go", ""
	move.Subject.Files[0].SubjectPath = protocol.SubjectPath{Path: "/home/dev/src/shop/a.go"}
	move.Subject.Files[0].Diff = "rename\n"
	move.Subject.Files[0].To = &protocol.SubjectPath{Path: "/home/dev/src/shop/b/a.go", Real: "/home/dev/other\u202e/a.go", Outside: true, Protected: "it is none of the task's"}
	return []*protocol.ApprovalRequestParams{push, one, denied, outside, again, &ruled, many, move}
}

func TestCards(t *testing.T) {
	for _, width := range []int{80, 200} {
		var all strings.Builder
		for _, p := range cards() {
			f := newFront(t, console.Options{OutTTY: true, Width: width, Home: "/home/dev", In: strings.NewReader("a\ny\n")})
			if out, err := f.ApprovalRequest(t.Context(), p); err != nil || out == nil {
				t.Errorf("%s: %+v, %v", p.Title, out, err)
			}
			all.WriteString(f.err.String() + "\n")
		}
		wantHarmless(t, all.String())
		for line := range strings.Lines(all.String()) {
			if n := columnsOf(strings.TrimSuffix(line, "\n")); n > width {
				t.Errorf("%d columns: %s", n, line)
			}
		}
		golden(t, fmt.Sprintf("cards-%d", width), all.String())
	}
	for _, width := range []int{0, 20, 33} { // no panic, nothing lost of what is decided on
		for _, p := range cards() {
			f := newFront(t, console.Options{OutTTY: true, Width: width, In: strings.NewReader("n\n")})
			if out, err := f.ApprovalRequest(t.Context(), p); err != nil || out == nil || out.OptionID == "" {
				t.Errorf("%s: %+v, %v", p.Title, out, err)
			}
		}
	}
}

// A number picks what is always allowed, as it was shown.
func TestAlwaysByNumber(t *testing.T) {
	interleaved := commandParams("git push")
	o := interleaved.Options
	o[2], o[4] = o[4], o[2] // of the first pattern, and of the second
	for _, tt := range []struct {
		p             *protocol.ApprovalRequestParams
		typed, option string
	}{
		{commandParams("git push"), "a\n1", "always_0_0"}, {commandParams("git push"), "a\n5", "always_1_1"}, {commandParams("git push"), "a 6", "always_1_2"},
		{commandParams("git push"), "a\n7\n0\na\n3", "always_0_2"}, {commandParams("git push"), "2\na\n2", "always_0_1"},
		{commandParams("git push"), "a 7\n4", "always_1_0"}, {commandParams("git push"), "a\n-1\nn", "reject_once"},
		{interleaved, "a\n2", "always_0_2"}, {interleaved, "a\n4", "always_1_0"},
	} {
		f := newFront(t, console.Options{OutTTY: true, In: strings.NewReader(tt.typed + "\n")})
		out, err := f.ApprovalRequest(t.Context(), tt.p)
		if err != nil || out == nil || out.OptionID != tt.option || out.SubjectHash != "hash" || out.Feedback != nil {
			t.Errorf("%q: %+v, %v\n%s", tt.typed, out, err, f.err)
		}
	}
	one := commandParams("make")
	one.Options = offers([]string{"commands that start with `make`"}, []string{"workspace"})
	f := newFront(t, console.Options{OutTTY: true, In: strings.NewReader("a 1\na\n")})
	if out, err := f.ApprovalRequest(t.Context(), one); err != nil || out == nil || out.OptionID != "always_0_0" || strings.Contains(f.err.String(), "no always") {
		t.Errorf("%+v, %v", out, err)
	}
}

// What is stored is told once it is, with the way back.
func TestStoredRule(t *testing.T) {
	rule := func(id int64, scope, pattern string) protocol.RuleInfo {
		return protocol.RuleInfo{ID: id, Rule: protocol.Rule{Scope: scope, Pattern: pattern}}
	}
	const push = "commands that start with `git push`"
	for name, tt := range map[string]struct {
		typed string
		rules []protocol.RuleInfo
		fails error
		want  string
	}{
		"workspace":        {"a\n2", []protocol.RuleInfo{rule(3, "workspace", push), rule(7, "workspace", push), rule(8, "user", push)}, nil, "  from now on in this workspace: " + push + " · taken back by: clined rules remove 7\n"},
		"everywhere":       {"a 3", []protocol.RuleInfo{rule(3, "workspace", push), rule(8, "user", push)}, nil, "  from now on everywhere: " + push + " · taken back by: clined rules remove 8\n"},
		"the task":         {"a 1", nil, nil, "    from now on in this task: " + push + "\n"},
		"not stored":       {"a 2", []protocol.RuleInfo{rule(8, "user", push)}, nil, "  it could not be stored: from now on in this task: " + push + "\n"},
		"cannot be listed": {"a 2", nil, errors.New("busy"), "  from now on in this workspace: " + push + " · clined rules shows it\n"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFront(t, console.Options{OutTTY: true, In: strings.NewReader(tt.typed + "\n")})
				s := &fakeServer{commands: commands{rules: tt.rules, fails: tt.fails}}
				s.turns = []func(context.Context, *fakeServer){func(ctx context.Context, s *fakeServer) {
					c := event.ToolCall{ToolCallID: "c1", Name: "execute_command", Kind: "command", Status: event.Pending}
					s.emit(c)
					if _, err := s.client.ApprovalRequest(ctx, commandParams("git push")); err != nil {
						t.Error(err)
					}
					s.emit(c) // it is not stored yet
					synctest.Wait()
					if before := strings.Contains(f.err.String(), "clined rules"); before {
						t.Error("told too early")
					}
					c.Status = event.InProgress
					s.emit(c, c)
					synctest.Wait()
					c.Status = event.Done
					s.emit(c, idle(event.Completed))
				}}
				hangUp, _ := connect(t, f, s)
				f.Run(t.Context(), task("x"))
				hangUp()
				wantIn(t, f.err.String(), tt.want)
				if n := strings.Count(f.err.String(), "from now on in") + strings.Count(f.err.String(), "from now on everywhere"); n != 1 {
					t.Errorf("told %d times:\n%s", n, f.err)
				}
			})
		})
	}
}

// What is found out late is told before the front hangs up, and a daemon that
// hangs does not keep it for ever.
func TestStoredRuleAtTheEnd(t *testing.T) {
	for name, hangs := range map[string]time.Duration{"late": time.Second, "never": time.Hour} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFront(t, console.Options{OutTTY: true, In: strings.NewReader("a 3\n")})
				s := &fakeServer{commands: commands{slow: make(chan struct{})}}
				s.turns = []func(context.Context, *fakeServer){func(ctx context.Context, s *fakeServer) {
					if _, err := s.client.ApprovalRequest(ctx, commandParams("git push")); err != nil {
						t.Error(err)
					}
					s.emit(event.ToolCall{ToolCallID: "c1", Kind: "command", Status: event.InProgress}, idle(event.Completed))
				}}
				hangUp, _ := connect(t, f, s)
				f.Run(t.Context(), task("x"))
				time.AfterFunc(hangs, func() { close(s.commands.slow) })
				hangUp()
				wantIn(t, f.err.String(), map[string]string{"late": "it could not be stored: ", "never": "clined rules shows it\n"}[name])
			})
		})
	}
}

// A single tool has no events to wait for.
func TestStoredRuleWithoutATask(t *testing.T) {
	f := newFront(t, console.Options{OutTTY: true, In: strings.NewReader("a 3\n")})
	if out, err := f.ApprovalRequest(t.Context(), commandParams("git push")); err != nil || out == nil || out.OptionID != "always_0_2" {
		t.Errorf("%+v, %v", out, err)
	}
	wantIn(t, f.err.String(), "from now on everywhere: commands that start with `git push` · clined rules shows it\n")
}

// The events of commands are JSON like any other.
func TestCommandsAsJSON(t *testing.T) {
	f := newFront(t, console.Options{JSON: true})
	zero := 0
	e := command("c1", "make\u202e", "exited", "", false)
	e.ExitCode = &zero
	f.events(command("c1", "make", "background", "go? ", true), event.TerminalDelta{TerminalID: "c1", Text: "on\x1b\n"}, e)
	wantIn(t, f.out.String(), `"event":{"type":"terminal","terminalId":"c1","command":"make","cwd":"/w","state":"background","tty":true,"asks":"go? "}}`+"\n",
		`"event":{"type":"terminalDelta","terminalId":"c1","text":"on\u001b\n"}}`+"\n", `"command":"make\u202e","cwd":"/w","state":"exited","exitCode":0}}`+"\n")
	if f.err.String() != "" {
		t.Error(f.err)
	}
}
