package protocol

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"strings"

	"github.com/invopop/jsonschema"

	"clined/internal/event"
)

// methodSchema is one method in the schema document.
type methodSchema struct {
	// From is "editor" or "daemon", the side that sends it.
	From string `json:"from"`
	// Kind is "request" or "notification".
	Kind   string             `json:"kind"`
	Params *jsonschema.Schema `json:"params"`
	Result *jsonschema.Schema `json:"result,omitempty"`
}

// Schema returns the JSON Schema (2020-12) of the wire as a document of its
// own: "methods" by name, and the types they refer to in "$defs". Receivers
// ignore properties that are not in it. The text is the same for each build.
func Schema() ([]byte, error) {
	b := schemaBuilder{defs: jsonschema.Definitions{}}
	b.reflector = &jsonschema.Reflector{Anonymous: true, AllowAdditionalProperties: true, Namer: typeName, Mapper: b.special}
	methods := map[string]methodSchema{}
	for _, m := range ServerMethods() {
		methods[m.Name] = b.method("editor", m)
	}
	for _, m := range ClientMethods() {
		methods[m.Name] = b.method("daemon", m)
	}
	b.defs["Event"] = b.event()
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(struct {
		Schema   string                  `json:"$schema"`
		Title    string                  `json:"title"`
		Protocol ProtocolRange           `json:"protocol"`
		Methods  map[string]methodSchema `json:"methods"`
		Defs     jsonschema.Definitions  `json:"$defs"`
	}{jsonschema.Version, "clined editor protocol", ProtocolRange{Min: Version, Max: Version}, methods, b.defs})
	return out.Bytes(), err
}

type schemaBuilder struct {
	reflector *jsonschema.Reflector
	defs      jsonschema.Definitions
}

func (b *schemaBuilder) method(from string, m Method) methodSchema {
	s := methodSchema{From: from, Kind: "request", Params: b.ref(m.Params)}
	if m.Notification {
		s.Kind = "notification"
		return s
	}
	s.Result = b.ref(m.Result)
	return s
}

// ref keeps the definitions that t needs and returns a reference to its own.
func (b *schemaBuilder) ref(t reflect.Type) *jsonschema.Schema {
	s := b.reflector.ReflectFromType(t)
	maps.Copy(b.defs, s.Definitions)
	s.Definitions, s.Version = nil, ""
	return s
}

// event describes the union of all variants by their type.
func (b *schemaBuilder) event() *jsonschema.Schema {
	union := &jsonschema.Schema{Description: "One of the known events; skip those of other types."}
	for _, e := range event.All() {
		t := reflect.TypeOf(e)
		union.OneOf = append(union.OneOf, b.ref(t))
		def := b.defs[typeName(t)]
		def.Properties.Set("type", &jsonschema.Schema{Const: e.Type()})
		_ = def.Properties.MoveToFront("type") // it is there
		def.Required = append([]string{"type"}, def.Required...)
	}
	return union
}

// special maps the types whose JSON is not their Go shape.
func (b *schemaBuilder) special(t reflect.Type) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[event.Envelope]():
		return &jsonschema.Schema{Ref: "#/$defs/Event"}
	case reflect.TypeFor[Null]():
		return &jsonschema.Schema{Type: "null"}
	}
	return nil
}

// typeName keeps the events apart from the protocol's own types.
func typeName(t reflect.Type) string {
	if strings.HasSuffix(t.PkgPath(), "/event") && t.Name() != "" {
		return "Event" + t.Name()
	}
	return t.Name()
}
