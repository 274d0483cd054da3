package approval

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"clined/internal/tools"
)

// strictness orders verdicts.
var strictness = map[Verdict]int{Allow: 0, Ask: 1, Deny: 2}

func pick[T any](rng *rand.Rand, list []T) T { return list[rng.IntN(len(list))] }

// subjects of all kinds.
func anySubject(rng *rand.Rand, lines []string) tools.Subject {
	path := pick(rng, []tools.Path{
		inside("a.go"), inside("src/b.go"), inside("src/deep/c.md"), outside("/etc/x"), outside("/home/u/notes/n.md"),
		{Display: "x/link", Abs: "/ws/x/link", Real: "/ws/secret/key"}, {Display: ".env", Abs: "/ws/.env", Real: "/ws/.env", Ignored: true},
		{Display: ".git/config", Abs: "/ws/.git/config", Real: "/ws/.git/config", Protected: "it is git's"},
	})
	switch rng.IntN(6) {
	case 0:
		return read(path)
	case 1:
		return edit(path)
	case 2:
		return tools.Subject{Kind: tools.MCP, Server: pick(rng, []string{"s", "t"}), MCPTool: pick(rng, []string{"a", "b"}), SchemaHash: pick(rng, []string{"", "h"}), Trusted: rng.IntN(4) == 0, ReadOnly: rng.IntN(2) == 0}
	}
	s := command(pick(rng, lines))
	s.WantsApproval, s.Unsandboxed = rng.IntN(4) == 0, rng.IntN(8) == 0
	return s
}

func anyRule(rng *rand.Rand, v Verdict) Rule {
	r := Rule{Scope: pick(rng, []Scope{TaskScope, UserScope, SettingsScope}), Verdict: v, Kind: pick(rng, []tools.Kind{tools.Command, tools.Command, tools.Read, tools.Edit, tools.MCP})}
	words := strings.Fields(pick(rng, []string{"ls", "rm", "git", "git status", "git push", "make test", "echo", "head", "sh", "find", "cat a", "npm"}))
	globs := []string{"**", "*.go", "src/**", "secret/", "~/notes/*.md", "/etc/*", "x/*", "**/c.md"}
	switch r.Kind {
	case tools.Command:
		if rng.IntN(2) == 0 {
			r.Commands = [][]string{words}
		} else {
			r.Exact = [][]string{words}
		}
	case tools.MCP:
		r.Server, r.Tool, r.SchemaHash = "s", pick(rng, []string{"", "a"}), pick(rng, []string{"", "h"})
	default:
		r.Inside = rng.IntN(2) == 0
		if rng.IntN(3) > 0 {
			r.Paths = []string{pick(rng, globs)}
		}
	}
	return r
}

func protectsMost(word string) string {
	if strings.ContainsAny(word, "aeiou") {
		return "it has a vowel"
	}
	return ""
}

// holdsSome is true of where commands run and of a few words.
func holdsSome(word string, _ bool) string {
	return when(word == "." || strings.HasSuffix(word, "x") || strings.Contains(word, "s"), "which holds something")
}

