package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Validate checks the arguments against the spec: required parameters are
// there (present but empty is present) and values have a usable type. The
// error is for the model: it names tool and parameter and shows the right
// shape. Specs with a schema of their own (MCP) are checked by their server.
func Validate(s *Spec, args Args) error {
	if s.Schema != nil {
		return nil
	}
	for _, p := range s.Params {
		name, given := p.given(args)
		if !given && p.Required {
			return fmt.Errorf("%s: the required parameter %q is missing%s; nothing was done. Call it like this: %s",
				s.Name, p.Name, givenInstead(s, args), s.shape(""))
		}
		if given && !p.accepts(args, name) {
			return fmt.Errorf("%s: the parameter %q must be of type %s, not %s; nothing was done. Call it like this: %s",
				s.Name, name, p.Type, excerpt(args[name]), s.shape(p.Name))
		}
	}
	return nil
}

// given returns the name under which the parameter was given.
func (p *Param) given(args Args) (name string, ok bool) {
	for _, name := range append([]string{p.Name}, p.Aliases...) {
		if args.Has(name) {
			return name, true
		}
	}
	return p.Name, false
}

func (p *Param) accepts(args Args, name string) bool {
	raw := bytes.TrimSpace(args[name])
	switch p.Type {
	case "string":
		return p.JSON || raw[0] != '{' && raw[0] != '['
	case "integer":
		_, ok := args.Int(name)
		return ok
	case "number":
		var f float64
		return json.Unmarshal([]byte(args.String(name)), &f) == nil
	case "boolean":
		text := strings.TrimSpace(args.String(name))
		return strings.EqualFold(text, "true") || strings.EqualFold(text, "false")
	case "array":
		_, ok := args.Array(name)
		return ok
	case "object":
		_, err := args.Object(name)
		return err == nil
	}
	return true
}

// givenInstead names the parameters that the tool does not know: most missing
// ones were given under another name.
func givenInstead(s *Spec, args Args) string {
	names := unknownParams(s, args)
	if len(names) == 0 {
		return ""
	}
	return " (not known here: " + strings.Join(names, ", ") + ")"
}

// unknownParams returns the quoted names of arguments that the tool does not
// know; none for a tool with a schema of its own, whose server checks them.
func unknownParams(s *Spec, args Args) (names []string) {
	if s.Schema != nil {
		return nil
	}
	known := map[string]bool{ChecklistParam: true}
	for _, p := range s.Params {
		for _, n := range append([]string{p.Name}, p.Aliases...) {
			known[n] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(args)) {
		if !known[name] {
			names = append(names, fmt.Sprintf("%q", name))
		}
	}
	return names
}

// shape shows a call with the required parameters and the one called also, or
// with all when none is required.
func (s *Spec) shape(also string) string {
	var fields []string
	for _, required := range []bool{true, false} {
		for _, p := range s.Params {
			if p.Required == required || p.Name == also {
				fields = append(fields, fmt.Sprintf("%q: <%s>", p.Name, p.Type))
			}
		}
		if len(fields) > 0 {
			break
		}
	}
	return s.Name + " {" + strings.Join(fields, ", ") + "}"
}

func excerpt(raw json.RawMessage) string {
	text := []rune(strings.ToValidUTF8(string(raw), "\uFFFD"))
	if len(text) > 40 {
		return string(text[:40]) + "…"
	}
	return string(text)
}
