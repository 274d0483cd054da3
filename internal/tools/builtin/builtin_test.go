package builtin

import (
	"encoding/json"
	"strings"
	"testing"

	"clined/internal/llm"
	"clined/internal/tools"
)

// defs returns what a model of the family is told of.
func defs(t *testing.T, c tools.Context) []llm.ToolDef {
	t.Helper()
	var r tools.Registry
	Register(&r, Deps{})
	var list []llm.ToolDef
	for _, x := range r.For(c) {
		if x.Spec().Unlisted {
			continue
		}
		d, err := tools.Def(x.Spec(), c)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, d)
	}
	return list
}

var families = []llm.Family{llm.Generic, llm.NextGen, llm.GPT5, llm.GPTOSS, llm.Gemini, llm.Local}

// Every id that a family lists exists, and every tool is described in full.
func TestTextsAreComplete(t *testing.T) {
	var r tools.Registry
	Register(&r, Deps{})
	for _, f := range families {
		for _, id := range tools.FamilyTools(f) {
			x, ok := r.Lookup(f, id)
			if !ok {
				t.Errorf("family %s lists %s, which does not exist", f, id)
				continue
			}
			s := x.Spec()
			if s.Description == "" || s.Name != id {
				t.Errorf("%s: name %q, description %q", id, s.Name, s.Description)
			}
			_, about := readText(id)
			if len(about) != len(s.Params) {
				t.Errorf("%s.md describes %d parameters, there are %d", id, len(about), len(s.Params))
			}
			for _, p := range s.Params {
				if p.Description == "" {
					t.Errorf("%s: parameter %s is not described", id, p.Name)
				}
			}
		}
	}
	if got := tools.FamilyTools(llm.TextOnly); got != nil {
		t.Errorf("text only lists %v", got)
	}
}

// What goes over the wire: valid, small, and without placeholders.
func TestDefsOnTheWire(t *testing.T) {
	for _, f := range families {
		size := 0
		for _, d := range defs(t, tools.Context{Family: f, CWD: "/home/dev/project", MCP: true}) {
			wire, err := json.Marshal(map[string]any{"type": "function", "function": map[string]any{
				"name": d.Name, "description": d.Description, "parameters": d.Schema}})
			if err != nil {
				t.Fatalf("%s: %v", d.Name, err)
			}
			size += len(wire) + 1
			if strings.Contains(string(wire), "{{") {
				t.Errorf("%s: placeholder in %s", d.Name, wire)
			}
			hasChecklist := tools.OwnsChecklist(d.Schema)
			if want := d.Name != "load_mcp_documentation"; hasChecklist != want {
				t.Errorf("%s: task_progress in the schema: %v", d.Name, hasChecklist)
			}
		}
		t.Logf("%s: %d bytes", f, size)
		if size > 7500 {
			t.Errorf("%s: the tools take %d bytes, at most 7500", f, size)
		}
	}
}
