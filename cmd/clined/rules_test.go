package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"clined/internal/approval"
	"clined/internal/config"
	"clined/internal/console"
	"clined/internal/daemon"
	"clined/internal/protocol"
	"clined/internal/store"
	"clined/internal/test/fakellm"
	"clined/internal/tools"
)

// steering are characters that move a cursor, paint, or turn the direction of
// writing, in the forms that encoders treat differently.
const steering = "\x1b[2J\x07\r\u0085\u009b31m\x7f\u202e\u2028"

func wantNoSteering(t *testing.T, r ran) {
	t.Helper()
	for _, c := range r.out + r.err {
		if c != '\n' && (unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c) || c == '\u2028') {
			t.Fatalf("%U in %q", c, r.out+r.err)
		}
	}
}

// storeRules keeps rules as they are made in a folder.
func storeRules(t *testing.T, dir string, list ...approval.Rule) {
	t.Helper()
	dirs, err := config.FindDirs()
	if err != nil {
		t.Fatal(err)
	}
	st := store.Open(dirs.State, store.Options{})
	defer st.Close()
	for _, r := range list {
		if err := daemon.NewRules(st, dir).Add(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
}

func commandRule(scope approval.Scope, words ...string) approval.Rule {
	return approval.Rule{Scope: scope, Kind: tools.Command, Commands: [][]string{words}}
}

func TestRulesListAndRemove(t *testing.T) {
	t.Setenv("CLINED_HOME", t.TempDir())
	here, there := t.TempDir(), t.TempDir()
	t.Setenv("HOME", filepath.Dir(there))
	command(t, "", "rules", "--cwd", here).want(t, 0, []string{"There are no rules."}, nil)
	if r := command(t, "", "rules", "--json", "--cwd", here); strings.Join(strings.Fields(r.out), "") != `{"rules":[]}` {
		t.Errorf("%q", r.out)
	}

	denied := commandRule(approval.UserScope, "rm")
	denied.Verdict = approval.Deny
	storeRules(t, here, commandRule(approval.UserScope, "git", "status"), commandRule(approval.WorkspaceScope, "make"), denied)
	storeRules(t, there, commandRule(approval.WorkspaceScope, "go", "test"), commandRule(approval.WorkspaceScope, "odd\n"+steering))
	r := command(t, "", "rules", "--cwd", here)
	r.want(t, 0, []string{
		"1  allow  commands that start with `git status` (everywhere, since 2",
		"2  allow  commands that start with `make` (in ~" + string(filepath.Separator) + filepath.Base(here) + ", since 2",
		"3  deny   commands that start with `rm` (everywhere, since 2",
	}, nil)
	if strings.Count(r.out, "\n") != 3 {
		t.Errorf("rules of another workspace:\n%s", r.out)
	}
	r = command(t, "", "rules", "list", "--all", "--cwd", here)
	r.want(t, 0, []string{"4  allow  commands that start with `go test` (in ~" + string(filepath.Separator) + filepath.Base(there) + ", since 2", "\n5  allow  "}, nil)
	wantNoSteering(t, r)
	r = command(t, "", "rules", "--all", "--json", "--cwd", here)
	wantNoSteering(t, r)
	var listed protocol.RuleListResult
	if err := json.Unmarshal([]byte(r.out), &listed); err != nil || len(listed.Rules) != 5 || !strings.Contains(listed.Rules[4].Pattern, `\u202e`) && !strings.Contains(listed.Rules[4].Pattern, "\u202e") {
		t.Errorf("%v: %+v", err, listed)
	}
	if got := listed.Rules[3]; got.Workspace != there || got.Scope != "workspace" || got.Verdict != "allow" {
		t.Errorf("%+v", got)
	}

	r = command(t, "", "rules", "remove", "1", "99", "4", "1")
	r.want(t, 1, []string{"Rule 1 is removed.\nRule 4 is removed.\n"},
		[]string{"clined: there is no rule 99\nhint: see which there are: clined rules --all\n", "there is no rule 1\n"})
	command(t, "", "rules", "remove", "2").want(t, 0, []string{"Rule 2 is removed.\n"}, nil)
	if r := command(t, "", "rules", "--all", "--cwd", here); strings.Count(r.out, "\n") != 2 || !strings.Contains(r.out, "3  deny") {
		t.Errorf("left:\n%s", r.out)
	}
	command(t, "", "rules", "remove").want(t, 2, nil, []string{"clined: ", "hint: "})
	command(t, "", "rules", "remove", "x").want(t, 2, nil, []string{"clined: ", "hint: "})
}

// decide writes the log of decisions as daemons do.
func decide(t *testing.T, list ...any) {
	t.Helper()
	dirs, err := config.FindDirs()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	for _, e := range list {
		if text, ok := e.(string); ok {
			b.WriteString(text + "\n")
		} else if err := json.NewEncoder(&b).Encode(e); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dirs.State, "log", "decisions.jsonl")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestRulesLogWords(t *testing.T) {
	t.Setenv("CLINED_HOME", t.TempDir())
	command(t, "", "rules", "log").want(t, 0, []string{"Nothing was decided yet."}, nil)
	at := time.Date(2026, 3, 14, 9, 26, 53, 0, time.Local)
	for _, tt := range []struct {
		e    approval.Entry
		want string
	}{
		{approval.Entry{Verdict: approval.Allow, By: approval.ByUser, Reason: "Running commands asks first.", Feedback: "go\x1b"},
			"2026-03-14 09:26:53  allowed    X\n                     by you, asked because: Running commands asks first; you said \"go\\x1b\"\n"},
		{approval.Entry{Verdict: approval.Allow, By: approval.ByUser, Rule: "exactly `ls`", Scope: approval.WorkspaceScope, Reason: "r."}, "by you, from now on in that workspace: exactly `ls`\n"},
		{approval.Entry{Verdict: approval.Allow, By: approval.ByUser, Rule: "exactly `ls`", Scope: approval.UserScope}, "by you, from now on everywhere: exactly `ls`\n"},
		{approval.Entry{Verdict: approval.Allow, By: approval.ByUser, Rule: "exactly `ls`", Scope: approval.TaskScope}, "by you, from now on in that task: exactly `ls`\n"},
		{approval.Entry{Verdict: approval.Deny, By: approval.ByUser}, "  denied     X\n                     by you\n"},
		{approval.Entry{Verdict: approval.Allow, By: approval.BySettings, Rule: "autoApprove.command"}, " by autoApprove.command\n"},
		{approval.Entry{Verdict: approval.Deny, By: approval.ByRule, Rule: "permissions.deny `rm`", Reason: "It is denied."}, " by permissions.deny `rm`\n"},
		{approval.Entry{Verdict: approval.Deny, By: approval.BySettings, Reason: "In plan mode nothing is changed."}, " by the settings: In plan mode nothing is changed\n"},
		{approval.Entry{Verdict: approval.Ask, By: approval.ByNobody, Reason: "It asks."}, "  undecided  X\n                     nobody was there to be asked: It asks\n"},
		{approval.Entry{Verdict: approval.Ask, By: approval.ByNobody, Reason: "It asks.", Unanswered: "the task was stopped before it was answered"},
			"  undecided  X\n                     the task was stopped before it was answered; asked because: It asks\n"},
		{approval.Entry{Verdict: approval.Allow, By: approval.ByUser, Unsandboxed: true}, "  allowed    X (outside the sandbox)\n"},
	} {
		tt.e.At, tt.e.Title = at, "X"
		decide(t, tt.e)
		if r := command(t, "", "rules", "log"); r.code != 0 || !strings.Contains(r.out, tt.want) {
			t.Errorf("%+v:\n%s", tt.e, r.out)
		}
	}
}

func TestRulesLogChoice(t *testing.T) {
	t.Setenv("CLINED_HOME", t.TempDir())
	var list []any
	for i := range 130 {
		task := "01aa-odd9"
		if i%2 == 0 {
			task = "01aa-even8"
		}
		list = append(list, approval.Entry{TaskID: task, Title: fmt.Sprintf("call %d%s", i, steering), Verdict: approval.Allow,
			By: approval.By("settings" + steering), Reason: steering, Feedback: steering})
	}
	list = append(list, `{"half":`)
	decide(t, list...)
	for name, tc := range map[string]struct {
		args []string
		n    int
		last string
	}{
		"the newest":       {nil, 50, "call 129"},
		"few":              {[]string{"-n", "3"}, 3, "call 129"},
		"all":              {[]string{"--limit", "0"}, 130, "call 129"},
		"of a task":        {[]string{"--task", "01aa-even8", "--limit", "0"}, 65, "call 128"},
		"by its end":       {[]string{"--task", "odd9", "--limit", "2"}, 2, "call 129"},
		"by its beginning": {[]string{"--task", "01aa-e"}, 50, "call 128"},
	} {
		t.Run(name, func(t *testing.T) {
			args := append([]string{"rules", "log"}, tc.args...)
			r := command(t, "", args...)
			r.want(t, 0, []string{tc.last}, []string{"clined: 1 lines of ", "hint: they are left out"})
			if n := strings.Count(r.out, "  allowed    call "); n != tc.n {
				t.Errorf("%d decisions, want %d", n, tc.n)
			}
			wantNoSteering(t, r)
			r = command(t, "", append(args, "--json")...)
			wantNoSteering(t, r)
			lines := strings.Split(strings.TrimSpace(r.out), "\n")
			var e approval.Entry
			if err := json.Unmarshal([]byte(lines[len(lines)-1]), &e); err != nil || len(lines) != tc.n || e.Title != tc.last+steering {
				t.Errorf("%v, %d lines, the last of %q", err, len(lines), e.Title)
			}
		})
	}
	command(t, "", "rules", "log", "--task", "none").want(t, 0, []string{`Nothing was decided in a task "none".`}, nil)
	command(t, "", "rules", "log", "--limit=-1").want(t, 2, nil, []string{"clined: --limit is -1", "hint: "})
}

// What a person allows for longer than the task is told with the number that
// takes it away.
func TestRuleOfARun(t *testing.T) {
	model := fakellm.Start(t, `
reply
  call execute_command {"command":"git status --short"}
reply
  call execute_command {"command":"git status"}
reply
  call attempt_completion {"result":"Seen."}
`)
	settings(t, `{"model": "m", "baseUrl": "`+model.URL()+`"}`)
	dir := workspace(t)
	r := command(t, "a\n2\n", "run", "look", "--cwd", dir)
	r.want(t, console.ExitDone, []string{"Seen."}, []string{
		"      commands that start with `git status`\n        1 in this task · 2 in this workspace · 3 everywhere\n",
		"from now on in this workspace: commands that start with `git status` · taken back by: clined rules remove 1\n",
	})
	command(t, "", "rules", "--cwd", dir).want(t, 0, []string{"1  allow  commands that start with `git status` (in "}, nil)
	command(t, "", "rules", "log").want(t, 0, []string{"by you, from now on in that workspace: commands that start with `git status`"}, nil)
}
