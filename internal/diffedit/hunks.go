package diffedit

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Hunk is a change that can be taken or left by itself: the lines From to To,
// exclusive, of the text before give way to the lines NewFrom to NewTo of the
// text after. Lines count from 0, as those of LineEdit.
type Hunk struct {
	// ID is the hunk's number from 1: the same two texts have the same ids.
	ID             string
	From, To       int
	NewFrom, NewTo int
}

// Hunks returns what differs between before and after, from the start of the
// text on. There is an equal line at least between two hunks.
func Hunks(before, after string) []Hunk {
	edits := LineEdits(before, after)
	slices.Reverse(edits)
	hunks := make([]Hunk, len(edits))
	grown := 0
	for i, e := range edits {
		from := e.From + grown
		hunks[i] = Hunk{ID: strconv.Itoa(i + 1), From: e.From, To: e.To, NewFrom: from, NewTo: from + len(e.Lines)}
		grown += len(e.Lines) - (e.To - e.From)
	}
	return hunks
}

// Accept returns user without those hunks of the proposal that ids does not
// name. proposed was made of before, user is what a person made of it. What they
// changed within a hunk goes with it; what they changed beside one stays. A
// change of theirs over both is parted line by line, if it has as many lines as
// it replaces, or none. An error says that an id is unknown, or that a change of
// theirs cannot be parted.
func Accept(before, proposed, user string, ids []string) (string, error) {
	hunks := Hunks(before, proposed)
	accepted := map[string]bool{}
	for _, id := range ids {
		if n, err := strconv.Atoi(id); err != nil || n < 1 || n > len(hunks) || hunks[n-1].ID != id {
			return "", fmt.Errorf("there is no hunk %q in this change of %d", id, len(hunks))
		}
		accepted[id] = true
	}
	refused := slices.DeleteFunc(slices.Clone(hunks), func(h Hunk) bool { return accepted[h.ID] })
	if len(refused) == 0 {
		return user, nil
	}
	old := strings.Split(before, "\n")
	var back []LineEdit
	for _, h := range refused {
		back = append(back, LineEdit{From: h.NewFrom, To: h.NewTo, Lines: old[h.From:h.To]})
	}
	plain := makeEdits(proposed, back)
	if user == proposed || user == plain { // or they put it back by hand
		return plain, nil
	}
	mine, err := own(hunks, refused, proposed, user)
	if err != nil {
		return "", err
	}
	return makeEdits(proposed, append(back, mine...)), nil
}

// makeEdits makes edits that all count in the lines of text.
func makeEdits(text string, edits []LineEdit) string {
	slices.SortStableFunc(edits, func(a, b LineEdit) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	lines := strings.Split(text, "\n")
	var out []string
	at := 0
	for _, e := range edits {
		out = append(append(out, lines[at:e.From]...), e.Lines...)
		at = e.To
	}
	return strings.Join(append(out, lines[at:]...), "\n")
}

// own returns the edits of proposed that are the user's own and stay when the
// refused hunks go. They do not overlap with these.
func own(hunks, refused []Hunk, proposed, user string) ([]LineEdit, error) {
	lines := strings.Split(user, "\n")
	var edits []LineEdit
	for _, u := range Hunks(proposed, user) {
		gone := touching(refused, u)
		switch {
		case len(gone) == 0:
			edits = append(edits, LineEdit{From: u.From, To: u.To, Lines: lines[u.NewFrom:u.NewTo]})
		case u.To-u.From == u.NewTo-u.NewFrom:
			edits = append(edits, beside(gone, u, lines)...)
		case u.NewFrom == u.NewTo:
			edits = append(edits, beside(gone, u, nil)...)
		case len(touching(hunks, u)) > len(gone):
			return nil, fmt.Errorf("your change of the lines %d-%d joins hunks that are accepted with hunk %s, which is not; accept all of them, or part your change", u.NewFrom+1, u.NewTo, gone[0].ID)
		case len(beside(gone, u, nil)) > 0:
			return nil, fmt.Errorf("your change of the lines %d-%d goes over hunk %s, which is not accepted, and lines beside it; accept the hunk, or change the lines beside it alone", u.NewFrom+1, u.NewTo, gone[0].ID)
		}
	}
	return edits, nil
}

// touching returns those of the hunks, in order, whose new lines u, a hunk of the
// text they lead to, changes. Hunks side by side do not touch, but what is put
// where a hunk took lines away does.
func touching(hunks []Hunk, u Hunk) []Hunk {
	from, _ := slices.BinarySearchFunc(hunks, u.From, func(h Hunk, at int) int { return cmp.Compare(h.NewTo, at) })
	var out []Hunk
	for _, h := range hunks[from:] {
		if h.NewFrom > u.To {
			break
		}
		same := h.NewFrom == h.NewTo && u.From == u.To && u.From == h.NewFrom
		if same || h.NewTo > u.From && u.To > h.NewFrom {
			out = append(out, h)
		}
	}
	return out
}

// beside returns what u changes outside of the hunks that go. It replaces line by
// line; with no lines it takes lines away.
func beside(gone []Hunk, u Hunk, lines []string) []LineEdit {
	var edits []LineEdit
	for i := range u.To - u.From {
		at := u.From + i
		if slices.ContainsFunc(gone, func(h Hunk) bool { return h.NewFrom <= at && at < h.NewTo }) {
			continue
		}
		e := LineEdit{From: at, To: at + 1}
		if lines != nil {
			e.Lines = lines[u.NewFrom+i : u.NewFrom+i+1]
		}
		edits = append(edits, e)
	}
	return edits
}
