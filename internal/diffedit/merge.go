package diffedit

import (
	"slices"
	"strings"
)

// Merge makes on theirs the change that leads from base to mine. ok is false
// when it touches what leads from base to theirs: no line may lie between such
// changes, unless both are the same.
func Merge(base, mine, theirs string) (merged string, ok bool) {
	lines, theirLines := strings.Split(mine, "\n"), strings.Split(theirs, "\n")
	others := Hunks(base, theirs)
	var edits []LineEdit
	at, grown := 0, 0
	for _, h := range Hunks(base, mine) {
		for at < len(others) && others[at].To < h.From {
			grown += others[at].NewTo - others[at].NewFrom - (others[at].To - others[at].From)
			at++
		}
		fresh := lines[h.NewFrom:h.NewTo]
		if at < len(others) && others[at].From <= h.To {
			o := others[at]
			if h.From != o.From || h.To != o.To || !slices.Equal(fresh, theirLines[o.NewFrom:o.NewTo]) {
				return "", false
			}
			continue
		}
		edits = append(edits, LineEdit{From: h.From + grown, To: h.To + grown, Lines: fresh})
	}
	return makeEdits(theirs, edits), true
}
