package config

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// Layer is what one source sets. Later layers win over earlier ones.
type Layer struct {
	// Source names it for people.
	Source string
	rank   rank
	values []value
	// damaged is true when something of it could not be understood that may
	// have forbidden something.
	damaged bool
	// root is the folder of a workspace's layer, hash its LooseningHash as it
	// was written, trusted whether the user trusts it so.
	root, hash string
	trusted    bool
}

type value struct {
	key  Key
	data reflect.Value
	// line in the source, 0 where there are none.
	line, column int
}

// rank groups the layers that one person sets at one time: a key is "beside" a
// base URL of the same rank.
type rank int

const (
	fileRank rank = iota + 1
	workspaceRank
	editorRank
	processRank
)

// maxFile bounds a settings file; a real one is a thousand times smaller.
const maxFile = 1 << 20

// FromFile reads the text of a settings file: JSON with comments, trailing
// commas and a byte order mark allowed. A name with dots is a path of names.
// A file that cannot be parsed gives an empty layer and a problem.
func FromFile(path string, text []byte) (Layer, []Problem) {
	r := reader{layer: Layer{Source: path, rank: fileRank}, text: withoutBOM(text)}
	r.read()
	return r.layer, r.problems
}

// FromEditor reads the settings that an editor sends: the object "clined" of
// its initializationOptions or of workspace/didChangeConfiguration. Nothing or
// null is an empty layer.
func FromEditor(settings json.RawMessage) (Layer, []Problem) {
	r := reader{layer: Layer{Source: "the editor's settings", rank: editorRank}, text: settings, wire: true}
	if text := strings.TrimSpace(string(r.text)); text != "" && text != "null" {
		r.read()
	}
	return r.layer, r.problems
}

// put sets a key; a second value of the same source replaces the first.
func (l *Layer) put(v value) {
	l.values = slices.DeleteFunc(l.values, func(old value) bool { return old.key.Name == v.key.Name })
	l.values = append(l.values, v)
}

// absolute makes the settings that are paths absolute: "~/" is the home folder,
// and a relative path starts at base.
func (l *Layer) absolute(base string) {
	for i, v := range l.values {
		if v.key.kind != "path" {
			continue
		}
		path := v.data.String()
		if rest, ok := strings.CutPrefix(path, "~/"); ok {
			if home, err := os.UserHomeDir(); err == nil {
				path = filepath.Join(home, rest)
			}
		}
		if path != "" && !filepath.IsAbs(path) {
			path = filepath.Join(base, path)
		}
		l.values[i].data = reflect.ValueOf(path)
	}
}

// forbids says whether a setting can keep something from running, so that
// losing it is no small thing.
func forbids(name string) bool {
	group, _, _ := strings.Cut(name, ".")
	return slices.Contains([]string{"permissions", "autoApprove", "limits", "sandbox"}, group)
}
