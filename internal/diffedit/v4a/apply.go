package v4a

import (
	"fmt"
	"slices"
	"strings"

	"clined/internal/diffedit"
)

// Apply returns the text of the file after the patch, given the one before: of
// an added file its content, of a deleted one nothing. Block in the edits is
// the number of the chunk; it is 0, and one edit all there is, where the file has
// several sections or its last line gets or loses its end. Either all chunks
// apply or none: the error is an *Error for the model.
//
// All chunks of a section are about the text as it is before that section. One
// that fits several places goes where the order of the chunks leaves one only.
func (f *File) Apply(before string) (*diffedit.Result, error) {
	return NewDraft(before).Apply(f)
}

// Draft applies a file of a patch again and again while the patch is written.
// It is not safe for concurrent use.
type Draft struct {
	before string
	// done are the sections that another one follows, open is the last.
	done []part
	open *applier
}

// part is a section that has ended.
type part struct {
	chunks int // of the file, up to its end
	res    *diffedit.Result
}

// NewDraft returns a draft on the text of a file.
func NewDraft(before string) *Draft { return &Draft{before: before} }

// Apply is File.Apply on the text of the draft. What f had the last time is not
// looked up again: f is the same file, grown.
func (d *Draft) Apply(f *File) (*diffedit.Result, error) {
	switch f.Op {
	case Add:
		return &diffedit.Result{Text: f.Content}, nil
	case Delete:
		return &diffedit.Result{}, nil
	}
	res, notes, read := &diffedit.Result{Text: d.before}, []string(nil), 0
	for from, n := 0, 0; from < len(f.Chunks); n++ {
		to := from + 1
		for to < len(f.Chunks) && f.Chunks[to].part == f.Chunks[from].part {
			to++
		}
		if read += len(res.Text); n >= minParts && read > maxRead {
			return nil, manyParts(f, from)
		}
		var err error
		if res, err = d.part(f, n, from, to, res.Text); err != nil {
			return nil, err
		}
		notes, from = append(notes, res.Notes...), to
	}
	if len(d.done) > 0 {
		return &diffedit.Result{Text: res.Text, Edits: []diffedit.Edit{diffedit.NewText(d.before).Change(res.Text)}, Notes: notes}, nil
	}
	return res, nil
}

// Every section of a file but the first means that its text is read anew: what
// is read for one file is bounded, in bytes, where it has many.
const (
	minParts = 16
	maxRead  = 128 << 20
)

// part applies section n of a file, chunks from to to, to text.
func (d *Draft) part(f *File, n, from, to int, text string) (*diffedit.Result, error) {
	if n < len(d.done) {
		if d.done[n].chunks == to {
			return d.done[n].res, nil
		}
		d.done, d.open = d.done[:n], nil
	}
	if d.open == nil {
		d.open = newApplier(text)
	}
	res, err := d.open.apply(f, from, to)
	if err == nil && to < len(f.Chunks) {
		d.done, d.open = append(d.done, part{to, res}), nil
	}
	return res, err
}

// applier applies the chunks of one section.
type applier struct {
	file   *File
	chunks []Chunk
	first  int // number of the first chunk

	before string
	text   *diffedit.Text
	// contentEnd is where only blank lines follow.
	contentEnd int
	spots      []*spot // of chunks that were looked up
	// What was looked up: lines of chunks, those in the blocks of anchors, and
	// anchors.
	found   map[finding][]diffedit.Place
	fitting map[fitting][]diffedit.Place
	lines   map[finding][]diffedit.Place
	// root is the scope without anchors, scopes are those that it leads to.
	root   *scope
	scopes map[step]*scope
	ends   []int // of the blocks that the lines open, nil before one is asked for
	looked int   // see maxLooked
}

func newApplier(text string) *applier {
	a := &applier{
		before: text, text: diffedit.NewText(text),
		found: map[finding][]diffedit.Place{}, fitting: map[fitting][]diffedit.Place{}, lines: map[finding][]diffedit.Place{},
		root: &scope{weak: true}, scopes: map[step]*scope{},
	}
	lines := a.text.Lines()
	for a.contentEnd = len(lines); a.contentEnd > 0 && diffedit.IsBlank(lines[a.contentEnd-1]); {
		a.contentEnd--
	}
	return a
}

