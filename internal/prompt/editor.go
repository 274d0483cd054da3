package prompt

import (
	"fmt"
	"slices"
	"strings"

	"clined/internal/workspace"
)

// show returns how the model is to see a path; ok is false for one that is
// hidden from it.
func (p *Prompt) show(path string) (string, bool) {
	resolved, err := p.c.Workspace.Resolve(path)
	if err != nil || resolved.Ignored {
		return "", false
	}
	return name(resolved.Display), true
}

func (p *Prompt) visible(s workspace.State) string {
	var lines []string
	for _, path := range s.Visible {
		shown, ok := p.show(path)
		if !ok {
			continue
		}
		if path == s.Active {
			shown += " (active)"
		}
		lines = append(lines, shown)
	}
	return list(once(lines), maxVisible, visibleBytes, 0)
}

func (p *Prompt) tabs(s workspace.State) string {
	var lines []string
	for _, t := range s.Tabs {
		shown, ok := p.show(t.Path)
		if !ok {
			continue
		}
		if t.Dirty {
			shown += " (unsaved changes)"
		}
		lines = append(lines, shown)
	}
	return list(once(lines), maxTabs, tabBytes, 0)
}

// once keeps the first of equal lines: a file may be in several windows and tabs.
func once(lines []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(lines, func(l string) bool {
		again := seen[l]
		seen[l] = true
		return again
	})
}

func (p *Prompt) selections(s workspace.State) string {
	var lines []string
	for _, sel := range s.Selections {
		shown, ok := p.show(sel.Path)
		switch {
		case !ok:
		case sel.EndLine > sel.StartLine:
			lines = append(lines, fmt.Sprintf("%s lines %d-%d", shown, sel.StartLine, sel.EndLine))
		default:
			lines = append(lines, fmt.Sprintf("%s line %d", shown, sel.StartLine))
		}
	}
	return list(lines, maxSelections, selectionBytes, 0)
}

// problems lists the errors that the editor knows of. Those of files behind a
// full list are only counted: to tell whether one is hidden takes long.
func (p *Prompt) problems(s workspace.State) string {
	var lines []string
	more := 0
	for _, file := range s.Diagnostics {
		errors := slices.DeleteFunc(slices.Clone(file.Items), func(d workspace.Diagnostic) bool { return d.Severity != "error" })
		if len(errors) == 0 {
			continue
		}
		if len(lines) >= maxProblems {
			more += len(errors)
			continue
		}
		shown, ok := p.show(file.Path)
		if !ok {
			continue
		}
		for _, d := range errors {
			line := fmt.Sprintf("%s:%d %s", shown, d.Line, oneLine(d.Message, 200))
			if d.Source != "" {
				line += " (" + oneLine(d.Source, 40) + ")"
			}
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return list(lines, maxProblems, problemBytes, more)
}
