//go:build cgo

package codedefs

import (
	"strings"

	sitter "github.com/smacker/go-tree-sitter"
)

// holder is the rule of nodes that only hold definitions.
var holder = rule{enter: true}

var goRules = map[string]rule{
	"function_declaration": {kind: "function"},
	"method_declaration":   {kind: "method"},
	"type_declaration":     holder,
	"type_spec":            {enter: true, read: readGoType},
	"type_alias":           {kind: "type"},
	"interface_type":       holder,
	"method_elem":          {kind: "method"},
	"const_declaration":    {read: readGoValues("const", "const_spec")},
	"var_declaration":      {read: readGoValues("var", "var_spec")},
}

func readGoType(n *sitter.Node, source []byte, at place) []found {
	name, typ := n.ChildByFieldName("name"), n.ChildByFieldName("type")
	if name == nil || typ == nil || at.depth > 0 && at.parent != "function" && at.parent != "method" {
		return nil
	}
	kind := "type"
	switch typ.Type() {
	case "struct_type":
		kind = "struct"
	case "interface_type":
		kind = "interface"
	}
	return []found{{kind: kind, name: name.Content(source), start: name}}
}

// readGoValues makes one definition of a declaration, named by its first names.
func readGoValues(kind, spec string) reader {
	return func(n *sitter.Node, source []byte, at place) []found {
		if at.depth > 0 {
			return nil
		}
		const most = 8
		var names []string
		var first *sitter.Node
		for s := range specsOf(n, spec) {
			for i := range int(s.ChildCount()) {
				id := s.Child(i)
				if id.Type() == "=" || len(names) > most {
					break
				}
				if id.Type() == "identifier" && id.Content(source) != "_" {
					names = append(names, id.Content(source))
					if first == nil {
						first = id
					}
				}
			}
		}
		if first == nil {
			return nil
		}
		if len(names) > most {
			names = append(names[:most], "…")
		}
		return []found{{kind: kind, name: strings.Join(names, ", "), start: first}}
	}
}

// specsOf yields the specs of a const or var declaration, in a list or not.
func specsOf(n *sitter.Node, spec string) func(yield func(*sitter.Node) bool) {
	return func(yield func(*sitter.Node) bool) {
		for c := n.NamedChild(0); c != nil; c = c.NextNamedSibling() {
			switch c.Type() {
			case spec:
				if !yield(c) {
					return
				}
			case "var_spec_list":
				for s := range specsOf(c, spec) {
					if !yield(s) {
						return
					}
				}
			}
		}
	}
}

var pythonRules = map[string]rule{
	"class_definition":     {kind: "class", enter: true},
	"function_definition":  {kind: "function"},
	"decorated_definition": holder,
	"block":                holder,
	"if_statement":         holder,
	"elif_clause":          holder,
	"else_clause":          holder,
	"try_statement":        holder,
	"except_clause":        holder,
	"finally_clause":       holder,
	"with_statement":       holder,
	"expression_statement": holder,
	"assignment":           {local: true, read: readPythonLambda},
	"type_alias_statement": {local: true, read: readPythonAlias},
}

func readPythonLambda(n *sitter.Node, source []byte, at place) []found {
	left, right := n.ChildByFieldName("left"), n.ChildByFieldName("right")
	if left == nil || right == nil || left.Type() != "identifier" || right.Type() != "lambda" {
		return nil
	}
	return []found{{kind: methodIn("function", at), name: left.Content(source), start: left}}
}

func readPythonAlias(n *sitter.Node, source []byte, _ place) []found {
	left := n.NamedChild(0)
	if left == nil {
		return nil
	}
	name, _, _ := strings.Cut(left.Content(source), "[")
	return []found{{kind: "type", name: name, start: left}}
}

var rustRules = map[string]rule{
	"function_item":           {kind: "function"},
	"function_signature_item": {kind: "function"},
	"struct_item":             {kind: "struct"},
	"enum_item":               {kind: "enum"},
	"union_item":              {kind: "union"},
	"trait_item":              {kind: "trait", enter: true},
	"impl_item":               {enter: true, read: readRustImpl},
	"mod_item":                {kind: "module", enter: true},
	"macro_definition":        {kind: "macro"},
	"type_item":               {read: readRustItem("type")},
	"const_item":              {read: readRustItem("const")},
	"static_item":             {read: readRustItem("static")},
	"foreign_mod_item":        holder,
	"declaration_list":        holder,
}

func readRustImpl(n *sitter.Node, source []byte, _ place) []found {
	typ := n.ChildByFieldName("type")
	if typ == nil {
		return nil
	}
	name := typ.Content(source)
	if trait := n.ChildByFieldName("trait"); trait != nil {
		name = trait.Content(source) + " for " + name
	}
	return []found{{kind: "impl", name: name, start: n, body: n.ChildByFieldName("body")}}
}

// readRustItem leaves out what traits and impls define beside functions.
func readRustItem(kind string) reader {
	return func(n *sitter.Node, source []byte, at place) []found {
		name := n.ChildByFieldName("name")
		if name == nil || at.broken || at.parent == "trait" || at.parent == "impl" {
			return nil
		}
		return []found{{kind: kind, name: name.Content(source), start: name}}
	}
}

var javaRules = map[string]rule{
	"class_declaration":               {kind: "class", enter: true},
	"interface_declaration":           {kind: "interface", enter: true},
	"enum_declaration":                {kind: "enum", enter: true},
	"record_declaration":              {kind: "record", enter: true},
	"annotation_type_declaration":     {kind: "annotation", enter: true},
	"method_declaration":              {kind: "method"},
	"constructor_declaration":         {kind: "constructor"},
	"compact_constructor_declaration": {kind: "constructor"},
	"class_body":                      holder,
	"interface_body":                  holder,
	"enum_body":                       holder,
	"enum_body_declarations":          holder,
	"annotation_type_body":            holder,
}
