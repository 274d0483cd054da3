package config

import (
	"bytes"
	"slices"

	"github.com/tailscale/hujson"
)

// removeAll takes the members out that set the key, and groups that are empty then.
// Comments stay: they may tell more than of that member.
func (p *patcher) removeAll() {
	gone := map[*hujson.Object][]int{}
	for todo := p.found; len(todo) > 0; todo = todo[1:] {
		o := todo[0].object
		gone[o] = append(gone[o], todo[0].index)
		if in, nested := p.parents[o]; nested && len(gone[o]) == len(o.Members) && !commented(o) {
			delete(gone, o)
			todo = append(slices.Clip(todo), in)
		}
	}
	for o, list := range gone {
		slices.Sort(list)
		p.removeFrom(o, list)
	}
}

// commented tells of comments in the braces of an object, beside those in values.
func commented(o *hujson.Object) bool {
	extras := [][]byte{o.AfterExtra}
	for _, m := range o.Members {
		extras = append(extras, m.Name.BeforeExtra, m.Name.AfterExtra, m.Value.BeforeExtra, m.Value.AfterExtra)
	}
	return slices.ContainsFunc(extras, func(e []byte) bool { return !blank(e) })
}

func (p *patcher) removeFrom(o *hujson.Object, gone []int) {
	last := len(o.Members) - 1
	kept := -1
	for i, m := range o.Members {
		if _, out := slices.BinarySearch(gone, i); !out {
			kept = i
			continue
		}
		p.cut(m.Name.StartOffset, m.Value.EndOffset, p.commaAfter(m.Value.EndOffset))
	}
	if comma := p.commaAfter(o.Members[last].Value.EndOffset); kept >= 0 && kept < last && comma < 0 {
		at := p.commaAfter(o.Members[kept].Value.EndOffset)
		end := at + 1
		if n := leadingBlanks(p.text[end:]); p.text[end+n] == '"' { // on the same line
			end += n
		}
		p.edits = append(p.edits, edit{at, end, ""})
	}
}

// cut takes out a member with its comma, and the line when nothing else is on
// it.
func (p *patcher) cut(start, end, comma int) {
	if comma >= 0 {
		if blank(p.text[end:comma]) {
			end = comma + 1
		} else { // a comment is between
			p.edits = append(p.edits, edit{comma, comma + 1, ""})
		}
	}
	line := p.lineStart(start)
	rest := len(p.text)
	if n := bytes.IndexByte(p.text[end:], '\n'); n >= 0 {
		rest = end + n + 1
	}
	switch {
	case blank(p.text[line:start]) && blank(p.text[end:rest]):
		start, end = line, rest
	case comma >= 0:
		end += leadingBlanks(p.text[end:])
	default:
		start -= len(p.text[line:start]) - len(bytes.TrimRight(p.text[line:start], " \t"))
	}
	p.edits = append(p.edits, edit{start, end, ""})
}

func blank(text []byte) bool { return len(bytes.Trim(text, " \t\r\n")) == 0 }

func leadingBlanks(text []byte) int { return len(text) - len(bytes.TrimLeft(text, " \t")) }
