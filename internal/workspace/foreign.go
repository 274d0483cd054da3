package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// What a shell or another system would read otherwise: a variable in front, and a
// drive.
var (
	variable = regexp.MustCompile(`^(?:\$[A-Z_][A-Z0-9_]*|\$\{\w+\}|\$env:\w+|%[A-Z_][A-Z0-9_]*%)(?:[/\\]|$)`)
	drive    = regexp.MustCompile(`^[A-Za-z]:[/\\]`)
)

// foreign says of a path, which is abs then, that it is not meant as it is written.
// What is there has that name, and so have the folders on the way that are.
func foreign(path, abs string) error {
	there := abs
	for !exists(there) && filepath.Dir(there) != there {
		there = filepath.Dir(there)
	}
	missing := filepath.ToSlash(strings.TrimPrefix(abs, there))
	path = strings.TrimSpace(path)
	first := split(strings.ReplaceAll(path, `\`, "/"))
	switch {
	case missing == "" || filepath.Separator == '\\' || len(first) == 0 || uri.MatchString(path):
		return nil
	case variable.MatchString(path) && strings.Contains(missing, first[0]):
		hint := ""
		if home, err := os.UserHomeDir(); err == nil && strings.Contains(first[0], "HOME") {
			hint = "; the home directory is " + home
		}
		return fmt.Errorf("%q: variables are not expanded, write the path out%s", path, hint)
	case (drive.MatchString(path) || strings.HasPrefix(path, `\\`)) && strings.Contains(missing, first[0]):
		return fmt.Errorf("%q is a path of Windows, and this system has no drives; write it from the working directory or from /", path)
	case strings.Contains(missing, `\`):
		slashed := strings.ReplaceAll(strings.ReplaceAll(path, `\ `, " "), `\`, "/")
		return fmt.Errorf("%q has backslashes, and there is nothing of that name; a path has slashes here: write %q", path, slashed)
	}
	return nil
}
