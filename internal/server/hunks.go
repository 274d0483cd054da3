package server

import (
	"fmt"
	"slices"
	"strings"

	"clined/internal/approval"
	"clined/internal/diffedit"
	"clined/internal/protocol"
	"clined/internal/tools"
)

// maxHunks is among how many changes of a file somebody may choose.
const maxHunks = 1000

// hunksOf parts an edit into what can be taken or left by itself, which is one
// thing for a file that comes, goes, only moves, or changes all over. The same edit
// has the same hunks at any time. Line ends do not count, as in the diff view.
func hunksOf(e tools.FileEdit) []diffedit.Hunk {
	base, proposed := plain(e.Base), plain(e.Proposed)
	whole := []diffedit.Hunk{{ID: "1", To: lineCount(base), NewTo: lineCount(proposed)}}
	if e.Op == "create" || e.Op == "delete" {
		return whole
	}
	switch hunks := diffedit.Hunks(base, proposed); {
	case len(hunks) == 0:
		return []diffedit.Hunk{{ID: "1"}}
	case len(hunks) > maxHunks:
		return whole
	default:
		return hunks
	}
}

// lineCount counts lines as diffedit.LineEdit does.
func lineCount(text string) int { return strings.Count(text, "\n") + 1 }

// inFile begins the ids of a file's hunks among those of all files of an approval.
func inFile(file int) string { return fmt.Sprintf("%d.", file+1) }

// wireHunks are the hunks of an approval's file, from 0, as the editor is told them.
func wireHunks(file int, e tools.FileEdit) []protocol.Hunk {
	var out []protocol.Hunk
	for _, h := range hunksOf(e) {
		out = append(out, protocol.Hunk{
			ID: inFile(file) + h.ID, StartLine: h.From, EndLine: h.To, NewStartLine: h.NewFrom, NewEndLine: h.NewTo,
		})
	}
	return out
}

// takeHunks leaves of a yes only the hunks that are named, of those that the
// editor was told of the edits. What a.Edited says the user made of a proposal
// counts as far as these go; a file without any stays as it is.
func takeHunks(a *approval.Answer, edits []tools.FileEdit, files []protocol.SubjectEdit, ids []string) error {
	switch {
	case ids == nil:
		return nil
	case !a.Allowed:
		return protocol.InvalidParams("hunks", "come with a rejection")
	case len(edits) == 0:
		return protocol.InvalidParams("hunks", "are named, but no file is edited")
	case len(ids) == 0:
		return protocol.InvalidParams("hunks", "are none: reject the edit, or leave this out to allow all of it")
	}
	unknown := slices.Clone(ids)
	for i, e := range edits {
		var taken []string
		for _, h := range files[i].Hunks {
			if slices.Contains(ids, h.ID) {
				taken = append(taken, strings.TrimPrefix(h.ID, inFile(i)))
				unknown = slices.DeleteFunc(unknown, func(u string) bool { return u == h.ID })
			}
		}
		if err := takeOf(a, e, taken, len(files[i].Hunks)); err != nil {
			return err
		}
	}
	if len(unknown) > 0 {
		return protocol.InvalidParams("hunks", "%q is none of them", unknown[0])
	}
	return nil
}

// takeOf is takeHunks for one file, with the numbers of its hunks.
func takeOf(a *approval.Answer, e tools.FileEdit, taken []string, of int) error {
	if len(taken) == of {
		return nil
	}
	if a.Hunks == nil {
		a.Hunks = map[string]tools.HunkChoice{}
	}
	a.Hunks[e.Path.Abs] = tools.HunkChoice{Taken: len(taken), Of: of}
	if len(taken) == 0 {
		delete(a.Edited, e.Path.Abs)
		return nil
	}
	user, ok := a.Edited[e.Path.Abs]
	if !ok {
		user = e.Proposed
	}
	text, err := diffedit.Accept(plain(e.Base), plain(e.Proposed), plain(user), taken)
	if err != nil {
		return protocol.InvalidParams("hunks", "%s: %v", e.Path.Display, err)
	}
	if a.Edited == nil {
		a.Edited = map[string]string{}
	}
	a.Edited[e.Path.Abs] = text
	return nil
}
