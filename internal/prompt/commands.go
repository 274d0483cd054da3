package prompt

import (
	"fmt"
	"strings"

	"clined/internal/tools"
)

// Bounds of the commands in the background: how many are shown, and the bytes of
// what one and all of them printed.
const (
	maxCommands   = 10
	commandBytes  = 3000
	commandsBytes = 5000
)

// background tells of commands that run in the background: of each when it is
// first seen, when it printed something, and when it ended.
func (p *Prompt) background() string {
	if p.c.Commands == nil {
		return ""
	}
	room, skipped := commandsBytes, 0
	var list []string
	known := map[string]bool{}
	for _, c := range p.c.Commands.Running() {
		known[c.ID] = !c.Ended
		if p.commands[c.ID] && !c.Ended && c.Fresh == "" {
			continue
		}
		if len(list) == maxCommands || room <= 0 {
			skipped++
			continue
		}
		text := describeCommand(c, min(commandBytes, room))
		room -= len(text)
		list = append(list, text)
	}
	p.commands = known
	if skipped > 0 {
		list = append(list, fmt.Sprintf("… %d more commands; their log files have what they printed", skipped))
	}
	return strings.Join(list, "\n")
}

// describeCommand names a command, says how it stands, and shows its new output
// in about limit bytes.
func describeCommand(c tools.RunningCommand, limit int) string {
	text := fmt.Sprintf("## `%s` (%s)", oneLine(c.Line, 300), standing(c))
	if c.LogFile != "" {
		text += "\nComplete output: " + name(c.LogFile)
	}
	fresh := strings.Trim(c.Fresh, "\n")
	if fresh == "" {
		return text
	}
	newest := indent(data(last(fresh, 4*commandBytes)))
	newest = tail(newest, terminalLines, max(limit-len(text)-60, 0))
	if !strings.HasPrefix(newest, "  ") { // cut within a line
		newest = indent("…" + newest)
	}
	text += "\nNew output:\n"
	if left := c.Omitted + strings.Count(fresh, "\n") - strings.Count(newest, "\n"); left > 0 {
		text += fmt.Sprintf("… %d earlier lines\n", left)
	}
	return text + newest
}

func standing(c tools.RunningCommand) string {
	switch {
	case !c.Ended:
		return "running"
	case c.Signal != "":
		return "ended by a signal: " + oneLine(c.Signal, 40)
	case c.ExitCode < 0:
		return "ended"
	}
	return fmt.Sprintf("ended with exit code %d", c.ExitCode)
}
