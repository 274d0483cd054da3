package mcphub

import (
	"fmt"
	"strings"
)

// notFound says where a command was looked for and what to do about it.
func notFound(command, path string) error {
	if path == "" {
		path = "(empty)"
	}
	hint := "give its full path as \"command\" in the MCP settings, or set \"PATH\" in the server's \"env\""
	if strings.ContainsAny(command, " \t") {
		hint = "put the arguments into \"args\", one per element"
	}
	return fmt.Errorf("%q was not found; %s; PATH searched: %s", command, hint, path)
}
