package approval

import (
	"regexp"
	"slices"
	"strings"
)

// families are programs whose subcommand says what they do.
var families = strings.Fields("git go cargo docker dotnet")

var subcommand = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

// suggest returns the prefix that an "always" would store for a command, nil
// when none should be: never for what takes code, writes, or is destructive.
func suggest(c simple) []string {
	if danger(c) != "" {
		return nil
	}
	name := c.words[0].text
	if !slices.Contains(families, name) {
		return []string{name}
	}
	a := args(c.words[1:])
	if !subcommand.MatchString(a.sub()) || name == "git" && slices.Contains(gitDestroys, a.sub()) {
		return nil
	}
	return []string{name, a.sub()}
}
