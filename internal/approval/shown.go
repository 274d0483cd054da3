package approval

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// showAll shows the simple commands of a file, wherever they stand.
func (r *reader) showAll(file *syntax.File) {
	syntax.Walk(file, func(n syntax.Node) bool {
		if s, ok := n.(*syntax.Stmt); ok {
			r.show(s)
		}
		return true
	})
}

// show notes a statement that is one simple command, as written, and why it
// cannot be judged by its words alone.
func (r *reader) show(s *syntax.Stmt) {
	own := reader{src: r.src, pipes: r.pipes, seen: r.seen}
	switch c := s.Cmd.(type) {
	case nil, *syntax.CallExpr:
		own.stmt(s, r.isPiped(c))
	case *syntax.DeclClause, *syntax.TestClause, *syntax.ArithmCmd, *syntax.LetClause:
		own.stmt(s, true)
	default:
		return
	}
	own.note(s)
	shown := simple{text: r.textOf(s), odd: own.l.odd, own: &own.l}
	for _, c := range own.l.commands {
		shown.words, shown.spread, shown.piped = c.words, c.spread, c.piped
	}
	if len(shown.words) == 0 && shown.odd == "" {
		shown.odd = "It runs nothing."
	}
	r.l.shown = append(r.l.shown, shown)
}

// isPiped tells whether another command writes the input of a call. In control
// structures that is not known.
func (r *reader) isPiped(c syntax.Command) bool {
	call, _ := c.(*syntax.CallExpr)
	piped, known := r.pipes[call]
	return piped || !known
}

// textOf is a statement as written, without what ends it or is fed in below.
func (r *reader) textOf(s *syntax.Stmt) string {
	from, to := s.Pos().Offset(), s.Pos().Offset()
	if s.Cmd != nil {
		to = s.Cmd.End().Offset()
	}
	for _, rd := range s.Redirs {
		from = min(from, rd.Pos().Offset())
		if rd.Word != nil {
			to = max(to, rd.Word.End().Offset())
		}
	}
	n := uint(len(r.src))
	return strings.TrimSpace(r.src[min(from, n):min(max(from, to), n)])
}
