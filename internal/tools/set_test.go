package tools_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	"clined/internal/llm"
	"clined/internal/tools"
	"clined/internal/transcript"
)

// runner is a gate that allows everything.
type runner struct {
	mu   sync.Mutex
	seen []string
}

func (r *runner) Run(ctx context.Context, t tools.Tool, call tools.Call) tools.Result {
	r.mu.Lock()
	r.seen = append(r.seen, t.Spec().Name+" as "+call.Name)
	r.mu.Unlock()
	a, err := t.Prepare(ctx, call)
	if err != nil {
		return tools.Fail(err.Error())
	}
	return a.Run(ctx, tools.Decision{})
}

type hub struct{ servers []tools.MCPServer }

func (h *hub) Servers(context.Context) []tools.MCPServer { return h.servers }
func (h *hub) CallTool(context.Context, string, string, json.RawMessage, func(string)) (*tools.MCPResult, error) {
	return nil, fmt.Errorf("not called here")
}
func (h *hub) ReadResource(context.Context, string, string) (*tools.MCPResult, error) {
	return nil, fmt.Errorf("not called here")
}

func mcpTool(server tools.MCPServer, t tools.MCPTool, name string) tools.Tool {
	x := answering(name, tools.Result{Text: server.Name + "/" + t.Name})
	x.spec.ID, x.spec.Kind, x.spec.Schema = "use_mcp_tool", tools.MCP, t.Schema
	x.spec.Server, x.spec.Tool = server.Name, t.Name
	return x
}

func answering(id string, res tools.Result) *tool {
	x := named(llm.Generic, id)
	x.prepare = func(tools.Call) (*tools.Action, error) {
		return &tools.Action{Run: func(context.Context, tools.Decision) tools.Result { return res }}, nil
	}
	return x
}

type fixture struct {
	set     *tools.Set
	hub     *hub
	gate    *runner
	context tools.Context
	spill   spill
	log     bytes.Buffer
}

func newSet(builtin ...*tool) *fixture {
	f := &fixture{hub: &hub{}, gate: &runner{}, context: tools.Context{Family: llm.Generic, CWD: "/w"}}
	var r tools.Registry
	for _, x := range builtin {
		r.Register(x)
	}
	f.set = tools.NewSet(tools.SetConfig{
		Registry: &r, Context: func() tools.Context { return f.context }, Servers: f.hub, MCPTool: mcpTool,
		Runner: f.gate, Spill: &f.spill, Log: slog.New(slog.NewTextHandler(&f.log, nil)),
	})
	return f
}

func (f *fixture) names(t *testing.T) []string {
	var names []string
	for _, d := range f.set.Defs(t.Context()) {
		names = append(names, d.Name)
	}
	return names
}

var schema = json.RawMessage(`{"type":"object"}`)

func server(name string, toolNames ...string) tools.MCPServer {
	s := tools.MCPServer{Name: name}
	for _, n := range toolNames {
		s.Tools = append(s.Tools, tools.MCPTool{Name: n, Schema: schema})
	}
	return s
}

// Built-in tools in registry order, then MCP tools by name, whatever
// order servers and tools come in.
func TestDefsOrder(t *testing.T) {
	f := newSet(answering("read_file", tools.Result{}), answering("execute_command", tools.Result{}))
	f.hub.servers = []tools.MCPServer{server("b", "z", "y"), server("a", "x", "x")}
	want := []string{"execute_command", "read_file", "a__x", "b__y", "b__z"}
	if got := f.names(t); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	f.hub.servers = []tools.MCPServer{server("a", "x"), server("b", "y", "z")}
	if got := f.names(t); !slices.Equal(got, want) {
		t.Errorf("other order: got %v, want %v", got, want)
	}
	f.context.Family = llm.TextOnly
	if got := f.names(t); got != nil {
		t.Errorf("text only: got %v", got)
	}
}

func TestUnlistedToolsRun(t *testing.T) {
	x := answering("use_mcp_tool", tools.Result{Text: "routed"})
	x.spec.Unlisted = true
	x.spec.Requires = func(c tools.Context) bool { return c.MCP }
	f := newSet(x)
	res := f.set.Run(t.Context(), tools.Call{Name: "use_mcp_tool"})
	if res.Outcome != tools.Failed || !strings.Contains(res.Text, "not available now") {
		t.Errorf("without servers: %+v", res)
	}
	f.hub.servers = []tools.MCPServer{server("a", "x")}
	if got := f.names(t); !slices.Equal(got, []string{"a__x"}) {
		t.Errorf("listed: %v", got)
	}
	if res := f.set.Run(t.Context(), tools.Call{Name: "use_mcp_tool"}); res.Text != "routed" {
		t.Errorf("with servers: %+v", res)
	}
}

