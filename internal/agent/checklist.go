package agent

import (
	"regexp"
	"strings"

	"clined/internal/event"
)

var checklistLine = regexp.MustCompile(`^\s*(?:[-*+]|\d+[.)])\s*\[([ xX])\]\s+(.+?)\s*$`)

// parseChecklist reads the "- [x] text" lines of a Markdown checklist and
// leaves everything else out.
func parseChecklist(markdown string) []event.PlanEntry {
	var entries []event.PlanEntry
	for line := range strings.Lines(markdown) {
		if m := checklistLine.FindStringSubmatch(strings.TrimRight(line, "\r\n")); m != nil {
			entries = append(entries, event.PlanEntry{Text: m[2], Done: m[1] != " "})
		}
	}
	return entries
}

// setChecklist takes over a list that the model wrote; text without a single
// item is no list and is ignored.
func (tn *turn) setChecklist(markdown string) {
	entries := parseChecklist(markdown)
	if len(entries) == 0 {
		return
	}
	tn.conv.SinceChecklist = 0
	if markdown == tn.conv.Checklist {
		return
	}
	tn.conv.Checklist = markdown
	tn.emit(event.Plan{Entries: entries})
}
