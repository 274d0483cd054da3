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

const luaProtocolHead = `---@meta
--- The editor protocol's types, from the daemon's own JSON Schema.
--- Written by go test ./internal/test/docs -update; docs/protocol.md says what they mean.
`

// lua is a type in LuaCATS.
func (s *wireSchema) lua() (string, error) {
	switch {
	case s == nil || s.Any:
		return "any", nil
	case s.Ref != "":
		return "clined.protocol." + strings.TrimPrefix(s.Ref, "#/$defs/"), nil
	case s.Const != nil:
		return fmt.Sprintf("%q", s.Const), nil
	case len(s.OneOf) > 0:
		var list []string
		for _, o := range s.OneOf {
			one, err := o.lua()
			if err != nil {
				return "", err
			}
			list = append(list, one)
		}
		return strings.Join(list, "|"), nil
	}
	switch s.Type {
	case "string", "integer", "number", "boolean":
		return s.Type, nil
	case "null":
		return "nil", nil
	case "":
		return "any", nil
	case "array":
		item, err := s.Items.lua()
		if s.Items != nil && len(s.Items.OneOf) > 0 {
			item = "(" + item + ")"
		}
		return item + "[]", err
	case "object":
		if len(s.Properties.names) == 0 {
			value, err := s.AdditionalProperties.lua()
			return "table<string, " + value + ">", err
		}
		fields, err := s.luaFields()
		return "{ " + strings.Join(fields, ", ") + " }", err
	}
	return "", fmt.Errorf("type %q is not known here", s.Type)
}

// luaFields are the properties as "name?: type".
func (s *wireSchema) luaFields() ([]string, error) {
	var list []string
	for _, name := range s.Properties.names {
		of, err := s.Properties.schemas[name].lua()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if !slices.Contains(s.Required, name) {
			name += "?"
		}
		list = append(list, name+": "+of)
	}
	return list, nil
}

// luaDefinition is a class where there are fields, else an alias.
func luaDefinition(name string, s *wireSchema) (string, error) {
	if s.Type != "object" || len(s.Properties.names) == 0 {
		of, err := s.lua()
		return fmt.Sprintf("\n---@alias clined.protocol.%s %s\n", name, of), err
	}
	fields, err := s.luaFields()
	if err != nil {
		return "", err
	}
	text := "\n---@class clined.protocol." + name + "\n"
	for _, f := range fields {
		field, of, _ := strings.Cut(f, ": ")
		text += "---@field " + field + " " + of + "\n"
	}
	return text, nil
}

// luaProtocol is the whole schema: its types, and classes from methods to them.
func luaProtocol(text []byte) (string, error) {
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
	b.WriteString(luaProtocolHead)
	for _, name := range slices.Sorted(maps.Keys(s.Defs)) {
		of, err := luaDefinition(name, s.Defs[name])
		if err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		b.WriteString(of)
	}
	for _, group := range []struct{ name, from, doc string }{
		{"FromEditor", "editor", "What the editor asks and tells. A notification returns nothing."},
		{"FromDaemon", "daemon", "What the daemon asks and tells. A notification returns nothing."},
	} {
		fmt.Fprintf(&b, "\n--- %s\n---@class clined.protocol.%s\n", group.doc, group.name)
		for _, name := range slices.Sorted(maps.Keys(s.Methods)) {
			m := s.Methods[name]
			if m.From != group.from {
				continue
			}
			params, err := m.Params.lua()
			if err != nil {
				return "", err
			}
			result := ""
			if m.Kind == "request" {
				of, err := m.Result.lua()
				if err != nil {
					return "", err
				}
				result = ": " + of
			}
			fmt.Fprintf(&b, "---@field [%q] fun(params: %s)%s\n", name, params, result)
		}
	}
	return b.String(), nil
}

func TestProtocolForNeovim(t *testing.T) {
	text, err := protocol.Schema()
	if err != nil {
		t.Fatal(err)
	}
	types, err := luaProtocol(text)
	if err != nil {
		t.Fatal(err)
	}
	generated(t, "editors/neovim/lua/clined/protocol.lua", types)
}
