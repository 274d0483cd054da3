//go:build cgo

package codedefs

import (
	"maps"
	"slices"
	"sync"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/c"
	"github.com/smacker/go-tree-sitter/cpp"
	"github.com/smacker/go-tree-sitter/golang"
	"github.com/smacker/go-tree-sitter/java"
	"github.com/smacker/go-tree-sitter/javascript"
	"github.com/smacker/go-tree-sitter/python"
	"github.com/smacker/go-tree-sitter/rust"
	"github.com/smacker/go-tree-sitter/typescript/tsx"
	"github.com/smacker/go-tree-sitter/typescript/typescript"
)

// available tells whether the parsers are in this build.
const available = true

// A grammar is a language as tree-sitter parses it, and what its nodes mean.
type grammar struct {
	load  func() *sitter.Language
	rules map[string]rule

	once     sync.Once
	language *sitter.Language
	// bySymbol has the rules by the number of the node type; nil for nodes
	// that mean nothing.
	bySymbol []*rule
}

// A rule says what a node of one type means.
type rule struct {
	// kind of the definition; "" for a node that only holds definitions.
	kind string
	// enter looks inside.
	enter bool
	// flat definitions are not what the ones inside are nested in.
	flat bool
	// local definitions are common inside functions, so they do not count in
	// one that is looked into for its syntax errors.
	local bool
	// read takes a node apart that is not simply named by its field "name".
	read reader
}

// A reader returns the definitions a node makes, by itself and in the place it
// stands at; none for a node that makes none.
type reader func(n *sitter.Node, source []byte, at place) []found

// A place is what is around a node.
type place struct {
	// parent is the kind of the definition it is in, "" at the top.
	parent string
	depth  int
	// exported is true inside an export statement.
	exported bool
	// broken is true inside a function that was entered for its syntax errors.
	broken bool
}

// A found thing becomes a definition.
type found struct {
	kind, name string
	// start is the node on the line it is said to be at, head the one its
	// signature begins with; nil for start.
	start, head *sitter.Node
	// body is where its signature ends; nil when it ends with the line.
	body *sitter.Node
}

var grammars = map[string]*grammar{
	"Go":         {load: golang.GetLanguage, rules: goRules},
	"TypeScript": {load: typescript.GetLanguage, rules: scriptRules},
	"TSX":        {load: tsx.GetLanguage, rules: scriptRules},
	"JavaScript": {load: javascript.GetLanguage, rules: scriptRules},
	"Python":     {load: python.GetLanguage, rules: pythonRules},
	"Rust":       {load: rust.GetLanguage, rules: rustRules},
	"C":          {load: c.GetLanguage, rules: cRules},
	"C++":        {load: cpp.GetLanguage, rules: cRules},
	"Java":       {load: java.GetLanguage, rules: javaRules},
}

// Languages returns the names of the languages that are known, sorted.
func Languages() []string { return slices.Sorted(maps.Keys(grammars)) }

// ready loads the language and looks up its rules, once.
func (g *grammar) ready() {
	g.once.Do(func() {
		g.language = g.load()
		g.bySymbol = make([]*rule, g.language.SymbolCount())
		for i := range g.bySymbol {
			symbol := sitter.Symbol(i)
			if g.language.SymbolType(symbol) != sitter.SymbolTypeRegular {
				continue
			}
			if r, ok := g.rules[g.language.SymbolName(symbol)]; ok {
				g.bySymbol[i] = &r
			}
		}
	})
}

// rule returns nil for nodes that mean nothing; an error node's symbol is
// beyond all others.
func (g *grammar) rule(n *sitter.Node) *rule {
	if s := int(n.Symbol()); s < len(g.bySymbol) {
		return g.bySymbol[s]
	}
	return nil
}
