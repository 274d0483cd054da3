package docs

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"clined/internal/protocol"
)

const typescriptHead = `// The editor protocol's types, from the daemon's own JSON Schema.
// Written by go test ./internal/test/docs -update; docs/protocol.md says what they mean.
`

// wireSchema is a schema as far as the protocol uses it. Any is plain true.
type wireSchema struct {
	Any                  bool   `json:"-"`
	Ref                  string `json:"$ref"`
	Type, Description    string
	Const                any
	Properties           orderedSchemas
	Required             []string
	Items                *wireSchema
	OneOf                []wireSchema
	AdditionalProperties *wireSchema
}

func (s *wireSchema) UnmarshalJSON(data []byte) error {
	if string(data) == "true" {
		s.Any = true
		return nil
	}
	type plain wireSchema
	return json.Unmarshal(data, (*plain)(s))
}

// orderedSchemas are properties in the order of the document.
type orderedSchemas struct {
	names   []string
	schemas map[string]*wireSchema
}

func (o *orderedSchemas) UnmarshalJSON(data []byte) error {
	if err := json.Unmarshal(data, &o.schemas); err != nil {
		return err
	}
	d := json.NewDecoder(strings.NewReader(string(data)))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		o.names = append(o.names, name.(string))
		var skip json.RawMessage
		if err := d.Decode(&skip); err != nil {
			return err
		}
	}
	return nil
}

// text is a type in TypeScript.
func (s *wireSchema) text(indent string) (string, error) {
	switch {
	case s == nil || s.Any:
		return "unknown", nil
	case s.Ref != "":
		return strings.TrimPrefix(s.Ref, "#/$defs/"), nil
	case s.Const != nil:
		return fmt.Sprintf("%q", s.Const), nil
	case len(s.OneOf) > 0:
		var list []string
		for _, o := range s.OneOf {
			one, err := o.text(indent)
			if err != nil {
				return "", err
			}
			list = append(list, one)
		}
		return strings.Join(list, "\n  | "), nil
	}
	switch s.Type {
	case "string":
		return "string", nil
	case "integer", "number":
		return "number", nil
	case "boolean":
		return "boolean", nil
	case "array":
		item, err := s.Items.text(indent)
		return item + "[]", err
	case "object":
		if len(s.Properties.names) == 0 {
			value, err := s.AdditionalProperties.text(indent)
			return "Record<string, " + value + ">", err
		}
		var b strings.Builder
		b.WriteString("{\n")
		for _, name := range s.Properties.names {
			of, err := s.Properties.schemas[name].text(indent + "  ")
			if err != nil {
				return "", fmt.Errorf("%s: %w", name, err)
			}
			mark := "?"
			if slices.Contains(s.Required, name) {
				mark = ""
			}
			fmt.Fprintf(&b, "%s  %s%s: %s;\n", indent, name, mark, of)
		}
		return b.String() + indent + "}", nil
	case "null":
		return "null", nil
	case "":
		return "unknown", nil
	}
	return "", fmt.Errorf("type %q is not known here", s.Type)
}

// typescript is the whole schema: its types, and maps from methods to them.
func typescript(text []byte) (string, error) {
	var s struct {
		Methods map[string]struct {
			From, Kind     string
			Params, Result *wireSchema
		}
		Defs map[string]*wireSchema `json:"$defs"`
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(typescriptHead)
	for _, name := range slices.Sorted(maps.Keys(s.Defs)) {
		of, err := s.Defs[name].text("")
		if err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		fmt.Fprintf(&b, "\nexport type %s = %s;\n", name, of)
	}
	for _, group := range []struct{ name, from, kind, doc string }{
		{"EditorRequests", "editor", "request", "requests that the editor makes"},
		{"EditorNotifications", "editor", "notification", "notifications that the editor sends"},
		{"DaemonRequests", "daemon", "request", "requests that the daemon makes"},
		{"DaemonNotifications", "daemon", "notification", "notifications that the daemon sends"},
	} {
		fmt.Fprintf(&b, "\n/** The %s. */\nexport interface %s {\n", group.doc, group.name)
		for _, name := range slices.Sorted(maps.Keys(s.Methods)) {
			m := s.Methods[name]
			if m.From != group.from || m.Kind != group.kind {
				continue
			}
			params, err := m.Params.text("")
			if err != nil {
				return "", err
			}
			result, err := m.Result.text("")
			if err != nil {
				return "", err
			}
			if m.Kind == "request" {
				fmt.Fprintf(&b, "  %q: { params: %s; result: %s };\n", name, params, result)
			} else {
				fmt.Fprintf(&b, "  %q: %s;\n", name, params)
			}
		}
		b.WriteString("}\n")
	}
	return b.String(), nil
}

func TestProtocolForVSCode(t *testing.T) {
	text, err := protocol.Schema()
	if err != nil {
		t.Fatal(err)
	}
	types, err := typescript(text)
	if err != nil {
		t.Fatal(err)
	}
	generated(t, "editors/vscode/src/protocol/generated.ts", types)
}
