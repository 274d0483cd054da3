package prompt

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"clined/internal/workspace"
)

// Bounds of terminals: lines of output of one, bytes of one and of all, and how
// much output is remembered to tell the new from the old.
const (
	terminalLines   = 100
	terminalBytes   = 3000
	terminalsBytes  = 5000
	rememberedBytes = 16 << 10
)

// terminal is what the model was told of one.
type terminal struct {
	busy            bool
	command, output string
}

// news tells what happened in the terminals since the last request: in those
// that run something, and in those that do not.
func (p *Prompt) news(terminals []workspace.Terminal) (busy, quiet string) {
	before := p.terminals
	p.terminals = map[string]terminal{}
	room := terminalsBytes
	var running, idle []string
	skipped := 0
	for _, t := range terminals {
		old, known := before[t.ID]
		output := plain(t.Output)
		fresh := strings.Trim(added(old.output, output), "\n")
		p.terminals[t.ID] = terminal{busy: t.Busy, command: t.Command, output: last(output, rememberedBytes)}
		started := t.Busy && (!known || !old.busy || old.command != t.Command)
		ended := known && old.busy && !t.Busy
		if fresh == "" && !started && !ended {
			continue
		}
		if room <= 0 {
			skipped++
			continue
		}
		text := describeTerminal(t, ended, fresh, min(terminalBytes, room))
		room -= len(text)
		if t.Busy {
			running = append(running, text)
		} else {
			idle = append(idle, text)
		}
	}
	if skipped > 0 {
		idle = append(idle, fmt.Sprintf("… %d more terminals", skipped))
	}
	return strings.Join(running, "\n"), strings.Join(idle, "\n")
}

// describeTerminal names a terminal and shows its new output in about limit bytes.
func describeTerminal(t workspace.Terminal, ended bool, fresh string, limit int) string {
	text := "## " + oneLine(cmp.Or(t.Name, t.ID), 60)
	if t.Command != "" {
		text += ": `" + oneLine(t.Command, 300) + "`"
	}
	if ended {
		text += " (ended)"
	}
	if fresh == "" {
		return text
	}
	// Escaping all of a long output would be work for nothing.
	newest := indent(data(last(fresh, 4*terminalBytes)))
	newest = tail(newest, terminalLines, max(limit-len(text)-60, 0))
	if !strings.HasPrefix(newest, "  ") { // cut within a line
		newest = indent("…" + newest)
	}
	text += "\nNew output:\n"
	if left := strings.Count(fresh, "\n") - strings.Count(newest, "\n"); left > 0 {
		text += fmt.Sprintf("… %d earlier lines\n", left)
	}
	return text + newest
}

// added returns what output has beyond old: the editor may push all of a
// terminal's text or only its newest, so old may have lost its beginning. Its
// last line may have been overwritten since: it is told again then.
func added(old, output string) string {
	recent := last(output, rememberedBytes)
	for _, old := range []string{old, old[:strings.LastIndexByte(old, '\n')+1]} {
		for n := min(len(old), len(recent)); n > 0; n-- {
			if strings.HasSuffix(old, recent[:n]) {
				return recent[n:]
			}
		}
	}
	return output
}

func last(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return s[len(s)-limit:]
}

// plain takes escape sequences out of terminal text, and what a carriage
// return overwrote.
func plain(s string) string {
	s = strings.ReplaceAll(ansi.Strip(last(s, 2*rememberedBytes)), "\r\n", "\n")
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		line = strings.TrimRight(line, "\r")
		lines[i] = strings.Map(printable, line[strings.LastIndexByte(line, '\r')+1:])
	}
	return strings.Join(lines, "\n")
}

func printable(r rune) rune {
	if r != '\t' && unicode.IsControl(r) {
		return -1
	}
	return r
}
