package config

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
)

// FromEnv reads the CLINED_… variables of an environment as os.Environ gives
// it. Empty ones count as not set. Lists are JSON arrays. A variable that holds
// a secret is not read: it becomes a reference to itself.
func FromEnv(environ []string) (Layer, []Problem) {
	l := Layer{Source: "the environment", rank: processRank}
	var problems []Problem
	names := make([]string, 0, len(keys()))
	for _, k := range keys() {
		names = append(names, k.Env)
	}
	for _, entry := range environ {
		name, text, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, "CLINED_") || name == "CLINED_HOME" || text == "" {
			continue
		}
		if i := slices.Index(names, name); i >= 0 {
			if keys()[i].kind == "secret" {
				text = "${env:" + name + "}"
			}
			problems = append(problems, l.putText(keys()[i], name, text)...)
		} else if n := nearest(name, names, 2); n != "" {
			l.damaged = l.damaged || forbids(keys()[slices.Index(names, n)].Name)
			problems = append(problems, Problem{Level: slog.LevelWarn, Source: l.Source, Key: name,
				Message: fmt.Sprintf("the variable %s is not known", name), Hint: fmt.Sprintf("did you mean %s?", n)})
		}
	}
	return l, problems
}

// FromFlags reads settings by key as text, as a command line gives them.
func FromFlags(flags map[string]string) (Layer, []Problem) {
	l := Layer{Source: "the command line", rank: processRank}
	var problems []Problem
	for _, k := range keys() {
		if text, ok := flags[k.Name]; ok {
			problems = append(problems, l.putText(k, k.Name, text)...)
		}
	}
	return l, problems
}

func (l *Layer) putText(k Key, shown, text string) []Problem {
	if data, ok := k.decode(k.fromText(text)); ok {
		l.put(value{key: k, data: data})
		return nil
	}
	l.damaged = l.damaged || forbids(k.Name)
	return []Problem{*k.refused(l.Source, shown)}
}
