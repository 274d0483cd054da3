package console

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"clined/internal/protocol"
)

// cardTitle is what would happen. A command stands below, whole, so that it is
// not told twice.
func cardTitle(p *protocol.ApprovalRequestParams) string {
	switch s := &p.Subject; {
	case s.Command != "" && s.Unsandboxed:
		return "Run this command outside the sandbox"
	case s.Command != "":
		return "Run this command"
	}
	return oneLine(exact(p.Title))
}

// command shows a command line whole, where it would run, and how each of its
// parts is judged.
func (r *renderer) command(s *protocol.Subject) {
	mark := "$ "
	for line := range strings.SplitSeq(exact(strings.TrimRight(s.Command, "\n")), "\n") {
		r.folded(mark, line, r.p.strong)
		mark = "> "
	}
	r.folded("", "in "+r.o.exactTilde(s.Cwd), r.p.faint)
	switch {
	case s.Unsandboxed:
		r.told("in the sandbox it failed, probably because of it; outside it can change all that you can", r.p.warn)
	case s.Sandbox != "":
		r.told("sandbox: "+oneLine(exact(s.Sandbox)), r.p.faint)
	}
	if len(s.Parts) > 1 {
		r.parts(s.Parts)
	}
}

// told writes a sentence below a question, broken at words.
func (r *renderer) told(text string, paint func(string) string) {
	r.line("    " + paint(r.layOut(text, "    ")))
}

// shownParts is how many parts of a command line are shown each; of more only
// those that are not allowed.
const shownParts = 8

// widestBeside is how wide a part may be, in columns, to have its reason beside it.
const widestBeside = 48

// parts shows the simple commands of a line, each with its verdict. The whole
// line stands above, so they may be shortened.
func (r *renderer) parts(list []protocol.SubjectPart) {
	left, what := 0, ""
	if len(list) > shownParts {
		asking := slices.DeleteFunc(slices.Clone(list), func(p protocol.SubjectPart) bool { return p.Verdict == "allow" })
		if len(asking) <= shownParts {
			what = " are allowed"
		}
		asking = asking[:min(len(asking), shownParts)]
		list, left = asking, len(list)-len(asking)
	}
	column := 0
	most := min(max(r.columns()/2-6, 12), widestBeside)
	for _, p := range list {
		if w := ansi.StringWidth(partText(p)); w <= most {
			column = max(column, w)
		}
	}
	reason := ""
	for _, p := range list {
		r.part(p, column, p.Verdict != "allow" && p.Reason == reason)
		reason = p.Reason
	}
	if left > 0 {
		r.line("    " + r.p.faint(fmt.Sprintf("… %d more parts%s", left, what)))
	}
}

// withoutRetry leaves out why the line would run once more without the sandbox: it
// is the whole line's reason, not a part's, and stands below them.
func withoutRetry(list []protocol.SubjectPart) (rest []protocol.SubjectPart, why string) {
	rest = slices.Clone(list)
	for i := range rest {
		if strings.HasSuffix(rest[i].Reason, "would run once more, without the sandbox.") {
			why, rest[i].Reason = rest[i].Reason, ""
		}
	}
	return rest, why
}

func partText(p protocol.SubjectPart) string { return untab(oneLine(exact(p.Command))) }

// part shows one: its reason beside it, or below it where it is long, unless it
// is that of the part before.
func (r *renderer) part(p protocol.SubjectPart, column int, same bool) {
	mark, why := r.p.warn("?"), p.Reason
	switch p.Verdict {
	case "allow":
		mark, why = r.p.good("✓"), p.Rule
		if why != "" {
			why = "allowed by " + why
		}
	case "deny":
		mark = r.p.bad("✗")
	}
	why = strings.TrimSuffix(oneLine(exact(why)), ".")
	const margin, gap = 6, 2
	text := clip(partText(p), r.columns()-margin)
	line := "    " + mark + " " + text
	switch w := ansi.StringWidth(text); {
	case why == "", same:
	case w <= column:
		indent := strings.Repeat(" ", margin+column+gap)
		line += strings.Repeat(" ", column+gap-w) + r.p.faint(r.layOut(why, indent))
	default:
		line += "\n      " + r.p.faint(r.layOut(why, "      "))
	}
	r.line(line)
}

// repeated reports whether the reason was told already: by the title, a part or
// the remarks on a path.
func repeated(p *protocol.ApprovalRequestParams) bool {
	told := func(path protocol.SubjectPath) bool {
		return path.Outside && strings.HasSuffix(p.Description, "is outside the workspace.") ||
			path.Protected != "" && strings.Contains(p.Description, path.Protected)
	}
	s := &p.Subject
	_, retry := withoutRetry(s.Parts)
	return s.Unsandboxed && strings.HasSuffix(p.Description, "would run outside of the sandbox.") ||
		len(s.Parts) > 1 && p.Description != retry && slices.ContainsFunc(s.Parts, func(part protocol.SubjectPart) bool { return part.Reason == p.Description }) ||
		slices.ContainsFunc(slices.Concat(s.Paths, subjectPaths(s.Files)), told)
}

// remarks tell what is unusual about a path.
func (r *renderer) remarks(p protocol.SubjectPath) {
	var list []string
	if p.Real != "" {
		list = append(list, "leads to "+r.o.exactTilde(p.Real))
	}
	if p.Outside {
		list = append(list, "is outside the workspace")
	}
	if p.Protected != "" {
		list = append(list, "is protected: "+oneLine(exact(p.Protected)))
	}
	if len(list) > 0 {
		r.told(r.o.exactTilde(p.Path)+" "+strings.Join(list, ", "), r.p.warn)
	}
}

// exactTilde is a path that somebody decides on, with ~ for the user's home.
func (o Options) exactTilde(path string) string { return oneLine(exact(o.belowHome(path))) }
