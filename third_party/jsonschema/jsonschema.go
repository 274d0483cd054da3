// Package jsonschema stands in for github.com/santhosh-tekuri/jsonschema/v6, by
// a replace directive in clined's go.mod. It owns nothing but the translation:
// the part of that library's interface which mcp-go's server calls, answered by
// github.com/google/jsonschema-go, which mcp-go brings along anyway.
//
// The reason is the start of the process. The library compiles five
// meta-schemas when its package is initialised, which took more than half of
// the time from start to the answer of "initialize", in a program that never
// validates with it: mcp-go's client imports mcp-go's server. Here nothing is
// done before a schema is compiled.
//
// No code of that library is in it. What it accepts is the same for draft-07
// and 2020-12 (a schema of another draft does not compile, which makes mcp-go
// pass the arguments on unchecked); its messages name the place in the schema
// instead of the place in the value. Import jsonschema-go instead of this; only
// mcp-go is meant to get it.
package jsonschema

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// UnmarshalJSON reads one JSON value, with numbers as float64.
func UnmarshalJSON(r io.Reader) (any, error) {
	d := json.NewDecoder(r)
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("there is more after the JSON value")
	}
	return v, nil
}

// Compiler makes schemas of the documents added to it.
type Compiler struct {
	docs map[string]any
}

// NewCompiler returns a compiler without documents.
func NewCompiler() *Compiler { return &Compiler{docs: map[string]any{}} }

// AddResource adds the document of a URL.
func (c *Compiler) AddResource(url string, doc any) error {
	if _, ok := c.docs[url]; ok {
		return fmt.Errorf("there is a resource %q already", url)
	}
	c.docs[url] = doc
	return nil
}

// Compile returns the schema of the document at url. It loads no other one: a
// reference out of the document is an error.
func (c *Compiler) Compile(url string) (*Schema, error) {
	doc, ok := c.docs[url]
	if !ok {
		return nil, fmt.Errorf("there is no resource %q", url)
	}
	text, err := json.Marshal(doc)
	if err != nil {
		return nil, err
	}
	root := new(jsonschema.Schema)
	if err := json.Unmarshal(text, root); err != nil {
		return nil, err
	}
	if !known(root.Schema) {
		return nil, fmt.Errorf("$schema %q is neither draft-07 nor 2020-12", root.Schema)
	}
	resolved, err := root.Resolve(&jsonschema.ResolveOptions{BaseURI: url})
	if err != nil {
		return nil, err
	}
	return &Schema{resolved}, nil
}

// known tells the drafts that jsonschema-go validates with.
func known(draft string) bool {
	_, draft, ok := strings.Cut(draft, "://")
	return !ok || draft == "json-schema.org/draft-07/schema#" || draft == "json-schema.org/draft/2020-12/schema"
}

// Schema is a compiled schema, safe for concurrent use.
type Schema struct {
	resolved *jsonschema.Resolved
}

// Validate checks a value of the kind that UnmarshalJSON returns. What is wrong
// with it is a *ValidationError.
func (s *Schema) Validate(v any) error {
	if err := s.resolved.Validate(v); err != nil {
		return &ValidationError{ErrorKind: err}
	}
	return nil
}

// ValidationError is the first violation found.
type ValidationError struct {
	// InstanceLocation is always empty, and so is Causes.
	InstanceLocation []string
	// ErrorKind says what is wrong and names the place in the schema.
	ErrorKind error
	Causes    []*ValidationError
}

// Error implements error.
func (e *ValidationError) Error() string {
	return "jsonschema validation failed: " + e.ErrorKind.Error()
}

// Unwrap returns the ErrorKind.
func (e *ValidationError) Unwrap() error { return e.ErrorKind }
