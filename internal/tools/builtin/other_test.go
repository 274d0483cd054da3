package builtin

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"clined/internal/tools"
)

func TestExecuteCommand(t *testing.T) {
	for _, c := range []struct {
		r       tools.CommandResult
		outcome tools.Outcome
		want    string
	}{
		{tools.CommandResult{Output: "a\nb\n", Duration: 1234 * time.Millisecond}, tools.OK, "The command succeeded (exit code 0, 1.2s).\nOutput:\na\nb"},
		{tools.CommandResult{}, tools.OK, "The command succeeded (exit code 0, 0s). It printed nothing."},
		{tools.CommandResult{ExitCode: 3, Output: "no\n"}, tools.Failed, "The command failed with exit code 3 (0s).\nOutput:\nno"},
		{tools.CommandResult{ExitCode: -1, Signal: "killed"}, tools.Failed, "The command was ended by a signal (killed) after 0s. It printed nothing."},
		{tools.CommandResult{ExitCode: -1, Signal: "killed", TimedOut: true, Output: "so far", Duration: 5 * time.Second}, tools.Failed, "The command was stopped by its timeout after 5s; it may have done part of its work. Give a longer timeout, or make it do less.\nOutput:\nso far"},
		{tools.CommandResult{ExitCode: -1, Signal: "terminated", Cancelled: true}, tools.Cancelled, "The user stopped the command after 0s; it may have done part of its work. It printed nothing."},
		{tools.CommandResult{Detached: true, Background: true, ExitCode: -1, LogFile: "/s/c.log", Output: "1 of 9\n"}, tools.OK, "The user let the command go on in the background after 0s: it is still running. What it prints from now on comes with environment_details, and all of it is in /s/c.log.\nOutput:\n1 of 9"},
		{tools.CommandResult{Detached: true, ExitCode: -1, Asks: "Name:"}, tools.OK, "The user let the command go on in the background after 0s: it is still running. What it prints from now on comes with environment_details. It printed nothing."},
		{tools.CommandResult{ExitCode: 1, Asks: "Password:", Output: "Password:"}, tools.Failed, "The command failed with exit code 1 (0s). It wanted input that it could not get, at \"Password:\". Give it what it needs by its options, or call it with interactive: true, so that the user can type.\nOutput:\nPassword:"},
		{tools.CommandResult{ExitCode: -1, TimedOut: true, Stopped: "cat, process 7", Asks: "x?"}, tools.Failed, "The command was stopped by its timeout after 0s; it may have done part of its work. A signal had stopped it (cat, process 7), and nothing let it go on: it must not stop itself, nor read the terminal from the background. It printed nothing."},
		{tools.CommandResult{ExitCode: -1, TimedOut: true, Asks: "(vim waits for keys, and has no terminal)"}, tools.Failed, "The command was stopped by its timeout after 0s; it may have done part of its work. It wanted input that it could not get, at \"(vim waits for keys, and has no terminal)\". Give it what it needs by its options, or call it with interactive: true, so that the user can type. It printed nothing."},
		{tools.CommandResult{ExitCode: 1, Refused: "The sandbox probably refused it.", Asks: "x?"}, tools.Failed, "The command failed with exit code 1 (0s). The sandbox probably refused it. It printed nothing."},
		{tools.CommandResult{Background: true, Output: "up\n"}, tools.OK, "The command succeeded (exit code 0, 0s). Processes it started are still running in the background.\nOutput:\nup"},
		{tools.CommandResult{Background: true, LogFile: "/s/c.log"}, tools.OK, "The command succeeded (exit code 0, 0s). Processes it started are still running in the background; what they print later is added to /s/c.log. It printed nothing."},
		{tools.CommandResult{Output: "1\n[… 7 lines omitted, full output: /s/c.log …]\n9\n", Omitted: 7, LogFile: "/s/c.log"}, tools.OK, "The command succeeded (exit code 0, 0s). Of its output 7 lines in the middle are left out.\nOutput:\n1\n[… 7 lines omitted, full output: /s/c.log …]\n9"},
	} {
		w := newWorld(nil)
		w.command = &c.r
		res := newTask(t, w).call("execute_command", "command", "x")
		if res.Outcome != c.outcome || res.Text != c.want {
			t.Errorf("%+v: outcome %q, text:\n%s\nwant:\n%s", c.r, res.Outcome, res.Text, c.want)
		}
	}
}

