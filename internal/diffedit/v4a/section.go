package v4a

import (
	"path"
	"slices"
	"strings"

	"clined/internal/diffedit"
)

// section is what is read of one file.
type section struct {
	op         Op
	path, move string
	line       int

	content strings.Builder // of an added file
	noEOL   bool            // it has no line end at its end
	chunks  []Chunk         // whole ones
	chunk   *Chunk          // the one at hand, nil for none
	changes bool            // a line goes or comes

	// unified: it was opened by the header of a unified diff; hunks: the part of
	// that header that announces them was seen.
	unified, hunks bool
	// pending are blank lines, and lines that may end what the patch is wrapped
	// in: what they are the next line tells.
	pending []numbered
}

// file returns what is whole of the section.
func (s *section) file() File {
	f := File{Op: s.op, Path: s.path, MoveTo: s.move, Line: s.line, parts: 1}
	switch s.op {
	case Add:
		f.Content = s.content.String()
		if s.noEOL {
			f.Content = strings.TrimSuffix(f.Content, "\n")
		}
	case Update:
		f.Chunks = slices.Clip(s.chunks)
	}
	return f
}

// readContent reads a line that is no marker; raw has its CR still. A line of
// blanks in an update has its sign; an empty one has lost it, or is none.
func (p *Parser) readContent(line, raw string) {
	s := p.cur
	switch {
	case s == nil:
		p.readOutside(line)
	case diffedit.IsBlank(line) && (line == "" || s.op != Update), p.mayEndWrapper(line):
		s.pending = append(s.pending, numbered{line, p.line})
	case s.unified && p.readGitHeader(line):
	case s.op == Add:
		p.readAdded(line, raw)
	case s.op == Update:
		p.readUpdate(line)
	case line[0] != '-' && !strings.HasPrefix(line, "@@") && !isNoEOL(line): // what goes may be shown
		p.fail(p.line, "nothing follows `*** Delete File: path`; a new section begins with `*** Update File: path` or the like")
	}
}

// readOutside reads a line between sections: outside of the patch any text may
// stand, and a command may begin a heredoc.
func (p *Parser) readOutside(line string) {
	if diffedit.IsBlank(line) {
		return
	}
	if p.open {
		p.fail(p.line, "a file section must begin here, with `*** Add File: path`, `*** Update File: path` or `*** Delete File: path`, not with %s", quoted(line))
		return
	}
	if _, word, ok := strings.Cut(line, "<<"); ok {
		word, _, _ = strings.Cut(strings.TrimLeft(word, "- \t"), " ")
		p.delimiter = strings.Trim(word, `'"\`)
	}
}

// mayEndWrapper reports whether a line can be the end of a heredoc, of a quoted
// argument or of a Markdown fence around the patch.
func (p *Parser) mayEndWrapper(line string) bool {
	word := strings.TrimRight(line, " \t")
	switch word {
	case "":
		return false
	case "EOF", "PATCH", p.delimiter, `"`, `'`, `")`, `')`:
		return true
	}
	return len(word) >= 3 && (strings.Trim(word, "`") == "" || strings.Trim(word, "~") == "")
}

func (p *Parser) readAdded(line, raw string) {
	s := p.cur
	switch {
	case line[0] == '+':
		s.blankLines(p)
		s.settle(p)
		if p.crlf {
			raw = line
		}
		s.content.WriteString(raw[1:])
		s.content.WriteByte('\n')
	case isNoEOL(line):
		s.noEOL = true
	case strings.HasPrefix(line, "@@") && s.content.Len() == 0:
	default:
		p.fail(p.line, "each line of the file that `*** Add File` adds begins with +, and %s does not", quoted(line))
	}
}

