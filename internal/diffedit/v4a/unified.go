package v4a

import (
	"path"
	"strconv"
	"strings"
)

const (
	gitHead = "diff --git "
	devNull = "/dev/null"
)

// isUnifiedHead reports whether a line can begin the header of a file in a
// unified diff.
func isUnifiedHead(line string) bool {
	return strings.HasPrefix(line, "--- ") || strings.HasPrefix(line, gitHead)
}

// takeHead takes lines that may be the header of a unified diff: "--- a",
// "+++ b" and then "@@". Since the first two can be content as well (a removed
// line "-- a"), they wait for the third. It reports whether the line is dealt with.
func (p *Parser) takeHead(raw string) bool {
	line := strings.TrimSuffix(raw, "\r")
	switch s := p.cur; {
	case len(p.head) == 1 && strings.HasPrefix(line, "+++ "):
		p.head = append(p.head, numbered{raw, p.line})
		return true
	case len(p.head) == 2 && strings.HasPrefix(line, "@@"):
		p.openUnified()
		return false
	case len(p.head) > 0:
		p.replayHead()
		return p.takeHead(raw)
	case strings.HasPrefix(line, gitHead) && (s == nil || s.unified):
		p.openGit(line[len(gitHead):])
		return true
	case strings.HasPrefix(line, "--- ") && (s == nil || s.unified || s.op == Update && s.chunk == nil && len(s.chunks) == 0):
		p.head = append(p.head, numbered{raw, p.line})
		return true
	}
	return false
}

// replayHead reads waiting lines as what they are: content.
func (p *Parser) replayHead() {
	head, at := p.head, p.line
	p.head = nil
	for _, l := range head {
		p.line = l.line
		p.read(l.text)
	}
	p.line = at
}

// openUnified begins the section that the waiting header announces. Behind a
// marker of the format's own the header says nothing new.
func (p *Parser) openUnified() {
	from, to := p.head[0], headPath(p.head[1].text[4:])
	old := headPath(from.text[4:])
	p.head = nil
	s := p.cur
	if s != nil && !s.unified {
		return
	}
	if s == nil || s.chunk != nil || len(s.chunks) > 0 || s.content.Len() > 0 || s.hunks {
		p.closeSection()
		s = &section{op: Update, line: from.line, unified: true}
		p.cur = s
	}
	s.hunks = true
	old, to = withoutSides(old, to)
	switch {
	case old == devNull:
		s.op, s.path, s.move = Add, to, ""
	case to == devNull:
		s.op, s.path, s.move = Delete, old, ""
	default:
		s.setPaths(strings.TrimSuffix(old, ".orig"), to)
	}
	p.crlf = strings.HasSuffix(from.text, "\r")
	if s.path == "" || s.path == devNull {
		p.fail(from.line, "the header names no file")
	}
}

func (s *section) setPaths(old, to string) {
	s.path, s.move = old, ""
	if path.Clean(old) != path.Clean(to) {
		s.move = to
	}
}

// openGit begins a section at git's own header line, which alone stands for
// files without hunks.
func (p *Parser) openGit(names string) {
	p.closeSection()
	p.cur = &section{op: Update, line: p.line, unified: true}
	if n := len(names) / 2; len(names)%2 == 1 && names[n] == ' ' {
		if old, to := withoutSides(headPath(names[:n]), headPath(names[n+1:])); old == to {
			p.cur.path = old
			return
		}
	}
	if old, to, ok := strings.Cut(names, " b/"); ok {
		old, to = withoutSides(headPath(old), "b/"+headPath(to))
		p.cur.setPaths(old, to)
		return
	}
	p.fail(p.line, "which file is meant is not clear")
}

// readGitHeader reads what git says of a file between its header line and the
// first hunk. It reports whether the line is such a one.
func (p *Parser) readGitHeader(line string) bool {
	s := p.cur
	if s.hunks {
		return false
	}
	for _, k := range []struct {
		words string
		then  func(rest string)
	}{
		{"new file mode ", func(string) { s.op, s.move = Add, "" }},
		{"deleted file mode ", func(string) { s.op, s.move = Delete, "" }},
		{"rename from ", func(name string) { s.path = headPath(name) }},
		{"rename to ", func(name string) { s.setPaths(s.path, headPath(name)) }},
		{"copy from ", func(string) { p.fail(p.line, "copies of files cannot be made by a diff; add the file with its lines") }},
		{"Binary files ", func(string) { p.fail(p.line, "a binary file cannot be changed by a diff") }},
		{"GIT binary patch", func(string) { p.fail(p.line, "a binary file cannot be changed by a diff") }},
		{"index ", func(string) {}},
		{"old mode ", func(string) {}},
		{"new mode ", func(string) {}},
		{"similarity index ", func(string) {}},
		{"dissimilarity index ", func(string) {}},
	} {
		if rest, ok := strings.CutPrefix(line, k.words); ok {
			k.then(rest)
			return true
		}
	}
	return false
}

// headPath reads a path of a header: a time may follow it behind a tab, and git
// quotes what is not ASCII.
func headPath(s string) string {
	s, _, _ = strings.Cut(s, "\t")
	s = strings.Trim(s, " \r")
	if strings.HasPrefix(s, `"`) {
		if plain, err := strconv.Unquote(s); err == nil {
			return plain
		}
	}
	return s
}

// withoutSides takes off the "a/" and "b/" that git puts in front, where both
// paths have them.
func withoutSides(old, to string) (string, string) {
	a, okA := strings.CutPrefix(old, "a/")
	b, okB := strings.CutPrefix(to, "b/")
	if okA && (okB || to == devNull) || okB && old == devNull {
		return a, b
	}
	return old, to
}
