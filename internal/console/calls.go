package console

import (
	"fmt"
	"strings"

	"clined/internal/event"
	"clined/internal/protocol"
)

// shownLines is how much of a tool's output stands on the terminal.
const shownLines = 8

func (r *renderer) call(c event.ToolCall) {
	r.names[c.ToolCallID] = c
	switch c.Status {
	case event.InProgress:
		r.line("  " + r.p.mark("▸") + " " + r.callLine(c))
	case event.Done, event.Error, event.Denied, event.Stopped:
		r.finished(c)
		delete(r.names, c.ToolCallID)
		delete(r.live, c.ToolCallID)
	}
}

// callLine names a call before it runs: the tool and its shortest telling argument.
func (r *renderer) callLine(c event.ToolCall) string {
	name := c.Name
	if c.Server != "" {
		name = c.Server + " · " + c.Tool
	}
	return r.p.strong(clean(name)) + " " + r.p.faint(clip(oneLine(argSummary(c.Args)), 100))
}

func (r *renderer) finished(c event.ToolCall) {
	if c.Kind == "control" && c.Status == event.Done {
		return // its answer follows as a message
	}
	mark := map[event.Status]string{
		event.Done: r.p.good("✓"), event.Error: r.p.bad("✗"), event.Denied: r.p.warn("–"), event.Stopped: r.p.warn("–"),
	}[c.Status]
	title := c.Title
	if title == "" {
		title = c.Name
	}
	if c.AutoApproved != "" {
		title += r.p.faint("  (allowed by " + clean(c.AutoApproved) + ")")
	}
	r.line("  " + mark + " " + clean(title))
	switch {
	case c.Diff != "":
		r.diff(c.Diff)
	case r.live[c.ToolCallID]: // its output stands there already
	default:
		r.block(c.Output, shownLines)
	}
}

func (r *renderer) callOutput(d event.ToolCallDelta) {
	if d.Output == "" {
		return // arguments being written
	}
	if !r.live[d.ToolCallID] {
		r.live[d.ToolCallID] = true
		r.endStream()
	}
	for line := range strings.Lines(d.Output) {
		r.write(r.o.Err, r.p.faint("    │ "+clean(strings.TrimRight(line, "\r\n")))+"\n")
	}
}

// block writes the first lines of a text, indented and faint.
func (r *renderer) block(text string, limit int) {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, line := range lines {
		if i == limit {
			r.line(r.p.faint(fmt.Sprintf("    │ … %d more lines", len(lines)-limit)))
			return
		}
		r.line(r.p.faint("    │ " + clip(clean(line), 160)))
	}
}

// diff writes a unified diff in colours.
func (r *renderer) diff(d string) {
	for line := range strings.Lines(d) {
		line = clean(strings.TrimRight(line, "\r\n"))
		switch {
		case strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"):
			line = r.p.faint(line)
		case strings.HasPrefix(line, "@@"):
			line = r.p.mark(line)
		case strings.HasPrefix(line, "+"):
			line = r.p.good(line)
		case strings.HasPrefix(line, "-"):
			line = r.p.bad(line)
		}
		r.line("    " + line)
	}
}

// approval shows what would happen, and why it is asked.
func (r *renderer) approval(p *protocol.ApprovalRequestParams) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.line("  " + r.p.warn("?") + " " + r.p.strong(clean(p.Title)))
	s := p.Subject
	if s.Command != "" {
		r.line("    " + r.p.strong("$ "+clean(s.Command)))
		r.line(r.p.faint("    in " + clean(s.Cwd)))
	}
	for _, f := range s.Files {
		r.diff(f.Diff)
	}
	if s.Server != "" && len(s.Args) > 2 {
		r.line(r.p.faint("    " + clip(clean(string(s.Args)), 200)))
	}
	for _, path := range append(s.Paths, paths(s.Files)...) {
		if path.Real != "" {
			r.line(r.p.warn("    " + clean(path.Path) + " leads to " + clean(path.Real)))
		}
	}
	if p.Description != "" {
		r.line(r.p.faint("    " + clean(p.Description)))
	}
}

func paths(edits []protocol.SubjectEdit) []protocol.SubjectPath {
	var out []protocol.SubjectPath
	for _, e := range edits {
		out = append(out, e.SubjectPath)
	}
	return out
}

func (r *renderer) approvalMark(p *protocol.ApprovalRequestParams) {
	r.mu.Lock()
	defer r.mu.Unlock()
	keys := "y yes · n no"
	for _, o := range p.Options {
		if o.Kind == "allow_always" && o.Rule != nil {
			keys += " · a always (" + clean(o.Rule.Pattern) + ", " + o.Rule.Scope + ")"
		}
	}
	r.write(r.o.Err, "    "+r.p.faint(keys+" · or what to do instead")+" "+r.p.strong("› "))
	r.column = 0
}

func (r *renderer) decided(o *protocol.ApprovalOutcome) {
	if o.Feedback != nil {
		r.note("    told the model: " + o.Feedback.Text)
	}
}

func (r *renderer) question(p *protocol.AskParams) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.line("\n" + r.p.warn("?") + " " + clean(p.Text))
	for i, o := range p.Options {
		r.line(fmt.Sprintf("  %s %s", r.p.strong(fmt.Sprintf("%d", i+1)), clean(o)))
	}
}

func (r *renderer) questionMark() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.write(r.o.Err, r.p.strong("› "))
	r.column = 0
}
