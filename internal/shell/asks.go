package shell

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// promptEnd is how lines end that wait for an answer: "Name: ", "Continue? [y/N] ",
// "(yes/no)", a shell's or debugger's ">", "Press any key . . .", a pager's ":".
var promptEnd = regexp.MustCompile(`(?i)([:?]|[[(][^[\]()]{0,40}[/|][^[\]()]{0,40}[])]:?|(^|[^-=])>|[^\s\d][$#]|` +
	`(press|hit|strike|type)\b.{0,60}\b(key|enter|return|continue|quit|q)\b.{0,30}|--more--.*|\(end\))\s*$`)

// looksLikePrompt tells whether an unended line looks like a question.
func looksLikePrompt(line string) bool {
	line = strings.TrimSpace(line)
	if i := len(line) - 300; i > 0 {
		line = line[i:]
	}
	return line != "" && promptEnd.MatchString(line)
}

// clip shortens a line for a status, from its front.
func clip(line string) string {
	const most = 200
	line = strings.TrimSpace(line)
	if i := len(line) - most; i > 0 {
		for !utf8.RuneStart(line[i]) {
			i++
		}
		line = "…" + line[i:]
	}
	return line
}

// missedTerminal are the words of programs that wanted a terminal or an answer
// and got none.
var missedTerminal = regexp.MustCompile(`(?i)/dev/tty|not a (tty|terminal)\b|(a|no) (tty|terminal) (is )?(required|present|available|needed)|` +
	`inappropriate ioctl for device|EOF when reading a line|end of file on stdin|cannot prompt|could not read (username|password)|` +
	`terminal prompts (are )?disabled|host key verification failed|read_passphrase|is not interactive|non-?interactive (terminal|mode|shell)|cannot be run non-?interactively`)

// wantedTerminal returns the line in which a command that failed without a
// terminal complained of that, "" for none. It looks at the end of its output.
func wantedTerminal(output string) string {
	const last = 15
	lines := strings.Split(strings.TrimRight(output, "\n"), "\n")
	for _, line := range lines[max(0, len(lines)-last):] {
		if missedTerminal.MatchString(line) {
			return clip(line)
		}
	}
	return ""
}