func (p *Parser) readUpdate(line string) {
	s := p.cur
	switch {
	case strings.HasPrefix(line, "@@"):
		s.settle(p)
		if s.chunk == nil || len(s.chunk.Lines) > 0 {
			s.closeChunk(p)
			s.chunk = &Chunk{Line: p.line}
		}
		if a, ok := anchorOf(line); ok {
			s.chunk.Anchors = append(s.chunk.Anchors, a)
		}
	case isNoEOL(line):
		s.noLineEnd()
	case s.chunk == nil && len(s.chunks) == 0 && (strings.HasPrefix(line, "diff --git ") || strings.HasPrefix(line, "index ")):
		// a header of git's between the marker and the first chunk says nothing new
	default:
		s.settle(p)
		switch sign := Sign(line[0]); sign {
		case Keep, Remove, Insert:
			s.add(Line{sign, line[1:]}, p.line)
		default:
			s.add(Line{Unsigned, line}, p.line)
		}
	}
}

// add puts a line into the chunk at hand; a section may begin without "@@".
func (s *section) add(l Line, at int) {
	if s.chunk == nil {
		s.chunk = &Chunk{Line: at}
	}
	s.chunk.Lines = append(s.chunk.Lines, l)
	s.changes = s.changes || l.Sign.changes()
}

// noLineEnd takes the remark that the line before has no line end.
func (s *section) noLineEnd() {
	if s.chunk == nil || len(s.chunk.Lines) == 0 {
		return
	}
	c := s.chunk
	sign := c.Lines[len(c.Lines)-1].Sign
	c.bareBefore = c.bareBefore || sign != Insert
	c.bareAfter = c.bareAfter || sign != Remove
	c.AtEnd = true
}

// settle decides on pending lines when more of the patch follows: they are
// content, but for blank lines around the lines of a chunk or the content.
func (s *section) settle(p *Parser) {
	lines := s.pending
	s.pending = nil
	for _, l := range lines {
		switch {
		case s.op == Update && diffedit.IsBlank(l.text):
			if s.chunk != nil && len(s.chunk.Lines) > 0 {
				s.add(Line{Unsigned, ""}, l.line)
			}
		case s.op == Update:
			s.add(Line{Unsigned, l.text}, l.line)
		case !diffedit.IsBlank(l.text):
			p.fail(l.line, "%s does not belong into the section of %s: lines of an added file begin with +", quoted(l.text), quoted(s.path))
		}
	}
}

// blankLines takes pending blank lines between lines of an added file for lines
// of it that have lost their sign.
func (s *section) blankLines(p *Parser) {
	if len(s.pending) == 0 || s.content.Len() == 0 {
		return
	}
	for i, l := range s.pending {
		if !diffedit.IsBlank(l.text) {
			s.pending = s.pending[i:]
			return
		}
		s.content.WriteByte('\n')
	}
	s.pending = nil
	p.note("blank lines inside of `*** Add File` were taken for lines that have lost their +")
}

// dropWrapper forgets pending lines at the end of a patch without End: they end
// what it was wrapped in.
func (s *section) dropWrapper() { s.pending = nil }

func (s *section) closeChunk(p *Parser) {
	c := s.chunk
	s.chunk = nil
	if c == nil {
		return
	}
	for len(c.Lines) > 0 && c.Lines[len(c.Lines)-1] == (Line{Unsigned, ""}) {
		c.Lines = c.Lines[:len(c.Lines)-1]
	}
	if len(c.Lines) > 0 {
		s.chunks = append(s.chunks, *c)
	} else if len(c.Anchors) > 0 && !c.Anchors[0].Heading {
		p.fail(c.Line, "behind `@@` there are no lines to keep, remove or add")
	}
}

// move reads "*** Move to".
func (p *Parser) move(name string) {
	s := p.cur
	switch {
	case s == nil || s.op != Update:
		p.fail(p.line, "`*** Move to: path` stands behind `*** Update File: path` only")
	case name == "":
		p.fail(p.line, "the path is missing")
	case s.move != "":
		p.fail(p.line, "%s has two `*** Move to`", quoted(s.path))
	case path.Clean(name) != path.Clean(s.path):
		s.move = name
	}
}

// endFile reads "*** End of File".
func (p *Parser) endFile() {
	s := p.cur
	switch {
	case s == nil:
		p.fail(p.line, "`*** End of File` stands at the end of a chunk only")
	case s.op == Update && s.chunk != nil:
		s.chunk.AtEnd = true
		s.closeChunk(p)
	case s.op == Update && len(s.chunks) == 0:
		p.fail(p.line, "`*** End of File` stands at the end of a chunk only")
	}
}
