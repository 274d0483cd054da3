package console

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"clined/internal/protocol"
)

// shownDiff is how many lines of a change stand on the terminal when nobody
// has to decide on it.
const shownDiff = 40

// approval shows what would happen, whole, and why it is asked.
func (r *renderer) approval(p *protocol.ApprovalRequestParams) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.beginQuestion()
	if k := r.calls[p.ToolCallID]; k != nil {
		k.stop()
		k.asked = true
		for _, f := range p.Subject.Files {
			k.approved += f.Diff
		}
	}
	r.line("  " + r.p.warn("?") + " " + r.p.strong(r.layOut(cardTitle(p), "    ")))
	s, again := p.Subject, ""
	s.Parts, again = withoutRetry(s.Parts)
	r.subject(&s)
	if again != "" && again != p.Description {
		r.line("    " + r.prose(again, "    "))
	}
	if p.Description != "" && !repeated(p) {
		r.line("    " + r.prose(p.Description, "    "))
	}
	r.keys(p)
}

// subject shows what an approval is for; nothing is left out.
func (r *renderer) subject(s *protocol.Subject) {
	if s.Command != "" {
		r.command(s)
	}
	for _, f := range s.Files {
		r.diff(f.Diff)
	}
	if s.Server != "" {
		r.args(s.Args)
	}
	seen := map[string]bool{}
	for _, path := range slices.Concat(s.Paths, subjectPaths(s.Files)) {
		if !seen[path.Path] {
			seen[path.Path] = true
			r.remarks(path)
		}
	}
}

func subjectPaths(edits []protocol.SubjectEdit) []protocol.SubjectPath {
	var out []protocol.SubjectPath
	for _, e := range edits {
		out = append(out, e.SubjectPath)
		if e.To != nil {
			out = append(out, *e.To)
		}
	}
	return out
}

// args shows the arguments of a server's tool, one a line, in their order.
func (r *renderer) args(raw json.RawMessage) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		if len(raw) > 0 {
			r.folded("", exact(string(raw)), r.p.strong)
		}
		return
	}
	for d.More() {
		key, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			r.folded("", exact(string(raw)), r.p.strong)
			return
		}
		r.folded("", oneLine(exact(fmt.Sprint(key)))+": "+oneLine(exact(string(value))), r.p.strong)
	}
}

// folded writes a line below a question, broken where the terminal ends so
// that all of it can be read.
func (r *renderer) folded(mark, line string, paint func(string) string) {
	width := r.o.Width - len("    ") - len(mark)
	for _, part := range fold(untab(line), width) {
		r.line("    " + paint(mark+part))
		mark = strings.Repeat(" ", len(mark))
	}
}

// diff writes a unified diff in colours, whole.
func (r *renderer) diff(d string) {
	inHunk := false
	for line := range strings.Lines(d) {
		line = exact(strings.TrimRight(line, "\r\n"))
		paint := func(s string) string { return s }
		switch {
		case strings.HasPrefix(line, "@@"):
			inHunk = true
			paint = r.p.mark
		case !inHunk:
			paint = r.p.faint
		case strings.HasPrefix(line, "+"):
			paint = r.p.good
		case strings.HasPrefix(line, "-"):
			paint = r.p.bad
		}
		r.folded("", line, paint)
	}
}

// shortDiff writes the beginning of a diff.
func (r *renderer) shortDiff(d string) {
	lines := strings.SplitAfter(d, "\n")
	if len(lines) <= shownDiff+1 {
		r.diff(d)
		return
	}
	r.diff(strings.Join(lines[:shownDiff], ""))
	r.line(r.p.faint(fmt.Sprintf("    … %d more lines", len(lines)-1-shownDiff)))
}

// ask shows a question of the model.
func (r *renderer) ask(p *protocol.AskParams) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.beginQuestion()
	r.line("\n" + r.p.warn("?") + " " + r.prose(strings.TrimSpace(p.Text), "  "))
	for i, o := range p.Options {
		number := fmt.Sprint(i + 1)
		r.line("  " + r.p.strong(number) + " " + r.prose(oneLine(o), "    "))
	}
	if len(p.Options) > 0 {
		r.line("  " + r.p.faint("a number, or your own words"))
	}
}
