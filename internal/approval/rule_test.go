package approval

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"clined/internal/tools"
)

func TestParseRule(t *testing.T) {
	for in, want := range map[string]Rule{
		"git status":            {Kind: tools.Command, Commands: [][]string{{"git", "status"}}},
		"command: git  status":  {Kind: tools.Command, Commands: [][]string{{"git", "status"}}},
		"exact: make 'a b'":     {Kind: tools.Command, Exact: [][]string{{"make", "a b"}}},
		"read: ~/notes/**":      {Kind: tools.Read, Paths: []string{"~/notes/**"}},
		"edit: *.lock":          {Kind: tools.Edit, Paths: []string{"*.lock"}},
		" edit : docs/{a,b}/":   {Kind: tools.Edit, Paths: []string{"docs/{a,b}/"}},
		"mcp: github":           {Kind: tools.MCP, Server: "github"},
		"mcp: github/delete":    {Kind: tools.MCP, Server: "github", Tool: "delete"},
		"docker run -p 80:80 x": {Kind: tools.Command, Commands: [][]string{{"docker", "run", "-p", "80:80", "x"}}},
		"npm run a:b":           {Kind: tools.Command, Commands: [][]string{{"npm", "run", "a:b"}}},
	} {
		got, err := parseRule(in, Deny)
		want.Scope, want.Verdict = SettingsScope, Deny
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, %v", in, got, err)
		}
	}
	for _, in := range []string{"", "a && b", "git *", "echo $x", "ls > f", "read:", "read: [", "edit: {" + strings.Repeat("{a,b}", 9), "mcp:", "mcp: /x", "exact:", "exact: a; b", "A=b c"} {
		if r, err := parseRule(in, Ask); err == nil || !reflect.DeepEqual(r, Rule{}) {
			t.Errorf("%q: %+v, %v", in, r, err)
		}
	}
	if _, err := parseRule("mcp: github/delete", Allow); err == nil || !strings.Contains(err.Error(), "autoApprove") {
		t.Error(err)
	}
	got, err := ParseRules([]string{"ls", "a|b", "read: x"}, Deny)
	if len(got) != 2 || err == nil || !strings.Contains(err.Error(), `"a|b"`) {
		t.Error(got, err)
	}
}

// As JSON a rule says what it covers and nothing of the store; one that an
// earlier version wrote allows as before.
func TestRuleAsJSON(t *testing.T) {
	r := Rule{ID: "7", Created: time.Unix(1, 0), Scope: UserScope, Kind: tools.Command, Exact: [][]string{{"make", "test"}}}
	text, err := json.Marshal(r)
	if want := `{"scope":"user","kind":"command","exact":[["make","test"]]}`; err != nil || string(text) != want {
		t.Errorf("%s, %v", text, err)
	}
	var old Rule
	if err := json.Unmarshal([]byte(`{"scope":"user","kind":"command","commands":[["ls"]]}`), &old); err != nil {
		t.Fatal(err)
	}
	if j := (Policy{Rules: []Rule{old}}).Judge(command("ls -l"), tools.Act); j.Verdict != Allow || j.By != ByRule {
		t.Errorf("%+v", j)
	}
	old.Verdict = "of a later version"
	if j := (Policy{Rules: []Rule{old}}).Judge(command("ls -l"), tools.Act); j.Verdict != Deny {
		t.Errorf("%+v", j)
	}
}

func TestRuleInWords(t *testing.T) {
	for want, r := range map[string]Rule{
		"commands that start with `git add` or `ls`, and exactly `make 'a b'`": {Kind: tools.Command, Commands: [][]string{{"git", "add"}, {"ls"}}, Exact: [][]string{{"make", "a b"}}},
		"reading files that match ~/n/** or *.md":                              {Kind: tools.Read, Paths: []string{"~/n/**", "*.md"}},
		"editing files in the workspace that match *.md":                       {Kind: tools.Edit, Inside: true, Paths: []string{"*.md"}},
		"the tools of the MCP server s":                                        {Kind: tools.MCP, Verdict: Deny, Server: "s"},
		"the tool t of the MCP server s":                                       {Kind: tools.MCP, Verdict: Ask, Server: "s", Tool: "t"},
		"the tool t of the MCP server s as it is now":                          {Kind: tools.MCP, Server: "s", Tool: "t"},
	} {
		if r.String() != want {
			t.Errorf("%q, want %q", r, want)
		}
	}
	if got := (Rule{Kind: tools.Command, Verdict: Deny, Scope: UserScope, Commands: [][]string{{"rm"}}}).says(); got != "A rule denies commands that start with `rm`." {
		t.Error(got)
	}
}

