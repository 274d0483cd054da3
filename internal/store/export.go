package store

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"time"
	"unicode"

	"clined/internal/event"
	"clined/internal/transcript"
)

// Export writes a task down: "markdown" is what people saw, "json" all that is
// kept of it, what the model saw included.
func (s *Store) Export(ctx context.Context, id, format string, w io.Writer) error {
	if format != "markdown" && format != "json" {
		return &Problem{Message: fmt.Sprintf("there is no export to %q", format), Hint: `use "markdown" or "json"`}
	}
	info, err := s.Info(ctx, id)
	if err != nil {
		return err
	}
	t := s.newTask(id) // only read from, so nobody need close it
	h, err := t.Load(ctx)
	if err != nil {
		return err
	}
	info.Damage = h.Damage
	items, _, err := t.Items(ctx, ItemQuery{Limit: math.MaxInt32})
	if err != nil {
		return err
	}
	if format == "json" {
		return exportJSON(w, info, h, items)
	}
	out := bufio.NewWriter(w)
	exportMarkdown(out, info, h, items)
	return out.Flush()
}

type exportedItem struct {
	Seq    int64          `json:"seq"`
	First  int64          `json:"first"`
	TurnID string         `json:"turnId,omitempty"`
	Time   time.Time      `json:"time"`
	Event  event.Envelope `json:"event"`
}

func exportJSON(w io.Writer, info Info, h *History, items []Item) error {
	type task struct {
		ID       string          `json:"id"`
		Title    string          `json:"title"`
		Cwd      string          `json:"cwd"`
		Roots    []string        `json:"roots"`
		Created  time.Time       `json:"created"`
		Updated  time.Time       `json:"updated"`
		Mode     string          `json:"mode,omitempty"`
		Model    string          `json:"model,omitempty"`
		Favorite bool            `json:"favorite,omitempty"`
		State    State           `json:"state"`
		Stop     string          `json:"stopReason,omitempty"`
		Damage   string          `json:"damage,omitempty"`
		Totals   json.RawMessage `json:"totals,omitempty"`
	}
	out := struct {
		Task     task                 `json:"task"`
		System   string               `json:"system,omitempty"`
		Messages []transcript.Message `json:"messages"`
		Events   []exportedItem       `json:"events"`
	}{
		task{info.ID, info.Title, info.Cwd, info.Roots, info.Created, info.Updated, info.Mode, info.Model, info.Favorite,
			info.State, info.StopReason, info.Damage, nil},
		h.System, h.Messages, []exportedItem{},
	}
	if json.Valid(info.Totals) {
		out.Task.Totals = info.Totals
	}
	if out.Messages == nil {
		out.Messages = []transcript.Message{}
	}
	for _, i := range items {
		out.Events = append(out.Events, exportedItem{i.Seq, i.First, i.TurnID, i.Time, event.Envelope{Event: i.Event}})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}

func exportMarkdown(w *bufio.Writer, info Info, h *History, items []Item) {
	title := info.Title
	if title == "" {
		title = "Task " + info.ID
	}
	fmt.Fprintf(w, "# %s\n\n- task: `%s`\n- folder: `%s`\n- begun: %s\n- changed: %s\n", oneLineText(title), info.ID, info.Cwd,
		info.Created.Format(time.RFC3339), info.Updated.Format(time.RFC3339))
	if info.Model != "" {
		fmt.Fprintf(w, "- model: %s\n", info.Model)
	}
	if info.Damage != "" {
		fmt.Fprintf(w, "- damage: %s\n", info.Damage)
	}
	said := false
	for _, i := range items {
		said = markdownItem(w, i.Event) || said
	}
	if said {
		return
	}
	for _, m := range h.Messages {
		if text := m.Text(); text != "" {
			fmt.Fprintf(w, "\n## %s\n\n%s\n", speaker(string(m.Role)), printable(text))
		}
	}
}

// markdownItem writes an event and tells whether it was something said.
func markdownItem(w *bufio.Writer, e event.Event) bool {
	switch e := e.(type) {
	case event.Message:
		text := said(e)
		if text == "" {
			return false
		}
		fmt.Fprintf(w, "\n## %s\n\n%s\n", speaker(e.Role), printable(text))
		return true
	case event.ToolCall:
		title := e.Title
		if title == "" {
			title = e.Name
		}
		fmt.Fprintf(w, "\n### %s (%s)\n", oneLineText(title), e.Status)
		for _, block := range []struct{ language, text string }{{"json", e.Args}, {"diff", e.Diff}, {"", e.Output}} {
			if block.text != "" {
				fence := fenceFor(block.text)
				fmt.Fprintf(w, "\n%s%s\n%s\n%s\n", fence, block.language, strings.TrimSuffix(printable(block.text), "\n"), fence)
			}
		}
	case event.Plan:
		fmt.Fprint(w, "\n### Checklist\n\n")
		for _, entry := range e.Entries {
			mark := " "
			if entry.Done {
				mark = "x"
			}
			fmt.Fprintf(w, "- [%s] %s\n", mark, oneLineText(entry.Text))
		}
	case event.Notice:
		fmt.Fprintf(w, "\n> %s: %s\n", e.Severity, oneLineText(e.Text))
	}
	return false
}

func speaker(role string) string {
	if role == "" {
		return "Unknown"
	}
	return strings.ToUpper(role[:1]) + role[1:]
}

func oneLineText(text string) string { return printable(strings.Join(strings.Fields(text), " ")) }

// printable shows control characters as pictures: raw ones would make the file
// binary to many programs, and control the terminal that it is shown in.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r < ' ':
			return '\u2400' + r // Unicode, Control Pictures
		case r == 0x7f:
			return '\u2421'
		case unicode.IsControl(r):
			return unicode.ReplacementChar
		}
		return r
	}, strings.ReplaceAll(text, "\r\n", "\n"))
}

// fenceFor returns a fence longer than any in the text.
func fenceFor(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence
}