func anyPolicy(rng *rand.Rand) Policy {
	flip := func() bool { return rng.IntN(2) == 0 }
	p := Policy{
		Settings: Settings{Read: flip(), ReadOutside: flip(), Edit: flip(), EditOutside: flip(), MCP: flip(), Yes: rng.IntN(5) == 0,
			Command: pick(rng, []Commands{NoCommands, SafeCommands, AllCommands})},
		Roots: []string{"/ws"}, Home: "/home/u",
	}
	if rng.IntN(4) == 0 {
		p.Hidden = func(w string) bool { return strings.Contains(w, "secret") }
	}
	if rng.IntN(4) == 0 {
		p.Holds = holdsSome
	}
	if rng.IntN(4) == 0 {
		p.Protected = protectsMost
	}
	if rng.IntN(8) == 0 {
		p.ForeignShell = "pwsh"
	}
	if rng.IntN(4) == 0 {
		p.Paths = func(name string) ([]string, bool) {
			return []string{name, "/home/u/secret"}, !strings.Contains(name, "*")
		}
	}
	p.Unread = rng.IntN(10) == 0
	if rng.IntN(6) == 0 {
		p.Limits, _ = ParseClinePermissions(`{"allow": ["ls*", "git *", "echo *"], "deny": ["git push*"], "allowRedirects": true}`)
	}
	for range rng.IntN(4) {
		r := anyRule(rng, pick(rng, []Verdict{"", Allow, Ask, Deny}))
		switch rng.IntN(4) {
		case 0:
			p.Allow = append(p.Allow, r)
		case 1:
			p.Ask = append(p.Ask, r)
		case 2:
			p.Deny = append(p.Deny, r)
		default:
			p.Rules = append(p.Rules, r)
		}
	}
	return p
}

// Rules that ask or deny, a wish for approval, no sandbox and rules that cannot
// be read never loosen what is said, whatever else holds.
func TestStricterNeverLoosens(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	lines := slices.Concat(harmless, bypasses, deniedLines, reading, changing)
	for range 8_000 {
		p, s, mode := anyPolicy(rng), anySubject(rng, lines), pick(rng, []tools.Mode{tools.Act, tools.Act, tools.Plan})
		before := p.Judge(s, mode)
		stricter, what := p, ""
		changed := s
		switch rng.IntN(8) {
		case 7:
			stricter.Holds, what = holdsSome, "folders with hidden files"
		case 0, 1:
			r := anyRule(rng, pick(rng, []Verdict{Ask, Deny, "unknown"}))
			stricter.Rules, what = append(slices.Clone(p.Rules), r), fmt.Sprintf("%s %s", r.Verdict, r)
		case 2:
			changed.WantsApproval, what = true, "a wish for approval"
		case 3:
			changed.Unsandboxed, what = true, "no sandbox"
		case 4:
			stricter.ForeignShell, what = "cmd", "a foreign shell"
		case 5:
			stricter.Protected, what = protectsMost, "protected files"
		default:
			stricter.Unread, what = true, "unread rules"
		}
		after := stricter.Judge(changed, mode)
		if strictness[after.Verdict] < strictness[before.Verdict] {
			t.Fatalf("%+v\n%+v\nwith %s: %s (%s) became %s (%s)", s, p, what, before.Verdict, before.Reason, after.Verdict, after.Rule)
		}
	}
}

