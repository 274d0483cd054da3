package config

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

func compiledSchema(t *testing.T) *jsonschema.Resolved {
	t.Helper()
	raw, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(raw, &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

// The schema and the reader take the same files.
func TestSchemaAgreesWithTheReader(t *testing.T) {
	schema := compiledSchema(t)
	wrong := []string{"null", "true", "false", "0", "1", "-1", "1.5", `"x"`, `""`, `"auto"`, `"safe"`, `"high"`, `"ollama"`, `"keyring"`, `"${env:A}"`, `"${env:A B}"`, `"http://a@b"`,
		`"https://a"`, `"HTTP://a:1/b?c#d"`, `"ftp://a"`, "[]", `["a"]`, "[1]", "[null]", "{}", `{"a": 1}`, `{"a": {}}`, `{"a": {"input": 1}}`, `{"a": {"input": -1}}`,
		`{"a": {"inputs": 1}}`, `{"a": {"input": null}}`, `{"a": null}`}
	agree := func(text string) {
		var value any
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			t.Fatal(err)
		}
		_, problems := FromFile("f", []byte(text))
		if err := schema.Validate(value); (err == nil) != (len(problems) == 0) {
			t.Errorf("%s: the schema says %v, the reader %v", text, err, problems)
		}
	}
	for _, k := range keys() {
		group, name, nested := strings.Cut(k.Name, ".")
		for _, v := range append(wrong, valuesOf(k)...) {
			agree(fmt.Sprintf("{%q: %s}", k.Name, v))
			if nested {
				agree(fmt.Sprintf("{%q: {%q: %s}}", group, name, v))
			}
		}
	}
	for _, text := range []string{`{}`, `{"$schema": "x"}`, `{"modle": 1}`, `{"log": {"levl": "info"}}`, `{"log": null}`, `{"log": 1}`, `{"log.levl": 1}`, `{"log": {"$schema": "x"}}`, `[]`} {
		agree(text)
	}
}

// The defaults are good settings.
func TestSchemaTakesTheDefaults(t *testing.T) {
	raw, err := json.Marshal(Default())
	if err != nil {
		t.Fatal(err)
	}
	var value map[string]any
	if err := json.Unmarshal(raw, &value); err != nil {
		t.Fatal(err)
	}
	delete(value, "plan") // "" would mean something there
	delete(value, "act")
	if err := compiledSchema(t).Validate(value); err != nil {
		t.Error(err)
	}
}

func TestProblemsOfPrices(t *testing.T) {
	for text, want := range map[string]string{
		"{\"prices\": {\n\"a\": {\"input\": 1},\n\"b\": {\"imput\": 1}}}": `f:3:7: "prices.b" must be an object with input, output, cacheRead, cacheWrite, each a number from 0 to 1000000|did you mean "input"?`,
		"{\"prices\": {\n\"a\": 1}}":                                      `f:2:6: "prices.a" must be an object`,
		"{\"prices\": {\"a\": {\"input\": -1}}}":                          `f:1:18: "prices.a" must be`,
		"{\"prices\": 1}":                                                 `f:1:12: "prices" must be an object with prices from 0 to 1000000 per model id`,
	} {
		_, problems := FromFile("f", []byte(text))
		if len(problems) != 1 || !strings.HasPrefix(problems[0].Error()+"|"+problems[0].Hint, strings.Split(want, "|")[0]) || !strings.HasSuffix(problems[0].Hint, want[strings.IndexByte(want, '|')+1:]) && strings.Contains(want, "|") {
			t.Errorf("%s: %v", text, problems)
		}
	}
}

// A file made to be slow or to fill the screen is neither.
func TestFilesThatAreMadeToHurt(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var many strings.Builder
	for many.Len() < maxFile-100 {
		fmt.Fprintf(&many, "\"m%x\":1,\n", r.Uint32())
	}
	for name, text := range map[string]string{
		"unknown names":  "{" + many.String() + "}",
		"a long name":    `{"` + strings.Repeat("x", maxFile-10) + `":1}`,
		"deep":           strings.Repeat("[", maxFile),
		"the same again": "{" + strings.Repeat(`"model":1,`, maxFile/10-1) + "}",
	} {
		_, problems := FromFile("f", []byte(text))
		if len(problems) == 0 || len(problems) > maxProblems+1 {
			t.Errorf("%s: %d problems", name, len(problems))
		}
		for _, p := range problems {
			if len(p.Message)+len(p.Hint)+len(p.Key) > 1000 {
				t.Errorf("%s: %d bytes", name, len(p.Message))
			}
		}
	}
}
