package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"reflect"
	"slices"
	"strings"
)

// decode turns JSON into the key's Go value. ok is false when the value is not
// what Expect says.
func (k *Key) decode(raw json.RawMessage) (v reflect.Value, ok bool) {
	p := reflect.New(k.typ)
	if json.Unmarshal(raw, p.Interface()) != nil {
		return v, false
	}
	v = p.Elem()
	switch v.Kind() {
	case reflect.Int:
		ok = k.within(float64(v.Int()))
	case reflect.Float64:
		ok = k.within(v.Float())
	case reflect.String:
		ok = k.validText(v.String())
	case reflect.Slice:
		var items []*string
		ok = json.Unmarshal(raw, &items) == nil && !slices.ContainsFunc(items, func(s *string) bool { return s == nil || !k.validItem(*s) })
	default:
		ok = true
	}
	return v, ok
}

func (k *Key) within(n float64) bool {
	return (k.Min == nil || n >= float64(*k.Min)) && (k.Max == nil || n <= float64(*k.Max))
}

func (k *Key) validText(s string) bool {
	switch {
	case k.typ != reflect.TypeFor[string](): // it reads itself
		return true
	case s == "" && (k.Choices == nil || k.optional): // as if it were not set
		return true
	case k.Choices != nil:
		return slices.ContainsFunc(k.Choices, func(c json.RawMessage) bool { return string(c) == `"`+s+`"` })
	case k.kind == "secret":
		return s == keyringReference || envReference(s) != ""
	case k.kind == "url":
		return validURL(s)
	}
	return true
}

func (k *Key) validItem(s string) bool { return k.kind != "url" || validURL(s) }

func validURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https") && u.User == nil
}

// looseness orders the values of a Tighten key: the greater allows more.
func (k *Key) looseness(v reflect.Value) float64 {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return 1
		}
		return 0
	case reflect.Int:
		return k.bound(float64(v.Int()))
	case reflect.Float64:
		return k.bound(v.Float())
	}
	raw, _ := json.Marshal(v.Interface()) // of types that always marshal
	return float64(slices.IndexFunc(k.Choices, func(c json.RawMessage) bool { return bytes.Equal(c, raw) }))
}

func (k *Key) bound(n float64) float64 {
	if n == 0 && k.unlimited {
		return math.Inf(1)
	}
	return n
}

// adds says whether setting v over old would change what holds: lists and
// prices add up.
func adds(old, v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice:
		have := old.Interface().([]string)
		return slices.ContainsFunc(v.Interface().([]string), func(s string) bool { return !slices.Contains(have, s) })
	case reflect.Map:
		have := old.Interface().(Prices)
		for id, p := range v.Interface().(Prices) {
			if known, ok := have[id]; !ok || known != p {
				return true
			}
		}
		return false
	}
	return !reflect.DeepEqual(old.Interface(), v.Interface())
}

// keyringReference as an apiKey means the secret of the endpoint's account.
const keyringReference = "keyring"

// envReference returns the NAME of "${env:NAME}", "" for any other text.
func envReference(s string) string {
	name, ok := strings.CutPrefix(s, "${env:")
	name, closed := strings.CutSuffix(name, "}")
	if !ok || !closed || name == "" || name[0] >= '0' && name[0] <= '9' {
		return ""
	}
	for _, r := range name {
		if r != '_' && !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9') {
			return ""
		}
	}
	return name
}

// ParseValue turns a text of a command line into the JSON value of a key: texts
// need no quotes there. The error is a *Problem.
func ParseValue(name, text string) (json.RawMessage, error) {
	k, err := keyFor(name)
	if err != nil {
		return nil, err
	}
	raw := k.fromText(text)
	if _, ok := k.decode(raw); !ok {
		return nil, k.refusedChange()
	}
	return raw, nil
}

// fromText is the JSON of a value that was given as text.
func (k *Key) fromText(text string) json.RawMessage {
	raw := []byte(strings.TrimSpace(text))
	if k.typ.Kind() == reflect.String && !(k.typ != reflect.TypeFor[string]() && json.Valid(raw)) {
		raw, _ = json.Marshal(text) // a string always marshals
	}
	return raw
}

// keyFor finds a key that a person named. The error is a *Problem.
func keyFor(name string) (*Key, error) {
	k, ok := findKey(name)
	switch {
	case ok:
		return &k, nil
	case isGroup(name):
		return nil, problem(name, fmt.Sprintf("%q is a group of settings", name), "name one of them: "+name+"."+strings.Join(siblings(name+"."), ", "+name+"."))
	}
	hint, _ := suggest(name)
	return nil, problem(name, fmt.Sprintf("there is no setting %q", short(name)), hint)
}

// refused is the problem of a value that is not what the key expects; shown is
// how the source names the key.
func (k *Key) refused(source, shown string) *Problem {
	p := problem(k.Name, fmt.Sprintf("%q must be %s", shown, k.Expect), "the other settings still hold")
	p.Source = source
	if k.kind == "secret" {
		p.Hint = "put the key itself into an environment variable, or store it with clined auth login: it does not belong into a settings file"
	}
	return p
}

// refusedChange is the problem of a value that is not written.
func (k *Key) refusedChange() *Problem {
	p := k.refused("", k.Name)
	if k.kind != "secret" {
		p.Hint = "nothing was changed; quotes and brackets may need quotes of the shell around them"
	}
	return p
}
