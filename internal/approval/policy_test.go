package approval

import (
	"strings"
	"testing"

	"clined/internal/tools"
)

func inside(name string) tools.Path {
	return tools.Path{Display: name, Abs: "/ws/" + name, Real: "/ws/" + name}
}

func outside(name string) tools.Path {
	return tools.Path{Display: "ws/link", Abs: "/ws/link", Real: name, Outside: true}
}

func read(paths ...tools.Path) tools.Subject {
	return tools.Subject{Kind: tools.Read, Tool: "read_file", ReadOnly: true, Paths: paths}
}

func edit(paths ...tools.Path) tools.Subject {
	s := tools.Subject{Kind: tools.Edit, Tool: "write_to_file"}
	for _, p := range paths {
		s.Edits = append(s.Edits, tools.FileEdit{Path: p, Op: "modify"})
	}
	return s
}

func TestPaths(t *testing.T) {
	anyRead, readIn := Rule{Scope: TaskScope, Kind: tools.Read}, Rule{Scope: UserScope, Kind: tools.Read, Inside: true}
	editIn := Rule{Scope: WorkspaceScope, Kind: tools.Edit, Inside: true}
	hidden := tools.Path{Display: ".env", Ignored: true}
	for _, c := range []struct {
		name    string
		p       Policy
		s       tools.Subject
		verdict Verdict
		says    string // in the reason or the rule
		offer   string
	}{
		{"default: read inside", Policy{Settings: Settings{Read: true}}, read(inside("a")), Allow, "autoApprove.read", ""},
		{"default: read nothing in particular", Policy{Settings: Settings{Read: true}}, read(), Allow, "autoApprove.read", ""},
		{"default: read outside", Policy{Settings: Settings{Read: true}}, read(inside("a"), outside("/etc/x")), Ask, "/etc/x is outside", "reading files anywhere"},
		{"default: edit", Policy{Settings: Settings{Read: true}}, edit(inside("a")), Ask, "asks first", "editing files in the workspace"},
		{"default: edit outside", Policy{Settings: Settings{Read: true}}, edit(outside("/etc/x")), Ask, "/etc/x is outside", ""},
		{"nothing", Policy{}, read(inside("a")), Ask, "asks first", "reading files in the workspace"},
		{"outside needs inside", Policy{Settings: Settings{ReadOutside: true, EditOutside: true}}, read(outside("/x")), Ask, "", "reading files anywhere"},
		{"read outside", Policy{Settings: Settings{Read: true, ReadOutside: true}}, read(outside("/x")), Allow, "autoApprove.readOutside", ""},
		{"edit", Policy{Settings: Settings{Edit: true}}, edit(inside("a")), Allow, "autoApprove.edit", ""},
		{"edit, not outside", Policy{Settings: Settings{Edit: true}}, edit(inside("a"), outside("/x")), Ask, "/x is outside", ""},
		{"edit outside", Policy{Settings: Settings{Edit: true, EditOutside: true}}, edit(outside("/x")), Allow, "autoApprove.editOutside", ""},
		{"edit of nothing", Policy{Settings: Settings{Edit: true}}, edit(), Ask, "names no file", ""},
		{"read rule", Policy{Rules: []Rule{anyRead}}, read(outside("/x")), Allow, "reading files anywhere (always, task)", ""},
		{"read rule, inside only", Policy{Rules: []Rule{readIn}}, read(outside("/x")), Ask, "", "reading files anywhere"},
		{"read rule is not for edits", Policy{Rules: []Rule{anyRead}}, edit(inside("a")), Ask, "", "editing files in the workspace"},
		{"edit rule", Policy{Rules: []Rule{editIn}}, edit(inside("a")), Allow, "editing files in the workspace (always, workspace)", ""},
		{"edit rule is not for outside", Policy{Rules: []Rule{editIn}}, edit(outside("/x")), Ask, "", ""},
		{"hidden", Policy{Settings: Settings{Read: true, Yes: true}}, read(inside("a"), hidden), Deny, ".env is hidden", ""},
		{"yes", Policy{Settings: Settings{Yes: true}}, edit(outside("/x")), Allow, "--yes", ""},
	} {
		j := c.p.Judge(c.s, tools.Act)
		offer := ""
		if len(j.Offers) > 0 {
			offer = j.Offers[0].String()
			again := c.p
			again.Rules = append(again.Rules, j.Offers[0])
			if j := again.Judge(c.s, tools.Act); j.Verdict != Allow {
				t.Errorf("%s: with the offered rule: %+v", c.name, j)
			}
		}
		if j.Verdict != c.verdict || !strings.Contains(j.Reason+j.Rule, c.says) || offer != c.offer {
			t.Errorf("%s: %+v, offers %q", c.name, j, offer)
		}
	}
}

