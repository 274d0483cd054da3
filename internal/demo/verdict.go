package demo

import (
	"fmt"
	"slices"
	"strings"
)

// runTests runs the tests of the corrected file and tells how they went.
func runTests(t *talk, file string, edit step) reply {
	text := fmt.Sprintf("I corrected the discount in %s: it now takes the percentage of the price.", file)
	if strings.Contains(edit.result, "The user changed your proposal") {
		text = fmt.Sprintf("The discount in %s is corrected, in your own version.", file)
	}
	command := t.testCommand()
	if command == "" {
		return complete(text+" Go is not installed here, so the tests were not run.").with(repairItems, 0, 1)
	}
	run, ok := t.last("execute_command")
	if !ok {
		return call(ack(edit)+"Now the tests.", "execute_command",
			ordered{{"command", command}, {"requires_approval", false}}).with(repairItems, 0, 1)
	}
	how, passed := verdict(run)
	if passed {
		return complete(text+" "+how).with(repairItems, 0, 1, 2)
	}
	return complete(text+" "+how).with(repairItems, 0, 1)
}

// testCommand runs Go's tests where Go was detected, else shows the change,
// "" where neither can be done.
func (t *talk) testCommand() string {
	switch found := t.toolsFound(); {
	case slices.Contains(found, "go"):
		return "go test ./..."
	case slices.Contains(found, "git"):
		return "git --no-pager diff --stat"
	}
	return ""
}

// toolsFound are the detected command-line tools, which only the first request
// of a conversation lists.
func (t *talk) toolsFound() []string {
	_, rest, _ := strings.Cut(t.environment, "# Detected CLI Tools\n")
	section, _, _ := strings.Cut(rest, "\n\n")
	return strings.FieldsFunc(section, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' })
}

// verdict tells how the command went, from its result; passed is true for
// tests that were run and passed.
func verdict(run step) (text string, passed bool) {
	command, _ := run.args["command"].(string)
	tests := strings.HasPrefix(command, "go test")
	how, output, _ := strings.Cut(run.result, "\nOutput:\n")
	succeeded := strings.HasPrefix(how, "The command succeeded")
	switch {
	case run.denied():
		return "The tests were not run" + said(run) + ".", false
	case succeeded && tests:
		return "The tests pass.", true
	case succeeded:
		return "Go is not installed here, so the tests were not run; git shows the change: " + oneLine(output, 200), false
	case tests && strings.HasPrefix(how, "The command failed"):
		return "But the tests fail: " + oneLine(output, 400), false
	}
	return fmt.Sprintf("But “%s” came to nothing: %s", command, oneLine(run.result, 400)), false
}
