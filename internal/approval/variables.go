package approval

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// harmlessVariables change how programs write, or what they build for, and name
// neither files nor code. PAGER and GIT_PAGER are so when they are cat.
var harmlessVariables = fields("CI NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE CARGO_TERM_COLOR COLUMNS LINES TERM LANG LC_ALL LC_CTYPE LC_COLLATE LC_MESSAGES TZ " +
	"CGO_ENABLED GOOS GOARCH GOMAXPROCS GOGC RUST_BACKTRACE RUST_LOG PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONHASHSEED GIT_OPTIONAL_LOCKS GIT_TERMINAL_PROMPT")

var harmlessValue = lazy(`^[A-Za-z0-9_.,:=+-]*$`)

// setsHarmless tells whether variables set for one command leave it what it is.
func setsHarmless(list []*syntax.Assign) bool {
	return !slices.ContainsFunc(list, func(a *syntax.Assign) bool {
		if a.Name == nil || a.Append || a.Naked || a.Index != nil || a.Array != nil {
			return true
		}
		var value word
		if a.Value != nil {
			if value = readWord(a.Value, nil); !value.fixed || !harmlessValue().MatchString(value.text) {
				return true
			}
		}
		switch name := a.Name.Value; name {
		case "PAGER", "GIT_PAGER":
			return value.text != "cat"
		default:
			return !slices.Contains(harmlessVariables(), name)
		}
	})
}
