//go:build cgo

package codedefs

import (
	"strings"

	sitter "github.com/smacker/go-tree-sitter"
)

// cRules are those of C and of C++: the one's nodes are the other's.
var cRules = map[string]rule{
	"function_definition":    {read: readCFunction},
	"declaration":            {enter: true, local: true, read: readCPrototypes},
	"field_declaration":      {enter: true, read: readCPrototypes},
	"type_definition":        {enter: true, flat: true, local: true, read: readTypedef},
	"struct_specifier":       {enter: true, read: readWithBody("struct")},
	"class_specifier":        {enter: true, read: readWithBody("class")},
	"union_specifier":        {enter: true, read: readWithBody("union")},
	"enum_specifier":         {read: readWithBody("enum")},
	"namespace_definition":   {kind: "namespace", enter: true},
	"concept_definition":     {kind: "concept"},
	"alias_declaration":      {kind: "type", local: true},
	"preproc_function_def":   {kind: "macro"},
	"template_declaration":   holder,
	"linkage_specification":  holder,
	"declaration_list":       holder,
	"field_declaration_list": holder,
	"preproc_if":             holder,
	"preproc_ifdef":          holder,
	"preproc_elif":           holder,
	"preproc_elifdef":        holder,
	"preproc_else":           holder,
}

// readWithBody leaves out mere uses of a type and declarations to come.
func readWithBody(kind string) reader {
	return func(n *sitter.Node, source []byte, _ place) []found {
		name, body := n.ChildByFieldName("name"), n.ChildByFieldName("body")
		if name == nil || body == nil {
			return nil
		}
		return []found{{kind: kind, name: name.Content(source), start: name, body: body}}
	}
}

func readCFunction(n *sitter.Node, source []byte, at place) []found {
	declarator := n.ChildByFieldName("declarator")
	name, _ := declaredName(declarator)
	if name == nil {
		return nil
	}
	f := cFunction(name, source, at)
	f.head = n
	if f.body = n.ChildByFieldName("body"); f.body == nil {
		f.body = endOf(n, "default_method_clause", "delete_method_clause", "try_statement")
	}
	return []found{f}
}

// endOf returns the last named child when it is of one of the types.
func endOf(n *sitter.Node, types ...string) *sitter.Node {
	last := int(n.NamedChildCount()) - 1
	if last < 0 {
		return nil
	}
	c := n.NamedChild(last)
	for _, t := range types {
		if c.Type() == t {
			return c
		}
	}
	return nil
}

func cFunction(name *sitter.Node, source []byte, at place) found {
	kind := methodIn("function", at)
	text := name.Content(source)
	switch name.Type() {
	case "qualified_identifier":
		kind = "method"
	case "operator_cast":
		text, _, _ = strings.Cut(text, "(")
	}
	return found{kind: kind, name: text, start: name}
}

// readCPrototypes reads the functions that a declaration announces.
func readCPrototypes(n *sitter.Node, source []byte, at place) []found {
	declarator := n.ChildByFieldName("declarator")
	name, function := declaredName(declarator)
	if name == nil || !function {
		return nil
	}
	return []found{cFunction(name, source, at)}
}

// readTypedef names a type by each of its names. A struct without a name of its
// own gets the first of them.
func readTypedef(n *sitter.Node, source []byte, _ place) []found {
	typ := n.ChildByFieldName("type")
	var fs []found
	for c := n.NamedChild(0); c != nil; c = c.NextNamedSibling() {
		if typ != nil && c.Equal(typ) {
			continue
		}
		name, _ := declaredName(c)
		if name == nil {
			continue
		}
		f := found{kind: "type", name: name.Content(source), start: name, head: n}
		if typ != nil && typ.ChildByFieldName("body") != nil && typ.ChildByFieldName("name") == nil {
			f.kind = strings.TrimSuffix(typ.Type(), "_specifier")
			f.start = typ
		}
		fs = append(fs, f)
	}
	return fs
}

// declaredName finds the name in a declarator such as "*(*f(int))[3]", and
// tells whether it is a function. nil when it names nothing.
func declaredName(n *sitter.Node) (name *sitter.Node, function bool) {
	const deepest = 64
	for range deepest {
		if n == nil {
			return nil, false
		}
		switch n.Type() {
		case "identifier", "field_identifier", "type_identifier", "qualified_identifier",
			"destructor_name", "operator_name", "template_function", "template_method":
			return n, function
		case "operator_cast":
			return n, true
		case "function_declarator":
			function = true
		case "parenthesized_declarator":
			function = false // of a pointer, unless one follows inside
		case "pointer_declarator", "reference_declarator", "array_declarator", "init_declarator", "attributed_declarator":
		default:
			return nil, false
		}
		inner := n.ChildByFieldName("declarator")
		if inner == nil {
			inner = n.NamedChild(0)
		}
		n = inner
	}
	return nil, false
}
