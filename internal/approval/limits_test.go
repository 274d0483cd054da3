package approval

import (
	"slices"
	"strings"
	"testing"
	"testing/quick"

	"clined/internal/tools"
)

func TestClinePermissions(t *testing.T) {
	limits := func(text string) *CommandLimits {
		l, err := ParseClinePermissions(text)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	all := Settings{Command: AllCommands, Yes: true}
	both := limits(`{"allow": ["git *", "npm test", "ls*", "cat ?", "sh *"], "deny": ["git push*", "rm *", "* --force"]}`)
	for _, c := range []struct {
		l     *CommandLimits
		lines []string
		want  Verdict
	}{
		{both, []string{"git status", "git log | cat a", "npm test", "ls", "ls -la; git status", "ls 2>&1", "ls >/dev/null", "npm  'test'", `git commit -m "a; b"`}, Allow},
		{both, []string{
			"npm run x", "git status; npm run x", "git status && curl x", "echo $(git status)", "git log | sh", "catx", "cat ab", "git", "/tmp/git status", "if git status; then make; fi", "sudo git status", "FOO=1 make", "git status\nmake",
			"git push", "git push origin", "git 'push'", "git status; git push", "sh -c 'git push'", "git log $(git push)", "git commit --force", "/usr/bin/git push",
			"git log > f", "git log >> f", "ls < f", "git apply <<E\nx\nE", "ls 2>f", "git log | ls > f", "ls $(ls >f)",
		}, Deny},
		{both, []string{"git pu", "git log $(git status)", "git log `ls`", "ls &", "git log 'x", "A=b git log"}, Deny}, // with --yes what cannot be told is refused
		{limits(`{"deny": ["rm *", "sudo *"]}`), []string{"make", "ls", "rmdir x", "echo rm x"}, Allow},
		{limits(`{"deny": ["rm *", "sudo *"]}`), []string{"rm x", "rm", "ls; rm -rf x", "sudo ls", "/bin/rm x", "xargs rm x", "bash -c 'rm x'", "find . -exec rm x \\;", "make > f"}, Deny},
		{limits(`{"allow": ["*"], "allowRedirects": true}`), []string{"make > f", "ls < f | sort >> g", "echo $HOME"}, Allow},
		{limits(`{}`), []string{"make", "rm x"}, Allow},
		{limits(`{}`), []string{"make > f"}, Deny},
	} {
		for _, line := range c.lines {
			p := Policy{Settings: all, Limits: c.l}
			j := p.Judge(command(line), tools.Act)
			if j.Verdict != c.want {
				t.Errorf("%q: %s (%s), want %s", line, j.Verdict, j.Reason, c.want)
			}
			// They allow nothing by themselves.
			if j := (Policy{Limits: c.l}).Judge(command(line), tools.Act); j.Verdict == Allow {
				t.Errorf("%q: allowed by %s", line, j.Rule)
			}
		}
	}
	for _, line := range []string{"git log $(git status)", "git log `ls`", "ls &", "git log 'x"} {
		if j := (Policy{Settings: Settings{Command: AllCommands}, Limits: both}).Judge(command(line), tools.Act); j.Verdict != Ask || len(j.Offers) > 0 {
			t.Errorf("%q: %+v", line, j)
		}
	}
	if j := (Policy{Settings: Settings{Read: true}, Limits: both}).Judge(read(inside("a")), tools.Act); j.Verdict != Allow {
		t.Errorf("they are about commands: %+v", j)
	}
}

func TestBrokenClinePermissions(t *testing.T) {
	for _, text := range []string{"", "{", "[]", `{"allow": "git"}`, `{"allow": []} x`, "null x", `{"deny": [1]}`,
		"null", `{"deny": null}`, `{"deny": [null]}`, `{"deny": ["a", null]}`, `{"allow": null}`, `{"allow": {}}`, `{"deny": "rm *"}`, `{"deny": [["rm"]]}`, `{"allowRedirects": "true"}`, `{"allowRedirects": 1}`, `{"allowRedirects": null}`,
		`{"deny": ["a"]} }`, `{"deny": ["a"]} ]`, `{"deny": ["a"], "Deny": []}`, `"deny"`, "1", `{"deny": ["a"],}`,
		`{"deny":["rm *"],"deny":[]}`, `{"deny":[],"deny":["a"]}`, `{"allow":["a"],"x":1,"allow":["a"]}`, `{"allowRedirects":true,"allowRedirects":false}`, `{"deny":["rm *"],"\u0064eny":[]}`} {
		l, err := ParseClinePermissions(text)
		if err == nil || !strings.Contains(err.Error(), "CLINE_COMMAND_PERMISSIONS cannot be read") || l == nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		p := Policy{Settings: Settings{Command: AllCommands}, Limits: l}
		if j := p.Judge(command("ls"), tools.Act); j.Verdict != Ask || !strings.Contains(j.Reason, "may deny") {
			t.Errorf("%q: %+v", text, j)
		}
		if p.Yes = true; p.Judge(command("ls"), tools.Act).Verdict != Deny {
			t.Errorf("%q: allowed with --yes", text)
		}
	}
}

// A key that is not known is told of, and takes nothing from the others; the case
// of keys does not matter.
func TestUnknownKeysOfClinePermissions(t *testing.T) {
	for text, want := range map[string][]string{
		`{"denny": ["rm *"], "allows": 1, "Deny": ["make *"]}`: {"allows", "denny"}, `{"": null, "deny": ["make"]}`: {""}, `{"x": 1, "deny": ["make"], "x": {"deny": []}}`: {"x"}, `{"DENY": ["make"]}`: nil, `{"allow": [], "deny": ["make"], "allowRedirects": true}`: nil,
	} {
		l, err := ParseClinePermissions(text)
		if err != nil || !slices.Equal(l.Unknown(), want) {
			t.Errorf("%s: %v %q", text, err, l.Unknown())
		}
		if j := (Policy{Settings: Settings{Command: AllCommands}, Limits: l}).Judge(command("make"), tools.Act); j.Verdict != Deny {
			t.Errorf("%s: %+v", text, j)
		}
	}
}

func TestWildcard(t *testing.T) {
	for _, c := range []struct {
		glob, text string
		want       bool
	}{
		{"*", "", true}, {"", "", true}, {"", "a", false}, {"a*c", "abbc", true}, {"a*c", "abbcd", false}, {"*a*b*", "xxaxxbxx", true}, {"?", "é", true}, {"a?", "a", false}, {"git *", "git", false}, {"[a]", "[a]", true}, {"a.b", "axb", false},
		{strings.Repeat("*a", 50) + "b", strings.Repeat("a", 5000), false},
	} {
		if got := wildcard(c.glob, c.text); got != c.want {
			t.Errorf("%.20q on %.20q: %v", c.glob, c.text, got)
		}
	}
	itself := func(s string) bool {
		return strings.ContainsAny(s, "*?") || strings.TrimSpace(s) != s || wildcard(s, s) && wildcard(s+"*", s+"x")
	}
	if err := quick.Check(itself, nil); err != nil {
		t.Error(err)
	}
}
