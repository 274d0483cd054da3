package config

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// Key is one setting as documentation, schemas and checks need it.
type Key struct {
	// Name such as "log.level"; Env its name in the environment.
	Name, Env string
	Doc       string
	// Expect says in words what may be set.
	Expect string
	Type   Type
	// Choices are all values there are, as JSON; nil for any of the type. Those
	// of a key that a workspace may tighten go from tight to loose.
	Choices []json.RawMessage
	// Min is the least number, Max the greatest; nil for none. Without one a
	// number of seconds could be more than a time.Duration holds.
	Min, Max *int
	// Default is a JSON value: what holds when nothing is set.
	Default json.RawMessage
	// Workspace says what the file of a workspace may do with the key.
	Workspace Say

	index []int // of the field in Settings
	typ   reflect.Type
	kind  string // "url", "path", "secret" or ""
	// optional: "" is as good as not set, where there are choices.
	optional bool
	// unlimited: 0 is the loosest value.
	unlimited bool
	// whole: a later layer's list takes the place of an earlier one's.
	whole bool
}

// Type is the JSON shape of a setting's values.
type Type string

// The types. Choice is text or, for some, true and false too.
const (
	Text   Type = "text"
	Flag   Type = "flag"
	Count  Type = "count"
	Amount Type = "amount"
	Choice Type = "choice"
	List   Type = "list"
	Costs  Type = "prices"
)

// Say is what the settings file of a workspace may do with a key, which any
// repository can bring along.
type Say string

const (
	// Free keys loosen nothing: they hold.
	Free Say = "free"
	// Tighten keys hold where they allow less than the user's settings do, and
	// all where the workspace is trusted.
	Tighten Say = "tighten"
	// Trusted keys hold where the workspace is trusted.
	Trusted Say = "trusted"
)

// Keys returns all settings in the order of the struct.
func Keys() []Key { return keys() }

var keys = sync.OnceValue(func() []Key { return fields(reflect.ValueOf(Default()), "", nil) })

// fields lists the keys of a struct that holds the defaults. A struct field is
// a group unless it is embedded: then its keys are its owner's.
func fields(defaults reflect.Value, prefix string, index []int) []Key {
	var out []Key
	for i := range defaults.NumField() {
		f := defaults.Type().Field(i)
		at := append(index[:len(index):len(index)], i)
		name := f.Tag.Get("json")
		switch {
		case f.Anonymous && f.IsExported():
			out = append(out, fields(defaults.Field(i), prefix, at)...)
		case name == "":
		case f.Type.Kind() == reflect.Struct:
			out = append(out, fields(defaults.Field(i), prefix+name+".", at)...)
		default:
			out = append(out, newKey(prefix+name, f, at, defaults.Field(i)))
		}
	}
	return out
}

func newKey(name string, f reflect.StructField, index []int, value reflect.Value) Key {
	tag := f.Tag.Get
	k := Key{
		Name: name, Env: envName(name), Doc: tag("doc"), Workspace: Say(tag("workspace")),
		index: index, typ: f.Type, kind: tag("kind"), optional: tag("optional") != "", unlimited: tag("zero") == "unlimited",
		whole: tag("list") == "whole",
	}
	for _, word := range strings.Fields(tag("enum")) {
		k.Choices = append(k.Choices, json.RawMessage(strconv.Quote(word)))
	}
	if choices := tag("choices"); choices != "" {
		_ = json.Unmarshal([]byte(choices), &k.Choices) // of the struct above: TestKeys looks at it
	}
	for name, bound := range map[string]**int{"min": &k.Min, "max": &k.Max} {
		if n, err := strconv.Atoi(tag(name)); err == nil {
			*bound = &n
		}
	}
	k.Type = k.typeOf()
	k.Default = k.defaultOf(value)
	k.Expect = k.expect(tag("expect"))
	return k
}

func (k *Key) typeOf() Type {
	if k.Choices != nil {
		return Choice
	}
	switch k.typ.Kind() {
	case reflect.Bool:
		return Flag
	case reflect.Int:
		return Count
	case reflect.Float64:
		return Amount
	case reflect.Slice:
		return List
	case reflect.Map:
		return Costs
	}
	return Text
}

func (k *Key) defaultOf(value reflect.Value) json.RawMessage {
	switch {
	case k.Type == List && value.Len() == 0:
		return json.RawMessage("[]")
	case k.Type == Costs:
		return json.RawMessage("{}")
	}
	raw, _ := json.Marshal(value.Interface()) // of types that always marshal
	return raw
}

func (k *Key) expect(tag string) string {
	switch {
	case tag != "":
		return tag
	case k.Choices != nil:
		words := make([]string, len(k.Choices))
		for i, c := range k.Choices {
			words[i] = string(c)
		}
		return strings.Join(words, ", ")
	case k.kind == "secret":
		return `"keyring", or a reference to an environment variable, such as "${env:OPENAI_API_KEY}"`
	case k.kind == "url":
		return "an http or https URL in quotes, without user name and password"
	}
	switch k.Type {
	case Flag:
		return "true or false"
	case Count:
		return fmt.Sprintf("a whole number from %d to %d", *k.Min, *k.Max)
	case Amount:
		return fmt.Sprintf("a number from %d to %d", *k.Min, *k.Max)
	case List:
		return "a list of texts"
	}
	return "a text in quotes"
}

func findKey(name string) (Key, bool) {
	for _, k := range keys() {
		if k.Name == name {
			return k, true
		}
	}
	return Key{}, false
}

// isGroup says whether keys exist below name.
func isGroup(name string) bool {
	for _, k := range keys() {
		if strings.HasPrefix(k.Name, name+".") {
			return true
		}
	}
	return false
}

// siblings lists what may stand where name stands.
func siblings(name string) []string {
	group := name[:strings.LastIndexByte(name, '.')+1]
	var out []string
	for _, k := range keys() {
		if rest, ok := strings.CutPrefix(k.Name, group); ok {
			first, _, _ := strings.Cut(rest, ".")
			if !slices.Contains(out, first) {
				out = append(out, first)
			}
		}
	}
	return out
}

// envName turns "autoApprove.readOutside" into CLINED_AUTO_APPROVE_READ_OUTSIDE.
func envName(key string) string {
	var b strings.Builder
	b.WriteString("CLINED_")
	lower := false
	for _, r := range key {
		if r == '.' {
			r = '_'
		}
		if lower && unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		lower = unicode.IsLower(r)
		b.WriteRune(unicode.ToUpper(r))
	}
	return b.String()
}
