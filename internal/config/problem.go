package config

import (
	"fmt"
	"log/slog"
	"slices"
)

// Problem is something wrong with a setting, as the user reads it: a sentence,
// where, and what to do next. It never holds a value that may be a secret.
type Problem struct {
	// Level is slog.LevelWarn when the setting is only ignored for being
	// unknown, slog.LevelError when something the user wanted does not hold.
	Level slog.Level
	// Source is the file's path, or words such as "the editor's settings".
	Source string
	// Line and Column are 1-based and count bytes; 0 where there are none.
	Line, Column int
	// Key is the setting, "" when it is about the whole source.
	Key     string
	Message string
	Hint    string
}

// Error returns place and sentence, without the hint.
func (p *Problem) Error() string {
	switch {
	case p.Source == "":
		return p.Message
	case p.Line == 0:
		return p.Source + ": " + p.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.Source, p.Line, p.Column, p.Message)
}

// HintsOnce returns problems for people to read: of several in a row with one hint,
// the last has it. The list that is given stays as it is.
func HintsOnce(problems []Problem) []Problem {
	list := slices.Clone(problems)
	for i := range len(list) - 1 {
		if list[i].Hint == list[i+1].Hint {
			list[i].Hint = ""
		}
	}
	return list
}
