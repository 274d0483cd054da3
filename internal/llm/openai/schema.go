package openai

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"clined/internal/llm"
)

// tools converts the definitions. One that no server would take is left out
// with a warning, so that the others still work.
func tools(defs []llm.ToolDef, q quirks, schemas *schemaBook, log *slog.Logger) []tool {
	var out []tool
	seen := map[string]bool{}
	for _, d := range defs {
		schema, err := schemas.parameters(d.Schema)
		switch {
		case err != nil:
		case !legalName().MatchString(d.Name):
			err = errors.New("the name is not legal")
		case seen[d.Name]:
			err = errors.New("the name is there twice")
		}
		if err != nil {
			log.Warn("tool left out", "tool", d.Name, "err", err)
			continue
		}
		seen[d.Name] = true
		about := d.Description
		if q.has(shortDescriptions) {
			about, schema = fitDescription(about, schema)
		}
		out = append(out, tool{Type: "function", Function: function{Name: d.Name, Description: about, Parameters: schema}})
	}
	return out
}

const (
	maxSchemaDepth = 64
	refPrefix      = "#/"
)

// combinators are the keywords that OpenAI refuses at the top of a schema.
var combinators = []string{"anyOf", "oneOf", "allOf", "enum", "not"}

// conditionals may allow properties that the top level does not list.
var conditionals = []string{"if", "then", "else", "dependentSchemas", "patternProperties", "unevaluatedProperties"}

// parameters passes a schema nearly unchanged: the top is an object without
// combinators (their properties are merged into it) that allows no further
// properties unless it says so itself, and every array has items.
func parameters(raw json.RawMessage) (json.RawMessage, error) {
	if len(raw) == 0 || string(raw) == "null" {
		raw = json.RawMessage("{}")
	}
	o, ok := parseObject(raw)
	if !ok || !json.Valid(raw) {
		return nil, errors.New("the schema is no JSON object")
	}
	root := o
	o = resolve(root, o)
	o.remove("$schema")
	if err := objectType(&o); err != nil {
		return nil, err
	}
	o = mergeAlternatives(root, o)
	if _, ok := parseObject(valueOf(o, "properties")); !ok {
		o.set("properties", json.RawMessage("{}"))
	}
	if !o.has("additionalProperties") && !slices.ContainsFunc(conditionals, o.has) {
		o.set("additionalProperties", json.RawMessage("false"))
	}
	return fillItems(o.raw(), 0)
}

func valueOf(o object, key string) json.RawMessage {
	v, _ := o.get(key)
	return v
}

// objectType sees to "type":"object", at the front where it is missing.
func objectType(o *object) error {
	raw, ok := o.get("type")
	if !ok {
		*o = slices.Insert(*o, 0, field{"type", json.RawMessage(`"object"`)})
		return nil
	}
	if !slices.Contains(typesOf(raw), "object") {
		return fmt.Errorf("the schema has type %s instead of object", raw)
	}
	o.set("type", json.RawMessage(`"object"`))
	return nil
}

func typesOf(raw json.RawMessage) []string {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return []string{one}
	}
	var many []string
	if json.Unmarshal(raw, &many) != nil {
		return nil
	}
	return many
}

// resolve replaces a $ref at the top of a schema by what it points to.
func resolve(root, o object) object {
	for range maxSchemaDepth {
		var ref string
		if json.Unmarshal(valueOf(o, "$ref"), &ref) != nil || !strings.HasPrefix(ref, refPrefix) {
			return o
		}
		target := root
		for _, step := range strings.Split(strings.TrimPrefix(ref, refPrefix), "/") {
			step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
			next, ok := parseObject(valueOf(target, step))
			if !ok {
				return o
			}
			target = next
		}
		o = slices.Clone(o)
		o.remove("$ref")
		for _, f := range target {
			o.set(f.key, f.value)
		}
	}
	return o
}

// mergeAlternatives takes the combinators off the top. Their properties become
// the tool's own; only allOf's are required, as the others are choices.
func mergeAlternatives(root, o object) object {
	properties, _ := parseObject(valueOf(o, "properties"))
	var required []string
	_ = json.Unmarshal(valueOf(o, "required"), &required) // absent or wrong: none
	merged := false
	for _, key := range combinators[:3] {
		var list []json.RawMessage
		_ = json.Unmarshal(valueOf(o, key), &list) // absent or wrong: none
		for _, raw := range list {
			alternative, _ := parseObject(raw)
			alternative = resolve(root, alternative)
			more, _ := parseObject(valueOf(alternative, "properties"))
			for _, f := range more {
				if !properties.has(f.key) {
					properties.set(f.key, f.value)
					merged = true
				}
			}
			var names []string
			if key == "allOf" && json.Unmarshal(valueOf(alternative, "required"), &names) == nil {
				required = append(required, names...)
				merged = merged || len(names) > 0
			}
		}
	}
	o.remove(combinators...)
	if merged {
		o.set("properties", properties.raw())
		setRequired(&o, required)
	}
	return o
}

func setRequired(o *object, names []string) {
	slices.Sort(names)
	raw, err := marshal(slices.Compact(names))
	if err != nil || len(names) == 0 { // names are strings and always encode
		return
	}
	o.set("required", raw)
}

// Where a schema holds schemas: as the values of an object, in a list, or alone.
var (
	schemaMaps  = []string{"properties", "$defs", "definitions", "patternProperties", "dependentSchemas"}
	schemaLists = []string{"anyOf", "oneOf", "allOf", "prefixItems"}
	schemaOnes  = []string{"items", "additionalProperties", "not", "if", "then", "else"}
)

// fillItems gives arrays without items the schema that allows any. All else
// stays byte for byte as it is.
func fillItems(raw json.RawMessage, depth int) (json.RawMessage, error) {
	if depth > maxSchemaDepth {
		return nil, errors.New("the schema is nested too deeply")
	}
	o, ok := parseObject(raw)
	if !ok {
		return raw, nil
	}
	if slices.Contains(typesOf(valueOf(o, "type")), "array") && !o.has("items") && !o.has("prefixItems") {
		o.set("items", json.RawMessage("{}"))
	}
	for i, f := range o {
		var err error
		switch {
		case slices.Contains(schemaMaps, f.key):
			o[i].value, err = fillMap(f.value, depth)
		case slices.Contains(schemaLists, f.key):
			o[i].value, err = fillList(f.value, depth)
		case slices.Contains(schemaOnes, f.key):
			o[i].value, err = fillItems(f.value, depth+1)
		}
		if err != nil {
			return nil, err
		}
	}
	return o.raw(), nil
}

func fillMap(raw json.RawMessage, depth int) (json.RawMessage, error) {
	o, ok := parseObject(raw)
	if !ok {
		return raw, nil
	}
	for i := range o {
		v, err := fillItems(o[i].value, depth+1)
		if err != nil {
			return nil, err
		}
		o[i].value = v
	}
	return o.raw(), nil
}

func fillList(raw json.RawMessage, depth int) (json.RawMessage, error) {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return raw, nil
	}
	for i := range list {
		v, err := fillItems(list[i], depth+1)
		if err != nil {
			return nil, err
		}
		list[i] = v
	}
	return marshal(list)
}