// One that had a terminal is not told to ask for one.
func TestExecuteCommandThatNobodyAnswered(t *testing.T) {
	w := newWorld(nil)
	w.command = &tools.CommandResult{ExitCode: -1, TimedOut: true, Asks: "Password:", Output: "Password: ", Duration: time.Second}
	want := "The command was stopped by its timeout after 1s; it may have done part of its work. Give a longer timeout, or make it do less. " +
		"It was waiting for the user to type, at \"Password:\".\nOutput:\nPassword: "
	if res := newTask(t, w).call("execute_command", "command", "su", "interactive", true); res.Text != want {
		t.Errorf("%s\nwant:\n%s", res.Text, want)
	}
}

func TestExecuteCommandSubject(t *testing.T) {
	w := newWorld(nil)
	w.command = &tools.CommandResult{}
	k := newTask(t, w)
	k.call("execute_command", "command", "make\ntest", "requires_approval", "true", "timeout", "30")
	a := k.action()
	if a.Title != "Run `make…`" || a.Subject.Command != "make\ntest" || a.Subject.Cwd != "/w" || !a.Subject.WantsApproval || a.Subject.Timeout != 30 || a.Subject.Interactive || a.Subject.Kind != tools.Command {
		t.Errorf("title %q, subject %+v", a.Title, a.Subject)
	}
	if got := w.ran[0]; got != (tools.CommandLine{ID: got.ID, Line: "make\ntest", Dir: "/w", Timeout: 30 * time.Second}) || got.ID == "" {
		t.Errorf("ran %+v", got)
	}
	k.call("execute_command", "command", "x", "timeout", 1<<40)
	if got := w.ran[1].Timeout; got != maxTimeout {
		t.Errorf("timeout %v", got)
	}
	wantText(t, k.call("execute_command", "command", "x", "timeout", 0), tools.Failed, "at least 1", "nothing was run")
	wantText(t, k.call("execute_command", "command", " "), tools.Failed, "empty", "nothing was run")
	before := len(w.ran)
	wantText(t, k.call("execute_command", "command", "make", "cwd", "sub"), tools.Failed, `no parameter "cwd": commands start in /w, so write `+"`cd DIR && …`; nothing was run")
	wantText(t, k.call("execute_command", "command", "serve", "is_background", true), tools.Failed, "end the command with &", "nothing was run")
	if len(w.ran) != before {
		t.Error("a command ran without what was asked for beside it")
	}
	wantText(t, k.call("execute_command", "command", "x", "cwd", "/w", "description", "Builds"), tools.OK, `[Not known to execute_command and ignored: "cwd", "description"]`)
	var output []string
	k.Run(t.Context(), tools.Call{Name: "execute_command", Args: tools.Args{"command": json.RawMessage(`"x"`)}, Emit: func(s string) { output = append(output, s) }})
	if len(output) != 1 {
		t.Errorf("live output %q", output)
	}
	w.command = nil
	wantText(t, k.call("execute_command", "command", "x"), tools.Failed, "The command was not run: no shell")
}

