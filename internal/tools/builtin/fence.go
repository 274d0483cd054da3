package builtin

import (
	"path"
	"slices"
	"strings"
)

// plainPrograms are files of code whose names tell no kind.
var plainPrograms = strings.Fields("makefile gnumakefile dockerfile containerfile vagrantfile jenkinsfile gemfile rakefile procfile justfile brewfile build workspace")

// unfence takes off a Markdown fence around the whole text, unless the file is
// one where it may be meant.
func unfence(file, text string) (string, bool) {
	// Of the names without a kind only those of programs are certain.
	unknown := path.Ext(file) == "" && !slices.Contains(plainPrograms, strings.ToLower(path.Base(file)))
	if isProse(file) || unknown {
		return "", false
	}
	body := strings.TrimSpace(lf(text))
	first, rest, ok := strings.Cut(body, "\n")
	fence := first[:len(first)-len(strings.TrimLeft(first, first[:min(1, len(first))]))]
	if !ok || len(fence) < 3 || !strings.Contains("`~", fence[:1]) || strings.ContainsAny(first[len(fence):], "`~ \t") {
		return "", false
	}
	inner, closed := strings.CutSuffix(rest, "\n"+fence)
	if rest == fence {
		inner, closed = "", true
	}
	// A fence inside means that the outer lines may be two fences of their own.
	if !closed || strings.HasPrefix(inner, fence) || strings.Contains(inner, "\n"+fence) {
		return "", false
	}
	if inner != "" {
		inner += "\n"
	}
	return inner, true
}