// link leads from one place of the workspace to another.
var link = tools.Path{Display: "docs/link.md", Abs: "/ws/docs/link.md", Real: "/ws/secret/key.md"}

func TestRulesOnPaths(t *testing.T) {
	home := outside("/home/u/notes/a/b.md")
	other := outside("/srv/data/x.txt")
	for _, c := range []struct {
		glob   string
		path   tools.Path
		allows bool // as a rule that allows
		denies bool // as a rule that denies
	}{
		{"docs/**", inside("docs/a/b.md"), true, true},
		{"docs/**", inside("docs"), true, true},
		{"docs/**", inside("docsx/a"), false, false},
		{"docs/**", inside("src/docs/a"), false, false},
		{"./docs/**", inside("docs/a"), true, true},
		{"docs/", inside("docs/a/b"), true, true},
		{"docs/*", inside("docs/a/b"), false, true}, // a folder that is denied is so with all in it
		{"docs", inside("docs/a/b"), false, true},
		{"docs/*.md", inside("docs/a.md"), true, true},
		{"docs/*.md", inside("docs/a.mdx"), false, false},
		{"*.md", inside("docs/a/b.md"), true, true},
		{"*.MD", inside("docs/a/b.md"), false, true}, // some file systems ignore case
		{"**/*.md", inside("b.md"), true, true},
		{"{a,b}.go", inside("b.go"), true, true},
		{"/ws/docs/**", inside("docs/a"), true, true},
		{"/ws/**", inside("docs/a"), true, true},
		{"/**", other, true, true},
		{"/srv/data/*", other, true, true},
		{"/srv/*", other, false, true},
		{"*.txt", other, false, true}, // names outside are only ever denied
		{"**", other, false, true},
		{"~/notes/**", home, true, true},
		{"~/notes/*", home, false, true},
		{"~/**", other, false, false},
		{"notes/**", home, false, false},
		{"../**", other, false, false},
		{"docs/**", link, false, true}, // where it leads decides what is allowed, each name what is denied
		{"secret/**", link, true, true},
		{"link.md", link, false, true},
		{"[", inside("a"), false, true}, // what is not understood allows nothing
		{"", inside("a"), false, true},
	} {
		for kind, subject := range map[tools.Kind]tools.Subject{tools.Read: read(c.path), tools.Edit: edit(c.path)} {
			p := Policy{Roots: []string{"/ws"}, Home: "/home/u", Rules: []Rule{{Scope: UserScope, Kind: kind, Paths: []string{c.glob}}}}
			if j := p.Judge(subject, tools.Act); (j.Verdict == Allow) != c.allows || c.allows && j.By != ByRule {
				t.Errorf("%s %s allowed %q: %s %s", kind, c.path.Real, c.glob, j.Verdict, j.Reason)
			}
			p.Settings = Settings{Read: true, ReadOutside: true, Edit: true, EditOutside: true, Yes: true}
			p.Rules[0].Verdict = Deny
			if j := p.Judge(subject, tools.Act); (j.Verdict == Deny) != c.denies {
				t.Errorf("%s %s denied %q: %s %s", kind, c.path.Real, c.glob, j.Verdict, j.Rule)
			}
			p.Yes, p.Rules[0].Verdict = false, Ask
			if j := p.Judge(subject, tools.Act); (j.Verdict == Ask) != c.denies || len(j.Offers) > 0 {
				t.Errorf("%s %s asked about %q: %s %s", kind, c.path.Real, c.glob, j.Verdict, j.Rule)
			}
		}
	}
	p := Policy{Settings: Settings{Edit: true}, Rules: []Rule{{Kind: tools.Edit, Paths: []string{"**"}}}, Roots: []string{"/ws"}}
	protected := inside(".git/config")
	protected.Protected = "it is git's own data"
	if j := p.Judge(edit(protected), tools.Act); j.Verdict != Ask || !strings.Contains(j.Reason, "is protected") {
		t.Errorf("%+v", j)
	}
	moved := edit(inside("a"))
	to := inside("secret/a")
	moved.Edits[0].To = &to
	p.Rules = append(p.Rules, Rule{Kind: tools.Edit, Verdict: Deny, Paths: []string{"secret/"}})
	if j := p.Judge(moved, tools.Act); j.Verdict != Deny || !strings.Contains(j.Reason, "secret/a") {
		t.Errorf("a move: %+v", j)
	}
}

