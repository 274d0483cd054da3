package approval

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"clined/internal/tools"
)

// Scope is how far a rule reaches.
type Scope string

// The scopes, narrowest first. Those of scope settings are written there.
const (
	TaskScope      Scope = "task"
	WorkspaceScope Scope = "workspace"
	UserScope      Scope = "user"
	SettingsScope  Scope = "settings"
)

// Rule is a permission in exact terms. As JSON it is what is stored.
type Rule struct {
	// ID is that of the store and Created when it was made; neither is part of
	// what the rule says. A rule of the task or the settings has no ID.
	ID      string    `json:"-"`
	Created time.Time `json:"-"`
	Scope   Scope     `json:"scope"`
	// Kind the rule is for.
	Kind tools.Kind `json:"kind"`
	// Verdict on what it covers; "" is Allow. What is no verdict denies.
	Verdict Verdict `json:"verdict,omitempty"`
	// Commands are command prefixes in words: [["git","status"],["ls"]]. One
	// that is a whole command covers it as Exact does.
	Commands [][]string `json:"commands,omitempty"`
	// Exact are whole commands in words.
	Exact [][]string `json:"exact,omitempty"`
	// Paths limit a read or edit rule: globs (doublestar) of absolute paths, of
	// paths relative to a workspace folder, or below the home folder ("~/").
	// One without a slash is held against names.
	Paths []string `json:"paths,omitempty"`
	// Inside limits a read or edit rule to the workspace.
	Inside bool `json:"inside,omitempty"`
	// Server and Tool limit an MCP rule; a rule that does not allow may be for
	// all tools of a server. SchemaHash pins the description and schema of a
	// tool that is allowed: a changed tool is asked about again.
	Server     string `json:"server,omitempty"`
	Tool       string `json:"tool,omitempty"`
	SchemaHash string `json:"schemaHash,omitempty"`
	// globs are patterns of whole commands, see CommandLimits.
	globs []string
}

// RuleStore keeps the rules that outlive a task.
type RuleStore interface {
	// Rules returns those that hold for the task's workspace and user.
	Rules(ctx context.Context) ([]Rule, error)
	// Add stores a rule.
	Add(ctx context.Context, r Rule) error
}

// verdict is what the rule says; a word that is not known denies.
func (r Rule) verdict() Verdict {
	switch r.Verdict {
	case "", Allow:
		return Allow
	case Ask:
		return Ask
	}
	return Deny
}

// String says in words what the rule covers, without its verdict and scope.
func (r Rule) String() string {
	switch r.Kind {
	case tools.Command:
		var parts []string
		if len(r.Commands) > 0 {
			parts = append(parts, "commands that start with "+quoted(r.Commands))
		}
		if len(r.Exact) > 0 {
			parts = append(parts, "exactly "+quoted(r.Exact))
		}
		if len(r.globs) > 0 {
			parts = append(parts, "commands that match `"+strings.Join(r.globs, "` or `")+"`")
		}
		return strings.Join(parts, ", and ")
	case tools.Read:
		return "reading files " + r.where()
	case tools.Edit:
		return "editing files " + r.where()
	case tools.MCP:
		switch {
		case r.Tool == "":
			return fmt.Sprintf("the tools of the MCP server %s", r.Server)
		case r.verdict() != Allow:
			return fmt.Sprintf("the tool %s of the MCP server %s", r.Tool, r.Server)
		}
		return fmt.Sprintf("the tool %s of the MCP server %s as it is now", r.Tool, r.Server)
	}
	return "nothing" // no other kind is ever stored
}

func quoted(commands [][]string) string {
	var parts []string
	for _, c := range commands {
		parts = append(parts, "`"+joinWords(c)+"`")
	}
	return strings.Join(parts, " or ")
}

func (r Rule) where() string {
	where := "anywhere"
	switch {
	case len(r.Paths) > 0 && r.Inside:
		where = "in the workspace that match " + strings.Join(r.Paths, " or ")
	case len(r.Paths) > 0:
		where = "that match " + strings.Join(r.Paths, " or ")
	case r.Inside:
		where = "in the workspace"
	}
	return where
}

// name is how a result or judgement refers to the rule.
func (r Rule) name() string {
	if len(r.globs) > 0 {
		return LimitsVariable
	}
	if r.Scope == SettingsScope {
		return fmt.Sprintf("permissions.%s %s", r.verdict(), r.written())
	}
	return fmt.Sprintf("%s (always, %s)", r, r.Scope)
}

// written is a rule of the settings in its short form.
func (r Rule) written() string {
	if r.Kind == tools.Command {
		return quoted(append(slices.Clone(r.Commands), r.Exact...))
	}
	return r.String()
}

// says words a rule that asks or denies, as the beginning of a sentence.
func (r Rule) says() string {
	who, verb := "A rule", "denies"
	if r.verdict() == Ask {
		verb = "asks before"
	}
	switch {
	case len(r.globs) > 0:
		who = LimitsVariable
	case r.Scope == SettingsScope:
		who = "The user's settings"
		verb = map[string]string{"denies": "deny", "asks before": "ask before"}[verb]
	}
	return fmt.Sprintf("%s %s %s.", who, verb, r)
}

// with returns the rules of a kind and verdict, those of the settings first.
func (p Policy) with(kind tools.Kind, v Verdict) []Rule {
	key := string(kind) + " " + string(v)
	list, ok := p.noted.lists[key]
	if !ok {
		list = slices.Clip(p.collect(kind, v))
	}
	if p.noted.lists != nil {
		p.noted.lists[key] = list
	}
	return list
}

func (p Policy) collect(kind tools.Kind, v Verdict) (list []Rule) {
	add := func(rules []Rule, as Verdict) {
		for _, r := range rules {
			if as != "" {
				r.Verdict = as
			}
			if r.Kind == kind && r.verdict() == v {
				list = append(list, r)
			}
		}
	}
	add(p.Allow, Allow)
	add(p.Ask, Ask)
	add(p.Deny, Deny)
	add(p.Rules, "")
	if p.Limits != nil && p.Limits.deny != nil {
		add([]Rule{*p.Limits.deny}, "")
	}
	return list
}

// coversMCP tells whether the rule is for this call; to allow it must pin the
// tool as it is.
func (r Rule) coversMCP(s tools.Subject) bool {
	if r.Kind != tools.MCP || r.Server == "" || r.Server != s.Server {
		return false
	}
	if r.verdict() != Allow {
		return r.Tool == "" || r.Tool == s.MCPTool
	}
	return r.Tool == s.MCPTool && r.Tool != "" && r.SchemaHash != "" && r.SchemaHash == s.SchemaHash
}
