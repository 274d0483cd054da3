package jsonschema_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// compile does what mcp-go does with a tool's schema.
func compile(t *testing.T, schema string) (*jsonschema.Schema, error) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(schema))
	if err != nil {
		t.Fatal(err)
	}
	const url = "mem:///mcp-go/tools/a tool/input-schema.json"
	c := jsonschema.NewCompiler()
	if err := c.AddResource(url, doc); err != nil {
		t.Fatal(err)
	}
	return c.Compile(url)
}

func TestValidate(t *testing.T) {
	const refs = `{"$defs":{"n":{"type":"integer","minimum":1}},"type":"object","properties":{"n":{"$ref":"#/$defs/n"}},"required":["n"],"additionalProperties":false}`
	const draft7 = `{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"string"}],"additionalItems":false}`
	tests := []struct {
		schema, value string
		// wrong is part of what is told, "" for a value that is right.
		wrong string
	}{
		{refs, `{"n":1}`, ""},
		{refs, `{"n":9007199254740993}`, ""},
		{refs, `{"n":1.0}`, ""},
		{refs, `{"n":0}`, "minimum"},
		{refs, `{"n":1.5}`, "integer"},
		{refs, `{"n":"1"}`, "integer"},
		{refs, `{}`, "required"},
		{refs, `{"n":1,"m":2}`, "m"},
		{refs, `null`, "object"},
		{draft7, `["a"]`, ""},
		{draft7, `["a","b"]`, "additionalItems"},
		{draft7, `[1]`, "string"},
		{`{"enum":["a",null,1]}`, `null`, ""},
		{`{"enum":["a",null,1]}`, `1`, ""},
		{`{"enum":["a",null,1]}`, `2`, "enum"},
		{`{"anyOf":[{"type":"string"},{"type":"null"}]}`, `1`, "anyOf"},
		{`true`, `1`, ""},
		{`false`, `1`, "not"},
	}
	for _, tt := range tests {
		s, err := compile(t, tt.schema)
		if err != nil {
			t.Errorf("%s: %v", tt.schema, err)
			continue
		}
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(tt.value))
		if err != nil {
			t.Fatal(err)
		}
		err = s.Validate(v)
		var violation *jsonschema.ValidationError
		switch {
		case tt.wrong == "" && err == nil:
		case !errors.As(err, &violation):
			t.Errorf("%s with %s: %v, want %q", tt.value, tt.schema, err, tt.wrong)
		case tt.wrong == "" || !strings.Contains(violation.ErrorKind.Error(), tt.wrong):
			t.Errorf("%s with %s: %v, want %q", tt.value, tt.schema, err, tt.wrong)
		}
	}
}

func TestCompileRefuses(t *testing.T) {
	for _, schema := range []string{
		`{"type":3}`,
		`[]`,
		`{"pattern":"("}`,
		`{"$ref":"#/$defs/none"}`,
		`{"$ref":"https://example.org/other.json"}`,
		`{"$schema":"http://json-schema.org/draft-04/schema#"}`,
		`{"$schema":"https://json-schema.org/draft/2019-09/schema"}`,
	} {
		if _, err := compile(t, schema); err == nil {
			t.Errorf("%s compiles", schema)
		}
	}
	c := jsonschema.NewCompiler()
	if _, err := c.Compile("mem:///none"); err == nil {
		t.Error("a document that was never added compiles")
	}
	if err := errors.Join(c.AddResource("a", true), c.AddResource("a", false)); err == nil {
		t.Error("one URL stands for two documents")
	}
}

func TestUnmarshalJSONReadsOneValue(t *testing.T) {
	for _, text := range []string{"", "{", "{} {}", "1 x"} {
		if v, err := jsonschema.UnmarshalJSON(strings.NewReader(text)); err == nil {
			t.Errorf("%q is read as %v", text, v)
		}
	}
}
