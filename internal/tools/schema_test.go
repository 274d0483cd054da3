package tools_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"clined/internal/llm"
	"clined/internal/tools"
)

// tool is a tool whose Prepare does what the test says.
type tool struct {
	spec    tools.Spec
	prepare func(tools.Call) (*tools.Action, error)
}

func (t *tool) Spec() *tools.Spec { return &t.spec }

func (t *tool) Prepare(_ context.Context, call tools.Call) (*tools.Action, error) {
	if t.prepare == nil {
		return nil, errors.New("not prepared")
	}
	return t.prepare(call)
}

func named(family llm.Family, id string) *tool {
	return &tool{spec: tools.Spec{ID: id, Name: id, Family: family}}
}

func TestDefBytes(t *testing.T) {
	spec := &tools.Spec{
		ID: "demo", Name: "demo", Description: "Works in {{CWD}}, 1 < 2.",
		Params: []tools.Param{
			{Name: "path", Type: "string", Required: true, Description: "Below {{CWD}}", Aliases: []string{"absolutePath"}},
			{Name: "content", Type: "string", Required: true},
			{Name: "level", Type: "string", Extra: json.RawMessage(`{ "enum": ["a", "b"], "default": "a" }`)},
			{Name: "files", Type: "array", Extra: json.RawMessage(`{"items":{"type":"object"}}`)},
		},
	}
	def, err := tools.Def(spec, tools.Context{CWD: "/w"})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"type":"object","properties":{` +
		`"path":{"type":"string","description":"Below /w"},` +
		`"content":{"type":"string"},` +
		`"level":{"type":"string","enum":["a","b"],"default":"a"},` +
		`"files":{"type":"array","items":{"type":"object"}},` +
		`"task_progress":{"type":"string","description":"Checklist, if changed"}},` +
		`"required":["path","content"],"additionalProperties":false}`
	if string(def.Schema) != want {
		t.Errorf("schema:\n got %s\nwant %s", def.Schema, want)
	}
	if def.Description != "Works in /w, 1 < 2." || def.Name != "demo" {
		t.Errorf("got %q, %q", def.Name, def.Description)
	}
	spec.NoChecklist, spec.Params = true, nil
	if def, _ := tools.Def(spec, tools.Context{}); string(def.Schema) != `{"type":"object","properties":{},"additionalProperties":false}` {
		t.Errorf("without parameters: %s", def.Schema)
	}
}

func TestDefKeepsMCPSchemas(t *testing.T) {
	raw := json.RawMessage("{ \"title\" : \"x\",\n \"type\":\"object\", \"properties\":{\"a\":{\"const\":1}} }")
	def, err := tools.Def(&tools.Spec{Name: "s__t", Schema: raw, Description: "uses {{CWD}} itself"}, tools.Context{CWD: "/w"})
	if err != nil || string(def.Schema) != string(raw) || def.Description != "uses {{CWD}} itself" {
		t.Errorf("got %q, %s, %v", def.Description, def.Schema, err)
	}
}

func TestDefRefusesUnmetRequirements(t *testing.T) {
	spec := &tools.Spec{Name: "use_mcp_tool", Requires: func(c tools.Context) bool { return c.MCP }}
	_, err := tools.Def(spec, tools.Context{})
	if err == nil || !strings.Contains(err.Error(), `"use_mcp_tool" does not meet context requirements`) {
		t.Errorf("got %v", err)
	}
	if _, err := tools.Def(spec, tools.Context{MCP: true}); err != nil {
		t.Error(err)
	}
}

func TestRegistry(t *testing.T) {
	var r tools.Registry
	generic, own, only := named(llm.Generic, "read_file"), named(llm.Local, "read_file"), named(llm.NextGen, "act_mode_respond")
	mcp := named(llm.Generic, "use_mcp_tool")
	mcp.spec.Requires = func(c tools.Context) bool { return c.MCP }
	for _, x := range []*tool{generic, own, only, mcp, named(llm.Generic, "read_file"), named(llm.Generic, "not_listed")} {
		r.Register(x)
	}
	for _, c := range []struct {
		family llm.Family
		id     string
		want   tools.Tool
	}{
		{llm.Generic, "read_file", generic}, // the second registration changed nothing
		{llm.Local, "read_file", own},
		{llm.Gemini, "read_file", generic},
		{llm.Gemini, "act_mode_respond", only},
	} {
		if got, ok := r.Lookup(c.family, c.id); !ok || got != c.want {
			t.Errorf("Lookup(%s, %s) = %v, %v", c.family, c.id, got, ok)
		}
	}
	if got, ok := r.Lookup(llm.Generic, "nothing"); ok {
		t.Errorf("found %v", got)
	}
	ids := func(c tools.Context) string {
		var s []string
		for _, x := range r.For(c) {
			s = append(s, x.Spec().ID)
		}
		return strings.Join(s, " ")
	}
	for _, c := range []struct {
		c    tools.Context
		want string
	}{
		{tools.Context{Family: llm.Generic}, "read_file"},
		{tools.Context{Family: llm.Generic, MCP: true}, "read_file use_mcp_tool"},
		{tools.Context{Family: llm.NextGen}, "read_file act_mode_respond"},
		{tools.Context{Family: llm.TextOnly, MCP: true}, ""},
	} {
		if got := ids(c.c); got != c.want {
			t.Errorf("For(%+v) = %q, want %q", c.c, got, c.want)
		}
	}
}

func FuzzDefIsValidJSON(f *testing.F) {
	f.Add("path", "a \"quoted\" text\n", `{"enum":["a"]}`)
	f.Add("", "\xff", "{}")
	f.Add("p", "", "[1]")
	f.Add("p", "{{CWD}}", `{"a":{"b":[1,2]},"c":"}"}`)
	f.Fuzz(func(t *testing.T, name, description, extra string) {
		def, err := tools.Def(&tools.Spec{Name: "t", Params: []tools.Param{
			{Name: name, Type: "string", Required: true, Description: description, Extra: json.RawMessage(extra)},
		}}, tools.Context{CWD: "/w"})
		if err != nil || !json.Valid(def.Schema) {
			t.Fatalf("%s, %v", def.Schema, err)
		}
	})
}
