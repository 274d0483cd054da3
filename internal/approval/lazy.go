package approval

import (
	"regexp"
	"strings"
	"sync"
)

// lazy and fields make expressions and lists when they are first used, so that
// they cost no start.
func lazy(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

func fields(list string) func() []string {
	return sync.OnceValue(func() []string { return strings.Fields(list) })
}
