package config

import (
	"log/slog"
	"reflect"
	"slices"
)

// merged is what Merge learns beside the values.
type merged struct {
	// file is the user's settings file as people are told of it.
	file string
	// origins holds, by the group of an apiKey ("", "plan", "act"), the origin
	// (scheme and host) that the key was given for.
	origins map[string]string
	// secretEnv are the variables that any layer took a secret from.
	secretEnv []string
	fallback  fallback
}

// fallback is what OPENAI_BASE_URL and OPENAI_API_KEY say: below all settings.
type fallback struct {
	baseURL string
	hasKey  bool
}

// Merge lays the layers over the defaults; the later wins, rules add up.
// getenv is asked for the vendor's own variables only. If a layer could not be
// understood where it may have forbidden something, nothing is approved
// automatically beyond the defaults, and a problem says so.
func Merge(getenv func(string) string, layers ...Layer) (*Settings, []Problem) {
	s := Default()
	s.origins = map[string]string{}
	s.fallback = fallback{baseURL: getenv("OPENAI_BASE_URL"), hasKey: getenv(openAIKeyEnv) != ""}
	for i := 0; i < len(layers); {
		first := i
		for ; i < len(layers) && layers[i].rank == layers[first].rank; i++ {
			s.apply(&layers[i])
		}
		s.bindKeys(layers[first:i])
	}
	for i := range layers {
		if layers[i].damaged {
			return &s, []Problem{s.tighten(layers[i].Source)}
		}
	}
	return &s, nil
}

func (s *Settings) apply(l *Layer) {
	if l.rank == processRank && l.choosesModel() { // for both modes: it is what the user wants now
		s.Plan, s.Act = Model{}, Model{}
	}
	for _, v := range l.values {
		field := reflect.ValueOf(s).Elem().FieldByIndex(v.key.index)
		if field.Kind() == reflect.Slice {
			field.Set(reflect.AppendSlice(field.Slice3(0, field.Len(), field.Len()), v.data))
		} else {
			field.Set(v.data)
		}
		if name := secretName(v); name != "" && !slices.Contains(s.secretEnv, name) {
			s.secretEnv = append(s.secretEnv, name)
		}
	}
}

func (l *Layer) choosesModel() bool {
	return slices.ContainsFunc(l.values, func(v value) bool {
		return slices.Contains([]string{"provider", "model", "baseUrl"}, v.key.Name)
	})
}

func secretName(v value) string {
	if v.key.kind != "secret" {
		return ""
	}
	return envReference(v.data.String())
}

// bindKeys notes which host the keys that these layers set were given for.
// OPENAI_BASE_URL is beside a key of the same environment, not of a file.
func (s *Settings) bindKeys(layers []Layer) {
	for _, l := range layers {
		beside := ""
		if l.rank == processRank {
			beside = s.fallback.baseURL
		}
		for _, v := range l.values {
			switch v.key.Name {
			case "apiKey":
				s.origins[""] = origin(s.Model.url(Model{}, beside))
			case "plan.apiKey":
				s.origins["plan"] = origin(s.Plan.url(s.Model, beside))
			case "act.apiKey":
				s.origins["act"] = origin(s.Act.url(s.Model, beside))
			}
		}
	}
}

// tighten takes back what the settings allow beyond the defaults.
func (s *Settings) tighten(source string) Problem {
	s.AutoApprove = Default().AutoApprove
	s.Permissions.Allow = nil
	return Problem{Level: slog.LevelError, Source: source,
		Message: "permissions may be missing: only reading the workspace is approved automatically",
		Hint:    "mend the settings named above"}
}

// SecretEnv returns the names of the environment variables that secrets of the
// settings come from, in no order: children must not inherit them.
func (s *Settings) SecretEnv() []string {
	names := slices.Clone(s.secretEnv)
	for _, mode := range []string{"plan", "act"} {
		w := s.where(mode)
		if w.keyName == "" && s.fallbackReaches(w.url) && !slices.Contains(names, openAIKeyEnv) {
			names = append(names, openAIKeyEnv)
		}
	}
	return names
}
