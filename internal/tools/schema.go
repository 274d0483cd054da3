package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"clined/internal/llm"
)

// Def converts a spec to what a model is told. The same spec and context
// always make the same bytes. A spec whose requirements the context does not
// meet is refused: the registry filters such specs out before.
func Def(s *Spec, c Context) (llm.ToolDef, error) {
	if s.Requires != nil && !s.Requires(c) {
		return llm.ToolDef{}, fmt.Errorf("tool %q does not meet context requirements", s.Name)
	}
	def := llm.ToolDef{Name: s.Name, Description: s.Description, Schema: s.Schema}
	if s.Schema == nil {
		def.Description = fill(s.Description, c)
		def.Schema = schema(s, c)
	}
	return def, nil
}

// fill replaces the one placeholder there is.
func fill(text string, c Context) string { return strings.ReplaceAll(text, "{{CWD}}", c.CWD) }

// schema writes the JSON Schema of the parameters in their written order,
// which a map would lose.
func schema(s *Spec, c Context) json.RawMessage {
	params := s.Params
	if !s.NoChecklist {
		params = append(params[:len(params):len(params)], checklistParam)
	}
	var b bytes.Buffer
	b.WriteString(`{"type":"object","properties":{`)
	var required []string
	for i, p := range params {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `%s:{"type":%s`, quote(p.Name), quote(p.Type))
		if p.Description != "" {
			fmt.Fprintf(&b, `,"description":%s`, quote(fill(p.Description, c)))
		}
		b.WriteString(extraFields(p.Extra))
		b.WriteByte('}')
		if p.Required {
			required = append(required, quote(p.Name))
		}
	}
	b.WriteByte('}')
	if len(required) > 0 {
		fmt.Fprintf(&b, `,"required":[%s]`, strings.Join(required, ","))
	}
	b.WriteString(`,"additionalProperties":false}`)
	return b.Bytes()
}

var checklistParam = Param{
	Name: ChecklistParam, Type: "string",
	Description: "Checklist, if changed",
}

// extraFields returns the fields of a JSON object as text that continues
// another object, "" for none or for what is no object.
func extraFields(extra json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, extra) != nil {
		return ""
	}
	inner, ok := strings.CutPrefix(b.String(), "{")
	inner, closed := strings.CutSuffix(inner, "}")
	if !ok || !closed || inner == "" {
		return ""
	}
	return "," + inner
}

// quote writes s as a JSON string without escaping <, > and &.
func quote(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil { // strings always encode
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// OwnsChecklist reports whether a tool's raw schema has a parameter of the
// checklist's name, which then is the tool's.
func OwnsChecklist(schema json.RawMessage) bool {
	var s struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(schema, &s) != nil {
		return false
	}
	_, ok := s.Properties[ChecklistParam]
	return ok
}
