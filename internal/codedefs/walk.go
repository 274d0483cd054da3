//go:build cgo

package codedefs

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	sitter "github.com/smacker/go-tree-sitter"

	"clined/internal/tools"
)

// maxNodes bounds the walk over one tree. The binding keeps about 150 bytes for
// every node that was looked at.
const maxNodes = 200_000

// largeSource is the size in bytes from which the memory taken is given back at
// once.
const largeSource = 64 << 10

// outline parses source and walks the tree. Parser, tree and cursor live in C:
// each is closed here, on every path. A parser is used once, by one goroutine.
func outline(ctx context.Context, lang string, source []byte) ([]tools.Definition, error) {
	g := grammars[lang]
	g.ready()
	if len(source) > largeSource {
		defer giveBack()
	}
	parser := sitter.NewParser()
	defer parser.Close()
	parser.SetLanguage(g.language)
	tree, err := parser.ParseCtx(ctx, nil, source)
	if err != nil {
		return nil, err
	}
	defer tree.Close()
	cursor := sitter.NewTreeCursor(tree.RootNode())
	defer cursor.Close()
	w := walker{grammar: g, source: source}
	if err := w.walk(ctx, cursor); err != nil {
		return nil, err
	}
	slices.SortStableFunc(w.defs, func(a, b tools.Definition) int { return cmp.Compare(a.Line, b.Line) })
	return w.defs, nil
}

type walker struct {
	grammar *grammar
	source  []byte
	defs    []tools.Definition
}

// walk visits the nodes that may hold definitions. It keeps its own stack and
// no query, whose time grows with the square of the nesting.
func (w *walker) walk(ctx context.Context, cursor *sitter.TreeCursor) error {
	if !cursor.GoToFirstChild() {
		return nil
	}
	places := []place{{}}
	for visited := 0; ; visited++ {
		if visited == maxNodes {
			return errors.New("the file is too large or too broken to be outlined")
		}
		if visited%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		inside, enter := w.visit(cursor.CurrentNode(), places[len(places)-1])
		if enter && cursor.GoToFirstChild() {
			places = append(places, inside)
			continue
		}
		for !cursor.GoToNextSibling() {
			if len(places) == 1 {
				return nil
			}
			places = places[:len(places)-1]
			cursor.GoToParent()
		}
	}
}

// visit notes what a node defines, and tells whether to look inside. What
// holds a syntax error is always looked into: the parser may have swallowed
// definitions that follow it.
func (w *walker) visit(n *sitter.Node, at place) (inside place, enter bool) {
	inside = at
	r := w.grammar.rule(n)
	if r == nil {
		return inside, n.HasError()
	}
	inside.exported = at.exported || n.Type() == "export_statement"
	if r.local && at.broken {
		return inside, false
	}
	// A name is empty where the parser put one in to go on after an error.
	things := slices.DeleteFunc(r.find(n, w.source, at), func(f found) bool { return strings.TrimSpace(f.name) == "" })
	for _, f := range things {
		w.defs = append(w.defs, w.definition(n, f, at))
	}
	if len(things) > 0 && !r.flat {
		inside.parent = things[0].kind
		inside.depth++
		inside.exported = false
	}
	if !r.enter && n.HasError() {
		inside.broken = true
		return inside, true
	}
	return inside, r.enter
}

func (r *rule) find(n *sitter.Node, source []byte, at place) []found {
	if r.read != nil {
		return r.read(n, source, at)
	}
	if r.kind == "" {
		return nil
	}
	name := n.ChildByFieldName("name")
	if name == nil {
		return nil
	}
	body := n.ChildByFieldName("body")
	if body != nil && source[body.StartByte()] == '(' { // a tuple struct of Rust
		body = nil
	}
	return []found{{kind: methodIn(r.kind, at), name: name.Content(source), start: name, body: body}}
}

// methodIn returns "method" for functions of types.
func methodIn(kind string, at place) string {
	if kind != "function" {
		return kind
	}
	switch at.parent {
	case "class", "struct", "interface", "trait", "impl", "enum", "record", "union", "annotation":
		return "method"
	}
	return kind
}

func (w *walker) definition(n *sitter.Node, f found, at place) tools.Definition {
	end := n.EndPoint()
	last := int(end.Row) + 1
	if end.Column == 0 && end.Row > n.StartPoint().Row {
		last--
	}
	line := int(f.start.StartPoint().Row) + 1
	return tools.Definition{
		Kind: f.kind, Name: oneLine([]byte(f.name), 300),
		Line: line, EndLine: max(line, last), Depth: at.depth,
		Signature: w.signature(n, f),
	}
}

// maxSignature is the length of a signature in bytes beyond which it is cut.
const maxSignature = 240

// signature is the source from the beginning of the line that shows the thing
// up to its body, on one line. What has no body is shown whole if it is a
// function, else by its first line.
func (w *walker) signature(n *sitter.Node, f found) string {
	head := f.head
	if head == nil {
		head = f.start
	}
	start := w.lineStart(int(head.StartByte()))
	end := max(start, int(n.EndByte()))
	switch {
	case f.body != nil:
		end = max(start, int(f.body.StartByte()))
	case f.kind == "function" || f.kind == "method" || f.kind == "constructor":
	default:
		if i := bytes.IndexByte(w.source[start:end], '\n'); i >= 0 {
			end = start + i
		}
	}
	return strings.TrimRight(oneLine(w.source[start:end], maxSignature), " {(=;,:")
}

// lineStart returns where the statement at i begins on its line, or i where
// that is far away.
func (w *walker) lineStart(i int) int {
	start := i
	for start > 0 && !strings.ContainsRune("\n{};", rune(w.source[start-1])) {
		start--
		if i-start > maxSignature {
			return i
		}
	}
	return start
}

// oneLine turns runs of blanks into one and cuts what is over most bytes.
func oneLine(text []byte, most int) string {
	cut := len(text) > 4*most
	if cut {
		text = text[:4*most]
	}
	s := strings.ToValidUTF8(strings.Join(strings.Fields(string(text)), " "), "\uFFFD")
	if len(s) <= most && !cut {
		return s
	}
	end := min(most, len(s))
	for end > 0 && end < len(s) && s[end]&0xC0 == 0x80 {
		end--
	}
	return s[:end] + "…"
}
