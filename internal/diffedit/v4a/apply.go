package v4a

import (
	"fmt"
	"slices"
	"strings"

	"clined/internal/diffedit"
)

// Apply returns the text of the file after the patch, given the one before: of
// an added file its content, of a deleted one nothing. Block in the edits is
// the number of the chunk, 0 where the file has several sections. Either all
// chunks apply or none: the error is an *Error for the model.
//
// All chunks of a section are about the text as it is before that section. One
// that fits several places goes where the order of the chunks leaves one only.
func (f *File) Apply(before string) (*diffedit.Result, error) {
	switch f.Op {
	case Add:
		return &diffedit.Result{Text: f.Content}, nil
	case Delete:
		return &diffedit.Result{}, nil
	}
	res := &diffedit.Result{Text: before}
	for from := 0; from < len(f.Chunks); {
		to := from + 1
		for to < len(f.Chunks) && f.Chunks[to].part == f.Chunks[from].part {
			to++
		}
		a := applier{file: f, text: diffedit.NewText(res.Text), chunks: f.Chunks[from:to], first: from + 1}
		part, err := a.apply()
		if err != nil {
			return nil, err
		}
		part.Notes = append(res.Notes, part.Notes...)
		if from > 0 {
			part.Edits = diffedit.NewText(before).Changes(part.Text)
		}
		res, from = part, to
	}
	return res, nil
}

// applier applies the chunks of one section.
type applier struct {
	file   *File
	text   *diffedit.Text
	chunks []Chunk
	first  int // number of the first chunk
}

func (a *applier) apply() (*diffedit.Result, error) {
	var spots []*spot
	for i := range a.chunks {
		s, err := a.locate(&a.chunks[i], a.first+i)
		if err != nil {
			return nil, err
		}
		spots = append(spots, s)
	}
	narrow(spots)
	res := &diffedit.Result{}
	for _, s := range spots {
		if !s.changes() {
			continue
		}
		if err := a.decided(s); err != nil {
			return nil, err
		}
		edit, clash, ok := a.edit(s)
		if !ok {
			return nil, a.unclear(s)
		}
		edit.Block = s.n
		res.Edits = append(res.Edits, edit)
		res.Notes = append(res.Notes, a.notes(s, edit, clash)...)
	}
	slices.SortStableFunc(res.Edits, func(x, y diffedit.Edit) int { return x.Start - y.Start })
	for i := 1; i < len(res.Edits); i++ {
		if p, e := res.Edits[i-1], res.Edits[i]; e.Start < p.End || e.Start == p.Start {
			return nil, a.overlap(p, e)
		}
	}
	res.Text = a.text.Join(res.Edits)
	a.endLine(spots, res)
	return res, nil
}

// edit makes the edit of a chunk whose place is decided.
func (a *applier) edit(s *spot) (e diffedit.Edit, clash string, ok bool) {
	p := s.found[0]
	switch {
	case len(s.old) > 0:
		return a.text.Replace(p, s.old, s.fresh)
	case p.From == 0:
		return diffedit.Edit{Line: 1, New: strings.Join(s.fresh, "\n") + "\n"}, "", true
	}
	above := a.text.Lines()[p.From-1]
	return a.text.Replace(diffedit.Place{From: p.From - 1, To: p.From}, []string{above}, append([]string{above}, s.fresh...))
}

// endLine gives the text's last line an end, or takes it, where a chunk says so.
func (a *applier) endLine(spots []*spot, res *diffedit.Result) {
	for _, s := range spots {
		if s.bareBefore == s.bareAfter || len(s.found) != 1 || s.found[0].To < len(a.text.Lines()) {
			continue
		}
		plain := strings.TrimSuffix(strings.TrimSuffix(res.Text, "\n"), "\r")
		if s.bareBefore && plain == res.Text && plain != "" {
			plain += a.text.EOL()
		}
		if plain != res.Text && (s.bareAfter || !strings.HasSuffix(res.Text, "\n")) {
			res.Text = plain
			res.Edits = a.text.Changes(plain)
		}
	}
}

// notes tells the model of what was adjusted for a chunk.
func (a *applier) notes(s *spot, e diffedit.Edit, clash string) []string {
	var notes []string
	add := func(format string, args ...any) {
		notes = append(notes, fmt.Sprintf("chunk %d of %s ", s.n, quoted(a.file.Path))+fmt.Sprintf(format, args...))
	}
	p := s.found[0]
	where := lineRange(p)
	if s.adjusted != "" {
		add("%s", s.adjusted)
	}
	for _, anchor := range s.scope.missing {
		add("was placed by its lines alone: its anchor %s is not in the file", quoted(anchor.Text))
	}
	if s.strayed {
		add("is %s, not the end of the file", where)
	}
	switch {
	case e.Start == e.End && e.New == "":
		add("changes nothing: the new text is what %s already held", where)
	case p.Tier == diffedit.Trimmed:
		add("matched %s with other blanks; the new lines follow the file's indentation", where)
	case p.Tier == diffedit.Anchored:
		add("matched %s, where blanks or look-alike characters differ from the patch; unchanged lines were kept as they are in the file", where)
	case clash != "":
		add("brings lines indented with %s", clash)
	}
	return notes
}

func lineRange(p diffedit.Place) string {
	if p.To <= p.From+1 {
		return fmt.Sprintf("line %d", p.From+1)
	}
	return fmt.Sprintf("lines %d-%d", p.From+1, p.To)
}
