package shell

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// promptEnd is how lines end that wait for an answer. It is made when first used,
// as making it takes a while.
var promptEnd = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(` + strings.Join([]string{
		`[:?]\s*`, // "Name: ", "Continue? "
		`[[(][\pL[\]]{1,20}[/|][^()]{1,40}[])][:?]?\s*`, // "[y/N] ", "(yes/no/[fingerprint])"
		`\(\pL[\w-]{0,20}\) `,                           // "package name: (app) ", "(gdb) "
		`(^|[^-=])> ?`,                                  // ">>> ", "mysql> ", no "==>"
		`(^|[^\s\d])[$#] `,                              // a shell's
		`\b(press|hit|strike|type)\b.{0,60}\b(key|enter|return|continue|quit|go on)\b.{0,30}`,
		`--more--.{0,10}`, `\(end\)`, // pagers
	}, "|") + `)$`)
})

// looksLikePrompt tells whether an unended line looks like a question.
func looksLikePrompt(line string) bool {
	if i := len(line) - 300; i > 0 {
		line = line[i:]
	}
	return strings.TrimSpace(line) != "" && promptEnd().MatchString(line)
}

// clipped is how long a line in a status may be, in bytes.
const clipped = 200

// clip shortens a line for a status, from its front.
func clip(line string) string {
	line = strings.TrimSpace(line)
	if i := len(line) - clipped; i > 0 {
		for !utf8.RuneStart(line[i]) {
			i++
		}
		line = "…" + line[i:]
	}
	return line
}

// missedTerminal are the words of programs that wanted a terminal or an answer
// and got none.
var missedTerminal = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)/dev/tty|(not a|non) ?-?(tty|terminal)\b|(a|no) (tty|terminal) (is )?(required|present|available|needed)|` +
		`inappropriate ioctl for device|EOF when reading a line|end of file on stdin|cannot prompt|could not read (username|password)|` +
		`terminal prompts (are )?disabled|host key verification failed|read_passphrase|is not interactive|non-?interactive (terminal|mode|shell)|cannot be run non-?interactively`)
})

// didWithout are the words of programs that complain of a missing terminal and go
// on: what made them fail is said elsewhere.
var didWithout = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\bwarning\b|^pseudo-terminal will not be allocated|cannot set terminal process group|^mesg: `)
})

// wantedTerminal returns the line in which a command that failed without a
// terminal complained of that, or the prompt that was the last it printed, "" for
// none. It looks at the end of its output.
func wantedTerminal(output string) string {
	const last = 15
	lines := strings.Split(strings.TrimRight(output, "\n"), "\n")
	for _, line := range lines[max(0, len(lines)-last):] {
		at := missedTerminal().FindStringIndex(line)
		if at == nil || didWithout().MatchString(line) {
			continue
		}
		if len(line) > clipped {
			line = line[:at[1]] // of a screen's line, what matters
		}
		return clip(line)
	}
	if line := lines[len(lines)-1]; !strings.HasSuffix(output, "\n") && looksLikePrompt(line) {
		return clip(line)
	}
	return ""
}
