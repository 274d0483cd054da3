package approval

import (
	"errors"
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"clined/internal/tools"
)

// parseRule reads a rule as the settings write it. It is a command prefix in
// words ("git status"), or has its kind in front: "exact: make test",
// "read: ~/notes/**", "edit: docs/**", "mcp: server" and "mcp: server/tool".
// The verdict is that of the list it stands in; MCP rules cannot allow, for
// nothing pins what the tool is.
func parseRule(s string, v Verdict) (Rule, error) {
	r := Rule{Scope: SettingsScope, Verdict: v}
	kind, rest, ok := strings.Cut(s, ":")
	rest = strings.TrimSpace(rest)
	switch kind = strings.TrimSpace(kind); {
	case ok && (kind == "read" || kind == "edit"):
		r.Kind, r.Paths = tools.Kind(kind), []string{rest}
		if !validGlob(rest) {
			return Rule{}, fmt.Errorf("%q has no valid file pattern; write it like docs/**, ~/notes/*.md or /srv/**", s)
		}
		return r, nil
	case ok && kind == "mcp":
		r.Kind = tools.MCP
		r.Server, r.Tool, _ = strings.Cut(rest, "/")
		if r.Server == "" || v == Allow || v == "" {
			return Rule{}, fmt.Errorf("%q is no rule: MCP tools are allowed by autoApprove of their server, and asked about or denied by mcp: server/tool", s)
		}
		return r, nil
	case ok && (kind == "exact" || kind == "command"):
	default:
		kind, rest = "command", s
	}
	words, err := parsePrefix(rest)
	if err != nil {
		return Rule{}, err
	}
	r.Kind = tools.Command
	if kind == "exact" {
		r.Exact = [][]string{words}
	} else {
		r.Commands = [][]string{words}
	}
	return r, nil
}

// ParseRules reads a list of the settings; the entries that are not valid are
// left out and told of in the error.
func ParseRules(list []string, v Verdict) ([]Rule, error) {
	var all []Rule
	var errs []error
	for _, s := range list {
		r, err := parseRule(s, v)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		all = append(all, r)
	}
	return all, errors.Join(errs...)
}

// parsePrefix splits a command prefix into words. It must be plain words with
// ordinary quotes.
func parsePrefix(s string) ([]string, error) {
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
