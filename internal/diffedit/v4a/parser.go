package v4a

import (
	"path"
	"slices"
	"strings"

	"clined/internal/diffedit"
)

// Parse reads a complete patch. The error is an *Error that tells the model
// what is wrong.
//
// Wrappers are accepted (prose, Markdown fences, shell commands with a
// heredoc), as is a patch that is indented as a whole, has CRLF line ends,
// lacks Begin or End, or is a plain unified diff.
func Parse(text string) (*Patch, error) {
	var p Parser
	p.Write(text)
	return p.Close()
}

// Parser reads a patch that is still being written, in pieces of any size, in
// linear time. However it is split the outcome is the same. The zero value is
// ready. It is not safe for concurrent use.
type Parser struct {
	rest []byte // the line that is not whole yet
	line int    // number of the line at hand, from 1
	err  error

	files []File         // whole sections, merged by path
	names map[string]int // cleaned paths, also those of moves, to their file
	cur   *section       // the section at hand, nil for none
	open  bool           // between Begin and End
	notes []string

	began, ended bool // some Begin, some End was seen
	// indent is what the patch is indented by as a whole; crlf: its lines end so.
	indent string
	crlf   bool
	// head are lines that may be the header of a unified diff.
	head []numbered
	// delimiter ends the heredoc that the patch stands in.
	delimiter string
}

// numbered is a line and its number.
type numbered struct {
	text string
	line int
}

// Write takes the next piece of the patch.
func (p *Parser) Write(piece string) {
	for {
		i := strings.IndexByte(piece, '\n')
		if i < 0 {
			p.rest = append(p.rest, piece...)
			return
		}
		line := piece[:i]
		if len(p.rest) > 0 {
			line = string(append(p.rest, line...))
			p.rest = p.rest[:0]
		}
		p.take(line)
		piece = piece[i+1:]
	}
}

// Files returns what is whole so far: files, and of the one being written the
// whole lines or chunks, marked as Growing. What it returned stays valid.
func (p *Parser) Files() []File {
	out := slices.Clone(p.files)
	for i := range out {
		out[i].Chunks = slices.Clip(out[i].Chunks)
	}
	if p.cur == nil || p.err != nil {
		return out
	}
	f := p.cur.file()
	if i, ok := p.names[path.Clean(f.Path)]; ok {
		if merge(&out[i], f) {
			out[i].Growing = true
		}
		return out
	}
	f.Growing = true
	return append(out, f)
}

// Close ends the patch. The error is an *Error for the model.
func (p *Parser) Close() (*Patch, error) {
	if len(p.rest) > 0 {
		if last := string(p.rest); p.cur != nil && isCutEnd(strings.TrimLeft(last, " \t")) {
			p.take(p.indent + "*** End Patch")
		} else {
			p.take(last)
		}
		p.rest = nil
	}
	p.replayHead()
	if p.cur != nil && p.err == nil {
		p.cur.dropWrapper()
		p.closeSection()
	}
	if p.err != nil {
		return nil, p.err
	}
	if len(p.files) == 0 {
		return nil, syntaxError(0, "the patch holds no file section. Write it like this:\n"+form+"\n(or `*** Add File: path` with lines that begin with +, or `*** Delete File: path`)")
	}
	switch {
	case p.began && !p.ended:
		p.note("the patch had no `*** End Patch`; it was taken to be whole")
	case p.ended && !p.began:
		p.note("the patch had no `*** Begin Patch`")
	}
	return &Patch{Files: p.files, Notes: p.notes}, nil
}

// form shows a patch.
const form = "*** Begin Patch\n*** Update File: path\n@@ a line above, such as a function's first\n a line that stays\n-a line that goes\n+a line that comes\n*** End Patch"

func (p *Parser) note(s string) {
	if !slices.Contains(p.notes, s) {
		p.notes = append(p.notes, s)
	}
}

func (p *Parser) fail(line int, format string, args ...any) {
	if p.err == nil {
		p.err = syntaxError(line, format, args...)
	}
}

// take reads one line.
func (p *Parser) take(raw string) {
	p.line++
	if p.err != nil {
		return
	}
	line := p.dedent(raw)
	if !p.takeHead(line) {
		p.read(line)
	}
}

