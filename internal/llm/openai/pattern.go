package openai

import (
	"regexp"
	"sync"
)

// pattern compiles an expression when it is first used: a process that starts
// does not pay for what only failures need.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
