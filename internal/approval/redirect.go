package approval

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

var digits = lazy(`^[0-9]$`)

// redirect accepts /dev/null and copies between descriptors.
func (r *reader) redirect(rd *syntax.Redirect) {
	switch why := redirects(rd); {
	case why == toFile:
		if r.l.odd == "" {
			r.l.odd = why
		}
		readWord(rd.Word, r.refuse)
	case why != "":
		r.refuse(why)
	}
}

const toFile = "The command redirects to or from a file."

// redirects says what is to be said against a redirection.
func redirects(rd *syntax.Redirect) string {
	to := readWord(rd.Word, nil)
	if rd.N != nil && !digits().MatchString(rd.N.Value) {
		return "The command redirects to a variable descriptor."
	}
	switch rd.Op {
	case syntax.DplOut, syntax.DplIn:
		if to.plain && (digits().MatchString(to.text) || to.text == "-") {
			return ""
		}
	case syntax.RdrOut, syntax.AppOut, syntax.RdrIn, syntax.RdrAll, syntax.AppAll:
		if to.plain && to.text == "/dev/null" {
			return ""
		}
	case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		return "The command feeds in a text of its own (here-document)."
	}
	return toFile
}

// sendsAll finds the "&>" that send both outputs to /dev/null, and writes them
// as a shell without that operator reads them: there the command ends at the
// "&", and what follows is another one. ends are where these stand then.
func sendsAll(src string) (text string, ends map[uint]bool) {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(src), "")
	if err != nil {
		return src, nil
	}
	var at []int
	syntax.Walk(file, func(n syntax.Node) bool {
		if rd, ok := n.(*syntax.Redirect); ok && (rd.Op == syntax.RdrAll || rd.Op == syntax.AppAll) && redirects(rd) == "" {
			at = append(at, int(rd.OpPos.Offset()))
		}
		return true
	})
	slices.Sort(at)
	ends = map[uint]bool{}
	for n, i := range at {
		i += n // as many blanks were put in before
		src = src[:i+1] + " " + src[i+1:]
		ends[uint(i)] = true
	}
	return src, ends
}