// dedent takes the indentation of the patch off a line; a marker tells what it
// is. Between sections each line may tell anew, within one it can only shrink.
func (p *Parser) dedent(raw string) string {
	if p.cur == nil {
		in := diffedit.Indent(raw)
		if m, _ := markOf(strings.TrimSuffix(raw[len(in):], "\r")); m != noMark || isUnifiedHead(raw[len(in):]) {
			p.indent = in
			return raw[len(in):]
		}
	}
	n := 0
	for n < len(p.indent) && n < len(raw) && raw[n] == p.indent[n] {
		n++
	}
	if n < len(p.indent) {
		if m, _ := markOf(strings.TrimSuffix(raw[n:], "\r")); m != noMark {
			p.indent = p.indent[:n]
		}
	}
	return raw[n:]
}

// read deals with a line that is no header of a unified diff. It may still end
// with CR.
func (p *Parser) read(raw string) {
	line, cr := strings.CutSuffix(raw, "\r")
	m, name := markOf(line)
	if m == noMark && p.cur == nil && !p.open && isQuotedBegin(line) {
		m = beginPatch
	}
	if m != noMark {
		p.crlf = cr
		if p.cur != nil {
			p.cur.settle(p)
		}
	}
	switch m {
	case noMark:
		p.readContent(line, raw)
	case beginPatch, endPatch:
		p.closeSection()
		p.open = m == beginPatch
		p.began, p.ended = p.began || p.open, p.ended || !p.open
	case addFile:
		p.openSection(Add, name)
	case updateFile:
		p.openSection(Update, name)
	case deleteFile:
		p.openSection(Delete, name)
	case moveTo:
		p.move(name)
	case endOfFile:
		p.endFile()
	case unknownFile:
		p.fail(p.line, "%s is no marker of this format: there are `*** Add File: path`, `*** Update File: path` (followed by `*** Move to: path` to rename) and `*** Delete File: path`", quoted(line))
	}
}

// isQuotedBegin reports whether a command's quoted argument begins the patch.
func isQuotedBegin(line string) bool {
	before, ok := strings.CutSuffix(strings.TrimRight(line, " \t"), "*** Begin Patch")
	return ok && strings.Contains(before, "apply_patch")
}

func (p *Parser) openSection(op Op, name string) {
	p.closeSection()
	if name == "" {
		p.fail(p.line, "the path is missing")
	}
	p.cur = &section{op: op, path: name, line: p.line}
}

func (p *Parser) closeSection() {
	s := p.cur
	if s == nil {
		return
	}
	p.cur = nil
	s.closeChunk(p)
	if p.err != nil {
		return
	}
	if s.op == Update && s.move == "" && !s.changes {
		p.fail(s.line, "the section of %s changes nothing: it needs lines that begin with + or -", quoted(s.path))
		return
	}
	p.add(s.file())
}

// add puts a section with the others and sees that no path is meant twice.
func (p *Parser) add(f File) {
	if p.names == nil {
		p.names = map[string]int{}
	}
	i, ok := p.names[path.Clean(f.Path)]
	switch {
	case !ok:
		i = len(p.files)
		p.files = append(p.files, f)
		p.names[path.Clean(f.Path)] = i
	case !merge(&p.files[i], f):
		p.twice(f, f.Path, i)
		return
	}
	if f.MoveTo == "" {
		return
	}
	to := path.Clean(f.MoveTo)
	if j, ok := p.names[to]; ok && j != i {
		p.twice(f, f.MoveTo, j)
		return
	}
	p.names[to] = i
}

// merge adds a section to the file that an earlier one is about. Only updates
// of one path go together, and only one new path.
func merge(f *File, with File) bool {
	moves := f.MoveTo != "" && with.MoveTo != "" && path.Clean(f.MoveTo) != path.Clean(with.MoveTo)
	if f.Op != Update || with.Op != Update || path.Clean(f.Path) != path.Clean(with.Path) || moves {
		return false
	}
	for _, c := range with.Chunks {
		c.part = f.parts
		f.Chunks = append(f.Chunks, c)
	}
	f.parts++
	if with.MoveTo != "" {
		f.MoveTo = with.MoveTo
	}
	return true
}

func (p *Parser) twice(f File, name string, other int) {
	p.fail(f.Line, "%s is named by the section at line %d too, and what both together mean is not clear; give each file one section", quoted(name), p.files[other].Line)
	if e, ok := p.err.(*Error); ok {
		e.Kind, e.Path = diffedit.Overlap, name
	}
}