// What would give the model power later always asks, and says why.
func TestProtected(t *testing.T) {
	p := Policy{Settings: Settings{Edit: true, EditOutside: true}, Rules: []Rule{{Scope: TaskScope, Kind: tools.Edit}}}
	for _, name := range []string{".git/hooks/pre-commit", ".vscode/tasks.json", ".clinerules/x.md", ".clineignore", ".envrc", "/home/u/.config/clined/settings.json"} {
		path := inside(name)
		path.Protected = "it can run commands later"
		j := p.Judge(edit(inside("ok"), path), tools.Act)
		if j.Verdict != Ask || len(j.Offers) > 0 || !strings.Contains(j.Reason, name+" is protected: it can run commands later.") {
			t.Errorf("%s: %+v", name, j)
		}
		yes := p
		yes.Yes = true
		if j := yes.Judge(edit(path), tools.Act); j.Verdict != Allow {
			t.Errorf("%s with --yes: %+v", name, j)
		}
		if j := (Policy{Settings: Settings{Read: true}}).Judge(read(path), tools.Act); j.Verdict != Allow {
			t.Errorf("reading %s: %+v", name, j)
		}
	}
}

// Plan mode changes nothing: edits and MCP tools here; commands are in TestReadOnlyTable.
func TestPlanMode(t *testing.T) {
	p := Policy{Settings: Settings{Read: true, Edit: true, EditOutside: true, MCP: true, Command: AllCommands, Yes: true}}
	mcp := tools.Subject{Kind: tools.MCP, Server: "s", MCPTool: "t", Trusted: true}
	for name, s := range map[string]tools.Subject{"edit": edit(inside("a")), "touch": command("touch x"), "mcp": mcp} {
		j := p.Judge(s, tools.Plan)
		if j.Verdict != Deny || !strings.Contains(j.Reason, "plan mode") || !strings.Contains(j.Reason, "switch to act mode") {
			t.Errorf("%s: %+v", name, j)
		}
	}
	mcp.ReadOnly = true
	for name, s := range map[string]tools.Subject{
		"read": read(inside("a")), "ls": command("ls"), "mcp": mcp,
		"question": {Kind: tools.Ask}, "plan_mode_respond": {Kind: tools.Control},
	} {
		if j := p.Judge(s, tools.Plan); j.Verdict != Allow {
			t.Errorf("%s: %+v", name, j)
		}
	}
}

func TestMCP(t *testing.T) {
	s := tools.Subject{Kind: tools.MCP, Server: "weather", MCPTool: "get_forecast", SchemaHash: "h1", Args: []byte(`{}`)}
	j := (Policy{Settings: Settings{Read: true}}).Judge(s, tools.Act)
	if j.Verdict != Ask || len(j.Offers) == 0 || j.Offers[0].String() != "the tool get_forecast of the MCP server weather as it is now" {
		t.Fatalf("%+v", j)
	}
	p := Policy{Rules: []Rule{j.Offers[0]}}
	if j := p.Judge(s, tools.Act); j.Verdict != Allow || !strings.Contains(j.Rule, "get_forecast") {
		t.Errorf("%+v", j)
	}
	changed, other, server, unknown := s, s, s, s
	changed.SchemaHash, other.MCPTool, server.Server, unknown.SchemaHash = "h2", "delete", "x", ""
	for _, s := range []tools.Subject{changed, other, server, unknown} {
		if j := p.Judge(s, tools.Act); j.Verdict != Ask {
			t.Errorf("%+v: %+v", s, j)
		}
	}
	if j := (Policy{}).Judge(unknown, tools.Act); len(j.Offers) > 0 {
		t.Errorf("a tool that cannot be pinned is offered: %v", j.Offers)
	}
	s.Trusted = true
	if j := (Policy{}).Judge(s, tools.Act); j.Verdict != Allow || j.Rule != "autoApprove of the MCP server weather" {
		t.Errorf("%+v", j)
	}
	if j := (Policy{Settings: Settings{MCP: true}}).Judge(changed, tools.Act); j.Verdict != Allow || j.Rule != "autoApprove.mcp" {
		t.Errorf("%+v", j)
	}
}

func TestUnknownKindAsks(t *testing.T) {
	all := Settings{Read: true, ReadOutside: true, Edit: true, EditOutside: true, MCP: true, Command: AllCommands}
	if j := (Policy{Settings: all}).Judge(tools.Subject{Kind: "browser"}, tools.Act); j.Verdict != Ask || len(j.Offers) > 0 {
		t.Errorf("%+v", j)
	}
}
