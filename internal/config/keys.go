package config

import (
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// Key is one setting as documentation and checks need it.
type Key struct {
	// Name such as "log.level"; Env its name in the environment.
	Name, Env string
	Doc       string
	// Expect says in words what may be set.
	Expect string

	index []int // of the field in Settings
	typ   reflect.Type
	kind  string // "url", "path", "secret" or ""
	enum  []string
	min   *int
}

// Keys returns all settings in the order of the struct.
func Keys() []Key { return keys() }

var keys = sync.OnceValue(func() []Key { return fields(reflect.TypeFor[Settings](), "", nil) })

// fields lists the keys of a struct. A struct field is a group unless it is
// embedded: then its keys are its owner's.
func fields(t reflect.Type, prefix string, index []int) []Key {
	var out []Key
	for i := range t.NumField() {
		f := t.Field(i)
		at := append(index[:len(index):len(index)], i)
		name := f.Tag.Get("json")
		switch {
		case f.Anonymous && f.IsExported():
			out = append(out, fields(f.Type, prefix, at)...)
		case name == "":
		case f.Type.Kind() == reflect.Struct:
			out = append(out, fields(f.Type, prefix+name+".", at)...)
		default:
			k := Key{Name: prefix + name, Doc: f.Tag.Get("doc"), index: at, typ: f.Type, kind: f.Tag.Get("kind")}
			k.Env = envName(k.Name)
			k.enum = strings.Fields(f.Tag.Get("enum"))
			if n, err := strconv.Atoi(f.Tag.Get("min")); err == nil {
				k.min = &n
			}
			k.Expect = k.expect(f.Tag.Get("expect"))
			out = append(out, k)
		}
	}
	return out
}

func (k *Key) expect(tag string) string {
	switch {
	case tag != "":
		return tag
	case len(k.enum) > 0:
		return `"` + strings.Join(k.enum, `", "`) + `"`
	case k.kind == "secret":
		return `a reference to an environment variable, such as "${env:OPENAI_API_KEY}"`
	case k.kind == "url":
		return "an http or https URL in quotes, without user name and password"
	}
	switch k.typ.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return fmt.Sprintf("a whole number, at least %d", *k.min)
	case reflect.Slice:
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
		ok = k.min == nil || v.Int() >= int64(*k.min)
	case reflect.String:
		ok = k.validText(v.String())
	default:
		ok = true
	}
	return v, ok
}

func (k *Key) validText(s string) bool {
	switch {
	case len(k.enum) > 0:
		return slices.Contains(k.enum, s)
	case s == "": // as if it were not set
		return true
	case k.kind == "secret":
		return envReference(s) != ""
	case k.kind == "url":
		u, err := url.Parse(s)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return false
		}
		return u.User == nil
	}
	return true
}

var reference = regexp.MustCompile(`^\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}$`)

// envReference returns the NAME of "${env:NAME}", "" for any other text.
func envReference(s string) string {
	if m := reference.FindStringSubmatch(s); m != nil {
		return m[1]
	}
	return ""
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

// nearest returns the name that a misspelt or misplaced one may have meant,
// "" when none is at most limit changes away.
func nearest(name string, names []string, limit int) string {
	best, bestDistance := "", limit+1
	for _, n := range names {
		if strings.HasSuffix(n, "."+name) {
			return n
		}
		if d := distance(strings.ToLower(name), strings.ToLower(n)); d < bestDistance {
			best, bestDistance = n, d
		}
	}
	return best
}

// distance is the Levenshtein distance in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost++
			}
			diagonal = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}
