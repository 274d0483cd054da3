package tools

import (
	"fmt"
	"slices"
	"strings"
)

// maxListed names are told to a model that called a tool that does not exist.
const maxListed = 60

// unknown tells the model that there is no such tool, and what there is.
func (s *snapshot) unknown(r *Registry, name string) string {
	if t, ok := r.Lookup(s.context.Family, name); ok && slices.Contains(FamilyTools(s.context.Family), name) {
		return notNow(t.Spec())
	}
	name = strings.ToValidUTF8(name[:min(len(name), maxName)], "")
	if len(s.tools) == 0 {
		return fmt.Sprintf("There is no tool %q: no tools are offered in this task. Answer in plain text.", name)
	}
	var names []string
	for _, t := range s.tools {
		if !t.Spec().Unlisted {
			names = append(names, t.Spec().Name)
		}
	}
	text := fmt.Sprintf("There is no tool %q; nothing was done.", name)
	if near := nearest(name, names); near != "" {
		text += fmt.Sprintf(" Did you mean %q?", near)
	}
	more := ""
	if n := len(names) - maxListed; n > 0 {
		names, more = names[:maxListed], fmt.Sprintf(" and %d more", n)
	}
	return text + " The tools are: " + strings.Join(names, ", ") + more + "."
}

// notNow words why a tool of the family is not offered at the moment.
func notNow(spec *Spec) string {
	why := "it does not fit this task"
	if spec.Kind == MCP {
		why = "no MCP server is connected"
	}
	return fmt.Sprintf("The tool %q is not available now: %s. Nothing was done.", spec.Name, why)
}

// foreign maps names that models know from other products to ours.
var foreign = map[string]string{
	"bash": "execute_command", "shell": "execute_command", "run_command": "execute_command", "terminal": "execute_command",
	"create_file": "write_to_file", "new_file": "write_to_file", "save_file": "write_to_file",
	"edit": "replace_in_file", "edit_file": "replace_in_file", "str_replace": "replace_in_file", "apply_diff": "replace_in_file",
	"patch": "apply_patch", "str_replace_editor": "replace_in_file", "str_replace_based_edit_tool": "replace_in_file",
	"view": "read_file", "cat": "read_file", "open_file": "read_file",
	"grep": "search_files", "grep_search": "search_files", "find": "search_files", "codebase_search": "search_files",
	"ls": "list_files", "glob": "list_files", "list_dir": "list_files", "list_directory": "list_files",
	"ask_user": "ask_followup_question", "finish": "attempt_completion", "done": "attempt_completion", "submit": "attempt_completion",
}

// nearest returns the name the model most likely meant, "" if none is close.
func nearest(name string, names []string) string {
	lower := strings.ToLower(name)
	ours := foreign[lower]
	switch {
	case slices.Contains(names, ours):
		return ours
	case (ours == "write_to_file" || ours == "replace_in_file") && slices.Contains(names, "apply_patch"):
		return "apply_patch"
	}
	best, score := "", max(3, len(lower)/2)
	for _, n := range names {
		// The tool's own name counts too where the server's part was left off.
		_, own, _ := strings.Cut(n, "__")
		d := Distance(lower, strings.ToLower(n))
		if own != "" {
			d = min(d, Distance(lower, strings.ToLower(own)))
		}
		if d < score {
			best, score = n, d
		}
	}
	return best
}

// Distance is the Levenshtein distance in bytes, for texts as short as names.
func Distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
