package docs

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"clined/internal/event"
	"clined/internal/protocol"
)

// schema is what the protocol's JSON Schema tells.
type schema struct {
	Methods map[string]struct{ Params, Result *ref }
	Defs    map[string]ref `json:"$defs"`
}

// ref is a type or a reference to one; a schema may also be plain true.
type ref struct {
	Ref        string `json:"$ref"`
	Properties map[string]ref
	Items      *ref
	OneOf      []ref
	Additional *ref `json:"additionalProperties"`
}

func (r *ref) UnmarshalJSON(data []byte) error {
	if string(data) == "true" {
		return nil
	}
	type plain ref
	return json.Unmarshal(data, (*plain)(r))
}

// lspTypes are told of by LSP itself.
var lspTypes = []string{"#/$defs/Range", "#/$defs/Diagnostic"}

// fields adds the names of all properties below r.
func (s *schema) fields(r *ref, seen, names map[string]bool) {
	if r == nil || slices.Contains(lspTypes, r.Ref) {
		return
	}
	if def, ok := s.Defs[strings.TrimPrefix(r.Ref, "#/$defs/")]; ok && !seen[r.Ref] {
		seen[r.Ref] = true
		s.fields(&def, seen, names)
	}
	for name, p := range r.Properties {
		names[name] = true
		s.fields(&p, seen, names)
	}
	for i := range r.OneOf {
		s.fields(&r.OneOf[i], seen, names)
	}
	s.fields(r.Items, seen, names)
	s.fields(r.Additional, seen, names)
}

func TestProtocolTellsOfEverything(t *testing.T) {
	text := read(t, "docs/protocol.md")
	raw, err := protocol.Schema()
	if err != nil {
		t.Fatal(err)
	}
	var s schema
	if err := json.Unmarshal(raw, &s); err != nil {
		t.Fatal(err)
	}
	names, seen := map[string]bool{}, map[string]bool{}
	for method, m := range s.Methods {
		names[method] = true
		if strings.HasPrefix(method, "clined/") {
			s.fields(m.Params, seen, names)
			s.fields(m.Result, seen, names)
		}
	}
	for _, def := range []string{"ClinedClient", "ClinedServer", "ApplyEditParams", "ApplyEditResult"} {
		if _, ok := s.Defs[def]; !ok {
			t.Errorf("the schema has no %s", def)
		}
		s.fields(&ref{Ref: "#/$defs/" + def}, seen, names)
	}
	for _, e := range event.All() {
		names[e.Type()] = true
	}
	for _, value := range []any{
		event.Idle, event.Running, event.RequiresAction,
		event.Completed, event.PlanPresented, event.Cancelled, event.Failed, event.NeedsUser,
		event.Pending, event.InProgress, event.Done, event.Error, event.Denied, event.Stopped, event.Discarded,
		protocol.CodeNotInitialized, protocol.CodeTaskNotFound, protocol.CodeTaskBusy, protocol.CodeTurnMismatch, protocol.CodeApprovalGone,
	} {
		names[word(value)] = true
	}
	for _, name := range lspTypes {
		if _, ok := s.Defs[strings.TrimPrefix(name, "#/$defs/")]; !ok {
			t.Errorf("the schema has no %s any more", name)
		}
	}
	if len(names) < 100 {
		t.Fatalf("only %d names were found", len(names))
	}
	told := codeWords(text)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if !told[name] {
			t.Errorf("docs/protocol.md does not tell of `%s`", name)
		}
	}
}

func word(v any) string {
	if n, ok := v.(int); ok {
		return strconv.Itoa(n)
	}
	b, _ := json.Marshal(v) // constants of string types
	return strings.Trim(string(b), `"`)
}

// Method names that are told of must exist.
func TestProtocolTellsOfNothingElse(t *testing.T) {
	known := map[string]bool{}
	for _, m := range slices.Concat(protocol.ServerMethods(), protocol.ClientMethods()) {
		known[m.Name] = true
	}
	method := regexp.MustCompile(`^clined/[a-z]+(/[A-Za-z]+)?$`)
	for _, file := range markdown(t) {
		for name := range codeWords(read(t, file)) {
			if method.MatchString(name) && !known[name] {
				t.Errorf("%s tells of %s, which is no method", file, name)
			}
		}
	}
}