// apply applies chunks from to to, exclusive, of a file.
func (a *applier) apply(f *File, from, to int) (*diffedit.Result, error) {
	a.file, a.chunks, a.first = f, f.Chunks[from:to], from+1
	for i := len(a.spots); i < len(a.chunks); i++ {
		s, err := a.locate(&a.chunks[i], a.first+i)
		if err != nil {
			return nil, err
		}
		a.spots = append(a.spots, s)
	}
	narrow(a.spots)
	res := &diffedit.Result{}
	for _, s := range a.spots {
		if !s.changes() {
			continue
		}
		if err := a.decided(s); err != nil {
			return nil, err
		}
		if err := a.edit(s); err != nil {
			return nil, err
		}
		res.Edits = append(res.Edits, s.made.edit)
		res.Notes = append(res.Notes, s.made.notes...)
	}
	slices.SortStableFunc(res.Edits, func(x, y diffedit.Edit) int { return x.Start - y.Start })
	for i := 1; i < len(res.Edits); i++ {
		if p, e := res.Edits[i-1], res.Edits[i]; e.Start < p.End || e.Start == p.Start {
			return nil, a.overlap(p, e)
		}
	}
	res.Text = a.text.Join(res.Edits)
	a.endLine(res)
	return res, nil
}

// made is the edit of a chunk at a place, and what is told of it.
type made struct {
	at    diffedit.Place
	edit  diffedit.Edit
	notes []string
}

// edit makes the edit of a chunk whose place is decided.
func (a *applier) edit(s *spot) error {
	p := s.left[0]
	if s.made != nil && s.made.at == p {
		return nil
	}
	e, clash, doubt := a.replace(s, p)
	if doubt != "" {
		return a.unclear(s, doubt)
	}
	e.Block = s.n
	s.made = &made{at: p, edit: e, notes: a.notes(s, e, clash)}
	return nil
}

func (a *applier) replace(s *spot, p diffedit.Place) (e diffedit.Edit, clash, doubt string) {
	switch {
	case len(s.old) > 0:
		return a.text.Replace(p, s.old, s.fresh, s.runs)
	case p.From == 0:
		return diffedit.Edit{Line: 1, New: strings.Join(s.fresh, "\n") + "\n"}, "", ""
	}
	above := a.text.Lines()[p.From-1]
	run := diffedit.Run{From: 1, To: 1, NewFrom: 1, NewTo: 1 + len(s.fresh)}
	return a.text.Replace(diffedit.Place{From: p.From - 1, To: p.From}, []string{above}, append([]string{above}, s.fresh...), []diffedit.Run{run})
}

// endLine gives the text's last line an end, or takes it, where a chunk says so.
func (a *applier) endLine(res *diffedit.Result) {
	for _, s := range a.spots {
		if s.bareBefore == s.bareAfter || len(s.left) != 1 || s.left[0].To < len(a.text.Lines()) {
			continue
		}
		plain := strings.TrimSuffix(strings.TrimSuffix(res.Text, "\n"), "\r")
		if s.bareBefore && plain == res.Text && plain != "" {
			plain += a.text.EOL()
		}
		if plain != res.Text && (s.bareAfter || !strings.HasSuffix(res.Text, "\n")) {
			res.Text = plain
			res.Edits = []diffedit.Edit{a.text.Change(plain)}
		}
	}
}

// notes tells the model of what was adjusted for a chunk.
func (a *applier) notes(s *spot, e diffedit.Edit, clash string) []string {
	var notes []string
	add := func(format string, args ...any) {
		notes = append(notes, fmt.Sprintf("chunk %d of %s ", s.n, quoted(a.file.Path))+fmt.Sprintf(format, args...))
	}
	p := s.left[0]
	where := lineRange(p)
	if s.adjusted != "" {
		add("%s", s.adjusted)
	}
	if s.scope.missing != "" {
		add("was placed by its lines alone: its anchor %s is not in the file", quoted(s.scope.missing))
	}
	if n := len(s.found); n > 1 {
		others := slices.DeleteFunc(slices.Clone(s.found), func(o diffedit.Place) bool { return o == p })
		named := "line"
		if n > 2 {
			named = "lines"
		}
		add("fits %d places: the order of the chunks decided for line %d; if one of the others was meant (%s %s), change this one back and say with `@@` lines where",
			n, p.From+1, named, numbers(others, len(s.old) == 0))
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
