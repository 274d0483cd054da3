//go:build cgo

package codedefs

import (
	"strings"

	sitter "github.com/smacker/go-tree-sitter"
)

// scriptRules are those of JavaScript and TypeScript: the one's nodes are the
// other's.
var scriptRules = map[string]rule{
	"function_declaration":           {kind: "function"},
	"generator_function_declaration": {kind: "function"},
	"function_signature":             {kind: "function"},
	"class_declaration":              {kind: "class", enter: true},
	"abstract_class_declaration":     {kind: "class", enter: true},
	"method_definition":              {kind: "method"},
	"method_signature":               {kind: "method"},
	"abstract_method_signature":      {kind: "method"},
	"public_field_definition":        {read: readFunctionField},
	"field_definition":               {read: readFunctionField},
	"interface_declaration":          {kind: "interface", enter: true},
	"type_alias_declaration":         {kind: "type"},
	"enum_declaration":               {kind: "enum"},
	"internal_module":                {kind: "namespace", enter: true},
	"module":                         {kind: "module", enter: true},
	"variable_declarator":            {enter: true, local: true, read: readVariable},
	"assignment_expression":          {enter: true, local: true, read: readAssignment},
	"export_statement":               {enter: true, read: readDefaultExport},
	"lexical_declaration":            holder,
	"variable_declaration":           holder,
	"expression_statement":           holder,
	"ambient_declaration":            holder,
	"statement_block":                holder,
	"class":                          holder,
	"class_body":                     holder,
	"interface_body":                 holder,
	"object_type":                    holder,
}

// functionKind returns what a value that is given a name becomes, "" for one
// that is neither function nor class.
func functionKind(value *sitter.Node) string {
	if value == nil {
		return ""
	}
	switch value.Type() {
	case "arrow_function", "function_expression", "function", "generator_function":
		return "function"
	case "class":
		return "class"
	}
	return ""
}

func readVariable(n *sitter.Node, source []byte, at place) []found {
	name, value := n.ChildByFieldName("name"), n.ChildByFieldName("value")
	if name == nil || name.Type() != "identifier" {
		return nil
	}
	if kind := functionKind(value); kind != "" {
		return []found{{kind: kind, name: name.Content(source), start: name, body: value.ChildByFieldName("body")}}
	}
	if !at.exported {
		return nil
	}
	return []found{{kind: "variable", name: name.Content(source), start: name}}
}

// readAssignment reads functions that are put into objects, such as
// "exports.f = () => 1" and "T.prototype.m = function () {}".
func readAssignment(n *sitter.Node, source []byte, _ place) []found {
	left, right := n.ChildByFieldName("left"), n.ChildByFieldName("right")
	kind := functionKind(right)
	if kind == "" || left.Type() != "member_expression" {
		return nil
	}
	return []found{{kind: kind, name: left.Content(source), start: left, body: right.ChildByFieldName("body")}}
}

func readFunctionField(n *sitter.Node, source []byte, _ place) []found {
	name := n.ChildByFieldName("name")
	if name == nil {
		name = n.ChildByFieldName("property")
	}
	value := n.ChildByFieldName("value")
	if name == nil || functionKind(value) != "function" {
		return nil
	}
	return []found{{kind: "method", name: name.Content(source), start: name, body: value.ChildByFieldName("body")}}
}

// readDefaultExport reads functions and classes whose only name is "default".
func readDefaultExport(n *sitter.Node, source []byte, _ place) []found {
	value := n.ChildByFieldName("value")
	kind := functionKind(value)
	if kind == "" {
		return nil
	}
	name := "default"
	if own := value.ChildByFieldName("name"); own != nil {
		name = strings.TrimSpace(own.Content(source))
	}
	return []found{{kind: kind, name: name, start: n, body: value.ChildByFieldName("body")}}
}