// An invented name gets the valid ones and the closest.
func TestUnknownTool(t *testing.T) {
	f := newSet(answering("write_to_file", tools.Result{}), answering("read_file", tools.Result{}), answering("execute_command", tools.Result{}))
	f.hub.servers = []tools.MCPServer{server("weather", "get_forecast")}
	for name, near := range map[string]string{
		"write_file": "write_to_file", "create_file": "write_to_file", "bash": "execute_command", "readFile": "read_file",
		"get_forecast": "weather__get_forecast", "weather.get_forecast": "weather__get_forecast",
	} {
		res := f.set.Run(t.Context(), tools.Call{Name: name})
		want := fmt.Sprintf("There is no tool %q; nothing was done. Did you mean %q? The tools are: execute_command, read_file, write_to_file, weather__get_forecast.", name, near)
		if res.Outcome != tools.Failed || res.Text != want {
			t.Errorf("%s: got %q, want %q", name, res.Text, want)
		}
	}
	if res := f.set.Run(t.Context(), tools.Call{Name: strings.Repeat("quite something else ", 500)}); strings.Contains(res.Text, "Did you mean") {
		t.Errorf("got %.200q", res.Text)
	}
	if len(f.gate.seen) != 0 {
		t.Errorf("ran %v", f.gate.seen)
	}
}

func TestRunValidatesFirst(t *testing.T) {
	x := answering("read_file", tools.Result{Text: "ok"})
	x.spec.Params = []tools.Param{{Name: "path", Type: "string", Required: true}}
	f := newSet(x)
	res := f.set.Run(t.Context(), tools.Call{Name: "read_file"})
	if res.Outcome != tools.Failed || !strings.Contains(res.Text, `"path" is missing`) || len(f.gate.seen) != 0 {
		t.Errorf("got %+v, ran %v", res, f.gate.seen)
	}
	if res := f.set.Run(t.Context(), tools.Call{Name: "read_file", Args: parse(t, `{"path":""}`)}); res.Text != "ok" {
		t.Errorf("got %+v", res)
	}
}

func TestChecklistNeverReachesATool(t *testing.T) {
	x := named(llm.Generic, "read_file")
	var got tools.Args
	x.prepare = func(call tools.Call) (*tools.Action, error) { got = call.Args; return nil, fmt.Errorf("seen") }
	f := newSet(x)
	f.set.Run(t.Context(), tools.Call{Name: "read_file", Args: parse(t, `{"path":"a","task_progress":"- [ ] x"}`)})
	if got.Has(tools.ChecklistParam) || !got.Has("path") {
		t.Errorf("the tool got %v", got)
	}
}

func TestServersThatJoinLaterCanBeCalled(t *testing.T) {
	f := newSet()
	f.names(t)
	f.hub.servers = []tools.MCPServer{server("late", "x")}
	if res := f.set.Run(t.Context(), tools.Call{Name: "late__x"}); res.Text != "late/x" {
		t.Errorf("got %+v", res)
	}
	// One that left since is still answered by its tool, which knows why it fails.
	f.names(t)
	f.hub.servers = nil
	if res := f.set.Run(t.Context(), tools.Call{Name: "late__x"}); res.Text != "late/x" {
		t.Errorf("got %+v", res)
	}
}

func TestDescribe(t *testing.T) {
	x := answering("read_file", tools.Result{})
	x.spec.Kind, x.spec.ReadOnly = tools.Read, true
	f := newSet(x)
	own := tools.MCPTool{Name: "plan", Schema: json.RawMessage(`{"type":"object","properties":{"task_progress":{"type":"string"}}}`)}
	f.hub.servers = []tools.MCPServer{{Name: "s.x", Tools: []tools.MCPTool{own}}}
	if info, ok := f.set.Describe("read_file"); !ok || info != (tools.Info{Kind: tools.Read, ReadOnly: true}) {
		t.Errorf("got %+v, %v", info, ok)
	}
	name := tools.MCPNames([]tools.MCPRef{{Server: "s.x", Tool: "plan"}})[tools.MCPRef{Server: "s.x", Tool: "plan"}]
	if info, ok := f.set.Describe(name); !ok || info != (tools.Info{Kind: tools.MCP, OwnChecklist: true, Server: "s.x", Tool: "plan"}) {
		t.Errorf("got %+v, %v", info, ok)
	}
	if _, ok := f.set.Describe("nothing"); ok {
		t.Error("found a tool that does not exist")
	}
}

