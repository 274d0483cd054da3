package approval

import (
	"encoding/json"
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
	// broken is why they could not be read: then every command asks.
	broken string
}

// LimitsVariable is the environment variable that the limits come from.
const LimitsVariable = "CLINE_COMMAND_PERMISSIONS"

// ParseClinePermissions reads {"allow": […], "deny": […], "allowRedirects": …}.
// The patterns are held against each simple command; "*" stands for any text
// and "?" for a character. What is returned is to be used though there is an
// error: it lets no command run unasked.
func ParseClinePermissions(text string) (*CommandLimits, error) {
	var given struct {
		Allow          []string `json:"allow"`
		Deny           []string `json:"deny"`
		AllowRedirects bool     `json:"allowRedirects"`
	}
	d := json.NewDecoder(strings.NewReader(text))
	if err := d.Decode(&given); err != nil || d.More() {
		if err == nil {
			err = fmt.Errorf("more follows the object")
		}
		err = fmt.Errorf(`%s cannot be read: %w; write it like {"allow": ["git *"], "deny": ["rm *"]}`, LimitsVariable, err)
		return &CommandLimits{broken: LimitsVariable + " cannot be read, and it may deny this."}, err
	}
	l := &CommandLimits{allow: given.Allow, redirects: given.AllowRedirects}
	if len(given.Deny) > 0 {
		l.deny = &Rule{Scope: SettingsScope, Kind: tools.Command, Verdict: Deny, globs: given.Deny}
	}
	return l, nil
}

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
