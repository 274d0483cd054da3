package approval

import (
	"cmp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// note notes all calls and words below a node.
func (r *reader) note(node syntax.Node) {
	var fedIn []*syntax.Word
	var above []bool // whether each node that is open is in a substitution
	r.nameless = map[*syntax.Word]bool{}
	syntax.Walk(node, func(n syntax.Node) bool {
		if n == nil {
			above = above[:len(above)-1]
			return true
		}
		above = append(above, len(above) > 0 && above[len(above)-1] || isSubstitution(n))
		switch n := n.(type) {
		case *syntax.CallExpr:
			s := simple{piped: r.isPiped(n), captured: above[len(above)-1]}
			for _, w := range n.Args {
				s.words = append(s.words, readWord(w, nil))
			}
			s.spread = spread(n.Args)
			if len(s.words) > 0 {
				r.l.nested = append(r.l.nested, s)
			}
			for i := range nameless(s.words) {
				r.nameless[n.Args[i]] = true
			}
		case *syntax.BinaryCmd:
			r.l.pipes = r.l.pipes || n.Op == syntax.Pipe || n.Op == syntax.PipeAll
		case *syntax.Redirect:
			fedIn = append(fedIn, n.Hdoc)
			r.noteRedirect(n)
		case *syntax.Assign:
			if n.Value != nil {
				r.l.values = append(r.l.values, readWord(n.Value, nil).text)
			}
			if n.Name != nil && !n.Naked {
				r.l.sets = append(r.l.sets, assigned(n))
			}
		case *syntax.Word:
			r.noteWord(n, slices.Contains(fedIn, n))
		}
		return true
	})
}

func assigned(a *syntax.Assign) setting {
	s := setting{name: a.Name.Value, value: word{fixed: true}}
	if a.Value != nil {
		s.value = readWord(a.Value, nil)
	}
	s.value.fixed = s.value.fixed && !a.Append && a.Index == nil && a.Array == nil
	return s
}

func isSubstitution(n syntax.Node) bool {
	switch n.(type) {
	case *syntax.CmdSubst, *syntax.ProcSubst:
		return true
	}
	return false
}

func (r *reader) noteRedirect(rd *syntax.Redirect) {
	r.l.redirects = r.l.redirects || redirects(rd) != ""
	switch {
	case rd.Hdoc != nil:
		r.l.inputs = append(r.l.inputs, readWord(rd.Hdoc, nil).text)
	case rd.Op == syntax.WordHdoc:
		r.l.inputs = append(r.l.inputs, readWord(rd.Word, nil).text)
	case rd.Op != syntax.RdrIn && rd.Op != syntax.DplIn && redirects(rd) != "":
		to := readWord(rd.Word, nil)
		r.l.outputs = append(r.l.outputs, to.text)
		if to.variable {
			r.l.outputs = append(r.l.outputs, "")
		}
	}
}

// noteWord notes a word; one that is fed in is no name of a file.
func (r *reader) noteWord(w *syntax.Word, fedIn bool) {
	forms, all := expandBraces(w)
	texts := append([]string{readWord(w, nil).text}, forms...)
	place, settled := r.beginsAt(w)
	if place != "" {
		texts = append(texts, place)
	}
	r.l.words = append(r.l.words, texts...)
	if !r.nameless[w] {
		r.l.given = append(r.l.given, texts...)
	}
	switch {
	case all && settled:
	case fedIn:
		r.l.fedUnsettled = true
	default:
		n := uint(len(r.src))
		r.l.unsettled = cmp.Or(r.l.unsettled, r.src[min(w.Pos().Offset(), n):min(w.End().Offset(), n)])
	}
}

// beginsAt tells whether the value of a word can be told from the line: it holds
// no expansion, begins with the folder that HOME or PWD is and is place then, or
// is a variable alone whose values are other words.
func (r *reader) beginsAt(w *syntax.Word) (place string, settled bool) {
	parts := w.Parts
	if len(parts) > 0 {
		if q, ok := parts[0].(*syntax.DblQuoted); ok && len(q.Parts) > 0 {
			parts = slices.Concat(q.Parts, parts[1:])
		}
	}
	for i, part := range parts {
		name := variableIn(part)
		switch part := part.(type) {
		case *syntax.Lit, *syntax.SglQuoted:
			continue
		case *syntax.DblQuoted:
			if !slices.ContainsFunc(part.Parts, func(p syntax.WordPart) bool { return variableIn(p) != literal && !countsOnly(variableIn(p)) }) {
				continue
			}
			return "", false
		case *syntax.ParamExp:
			dir := map[string]string{"HOME": "~", "PWD": "."}[name]
			switch seen, known := r.seen[name]; {
			case countsOnly(name), seen && len(parts) == 1:
				continue
			case i == 0 && dir != "" && !known:
				place = dir + readWord(w, nil).text
				continue
			}
		}
		return "", false
	}
	return place, true
}

// literal is no name of a variable.
const literal = "="

// variableIn is the plain variable that a part of a word is, literal when it is
// text, and "" for other expansions.
func variableIn(part syntax.WordPart) string {
	switch p := part.(type) {
	case *syntax.Lit, *syntax.SglQuoted:
		return literal
	case *syntax.ParamExp:
		if plainVariable(p) {
			return p.Param.Value
		}
	}
	return ""
}

// countsOnly tells of the variables of the shell itself: numbers, and what the
// line gives as arguments.
func countsOnly(name string) bool {
	return len(name) == 1 && strings.Contains("?#$!-@*0123456789", name)
}

// settle notes the variables that the line sets: seen where all their values are
// words of it, known and not seen where it may set them in other ways.
func (r *reader) settle(file *syntax.File) {
	r.seen = map[string]bool{}
	var words []string
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Assign:
			if n.Name != nil && !n.Naked {
				whole := !n.Append && n.Index == nil && n.Array == nil
				before, known := r.seen[n.Name.Value]
				r.seen[n.Name.Value] = whole && (before || !known)
			}
		case *syntax.WordIter:
			r.seen[n.Name.Value] = true
		case *syntax.Word:
			words = append(words, readWord(n, nil).text)
		}
		return true
	})
	for _, name := range words { // such as of "read"
		if _, ok := r.seen[name]; ok || name == "HOME" || name == "PWD" {
			r.seen[name] = false
		}
	}
}