// A command that the sandbox probably stopped is offered to the user without it,
// with a subject that says so.
func TestExecuteCommandOutsideTheSandbox(t *testing.T) {
	w := newWorld(nil)
	w.command = &tools.CommandResult{ExitCode: 1, Refused: "The sandbox probably refused it."}
	w.sandbox = "writes in /w"
	k := newTask(t, w)
	res := k.call("execute_command", "command", "make install", "interactive", true)
	if s := k.action().Subject; s.Sandbox != "writes in /w" || s.Unsandboxed {
		t.Errorf("first subject %+v", s)
	}
	if res.Retry == nil {
		t.Fatal("nothing is offered")
	}
	s := res.Retry.Subject
	if !s.Unsandboxed || s.Refused != "The sandbox probably refused it." || s.Sandbox != "" || s.Command != "make install" || s.Cwd != "/w" || s.Kind != tools.Command || s.Tool != "execute_command" {
		t.Errorf("retry of %+v", s)
	}
	w.command = &tools.CommandResult{ExitCode: 1, Refused: "The sandbox probably refused it.", Demanded: true}
	if k.call("execute_command", "command", "make install").Retry != nil {
		t.Error("offers to leave a sandbox that is demanded")
	}
	w.ran = w.ran[:1]
	w.command = &tools.CommandResult{Output: "done\n"}
	again := res.Retry.Run(t.Context(), tools.Decision{})
	if want := "In the sandbox it failed, so the user had it run again without. The command succeeded (exit code 0, 0s).\nOutput:\ndone"; again.Text != want || again.Retry != nil {
		t.Errorf("again: %q", again.Text)
	}
	if first, second := w.ran[0], w.ran[1]; first.Unsandboxed || !second.Unsandboxed || !first.TTY || !second.TTY || second.Line != first.Line {
		t.Errorf("ran %+v, then %+v", first, second)
	}
	w.sandbox = ""
	if k.call("execute_command", "command", "x").Retry != nil || k.action().Subject.Sandbox != "" {
		t.Error("offers what nothing refused")
	}
}

