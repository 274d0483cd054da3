package mcphub

import (
	"cmp"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

const masked = "***"

// secretName matches names of variables and options whose values are secrets.
var secretName = regexp.MustCompile(`(?i)(key$|token|secret|passw(or)?d|credential|authorization|auth$|bearer|cookie)`)

// secretValue matches texts that are secrets by their looks.
var secretValue = regexp.MustCompile(`^(sk-|ghp_|gho_|github_pat_|glpat-|xox[a-z]-|AKIA|AIza|ey[JI][A-Za-z0-9_-]{20})|^(?i:bearer )`)

// commandLine shows how a server is started: the command and its arguments as
// they stand in the settings, references unresolved, secrets masked.
func commandLine(c Config) string {
	words := []string{c.Command}
	maskNext := false
	for _, arg := range c.Args {
		isOption := strings.HasPrefix(arg, "-")
		shown := maskArg(arg)
		if maskNext && !isOption && !reference.MatchString(arg) {
			shown = masked
		}
		words = append(words, shown)
		maskNext = isOption && !strings.Contains(arg, "=") && secretName.MatchString(arg)
	}
	return strings.Join(words, " ")
}

func maskArg(arg string) string {
	name, value, ok := strings.Cut(arg, "=")
	switch {
	case ok && (secretName.MatchString(name) && !reference.MatchString(value) || isSecret(value)):
		return name + "=" + masked
	case isSecret(arg):
		return masked
	}
	if u, err := url.Parse(arg); err == nil && u.User != nil {
		if _, has := u.User.Password(); has {
			return u.Redacted()
		}
	}
	return arg
}

// isSecret tells whether a text is a secret by its looks, or a header with one.
func isSecret(s string) bool {
	header, value, ok := strings.Cut(s, ": ")
	return secretValue.MatchString(s) || ok && secretName.MatchString(header) && !reference.MatchString(value)
}

// redactor replaces secret values in what a server prints: those of the
// scrubbed variables, and any of its environment that go by a secret's name or
// look like one.
func redactor(base map[string]string, scrub []string, own map[string]string) *strings.Replacer {
	secrets := map[string]bool{}
	add := func(value string) {
		// Short values would tear ordinary words apart.
		if len(value) >= 8 {
			secrets[value] = true
		}
	}
	for _, name := range scrub {
		add(base[name])
	}
	for _, env := range []map[string]string{base, own} {
		for name, value := range env {
			if secretName.MatchString(name) || secretValue.MatchString(value) {
				add(value)
			}
		}
	}
	// Longest first, so that a secret inside another leaves no rest.
	ordered := slices.SortedFunc(maps.Keys(secrets), func(a, b string) int {
		return cmp.Or(len(b)-len(a), strings.Compare(a, b))
	})
	pairs := make([]string, 0, 2*len(ordered))
	for _, s := range ordered {
		pairs = append(pairs, s, masked)
	}
	return strings.NewReplacer(pairs...)
}
