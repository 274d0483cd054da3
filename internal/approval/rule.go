package approval

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"clined/internal/tools"
)

// Scope is how far a rule reaches.
type Scope string

// The scopes, narrowest first.
const (
	TaskScope      Scope = "task"
	WorkspaceScope Scope = "workspace"
	UserScope      Scope = "user"
)

// Rule is a stored permission in exact terms.
type Rule struct {
	Scope Scope `json:"scope"`
	// Kind the rule is for.
	Kind tools.Kind `json:"kind"`
	// Commands are command prefixes in words: [["git","status"],["ls"]].
	Commands [][]string `json:"commands,omitempty"`
	// Inside limits a read or edit rule to the workspace.
	Inside bool `json:"inside,omitempty"`
	// Server and Tool limit an MCP rule; SchemaHash pins the tool's description
	// and schema: a changed tool is asked about again.
	Server     string `json:"server,omitempty"`
	Tool       string `json:"tool,omitempty"`
	SchemaHash string `json:"schemaHash,omitempty"`
}

// RuleStore keeps the rules that outlive a task.
type RuleStore interface {
	// Rules returns those that hold for the task's workspace and user.
	Rules(ctx context.Context) ([]Rule, error)
	// Add stores a rule of scope workspace or user.
	Add(ctx context.Context, r Rule) error
}

// String says in words what the rule allows, without its scope.
func (r Rule) String() string {
	where := "anywhere"
	if r.Inside {
		where = "in the workspace"
	}
	switch r.Kind {
	case tools.Command:
		var parts []string
		for _, c := range r.Commands {
			parts = append(parts, "`"+joinWords(c)+"`")
		}
		return "commands that start with " + strings.Join(parts, " or ")
	case tools.Read:
		return "reading files " + where
	case tools.Edit:
		return "editing files " + where
	case tools.MCP:
		return fmt.Sprintf("the tool %s of the MCP server %s as it is now", r.Tool, r.Server)
	}
	return "nothing" // no other kind is ever stored
}

// name is how a result or judgement refers to the rule.
func (r Rule) name() string { return fmt.Sprintf("%s (always, %s)", r, r.Scope) }

// coversPath tells whether the rule allows touching p; for MCP and command
// rules it never does.
func (r Rule) coversPath(kind tools.Kind, p tools.Path) bool {
	return r.Kind == kind && (kind == tools.Read || kind == tools.Edit) && (!r.Inside || !p.Outside)
}

func (r Rule) coversMCP(s tools.Subject) bool {
	return r.Kind == tools.MCP && r.Server == s.Server && r.Tool == s.MCPTool && r.Server != "" && r.Tool != "" &&
		r.SchemaHash != "" && r.SchemaHash == s.SchemaHash
}

// ParsePrefix splits a command prefix, as settings write it, into words. It
// must be plain words with ordinary quotes.
func ParsePrefix(s string) ([]string, error) {
	l := parseLine(s)
	if l.odd != "" || len(l.commands) != 1 {
		return nil, fmt.Errorf("%q is not the beginning of a simple command", s)
	}
	var words []string
	for _, w := range l.commands[0].words {
		if !w.fixed {
			return nil, fmt.Errorf("%q holds something that the shell would expand: %q", s, w.text)
		}
		words = append(words, w.text)
	}
	return words, nil
}

// ParsePrefixes parses a list; the entries that are not valid are left out and
// told of in the error.
func ParsePrefixes(list []string) ([][]string, error) {
	var all [][]string
	var errs []error
	for _, s := range list {
		words, err := ParsePrefix(s)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		all = append(all, words)
	}
	return all, errors.Join(errs...)
}

// joinWords writes words as a shell would read them.
func joinWords(words []string) string {
	var out []string
	for _, w := range words {
		q, err := syntax.Quote(w, syntax.LangBash)
		if err != nil {
			q = fmt.Sprintf("%q", w)
		}
		out = append(out, q)
	}
	return strings.Join(out, " ")
}

func hasPrefix(words []word, prefix []string) bool {
	return len(prefix) > 0 && len(words) >= len(prefix) && equalWords(words[:len(prefix)], prefix)
}

// equalWords compares with words whose values are certain; an obfuscated or
// expanded word equals nothing.
func equalWords(words []word, want []string) bool {
	return slices.EqualFunc(words, want, func(w word, s string) bool { return w.fixed && w.text == s })
}
