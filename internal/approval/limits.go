package approval

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"clined/internal/tools"
)

// CommandLimits bound what commands may be asked about at all, as the variable
// CLINE_COMMAND_PERMISSIONS gives them: they allow nothing by themselves.
type CommandLimits struct {
	// deny is a rule with the patterns that are denied, allow those of which a
	// command must match one; without any, all may.
	deny  *Rule
	allow []string
	// redirects to and from files may be.
	redirects bool
	// unknown are keys that say nothing, sorted.
	unknown []string
	// broken is why they could not be read: then every command asks.
	broken string
}

// LimitsVariable is the environment variable that the limits come from.
const LimitsVariable = "CLINE_COMMAND_PERMISSIONS"

// ParseClinePermissions reads {"allow": […], "deny": […], "allowRedirects": …}.
// The patterns are held against each simple command; "*" stands for any text
// and "?" for a character. What is returned is to be used though there is an
// error: it lets no command run unasked. A key that is not known says nothing;
// Unknown tells of it.
func ParseClinePermissions(text string) (*CommandLimits, error) {
	l, deny := &CommandLimits{}, []string(nil)
	if err := l.parse(text, &deny); err != nil {
		err = fmt.Errorf(`%s cannot be read: %w; write it like {"allow": ["git *"], "deny": ["rm *"]}`, LimitsVariable, err)
		return &CommandLimits{broken: LimitsVariable + " cannot be read, and it may deny this."}, err
	}
	if len(deny) > 0 {
		l.deny = &Rule{Scope: SettingsScope, Kind: tools.Command, Verdict: Deny, globs: deny}
	}
	return l, nil
}

func (c *CommandLimits) parse(text string, deny *[]string) error {
	var given map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &given); err != nil {
		return err
	}
	if given == nil {
		return errors.New("it is null")
	}
	seen := map[string]bool{}
	for d := members(text); d.More(); {
		var value json.RawMessage
		var into any
		name, err := d.Token()
		key, ok := name.(string)
		if err != nil || !ok || d.Decode(&value) != nil {
			return errors.New("it is no object")
		}
		switch strings.ToLower(key) { // as package json takes keys
		case "allow":
			into = &c.allow
		case "deny":
			into = deny
		case "allowredirects":
			into = &c.redirects
		default:
			c.unknown = append(c.unknown, key)
			continue
		}
		if seen[strings.ToLower(key)] {
			return fmt.Errorf("%q is given twice", key)
		}
		seen[strings.ToLower(key)] = true
		if err := strictly(value, into); err != nil {
			return fmt.Errorf("%q %w", key, err)
		}
	}
	slices.Sort(c.unknown)
	c.unknown = slices.Compact(c.unknown)
	return nil
}

// members reads what is in an object, in order: of keys that are given twice a
// map has the last alone.
func members(object string) *json.Decoder {
	d := json.NewDecoder(strings.NewReader(object))
	_, _ = d.Token() // the bracket
	return d
}

// strictly takes no null, which package json takes for anything.
func strictly(value json.RawMessage, into any) error {
	var items []json.RawMessage
	null := func(v json.RawMessage) bool { return string(v) == "null" }
	if null(value) || json.Unmarshal(value, &items) == nil && slices.ContainsFunc(items, null) || json.Unmarshal(value, into) != nil {
		if _, list := into.(*[]string); list {
			return errors.New("is to be a list of texts")
		}
		return errors.New("is to be true or false")
	}
	return nil
}

// Unknown are the keys that were given and say nothing, sorted.
func (c *CommandLimits) Unknown() []string { return c.unknown }

// refuses says why a line is out of the limits, and unsure why that cannot be
// told. What is denied was found before.
func (c *CommandLimits) refuses(l line) (why, unsure string) {
	switch {
	case c == nil:
		return "", ""
	case c.broken != "":
		return "", c.broken
	case l.redirects && !c.redirects:
		return "The command redirects to or from a file, which " + LimitsVariable + " does not allow.", ""
	}
	for _, s := range l.nested {
		if text := strings.Join(s.allWords(), " "); len(c.allow) > 0 && !c.allows(text) {
			return fmt.Sprintf("%s does not allow `%s`.", LimitsVariable, text), ""
		}
	}
	if l.tangled != "" {
		return "", LimitsVariable + " holds for each simple command. " + l.tangled
	}
	return "", ""
}

func (c *CommandLimits) allows(text string) bool {
	return slices.ContainsFunc(c.allow, func(glob string) bool { return wildcard(glob, text) })
}

// wildcard matches a whole text; it takes time of pattern times text.
func wildcard(glob, text string) bool {
	g, t := []rune(strings.TrimSpace(glob)), []rune(text)
	i, j, star, from := 0, 0, -1, 0
	for j < len(t) {
		switch {
		case i < len(g) && g[i] == '*':
			star, from = i, j
			i++
		case i < len(g) && (g[i] == '?' || g[i] == t[j]):
			i, j = i+1, j+1
		case star >= 0:
			from++
			i, j = star+1, from
		default:
			return false
		}
	}
	for i < len(g) && g[i] == '*' {
		i++
	}
	return i == len(g)
}

// matches holds the patterns of a rule against a command, with its program as
// written and by its last path element. "rm *" is about rm alone, too.
func (p sought) matches(texts []string) bool {
	as := slices.Clone(texts)
	as[0] = path.Base(as[0])
	for _, t := range []string{strings.Join(texts, " "), strings.Join(as, " ")} {
		if wildcard(p.glob, t) || strings.HasSuffix(p.glob, " *") && wildcard(strings.TrimSuffix(p.glob, " *"), t) {
			return true
		}
	}
	return false
}
