package tools

import "clined/internal/llm"

// familyTools are the ids each family of models may call, in the order they are
// sent. A family that is not here is text only.
//
// Every family may call every tool that edits, for habits differ and an
// unambiguous edit is an edit; but it is shown one way only, its own, because
// two ways cost twice and are mixed up: see Spec.Unlisted. The families that
// are trained on patches are shown apply_patch in place of write_to_file and
// replace_in_file.
var familyTools = map[llm.Family][]string{
	llm.Generic: genericTools,
	llm.Gemini:  genericTools,
	llm.NextGen: append(genericTools[:len(genericTools):len(genericTools)], "act_mode_respond"),
	llm.GPT5:    append(genericTools[:len(genericTools):len(genericTools)], "act_mode_respond"),
	// Small windows: what a local model cannot afford stays away.
	llm.Local:  smallTools,
	llm.GPTOSS: smallTools, // mostly at home
}

var genericTools = []string{
	"execute_command", "read_file", "write_to_file", "replace_in_file", "apply_patch", "search_files", "list_files",
	"list_code_definition_names", "use_mcp_tool", "access_mcp_resource", "ask_followup_question",
	"attempt_completion", "plan_mode_respond", "load_mcp_documentation", "new_rule",
}

var smallTools = []string{
	"execute_command", "read_file", "write_to_file", "replace_in_file", "apply_patch", "search_files", "list_files",
	"use_mcp_tool", "access_mcp_resource", "ask_followup_question", "attempt_completion", "plan_mode_respond", "new_rule",
}

// FamilyTools returns the ids that a family may call, none for text-only ones.
func FamilyTools(f llm.Family) []string { return familyTools[f] }

// Registry holds the built-in tools by family and id. It is filled by one
// goroutine and only read afterwards.
type Registry struct {
	tools []Tool
	byKey map[registryKey]Tool
}

type registryKey struct {
	family llm.Family
	id     string
}

// Register adds a tool. Another one of the same family and id changes nothing.
func (r *Registry) Register(t Tool) {
	key := registryKey{t.Spec().Family, t.Spec().ID}
	if _, ok := r.byKey[key]; ok {
		return
	}
	if r.byKey == nil {
		r.byKey = map[registryKey]Tool{}
	}
	r.byKey[key] = t
	r.tools = append(r.tools, t)
}

// Lookup returns the tool of that id for a family: its own, else the generic
// one, else the first registered of any family.
func (r *Registry) Lookup(f llm.Family, id string) (Tool, bool) {
	for _, family := range []llm.Family{f, llm.Generic} {
		if t, ok := r.byKey[registryKey{family, id}]; ok {
			return t, true
		}
	}
	for _, t := range r.tools {
		if t.Spec().ID == id {
			return t, true
		}
	}
	return nil, false
}

// For returns the tools that the context's family lists and whose requirements
// the context meets, in the family's order.
func (r *Registry) For(c Context) []Tool {
	var list []Tool
	for _, id := range FamilyTools(c.Family) {
		t, ok := r.Lookup(c.Family, id)
		if !ok || t.Spec().Requires != nil && !t.Spec().Requires(c) {
			continue
		}
		list = append(list, t)
	}
	return list
}