// A command that names a file of which a rule does not let the tools have
// asks, for nobody knows what it does to it.
func TestCommandsNameRuledFiles(t *testing.T) {
	p := Policy{Settings: Settings{Command: AllCommands}, Roots: []string{"/ws"}, Home: "/home/u", Rules: []Rule{
		{Scope: UserScope, Kind: tools.Edit, Verdict: Deny, Paths: []string{"secret/", "*.lock"}}, {Scope: UserScope, Kind: tools.Read, Verdict: Ask, Paths: []string{"~/.ssh/**"}}}}
	for _, line := range []string{"cat secret/key", "cp x secret", "ls > go.lock", "cd secret && cat key", "cat ~/.ssh/id_rsa", "cat /home/u/.ssh/id_rsa", "x --file=a.lock", "sh -c 'rm x.lock'", "cat secret/../secret/a", "cat ./secret/a"} {
		if j := p.Judge(command(line), tools.Act); j.Verdict != Ask || !strings.Contains(j.Reason, "names") || len(j.Offers) > 0 {
			t.Errorf("%q: %+v", line, j)
		}
	}
	for _, line := range []string{"cat secrets", "ls", "cat a.locks", "cat ~/.sshx"} {
		if j := p.Judge(command(line), tools.Act); j.Verdict != Allow {
			t.Errorf("%q: %+v", line, j)
		}
	}
}

func TestRulesOnMCP(t *testing.T) {
	s := tools.Subject{Kind: tools.MCP, Server: "s", MCPTool: "t", SchemaHash: "h", Trusted: true}
	all := Settings{MCP: true, Yes: true}
	for _, c := range []struct {
		r    Rule
		mode tools.Mode
		want Verdict
	}{
		{Rule{Server: "s", Verdict: Deny}, tools.Act, Deny},
		{Rule{Server: "s", Tool: "t", Verdict: Deny}, tools.Plan, Deny},
		{Rule{Server: "s", Tool: "u", Verdict: Deny}, tools.Act, Allow},
		{Rule{Server: "x", Verdict: Deny}, tools.Act, Allow},
		{Rule{Verdict: Deny}, tools.Act, Allow}, // a rule for no server is for none
	} {
		c.r.Kind = tools.MCP
		if j := (Policy{Settings: all, Rules: []Rule{c.r}}).Judge(s, c.mode); j.Verdict != c.want {
			t.Errorf("%+v: %+v", c.r, j)
		}
	}
	p := Policy{Settings: Settings{MCP: true}, Rules: []Rule{{Kind: tools.MCP, Verdict: Ask, Server: "s"}}}
	if j := p.Judge(s, tools.Act); j.Verdict != Ask || len(j.Offers) > 0 {
		t.Errorf("a server's trust is stronger than the user's ask: %+v", j)
	}
}

func TestExactRules(t *testing.T) {
	p := Policy{Rules: []Rule{{Scope: UserScope, Kind: tools.Command, Exact: [][]string{{"ls", "-l"}, {"make", "test"}}}}}
	for line, want := range map[string]Verdict{"ls -l": Allow, "ls  '-l'": Allow, "make test": Allow, "ls": Ask, "ls -l x": Ask, "ls -l $x": Ask, "make": Ask, "make test x": Ask, "make test; ls -l": Allow, "make test > f": Ask} {
		if j := p.Judge(command(line), tools.Act); j.Verdict != want {
			t.Errorf("%q: %+v", line, j)
		}
	}
	p = Policy{Settings: Settings{Command: AllCommands, Yes: true}, Rules: []Rule{{Scope: UserScope, Kind: tools.Command, Verdict: Deny, Exact: [][]string{{"git", "push"}}}}}
	for line, want := range map[string]Verdict{"git push": Deny, "git push -f": Deny, "sudo git push": Deny, "git push origin main": Allow, "git pull": Allow, "git": Allow, "echo $(git push)": Deny} {
		if j := p.Judge(command(line), tools.Act); j.Verdict != want {
			t.Errorf("%q: %+v", line, j)
		}
	}
}
