package prompt

import (
	"fmt"
	"strings"

	"clined/internal/tools"
)

// Bounds of the commands in the background: how many are shown and how many wait
// to be, and the bytes of what one and all of them printed.
const (
	maxCommands   = 10
	maxWaiting    = 100
	commandBytes  = 3000
	commandsBytes = 5000
)

// background tells of commands that run in the background: of each when it is
// first seen, when it printed something, and when it ended. Those for which there
// is no room are told of in the next request.
func (p *Prompt) background() string {
	if p.c.Commands == nil {
		return ""
	}
	room := commandsBytes
	var list []string
	var waiting []tools.RunningCommand
	known := map[string]bool{}
	for _, c := range p.untold() {
		known[c.ID] = p.commands[c.ID] && !c.Ended
		if known[c.ID] && c.Fresh == "" {
			continue
		}
		text := ""
		if len(waiting) == 0 && len(list) < maxCommands {
			text = describeCommand(c, commandBytes)
		}
		if text == "" || len(list) > 0 && len(text) > room {
			waiting = append(waiting, c)
			continue
		}
		known[c.ID] = !c.Ended
		room -= len(text)
		list = append(list, text)
	}
	if lost := len(waiting) - maxWaiting; lost > 0 {
		waiting = waiting[lost:]
		list = append(list, fmt.Sprintf("… %d more commands; their log files have what they printed", lost))
	}
	if len(waiting) > 0 {
		list = append(list, fmt.Sprintf("… %d more commands: you are told of them with your next call", len(waiting)))
	}
	p.commands, p.waiting = known, waiting
	return strings.Join(list, "\n")
}

// untold gives what there is to tell: what waits since the last request, with what
// came since, then what is new.
func (p *Prompt) untold() []tools.RunningCommand {
	list := p.waiting
	at := map[string]int{} // that may have more to tell, by id
	for i := range list {
		if c := &list[i]; !c.Ended {
			at[c.ID] = i
		}
		const most = 4 * commandBytes
		list[i].Omitted += strings.Count(list[i].Fresh, "\n") - strings.Count(last(list[i].Fresh, most), "\n")
		list[i].Fresh = last(list[i].Fresh, most)
	}
	for _, c := range p.c.Commands.Running() {
		i, waits := at[c.ID]
		if !waits {
			list = append(list, c)
			continue
		}
		c.Fresh, c.Omitted = list[i].Fresh+c.Fresh, list[i].Omitted+c.Omitted
		list[i] = c
	}
	return list
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
	case c.WithDaemon:
		return "not running any more: it ended when clined did"
	case c.Signal != "":
		return "ended by a signal: " + oneLine(c.Signal, 40)
	case c.ExitCode < 0:
		return "ended"
	}
	return fmt.Sprintf("ended with exit code %d", c.ExitCode)
}
