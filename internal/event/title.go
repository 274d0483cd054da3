package event

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// CleanTitle makes a line of text that is safe to show anywhere: blanks of any
// kind are single spaces, and characters that control terminals or the direction
// of text are left out.
func CleanTitle(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	return strings.Join(strings.Fields(text), " ")
}

// maxPromptTitle is how many characters a title made of a prompt has at most.
const maxPromptTitle = 80

// PromptTitle is the title of a task that begins with a prompt: its first line
// with words, without the marks of Markdown and a colon at its end; "" if there is none.
func PromptTitle(prompt string) string {
	for line := range strings.Lines(prompt) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			continue // the fence of a block of code
		}
		title := CleanTitle(unmarked(line))
		if short := strings.TrimRight(title, " :："); short != "" {
			title = short
		}
		if !strings.ContainsFunc(title, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || r > unicode.MaxLatin1 }) {
			continue
		}
		if r := []rune(title); len(r) > maxPromptTitle {
			title = string(r[:maxPromptTitle-1]) + "…"
		}
		return title
	}
	return CleanTitle(prompt)
}

// unmarked is a line of Markdown as it would be read.
func unmarked(line string) string {
	m := markdown()
	line = m.block.ReplaceAllString(line, "")
	line = m.link.ReplaceAllString(line, "$1")
	line = m.code.ReplaceAllString(line, "$1")
	return m.bold.ReplaceAllString(line, "$1")
}

type marks struct{ block, link, code, bold *regexp.Regexp }

var markdown = sync.OnceValue(func() marks {
	return marks{
		block: regexp.MustCompile(`^(?:#{1,6}\s+|>\s*|[-*+]\s+|\d{1,3}[.)]\s+|\[[ xX]\]\s+)+`),
		link:  regexp.MustCompile(`!?\[([^\][]+)\]\([^()\s]*[/.#:][^()\s]*\)`),
		code:  regexp.MustCompile("`+([^`]+)`+"),
		bold:  regexp.MustCompile(`\*\*([^\s*](?:[^*]*[^\s*])?)\*\*`),
	}
})
