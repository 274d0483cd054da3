package demo

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

var repairItems = []string{"Find the discount code", "Correct the calculation", "Run the tests"}

func aboutDiscount(task string) bool {
	return strings.Contains(strings.ToLower(task), "discount") || strings.Contains(task, "折扣")
}

// fixDiscount finds the discount function by outline and search, corrects the
// line that it read, and runs the tests.
func fixDiscount(t *talk) reply {
	outline, ok := t.last("list_code_definition_names")
	if !ok {
		return call("I will look at the outline of the code first.", "list_code_definition_names",
			ordered{{"path", "."}}).with(repairItems)
	}
	name, file := defined(outline.result)
	search, ok := t.last("search_files")
	if !ok {
		return searchFor(name, outline).with(repairItems)
	}
	if n, f := defined(search.result); n != "" {
		name, file = n, f
	}
	if file == "" {
		return complete(nothingFound(outline, search)).with(repairItems)
	}
	read, ok := t.last("read_file")
	if again := strings.Contains(read.result, saysUnchanged) && t.tried("read_file") < 2; !ok || again {
		return call(ack(search)+fmt.Sprintf("%s stands in %s; I will read it.", name, file), "read_file",
			ordered{{"path", file}}).with(repairItems)
	}
	edit, ok := t.last("replace_in_file")
	if !ok {
		return correct(t, file, read)
	}
	if !changed(edit) {
		return complete(notChanged(edit)).with(repairItems, 0)
	}
	return runTests(t, file, edit)
}

// saysUnchanged is what a second look at the same lines gets at first.
const saysUnchanged = "unchanged since you read it"

func searchFor(name string, outline step) reply {
	text, regex := "", `func .*[Dd]iscount\w*\(`
	if name != "" {
		text, regex = fmt.Sprintf("There is %s. Who defines and uses it?", name), regexp.QuoteMeta(name)+`\(`
	} else {
		text = "I will search for it."
	}
	return call(ack(outline)+text, "search_files", ordered{{"path", "."}, {"regex", regex}, {"file_pattern", "*.go"}})
}

// ack acknowledges what the user said beside a decision, or a plain no.
func ack(s step) string { return english.after(s) }

var (
	discountFunc = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`func (?:\([^)]*\) )?(\w*[Dd]iscount\w*)\(`)
	})
	goFile     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[^:|]+\.go$`) })
	lineNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\d+[ :-]`) })
)

// defined finds the discount function in an outline or a search result, tests
// left out, and the file under whose name it stands.
func defined(result string) (name, file string) {
	for line := range strings.Lines(result) {
		line = strings.TrimRight(line, "\r\n")
		if !lineNumber().MatchString(line) {
			if goFile().MatchString(line) {
				file = line
			}
			continue
		}
		m := discountFunc().FindStringSubmatch(line)
		if m != nil && !strings.HasPrefix(m[1], "Test") && file != "" {
			return m[1], file
		}
	}
	return "", ""
}

func nothingFound(outline, search step) string {
	if outline.made() || search.made() {
		return "I found no function about a discount here, so there is nothing I could correct."
	}
	return "I may not look at the code" + said(search) + ", so I changed nothing."
}

var moneyMinus = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\s*return )(\w+) - (percent)\s*$`) })

// wrongLine finds the line that subtracts a percentage from a price, in
// numbered text, and its correction.
func wrongLine(listing string) (line, fixed string) {
	for _, l := range numbered().FindAllStringSubmatch(listing, -1) {
		if m := moneyMinus().FindStringSubmatch(l[1]); m != nil {
			return l[1], m[1] + m[2] + " - " + m[2] + "*" + m[3] + "/100"
		}
	}
	return "", ""
}

// correct edits the wrong line, or presents the edit as a plan where nothing
// may be changed.
func correct(t *talk, file string, read step) reply {
	line, fixed := wrongLine(read.result)
	switch {
	case read.denied():
		return complete("I may not read " + file + said(read) + ", so I changed nothing.").with(repairItems)
	case !isListing(read.result):
		return complete(fmt.Sprintf("I could not read %s, so I changed nothing: %s", file, oneLine(read.result, 300))).with(repairItems)
	case line == "":
		return complete("The discount looks right as it is; I changed nothing.").with(repairItems, 0)
	case t.planning:
		return complete(fmt.Sprintf("In %s the percentage is taken off as if it were money. The plan:\n"+
			"1. Replace `%s` by `%s`.\n2. Run the tests.", file, strings.TrimSpace(line), strings.TrimSpace(fixed))).with(repairItems, 0)
	}
	return call(ack(read)+"The percentage is taken off as if it were money. I will correct that line.", "replace_in_file", ordered{
		{"path", file}, {"diff", "------- SEARCH\n" + line + "\n=======\n" + fixed + "\n+++++++ REPLACE"},
	}).with(repairItems, 0)
}

// changed reports whether an edit was made, or was found to be made already.
func changed(edit step) bool {
	return strings.HasPrefix(edit.result, "Edited ") || strings.Contains(edit.result, "already holds exactly this text")
}

func notChanged(edit step) string {
	switch reason := edit.refused(); {
	case edit.denied() && edit.feedback() != "":
		return "I left the file as it is" + said(edit) + ". I am a scripted model and know no other way to correct it."
	case edit.denied():
		return "I left the file as it is" + said(edit) + "."
	case reason != "":
		return "I changed nothing: " + reason
	}
	return "The edit could not be made, so nothing was changed: " + oneLine(edit.result, 600)
}

// said is the user's part in a no.
func said(s step) string {
	switch words := s.feedback(); {
	case words != "":
		return fmt.Sprintf(", as you said: “%s”", oneLine(words, 300))
	case s.denied():
		return ", as you wish"
	}
	return ""
}
