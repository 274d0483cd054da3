package config

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// Schema returns the JSON Schema (draft 2020-12) of a settings file, for editors
// that complete and check it.
func Schema() ([]byte, error) {
	root := newNode("Settings of clined: JSON with comments and trailing commas.")
	root.props.set("$schema", object{{"type", "string"}})
	var dotted object
	for _, k := range keys() {
		path := strings.Split(k.Name, ".")
		at := root
		for _, group := range path[:len(path)-1] {
			at = at.group(group)
		}
		at.props.set(path[len(path)-1], k.Schema())
		if len(path) > 1 { // the same with dots, checked but not offered
			ref := "#/properties/" + strings.Join(path, "/properties/")
			dotted.set("^"+regexp.QuoteMeta(k.Name)+"$", object{{"$ref", ref}})
		}
	}
	all := slices.Concat(object{
		{"$schema", "https://json-schema.org/draft/2020-12/schema"},
		{"title", "clined settings"},
		{"allowComments", true},
		{"allowTrailingCommas", true},
	}, root.schema(), object{{"patternProperties", dotted}})
	return indented(all)
}

// Schema is the JSON Schema of the key's values. null is as good as not set.
func (k Key) Schema() json.Marshaler {
	o := object{{"description", k.Doc}}
	switch k.Type {
	case Choice:
		values := make([]any, 0, len(k.Choices)+2)
		if k.optional {
			values = append(values, "")
		}
		for _, c := range k.Choices {
			values = append(values, c)
		}
		o.set("enum", append(values, nil))
	case Flag:
		o.set("type", []string{"boolean", "null"})
	case Count, Amount:
		o.set("type", []string{map[Type]string{Count: "integer", Amount: "number"}[k.Type], "null"})
		if k.Min != nil {
			o.set("minimum", *k.Min)
		}
		if k.Max != nil {
			o.set("maximum", *k.Max)
		}
	case List:
		o.set("type", []string{"array", "null"})
		items := object{{"type", "string"}}
		if k.kind == "url" {
			items.set("pattern", urlPattern)
		}
		o.set("items", items)
	case Costs:
		o.set("type", []string{"object", "null"})
		o.set("additionalProperties", priceSchema())
	default:
		o.set("type", []string{"string", "null"})
		if p := k.pattern(); p != "" {
			o.set("pattern", p)
		}
	}
	if !k.overrides() {
		o.set("default", k.Default)
	}
	return o
}

// overrides says whether not to be set means to be as in both modes.
func (k *Key) overrides() bool {
	return strings.HasPrefix(k.Name, "plan.") || strings.HasPrefix(k.Name, "act.")
}

// pattern is what texts of the key look like, "" for anything.
func (k *Key) pattern() string {
	switch k.kind {
	case "secret":
		return `^(keyring|\$\{env:[A-Za-z_][A-Za-z0-9_]*\})?$`
	case "url":
		return "^(" + anyURL + ")?$"
	}
	return ""
}

// anyURL is an http or https URL without a user.
const (
	anyURL     = `[Hh][Tt][Tt][Pp][Ss]?://[^/?#@]+([/?#].*)?`
	urlPattern = "^" + anyURL + "$"
)

func priceSchema() object {
	var parts object
	for _, name := range priceParts {
		parts.set(name, object{{"type", "number"}, {"minimum", 0}, {"maximum", maxPrice}})
	}
	return object{{"type", "object"}, {"additionalProperties", false}, {"properties", parts}}
}

// node is a group of keys.
type node struct {
	doc    string
	props  object
	groups map[string]*node
}

func newNode(doc string) *node { return &node{doc: doc, groups: map[string]*node{}} }

func (n *node) group(name string) *node {
	if n.groups[name] == nil {
		n.groups[name] = newNode(groupDocs[name])
		n.props.set(name, n.groups[name])
	}
	return n.groups[name]
}

// groupDocs are for those who hover over the name of a group.
var groupDocs = map[string]string{
	"plan": "What is different in plan mode.", "act": "What is different in act mode.",
	"autoApprove": "What runs without asking.", "permissions": "Rules for single commands.",
	"sandbox": "What commands may touch.",
	"limits":  "After what a task asks whether to go on.", "mcp": "MCP servers.", "log": "What is logged.",
}

func (n *node) schema() object {
	o := object{{"type", []string{"object"}}, {"additionalProperties", false}, {"properties", n.props}}
	if n.doc != "" {
		o = append(object{{"description", n.doc}}, o...)
	}
	return o
}

// MarshalJSON writes the group as a schema; null is as good as not set.
func (n *node) MarshalJSON() ([]byte, error) {
	o := n.schema()
	o.set("type", []string{"object", "null"})
	return o.MarshalJSON()
}

// object is a JSON object whose members keep their order.
type object []member

type member struct {
	name  string
	value any
}

func (o *object) set(name string, value any) {
	for i, m := range *o {
		if m.name == name {
			(*o)[i].value = value
			return
		}
	}
	*o = append(*o, member{name, value})
}

// MarshalJSON writes the members in their order.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		for _, v := range []any{m.name, m.value} {
			raw, err := compact(v)
			if err != nil {
				return nil, err
			}
			b.Write(raw)
			b.WriteByte(':')
		}
		b.Truncate(b.Len() - 1)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// compact is JSON as people write it: "<" stays itself.
func compact(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

func indented(v any) ([]byte, error) {
	raw, err := compact(v)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = json.Indent(&b, raw, "", "  ")
	b.WriteByte('\n')
	return b.Bytes(), err
}