// Judging depends on its inputs alone, and leaves them as they are.
func TestJudgingIsPure(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	lines := slices.Concat(harmless, bypasses)
	text := func(p Policy, s tools.Subject) string {
		b, err := json.Marshal([]any{p.Settings, p.Rules, s})
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	for range 5_000 {
		p, s := anyPolicy(rng), anySubject(rng, lines)
		before := text(p, s)
		one, two := p.Judge(s, tools.Act), p.Judge(s, tools.Act)
		if !reflect.DeepEqual(one, two) || text(p, s) != before {
			t.Fatalf("%+v\n%+v\n%+v\n%+v", s, p, one, two)
		}
	}
}

// What is said of the parts fits what is said of the line.
func TestPartsFitTheLine(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	lines := slices.Concat(harmless, bypasses, deniedLines, reading, changing)
	for range 6_000 {
		p, mode := anyPolicy(rng), pick(rng, []tools.Mode{tools.Act, tools.Plan})
		s := anySubject(rng, lines)
		if s.Kind != tools.Command {
			continue
		}
		j := p.Judge(s, mode)
		if len(j.Parts) > 0 && !slices.ContainsFunc(j.Parts, func(c Part) bool { return c.Verdict == j.Verdict }) {
			t.Fatalf("%q is %s (%s), and none of its parts: %+v\n%+v", s.Command, j.Verdict, j.Reason, j.Parts, p)
		}
		for _, part := range j.Parts {
			if part.Command == "" || !strings.Contains(s.Command, part.Command) || part.Verdict == Allow && part.Reason != "" || part.Verdict != Allow && part.Reason == "" {
				t.Fatalf("%q: %+v", s.Command, part)
			}
			if strictness[part.Verdict] > strictness[j.Verdict] {
				t.Fatalf("%q is %s, its part %+v\n%+v", s.Command, j.Verdict, part, p)
			}
		}
	}
}

// An offer allows the subject it was made for, and nothing with a further
// command; none is made for what destroys, or where a rule is in the way.
func TestOffersAreExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	lines := slices.Concat(harmless, bypasses, deniedLines, reading, changing)
	offered := 0
	for range 6_000 {
		p, s := anyPolicy(rng), anySubject(rng, lines)
		j := p.Judge(s, tools.Act)
		if len(j.Offers) > 0 && j.Verdict != Ask {
			t.Fatalf("%s, and yet %v is offered", j.Verdict, j.Offers)
		}
		for _, r := range j.Offers {
			offered++
			with := p
			with.Rules = append(slices.Clone(p.Rules), stored(t, r))
			if again := with.Judge(s, tools.Act); again.Verdict != Allow {
				t.Fatalf("%+v with %s: %+v", s, r, again)
			}
			if s.Kind != tools.Command || strings.Contains(s.Command, "#") { // a comment hides the further command
				continue
			}
			for _, form := range []string{"%s; canary-xyz", "%s && canary-xyz", "canary-xyz | %s", "%s | canary-xyz", "%s\ncanary-xyz", "(canary-xyz); %s", "%s >f", "%s $(canary-xyz)"} {
				more := s
				more.Command = fmt.Sprintf(form, s.Command)
				if again := with.Judge(more, tools.Act); again.Verdict == Allow && p.Judge(more, tools.Act).Verdict != Allow {
					t.Fatalf("%q with %s: %+v", more.Command, r, again)
				}
			}
		}
	}
	if offered < 200 {
		t.Errorf("only %d offers were looked at", offered)
	}
	for _, line := range []string{"rm x", "rm -rf /", "git push", "git reset --hard", "git clean -fd", "dd of=x", "mv a b", "sh -c ls", "sudo make", "xargs make", "npm publish", "npm uninstall x",
		"kubectl delete pod x", "docker rm x", "make clean", "terraform destroy", "find . -delete", "python3 -c x", "ls; rm x", "make test; rm x", "go env -w A=b", "curl http://x", "ssh h ls", "/bin/rm x", "./rm x", "cat x | make", "node -e x"} {
		if j := (Policy{}).Judge(command(line), tools.Act); len(j.Offers) > 0 {
			t.Errorf("%q: %v is offered", line, j.Offers)
		}
	}
	for _, v := range []Verdict{Ask, Deny} {
		p := Policy{Rules: []Rule{{Kind: tools.Command, Verdict: v, Commands: [][]string{{"ls"}}}, {Kind: tools.Read, Verdict: v}, {Kind: tools.MCP, Verdict: v, Server: "s"}}}
		for _, s := range []tools.Subject{command("ls"), command("head; ls x"), read(inside("a")), {Kind: tools.MCP, Server: "s", MCPTool: "a", SchemaHash: "h"}} {
			if j := p.Judge(s, tools.Act); j.Verdict != v || len(j.Offers) > 0 {
				t.Errorf("%+v with a rule that says %s: %+v", s, v, j)
			}
		}
	}
}

// stored is a rule as it comes back from a store.
func stored(t *testing.T, r Rule) (back Rule) {
	t.Helper()
	text, err := json.Marshal(r)
	if err == nil {
		err = json.Unmarshal(text, &back)
	}
	if err != nil {
		t.Fatal(err)
	}
	return back
}