func TestResultsAreMadeFit(t *testing.T) {
	big := strings.Repeat("line\n", 5000)
	images := make([]transcript.Image, tools.MaxImages+2)
	f := newSet(
		answering("read_file", tools.Result{Text: "a\xffb\x00c"}),
		answering("list_files", tools.Result{}),
		answering("search_files", tools.Result{Text: big}),
		answering("execute_command", tools.Result{Text: "pictures", Images: images}),
	)
	run := func(name string) tools.Result { return f.set.Run(t.Context(), tools.Call{ID: "c7", Name: name}) }
	if got := run("read_file").Text; got != "a\uFFFDb\uFFFDc" {
		t.Errorf("got %q", got)
	}
	if got := run("list_files").Text; got != "(no output)" {
		t.Errorf("got %q", got)
	}
	checkLimits(t, run("search_files").Text)
	if f.spill.kept["c7"] != big {
		t.Error("the whole text was not kept")
	}
	if res := run("execute_command"); res.Images != nil || res.Text != "pictures\n[12 images left out: this model cannot see images]" {
		t.Errorf("blind model: %d images, %q", len(res.Images), res.Text)
	}
	f.context.Images = true
	if res := run("execute_command"); len(res.Images) != tools.MaxImages || !strings.HasSuffix(res.Text, "[2 of 12 images left out]") {
		t.Errorf("seeing model: %d images, %q", len(res.Images), res.Text)
	}
}

func TestPanicIsAFailedResult(t *testing.T) {
	x := named(llm.Generic, "read_file")
	x.prepare = func(tools.Call) (*tools.Action, error) { panic("boom") }
	f := newSet(x)
	res := f.set.Run(t.Context(), tools.Call{Name: "read_file"})
	if res.Outcome != tools.Failed || strings.Contains(res.Text, "boom") {
		t.Errorf("got %+v", res)
	}
	if log := f.log.String(); !strings.Contains(log, "level=ERROR") || !strings.Contains(log, "boom") {
		t.Errorf("log: %s", log)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	x := named(llm.Generic, "read_file")
	x.prepare = func(tools.Call) (*tools.Action, error) { cancel(); return nil, ctx.Err() }
	f := newSet(x)
	for range 2 { // during the call, and before it
		res := f.set.Run(ctx, tools.Call{Name: "read_file"})
		if res.Outcome != tools.Cancelled || !strings.HasPrefix(res.Text, "Interrupted before") {
			t.Errorf("got %+v", res)
		}
	}
	if len(f.gate.seen) != 1 {
		t.Errorf("ran %v", f.gate.seen)
	}
}

// router stands for another tool.
type router struct {
	*tool
	target tools.Tool
}

func (r router) Route(_ context.Context, call tools.Call) (tools.Tool, tools.Call, error) {
	if r.target == nil {
		return nil, call, fmt.Errorf("no such server")
	}
	return r.target, call, nil
}

// The gate judges the tool that is meant, not the one that stands for it.
func TestRouter(t *testing.T) {
	var reg tools.Registry
	reg.Register(router{named(llm.Generic, "use_mcp_tool"), answering("s__t", tools.Result{Text: "done"})})
	reg.Register(router{named(llm.Generic, "read_file"), nil})
	gate := &runner{}
	set := tools.NewSet(tools.SetConfig{
		Registry: &reg, Runner: gate,
		Context: func() tools.Context { return tools.Context{Family: llm.Generic} },
	})
	if res := set.Run(t.Context(), tools.Call{Name: "use_mcp_tool"}); res.Text != "done" || !slices.Equal(gate.seen, []string{"s__t as use_mcp_tool"}) {
		t.Errorf("got %+v, %v", res, gate.seen)
	}
	if res := set.Run(t.Context(), tools.Call{Name: "read_file"}); res.Text != "no such server" || res.Outcome != tools.Failed {
		t.Errorf("got %+v", res)
	}
}

func TestSetConcurrently(t *testing.T) {
	f := newSet(answering("read_file", tools.Result{Text: "ok"}))
	f.hub.servers = []tools.MCPServer{server("a", "x")}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			f.set.Defs(t.Context())
			f.set.Describe("a__x")
			if res := f.set.Run(t.Context(), tools.Call{Name: "a__x"}); res.Text != "a/x" {
				t.Errorf("got %+v", res)
			}
		})
	}
	wg.Wait()
}
