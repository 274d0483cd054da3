package server

import (
	"fmt"
	"strings"

	"clined/internal/approval"
	"clined/internal/event"
	"clined/internal/protocol"
	"clined/internal/tools"
)

// narrator tells a task in Markdown to people who see nothing else of it: what
// was said, a line for each call, what waits for them. It only ever adds.
type narrator struct {
	// fresh: nothing was told yet, in an earlier session neither.
	fresh bool
	// speaker is whose words stand under the last heading.
	speaker string
	// list: the last line is an item of a list.
	list bool
	// told are the messages, calls and decisions that were.
	told map[string]bool
	// notes are those of decisions, by their ids.
	notes map[string]string
}

func newNarrator(fresh bool) *narrator {
	return &narrator{fresh: fresh, told: map[string]bool{}, notes: map[string]string{}}
}

// tell returns what is to be added for an event, "" for nothing.
func (n *narrator) tell(e event.Event) string {
	switch e := e.(type) {
	case event.Message:
		return n.message(e)
	case event.ToolCall:
		return n.call(e)
	case event.Notice:
		return n.paragraph("> " + e.Severity + ": " + sentence(e.Text, e.Hint))
	case event.Rewind:
		n.speaker = ""
		return n.paragraph("*Back to before an earlier message; what followed it no longer counts.*")
	case event.State:
		return n.state(e)
	}
	return ""
}

func (n *narrator) message(m event.Message) string {
	switch m.Status {
	case event.Pending, event.InProgress, event.Discarded:
		return ""
	}
	text := said(m)
	if m.Command != "" {
		text = strings.TrimSpace(text + "\n\nTo see it: " + code(m.Command))
	}
	if text == "" || !n.first("message:"+m.MessageID) {
		return ""
	}
	var b strings.Builder
	if n.fresh {
		b.WriteString("# " + headline(text, 80) + "\n\n")
		n.fresh = false
	}
	speaker := "clined"
	if m.Role == "user" {
		speaker = "You"
	}
	if n.speaker != speaker {
		n.speaker = speaker
		b.WriteString(n.paragraph("## " + speaker))
	}
	b.WriteString(n.paragraph(text))
	return b.String()
}

// said is the text of a message, without its thoughts.
func said(m event.Message) string {
	var parts []string
	for _, c := range m.Content {
		switch {
		case c.Type == "image":
			parts = append(parts, "*(an image)*")
		case c.Type == "text" && strings.TrimSpace(c.Text) != "":
			parts = append(parts, strings.TrimSpace(c.Text))
		}
	}
	return strings.Join(parts, "\n\n")
}

func (n *narrator) call(c event.ToolCall) string {
	outcome := ""
	switch c.Status {
	case event.Done:
	case event.Error:
		outcome = ": failed: " + headline(c.Output, 200)
	case event.Denied:
		outcome = ": refused"
	case event.Stopped:
		outcome = ": stopped"
	default:
		return ""
	}
	if c.Kind == "ask" || c.Kind == "control" || !n.first("call:"+c.ToolCallID) {
		return "" // their words are messages
	}
	n.list = true
	return "- " + oneLine(titleOf(c)) + outcome + "\n"
}

func titleOf(c event.ToolCall) string {
	if c.Title != "" {
		return c.Title
	}
	return c.Name
}

func (n *narrator) state(s event.State) string {
	if s.State == event.Idle {
		n.speaker = ""
		return n.paragraph("*" + ending(s) + "*")
	}
	var b strings.Builder
	for _, p := range s.Pending {
		if note := n.notes[p.ID]; note != "" && n.first("pending:"+p.ID) {
			b.WriteString(n.paragraph(note))
		}
		delete(n.notes, p.ID)
	}
	return b.String()
}

// first is true for the first call with that key.
func (n *narrator) first(key string) bool {
	if n.told[key] {
		return false
	}
	n.told[key] = true
	return true
}

func (n *narrator) paragraph(text string) string {
	text += "\n\n"
	if n.list {
		n.list = false
		return "\n" + text
	}
	return text
}

// ending says how a turn ended.
func ending(s event.State) string {
	switch s.StopReason {
	case event.Completed:
		return "done"
	case event.PlanPresented:
		return "a plan waits for your word"
	case event.Cancelled:
		return "stopped"
	case event.Interrupted:
		return "interrupted; clined.resume goes on"
	}
	if f := s.Error; f != nil {
		return sentence(f.Message, f.Hint)
	}
	return "it needs you: " + string(s.StopReason)
}

// approvalNote is an approval in the Markdown file, whole.
func approvalNote(p *protocol.ApprovalRequestParams) string {
	var b strings.Builder
	b.WriteString("**Waits for you: " + oneLine(p.Title) + "**")
	if p.Description != "" {
		b.WriteString(" " + p.Description)
	}
	s := p.Subject
	if s.Command != "" {
		b.WriteString("\n\n" + fenced("sh", s.Command) + "\n\nin " + code(s.Cwd))
		if s.Sandbox != "" {
			b.WriteString("; sandbox: " + s.Sandbox)
		}
		for i, part := range opposed(s.Parts) {
			if i == 0 {
				b.WriteString("\n")
			}
			b.WriteString("\n- " + code(part))
		}
	}
	if len(s.Files) == 0 {
		for _, path := range s.Paths {
			b.WriteString("\n\n" + code(where(path)))
		}
	}
	if s.Tool != "" {
		b.WriteString("\n\n" + code(s.Tool) + " of " + code(s.Server) + "\n\n" + fenced("json", string(s.Args)))
	}
	for _, f := range s.Files {
		b.WriteString("\n\n" + f.Op + " " + code(where(f.SubjectPath)) + "\n\n" + fenced("diff", f.Diff))
	}
	fmt.Fprintf(&b, "\n\n`clined.approve %s` or `clined.reject %s WORDS`", p.ApprovalID, p.ApprovalID)
	return b.String()
}

// answerNote is what the user answered, "" for a bare yes or no.
func answerNote(answer any) string {
	words := ""
	switch a := answer.(type) {
	case approval.Answer:
		words = a.Feedback
	case tools.Answer:
		words = a.Text
	}
	if words == "" {
		return ""
	}
	return "**You:** " + words
}

func questionNote(p *protocol.AskParams) string {
	var b strings.Builder
	b.WriteString("**Asks you:** " + p.Text)
	if len(p.Options) > 0 {
		b.WriteString("\n")
	}
	for _, o := range p.Options {
		b.WriteString("\n- " + oneLine(o))
	}
	b.WriteString("\n\n`clined.answer WORDS`")
	return b.String()
}

func where(p protocol.SubjectPath) string {
	text := p.Path
	if p.Real != "" {
		text += " (" + p.Real + ")"
	}
	return text
}

// fenced returns text in a fence longer than any in it.
func fenced(language, text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + language + "\n" + strings.TrimSuffix(text, "\n") + "\n" + fence
}

// code returns a line of text in as many backquotes as it needs.
func code(text string) string {
	text = oneLine(text)
	quote := "`"
	for strings.Contains(text, quote) {
		quote += "`"
	}
	if len(quote) > 1 {
		return quote + " " + text + " " + quote
	}
	return quote + text + quote
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// headline is the first line that says something, at most so many characters.
func headline(text string, most int) string {
	for line := range strings.Lines(text) {
		if line = oneLine(strings.TrimLeft(line, "# ")); line != "" {
			return cut(line, most)
		}
	}
	return ""
}

// cut shortens a text to so many characters.
func cut(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
}

func sentence(text, hint string) string {
	text = oneLine(text)
	if hint != "" {
		text += " (" + oneLine(hint) + ")"
	}
	return text
}
