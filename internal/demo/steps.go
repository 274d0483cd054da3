package demo

import (
	"regexp"
	"strings"
	"sync"
)

var countItems = []string{"Run the command"}

// countCommand prints a line a second and changes nothing.
const countCommand = `sh -c 'for i in 1 2 3 4 5; do echo "step $i of 5"; sleep 1; done'`

var runsCommand = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(command|terminal)\b|命令`)
})

// aboutCommand takes any wish for a command for that one.
func aboutCommand(task string) bool { return runsCommand().MatchString(task) }

// count runs a command whose output can be watched.
func count(t *talk) reply {
	run, ok := t.last("execute_command")
	switch {
	case t.planning && !ok:
		return complete("The plan: run a command that counts to five, in act mode.").with(countItems)
	case !ok:
		return call("I will run a command that counts to five and changes nothing.", "execute_command",
			ordered{{"command", countCommand}, {"requires_approval", true}}).with(countItems)
	case run.denied():
		return complete("I ran nothing" + said(run) + ".").with(countItems)
	case run.refused() != "":
		return complete("I ran nothing: " + oneLine(run.refused(), 400)).with(countItems)
	case strings.HasPrefix(run.result, "The command succeeded"):
		return complete("The command counted to five; its output is above.").with(countItems, 0)
	}
	return complete("The command did not get to its end: "+oneLine(run.result, 400)).with(countItems, 0)
}