func weather() tools.MCPServer {
	return tools.MCPServer{
		Name: "my weather",
		Tools: []tools.MCPTool{
			{Name: "get.forecast", Description: "Forecast", Schema: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}}}`), ReadOnly: true, AutoApprove: true},
			{Name: "plan", Schema: json.RawMessage(`{"type":"object","properties":{"task_progress":{"type":"string"}}}`)},
			{Name: "bare"},
		},
		Resources: []tools.MCPResource{{URI: "weather://alerts"}},
		Templates: []tools.MCPResource{{URI: "weather://{city}/now"}},
	}
}

func TestMCPTools(t *testing.T) {
	w := newWorld(nil)
	w.servers = []tools.MCPServer{weather()}
	w.mcp = &tools.MCPResult{Text: "sunny"}
	k := newTask(t, w)
	names := tools.MCPNames([]tools.MCPRef{{Server: "my weather", Tool: "get.forecast"}, {Server: "my weather", Tool: "plan"}, {Server: "my weather", Tool: "bare"}})
	forecast := names[tools.MCPRef{Server: "my weather", Tool: "get.forecast"}]
	listed := map[string]json.RawMessage{}
	for _, d := range k.Defs(t.Context()) {
		listed[d.Name] = d.Schema
	}
	if string(listed[forecast]) != string(weather().Tools[0].Schema) || listed["access_mcp_resource"] == nil || listed["use_mcp_tool"] != nil {
		t.Errorf("listed: %s", listed)
	}
	if bare := listed[names[tools.MCPRef{Server: "my weather", Tool: "bare"}]]; string(bare) != `{"type":"object","properties":{}}` {
		t.Errorf("a tool without schema has %s", bare)
	}

	wantExactly(t, k.call(forecast, "city", "Rome", "n", 1), "sunny")
	if !slices.Equal(w.called, []string{`my weather/get.forecast {"city":"Rome","n":1}`}) {
		t.Errorf("called %q", w.called)
	}
	a := k.action()
	if s := a.Subject; s.Kind != tools.MCP || s.Server != "my weather" || s.MCPTool != "get.forecast" || !s.Trusted || !s.ReadOnly || s.Tool != forecast ||
		string(s.Args) != `{"city":"Rome","n":1}` || a.Title != "Use get.forecast of MCP server my weather" {
		t.Errorf("title %q, subject %+v", a.Title, s)
	}
	if info, _ := k.Describe(forecast); !info.ReadOnly || info.Server != "my weather" || info.Tool != "get.forecast" {
		t.Errorf("described as %+v", info)
	}

	w.mcp = &tools.MCPResult{IsError: true, Text: "no such city"}
	wantText(t, k.call(forecast), tools.Failed, "The tool reports an error:\nno such city")
	w.mcp = &tools.MCPResult{Text: " \n"}
	wantExactly(t, k.call(forecast), "(no text in the answer)")
	w.mcp, w.mcpErr = nil, errors.New("exited with code 1: boom")
	wantText(t, k.call(forecast), tools.Failed, "exited with code 1: boom")
}

// A rule is for a tool as it is now, by whichever name it is called.
func TestMCPHashIsJudged(t *testing.T) {
	w := newWorld(nil)
	w.mcp = &tools.MCPResult{Text: "ok"}
	ref := tools.MCPRef{Server: "my weather", Tool: "get.forecast"}
	for _, hash := range []string{"h1", "h2"} {
		s := weather()
		s.Tools[0].Hash = hash
		w.servers = []tools.MCPServer{s}
		for _, name := range []string{tools.MCPNames([]tools.MCPRef{ref})[ref], "use_mcp_tool"} {
			k := newTask(t, w)
			wantExactly(t, k.call(name, "server_name", "my weather", "tool_name", "get.forecast"), "ok")
			if got := k.action().Subject.SchemaHash; got != hash {
				t.Errorf("%s: hash %q, want %q", name, got, hash)
			}
		}
	}
}

func TestUseMCPTool(t *testing.T) {
	w := newWorld(nil)
	w.mcp = &tools.MCPResult{Text: "sunny"}
	k := newTask(t, w)
	wantText(t, k.call("use_mcp_tool", "server_name", "x", "tool_name", "y"), tools.Failed, "not available now: no MCP server is connected")
	w.servers = []tools.MCPServer{weather()}
	for _, args := range []any{`{"city":"Rome","task_progress":"- [ ] x"}`, map[string]string{"city": "Rome"}} {
		w.called = nil
		wantExactly(t, k.call("use_mcp_tool", "server_name", "my weather", "tool_name", "get.forecast", "arguments", args), "sunny")
		// The checklist never reaches a server that has no parameter for it.
		if !slices.Equal(w.called, []string{`my weather/get.forecast {"city":"Rome"}`}) {
			t.Errorf("called %q", w.called)
		}
	}
	// What is judged is the server's tool.
	if s := k.action().Subject; s.Server != "my weather" || s.MCPTool != "get.forecast" || s.Tool != "use_mcp_tool" || !s.Trusted {
		t.Errorf("subject %+v", s)
	}
	w.called = nil
	k.call("use_mcp_tool", "server_name", "my weather", "tool_name", "plan", "arguments", `{"task_progress":"own"}`)
	k.call("use_mcp_tool", "server_name", "my weather", "tool_name", "bare")
	if !slices.Equal(w.called, []string{`my weather/plan {"task_progress":"own"}`, `my weather/bare {}`}) {
		t.Errorf("called %q", w.called)
	}
	for _, c := range []struct {
		args []any
		want string
	}{
		{[]any{"server_name", "wether", "tool_name", "x"}, `no connected MCP server "wether", only: my weather`},
		{[]any{"server_name", "my weather", "tool_name", "forecast"}, `has no tool "forecast", only: get.forecast, plan, bare`},
		{[]any{"server_name", "my weather", "tool_name", "bare", "arguments", `{"a":`}, "arguments: the arguments are not valid JSON"},
		{[]any{"tool_name", "bare"}, `"server_name" is missing`},
	} {
		wantText(t, k.call("use_mcp_tool", c.args...), tools.Failed, c.want)
	}
}

func TestAccessMCPResource(t *testing.T) {
	w := newWorld(nil)
	w.servers = []tools.MCPServer{weather(), {Name: "none"}}
	w.mcp = &tools.MCPResult{Text: "storm"}
	k := newTask(t, w)
	for _, uri := range []string{"weather://alerts", "weather://Rome/now"} {
		wantExactly(t, k.call("access_mcp_resource", "server_name", "my weather", "uri", uri), "storm")
	}
	if s := k.action().Subject; s.Server != "my weather" || s.MCPTool != "resources/read" || !s.ReadOnly || string(s.Args) != `{"uri":"weather://Rome/now"}` {
		t.Errorf("subject %+v", s)
	}
	n := len(w.called)
	for _, c := range []struct{ server, uri, want string }{
		{"my weather", "file:///etc/passwd", "did not tell of a resource"},
		{"my weather", "weather://Rome/now/../../x", "it has weather://alerts, weather://{city}/now; nothing was read"},
		{"none", "weather://alerts", "it has none"},
		{"other", "weather://alerts", "no connected MCP server"},
	} {
		wantText(t, k.call("access_mcp_resource", "server_name", c.server, "uri", c.uri), tools.Failed, c.want)
	}
	if len(w.called) != n {
		t.Errorf("called %q", w.called[n:])
	}
}

func TestAskFollowupQuestion(t *testing.T) {
	w := newWorld(nil)
	w.answer = tools.Answer{Text: "blue"}
	k := newTask(t, w)
	for _, options := range []any{`["red","blue"]`, []string{"red", " blue ", ""}} {
		wantExactly(t, k.call("ask_followup_question", "question", "Colour?", "options", options), "<answer>\nblue\n</answer>")
		if w.asked.Text != "Colour?" || !slices.Equal(w.asked.Options, []string{"red", "blue"}) {
			t.Errorf("asked %+v", w.asked)
		}
	}
	k.call("ask_followup_question", "question", "Colour?")
	if w.asked.Options != nil {
		t.Errorf("options %q", w.asked.Options)
	}
	wantText(t, k.call("ask_followup_question", "question", " "), tools.Failed, "nobody was asked")
	w.answer = tools.Answer{Cancelled: true}
	if res := k.call("ask_followup_question", "question", "Colour?"); !res.NeedsUser || res.Outcome != tools.Denied {
		t.Errorf("unanswered: %+v", res)
	}
	w.answer, w.askErr = tools.Answer{}, errors.New("no editor")
	if res := k.call("ask_followup_question", "question", "Colour?"); !res.NeedsUser {
		t.Errorf("nobody there: %+v", res)
	}
}

func TestControlTools(t *testing.T) {
	k := newTask(t, newWorld(nil))
	res := k.call("attempt_completion", "result", "Done.", "command", "open x.html")
	if res.Outcome != tools.OK || res.End == nil || *res.End != (tools.End{Answer: "Done.", Command: "open x.html"}) {
		t.Errorf("completion: %+v", res)
	}
	wantText(t, k.call("attempt_completion", "result", ""), tools.Failed, "the result is empty")
	wantText(t, k.call("plan_mode_respond", "response", " "), tools.Failed, "the response is empty")
	if res := k.call("plan_mode_respond", "response", "plan"); res.End != nil || res.Outcome != tools.OK || !strings.Contains(res.Text, "act mode") {
		t.Errorf("plan in act mode: %+v", res)
	}
	k.mode = tools.Plan
	if res := k.call("plan_mode_respond", "response", "plan", "needs_more_exploration", "true"); res.End != nil || res.Outcome != tools.OK {
		t.Errorf("exploring: %+v", res)
	}
	if res := k.call("plan_mode_respond", "response", "plan", "needs_more_exploration", false); res.End == nil || *res.End != (tools.End{Plan: true, Answer: "plan"}) {
		t.Errorf("plan: %+v", res)
	}
	wantText(t, k.call("act_mode_respond", "response", "x"), tools.Failed, "plan mode")
	for _, a := range k.asked {
		if a.Subject.Kind != tools.Control {
			t.Errorf("%s is of kind %s", a.Title, a.Subject.Kind)
		}
	}
}

func TestActModeRespondNotTwice(t *testing.T) {
	k := newTask(t, newWorld(map[string]string{"a": "x"}))
	wantText(t, k.call("act_mode_respond", "response", "Found it."), tools.OK, "told")
	wantText(t, k.call("act_mode_respond", "response", "Really."), tools.Failed, "twice in a row")
	k.call("read_file", "path", "a")
	wantText(t, k.call("act_mode_respond", "response", "Read it."), tools.OK, "told")
}

func TestLoadMCPDocumentation(t *testing.T) {
	w := newWorld(nil)
	k := newTask(t, w)
	res := k.call("load_mcp_documentation")
	wantText(t, res, tools.OK, "/home/dev/.config/clined/mcp.json", "No server is connected")
	if strings.Contains(res.Text, "{{") {
		t.Error("placeholder left")
	}
	w.servers = []tools.MCPServer{weather()}
	wantText(t, k.call("load_mcp_documentation"), tools.OK, "Connected at the moment: my weather (3 tools).")
}
