package mcphub

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

var reference = regexp.MustCompile(`\$\{(env:[^{}]+|workspaceFolder)\}`)

// expand resolves ${env:NAME} and ${workspaceFolder} anywhere in the texts of
// a configuration, and names the variables that are not set. Anything else in
// ${…} stays as it is.
func (c Config) expand(env map[string]string, workspace string) (_ Config, unset []string) {
	text := func(s string) string {
		return reference.ReplaceAllStringFunc(s, func(ref string) string {
			if ref == "${workspaceFolder}" {
				return workspace
			}
			name := strings.TrimSuffix(strings.TrimPrefix(ref, "${env:"), "}")
			value, ok := env[name]
			if !ok {
				unset = append(unset, name)
			}
			return value
		})
	}
	texts := func(m map[string]string) map[string]string {
		m = maps.Clone(m)
		for _, k := range slices.Sorted(maps.Keys(m)) {
			m[k] = text(m[k])
		}
		return m
	}
	c.Command, c.Cwd, c.URL = text(c.Command), text(c.Cwd), text(c.URL)
	c.Args = slices.Clone(c.Args)
	for i := range c.Args {
		c.Args[i] = text(c.Args[i])
	}
	c.Env, c.Headers = texts(c.Env), texts(c.Headers)
	return c, slices.Compact(unset)
}

// environ turns "NAME=value" lines into a map; the last one of a name counts.
func environ(lines []string) map[string]string {
	m := make(map[string]string, len(lines))
	for _, line := range lines {
		if name, value, ok := strings.Cut(line, "="); ok && name != "" {
			m[name] = value
		}
	}
	return m
}

// childEnv is what a server is started with: the base without the names in
// scrub, and over it what the server's own settings say.
func childEnv(base map[string]string, scrub []string, own map[string]string) map[string]string {
	env := maps.Clone(base)
	if env == nil {
		env = map[string]string{}
	}
	for _, name := range scrub {
		delete(env, name)
	}
	maps.Copy(env, own)
	return env
}

func environLines(env map[string]string) []string {
	lines := make([]string, 0, len(env))
	for _, name := range slices.Sorted(maps.Keys(env)) {
		lines = append(lines, name+"="+env[name])
	}
	return lines
}
