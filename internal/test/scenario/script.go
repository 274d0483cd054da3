package scenario

import (
	"fmt"
	"strconv"
	"strings"
)

// step is one line of a script: a verb and its words.
type step struct {
	line int
	verb string
	args []string
}

// parseScript reads a script: a verb a line, words apart by blanks, words with
// blanks in "double quotes" (with Go's escapes) or 'single quotes' (verbatim);
// "#" begins a comment.
func parseScript(text string) ([]step, error) {
	var steps []step
	n := 0
	for line := range strings.Lines(text) {
		n++
		words, err := split(strings.TrimSpace(line))
		if err != nil {
			return nil, fmt.Errorf("script line %d: %w", n, err)
		}
		if len(words) > 0 {
			steps = append(steps, step{line: n, verb: words[0], args: words[1:]})
		}
	}
	return steps, nil
}

// split cuts a line into words.
func split(s string) ([]string, error) {
	var words []string
	for {
		s = strings.TrimLeft(s, " \t")
		if s == "" || s[0] == '#' {
			return words, nil
		}
		var word string
		for s != "" && s[0] != ' ' && s[0] != '\t' {
			text, rest, err := piece(s)
			if err != nil {
				return nil, err
			}
			word += text
			s = rest
		}
		words = append(words, word)
	}
}

// piece takes a quoted or a plain part off the front of s.
func piece(s string) (text, rest string, err error) {
	switch s[0] {
	case '"':
		quoted, err := strconv.QuotedPrefix(s)
		if err != nil {
			return "", "", fmt.Errorf("a quote is not closed: %s", s)
		}
		text, err := strconv.Unquote(quoted)
		return text, s[len(quoted):], err
	case '\'':
		text, rest, ok := strings.Cut(s[1:], "'")
		if !ok {
			return "", "", fmt.Errorf("a quote is not closed: %s", s)
		}
		return text, rest, nil
	}
	end := strings.IndexAny(s, " \t\"'")
	if end < 0 {
		end = len(s)
	}
	return s[:end], s[end:], nil
}
