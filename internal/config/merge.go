package config

import (
	"log/slog"
	"maps"
	"reflect"
	"slices"
	"strings"
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
	// sources tells which layer set a key last, for people.
	sources map[string]string
	// untrusted are the workspaces of which something is held back.
	untrusted []Workspace
}

// fallback is what OPENAI_BASE_URL and OPENAI_API_KEY say: below all settings.
type fallback struct {
	baseURL string
	hasKey  bool
}

// Merge lays the layers over the defaults; the later wins, rules and prices add
// up. getenv is asked for the vendor's own variables only. Of a workspace that
// is not trusted only what loosens nothing holds. If a layer could not be
// understood where it may have forbidden something, nothing is approved
// automatically beyond the defaults. Problems tell of both.
func Merge(getenv func(string) string, layers ...Layer) (*Settings, []Problem) {
	s := Default()
	s.origins, s.sources = map[string]string{}, map[string]string{}
	s.fallback = fallback{baseURL: getenv("OPENAI_BASE_URL"), hasKey: getenv(openAIKeyEnv) != ""}
	var problems []Problem
	for i := 0; i < len(layers); {
		first := i
		for ; i < len(layers) && layers[i].rank == layers[first].rank; i++ {
			problems = append(problems, s.apply(&layers[i])...)
		}
		s.bindKeys(layers[first:i])
	}
	for i := range layers {
		if layers[i].damaged {
			return &s, append(problems, s.tighten(layers[i].Source))
		}
	}
	return &s, problems
}

func (s *Settings) apply(l *Layer) []Problem {
	if l.rank == processRank && l.choosesModel() { // for both modes: it is what the user wants now
		s.Plan, s.Act = Model{}, Model{}
	}
	var held []value
	for _, v := range l.values {
		field := reflect.ValueOf(s).Elem().FieldByIndex(v.key.index)
		if l.rank == workspaceRank && !l.trusted && v.loosens(field) {
			held = append(held, v)
			continue
		}
		lay(&v.key, field, v.data)
		s.sources[v.key.Name] = l.Source
		if name := secretName(v); name != "" && !slices.Contains(s.secretEnv, name) {
			s.secretEnv = append(s.secretEnv, name)
		}
	}
	return s.holdBack(l, held)
}

// lay sets a field, or adds to it; what other layers hold is not changed.
func lay(k *Key, field, data reflect.Value) {
	switch kind := field.Kind(); {
	case kind == reflect.Slice && !k.whole:
		field.Set(reflect.AppendSlice(field.Slice3(0, field.Len(), field.Len()), data))
	case kind == reflect.Map:
		all := Prices{}
		maps.Copy(all, field.Interface().(Prices))
		maps.Copy(all, data.Interface().(Prices))
		field.Set(reflect.ValueOf(all))
	default:
		field.Set(data)
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
		if l.rank == workspaceRank && !l.trusted { // its keys are held back
			continue
		}
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
	for _, k := range keys() {
		sandbox := strings.HasPrefix(k.Name, "sandbox.") && k.Workspace == Tighten
		if !sandbox && !strings.HasPrefix(k.Name, "autoApprove.") {
			continue
		}
		field, least := reflect.ValueOf(s).Elem().FieldByIndex(k.index), reflect.ValueOf(Default()).FieldByIndex(k.index)
		if k.looseness(field) > k.looseness(least) {
			field.Set(least)
			s.sources[k.Name] = "as long as " + source + " cannot be understood"
		}
	}
	s.Permissions.Allow, s.Sandbox.Writable = nil, nil
	return Problem{Level: slog.LevelError, Source: source,
		Message: "permissions may be missing: only reading the workspace is approved automatically",
		Hint:    "mend the settings named above"}
}

// vendorKeys are the variables that vendors have people keep their keys in.
var vendorKeys = [...]string{openAIKeyEnv, "ANTHROPIC_API_KEY", "GEMINI_API_KEY"}

// SecretEnv returns the names of the environment variables that hold secrets, in
// no order: children must not inherit them. These are all that the settings take
// one from, and those of vendors, whether they are used now or not.
func (s *Settings) SecretEnv() []string {
	names := slices.Clone(s.secretEnv)
	for _, name := range vendorKeys {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
