package demo

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var repairItems = []string{"Find the discount code", "Correct the calculation", "Run the tests"}

// fixDiscount finds the discount function by outline and search, corrects the
// line that it read, and runs the tests.
func fixDiscount(t *talk) reply {
	outline, ok := t.last("list_code_definition_names")
	if !ok {
		return reply{text: "I will look at the outline of the code first.", tool: "list_code_definition_names",
			args: ordered{{"path", "."}, {"task_progress", checklist(repairItems, 0)}}}
	}
	name := discountName(outline.result)
	if name == "" {
		return complete("I found no function about a discount here, so there is nothing I could correct.", nil)
	}
	search, ok := t.last("search_files")
	if !ok {
		return reply{text: fmt.Sprintf("There is %s. Who defines and uses it?", name), tool: "search_files",
			args: ordered{{"path", "."}, {"regex", regexp.QuoteMeta(name) + `\(`}, {"file_pattern", "*.go"}}}
	}
	file := definingFile(search.result, name)
	read, ok := t.last("read_file")
	if !ok {
		return reply{text: fmt.Sprintf("It stands in %s; I will read it.", file), tool: "read_file", args: ordered{{"path", file}}}
	}
	edit, ok := t.last("replace_in_file")
	if !ok {
		line, fixed := wrongLine(read.result)
		if line == "" {
			return complete("The discount looks right as it is; I changed nothing.", nil)
		}
		return reply{
			text: "The percentage is taken off as if it were money. I will correct that line.",
			tool: "replace_in_file",
			args: ordered{{"path", file},
				{"diff", "------- SEARCH\n" + line + "\n=======\n" + fixed + "\n+++++++ REPLACE"},
				{"task_progress", checklist(repairItems, 1)}},
		}
	}
	if edit.denied() {
		return complete("I left the file as it is"+said(edit)+".", nil)
	}
	run, ok := t.last("execute_command")
	if !ok {
		return reply{text: "Now the tests.", tool: "execute_command",
			args: ordered{{"command", t.testCommand()}, {"requires_approval", false}, {"task_progress", checklist(repairItems, 2)}}}
	}
	return complete(fmt.Sprintf("I corrected the discount in %s: it now takes the percentage of the price. %s", file, verdict(run)), repairItems)
}

func said(s step) string {
	if words := s.feedback(); words != "" {
		return fmt.Sprintf(", as you said: “%s”", words)
	}
	return ", as you wish"
}

var discountFunc = regexp.MustCompile(`func (?:\([^)]*\) )?(\w*[Dd]iscount\w*)\(`)

// discountName finds the function in an outline, tests left out.
func discountName(outline string) string {
	for _, m := range discountFunc.FindAllStringSubmatch(outline, -1) {
		if !strings.HasPrefix(m[1], "Test") {
			return m[1]
		}
	}
	return ""
}

var goFile = regexp.MustCompile(`[\w./-]+\.go`)

// definingFile is the file under whose name the definition stands in a search
// result.
func definingFile(result, name string) string {
	file := ""
	for line := range strings.Lines(result) {
		if m := goFile.FindString(line); m != "" && !strings.Contains(line, "(") {
			file = m
		}
		if strings.Contains(line, "func "+name+"(") {
			break
		}
	}
	return file
}

var (
	numbered   = regexp.MustCompile(`^\s*\d+ \| ?(.*)$`)
	moneyMinus = regexp.MustCompile(`^(\s*return )(\w+) - (percent)\s*$`)
)

// wrongLine finds the line that subtracts a percentage from a price, in
// numbered text, and its correction.
func wrongLine(listing string) (line, fixed string) {
	for l := range strings.Lines(listing) {
		l = strings.TrimRight(l, "\r\n")
		if m := numbered.FindStringSubmatch(l); m != nil {
			l = m[1]
		}
		if m := moneyMinus.FindStringSubmatch(l); m != nil {
			return l, m[1] + m[2] + " - " + m[2] + "*" + m[3] + "/100"
		}
	}
	return "", ""
}

// testCommand runs Go's tests where Go was detected, else shows the change.
func (t *talk) testCommand() string {
	for word := range strings.FieldsFuncSeq(t.toolsFound(), func(r rune) bool { return r == ',' || r == ' ' || r == '\n' }) {
		if word == "go" {
			return "go test ./..."
		}
	}
	return "git --no-pager diff --stat"
}

// toolsFound is the section of detected command-line tools, which only the
// first request has.
func (t *talk) toolsFound() string {
	_, rest, _ := strings.Cut(t.firstEnvironment, "Detected CLI Tools")
	section, _, _ := strings.Cut(rest, "\n\n")
	return section
}

var exitCode = regexp.MustCompile(`exit code (\d+)`)

// verdict tells how the command went, from its result.
func verdict(run step) string {
	command, _ := run.args["command"].(string)
	switch {
	case run.denied():
		return "The tests were not run" + said(run) + "."
	case strings.HasPrefix(command, "go test") && strings.Contains(run.result, "ok  \t"):
		return "The tests pass."
	case strings.Contains(run.result, "FAIL"):
		return "But the tests fail: " + clip(strings.Join(strings.Fields(run.result), " "), 200)
	}
	if m := exitCode.FindStringSubmatch(run.result); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil && n != 0 {
			return fmt.Sprintf("But “%s” ended with exit code %d.", command, n)
		}
	}
	return fmt.Sprintf("“%s” says: %s", command, clip(strings.Join(strings.Fields(run.result), " "), 200))
}

func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}
