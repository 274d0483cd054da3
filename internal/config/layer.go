package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
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
}

type value struct {
	key  Key
	data reflect.Value
}

// rank groups the layers that one person sets at one time: a key is "beside" a
// base URL of the same rank.
type rank int

const (
	fileRank rank = iota + 1
	editorRank
	processRank
)

// maxFile bounds a settings file; a real one is a thousand times smaller.
const maxFile = 1 << 20

var bom = []byte("\ufeff")

// FromFile reads the text of a settings file: JSON with comments, trailing
// commas and a byte order mark allowed. A name with dots is a path of names.
// A file that cannot be parsed gives an empty layer and a problem.
func FromFile(path string, text []byte) (Layer, []Problem) {
	r := reader{layer: Layer{Source: path, rank: fileRank}, text: bytes.TrimPrefix(text, bom)}
	r.read()
	return r.layer, r.problems
}

// FromEditor reads the settings that an editor sends: the object "clined" of
// its initializationOptions or of workspace/didChangeConfiguration. Nothing or
// null is an empty layer.
func FromEditor(settings json.RawMessage) (Layer, []Problem) {
	r := reader{layer: Layer{Source: "the editor's settings", rank: editorRank}, text: settings, wire: true}
	if text := string(bytes.TrimSpace(r.text)); text != "" && text != "null" {
		r.read()
	}
	return r.layer, r.problems
}

// reader fills a layer from JSON text.
type reader struct {
	layer    Layer
	text     []byte
	wire     bool // positions mean nothing to the user
	problems []Problem
}

func (r *reader) read() {
	if len(r.text) > maxFile {
		r.broken(0, "it is larger than 1 MiB")
		return
	}
	if len(bytes.TrimSpace(r.text)) == 0 { // an empty file sets nothing
		return
	}
	text := append(bytes.Clone(r.text), '\n') // hujson refuses a last line that is an unended comment
	root, err := hujson.Parse(text)
	if err != nil {
		at, message := syntaxError(text, err)
		r.broken(at, message)
		return
	}
	object, ok := root.Value.(*hujson.Object)
	if !ok {
		r.broken(root.StartOffset, "it is not an object in braces")
		return
	}
	r.object(object, "")
}

func (r *reader) object(o *hujson.Object, prefix string) {
	for _, m := range o.Members {
		literal, _ := m.Name.Value.(hujson.Literal)
		name := prefix + literal.String()
		key, known := findKey(name)
		switch child, isObject := m.Value.Value.(*hujson.Object); {
		case m.Value.Value.Kind() == 'n': // null: not set
		case known:
			v := m.Value.Clone()
			v.Standardize()
			r.set(key, v.Pack(), m.Value.StartOffset)
		case isObject && isGroup(name):
			r.object(child, name+".")
		case isGroup(name):
			r.refuse(m.Value.StartOffset, name, "an object in braces")
		case prefix == "" && name == "$schema": // for editors
		default:
			r.unknown(m.Name.StartOffset, name)
		}
	}
}

func (r *reader) set(k Key, raw []byte, offset int) {
	if v, ok := k.decode(raw); ok {
		r.layer.put(k, v)
		return
	}
	r.refuse(offset, k.Name, k.Expect)
}

// put sets a key; a second value of the same source replaces the first.
func (l *Layer) put(k Key, v reflect.Value) {
	l.values = slices.DeleteFunc(l.values, func(old value) bool { return old.key.Name == k.Name })
	l.values = append(l.values, value{k, v})
}

func (r *reader) refuse(offset int, name, expect string) {
	r.layer.damaged = r.layer.damaged || forbids(name)
	hint := "the other settings still hold"
	if strings.HasSuffix(name, "apiKey") {
		hint = "put the key itself into an environment variable: it does not belong into a settings file"
	}
	r.add(slog.LevelError, offset, name, fmt.Sprintf("%q must be %s", name, expect), hint)
}

// forbids says whether a setting can keep something from running, so that
// losing it is no small thing.
func forbids(name string) bool {
	return strings.HasPrefix(name, "permissions") || strings.HasPrefix(name, "autoApprove")
}

func (r *reader) unknown(offset int, name string) {
	var names []string
	for _, k := range keys() {
		names = append(names, k.Name)
	}
	hint := "there are " + strings.Join(siblings(name), ", ")
	if n := nearest(name, names, (len(name)-strings.LastIndexByte(name, '.'))/3+1); n != "" {
		hint = fmt.Sprintf("did you mean %q?", n)
	}
	r.add(slog.LevelWarn, offset, name, fmt.Sprintf("there is no setting %q", name), hint)
}

func (r *reader) broken(offset int, message string) {
	r.layer.damaged = true
	r.add(slog.LevelError, offset, "", "the settings cannot be read: "+message, "mend the file; until then none of its settings hold")
}

func (r *reader) add(level slog.Level, offset int, key, message, hint string) {
	p := Problem{Level: level, Source: r.layer.Source, Key: key, Message: message, Hint: hint}
	if !r.wire {
		before := r.text[:min(offset, len(r.text))]
		p.Line = 1 + bytes.Count(before, []byte("\n"))
		p.Column = len(before) - bytes.LastIndexByte(before, '\n')
	}
	r.problems = append(r.problems, p)
}

var hujsonError = regexp.MustCompile(`(?s)^hujson: line (\d+), column (\d+): (.*)$`)

// syntaxError takes the place out of hujson's error, and what it quotes of the
// file: that may be a secret.
func syntaxError(text []byte, err error) (offset int, message string) {
	m := hujsonError.FindStringSubmatch(err.Error())
	if m == nil {
		return 0, "it is not valid JSON"
	}
	line, _ := strconv.Atoi(m[1])
	column, _ := strconv.Atoi(m[2])
	for range line - 1 {
		offset += bytes.IndexByte(text[offset:], '\n') + 1
	}
	message = m[3]
	if strings.HasPrefix(message, "invalid literal") {
		message = "a value is not valid JSON"
	}
	return offset + column - 1, message
}
