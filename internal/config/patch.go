package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// Patch returns the text of a settings file in which key has a value, or is not
// set for nil. All else stays byte for byte: comments, order, blank lines,
// trailing commas, line ends, a byte order mark. A key goes where the file has
// its like: into the braces of its group or, with dots, beside others with
// dots. Where the file sets it several times, the last counts and is changed;
// to unset it, all go; so does what is no setting, such as a misspelt one. Nothing of a file that cannot be read is changed: the
// error is a *Problem with its place.
func Patch(text []byte, key string, v any) ([]byte, error) {
	k, err := keyFor(key)
	if raw, unreadable := compact(v); err != nil && unreadable == nil && string(raw) == "null" {
		return withoutUnknown(text, key, err)
	}
	if err != nil {
		return nil, err
	}
	raw, err := k.encode(v)
	if err != nil {
		return nil, err
	}
	mark := text[:len(text)-len(withoutBOM(text))]
	before := withoutBOM(text)
	p, err := newPatcher(before, k.Name)
	if err != nil {
		return nil, err
	}
	if raw == nil {
		p.removeAll()
	} else {
		p.set(k, raw)
	}
	after := p.apply()
	if err := k.check(before, after, raw); err != nil {
		return nil, err
	}
	return append(slices.Clip(mark), after...), nil
}

// withoutUnknown takes a member out whose name is no setting, such as one that is
// misspelt. unknown is the error where there is none.
func withoutUnknown(text []byte, name string, unknown error) ([]byte, error) {
	mark := text[:len(text)-len(withoutBOM(text))]
	before := withoutBOM(text)
	p, err := newPatcher(before, name)
	if err != nil {
		return nil, err
	}
	if len(p.found) == 0 {
		return nil, unknown
	}
	p.removeAll()
	after := p.apply()
	if left, err := newPatcher(after, name); err != nil || len(left.found) > 0 || !sameBut(name, before, after) {
		if isGroup(name) { // with settings in it
			return nil, unknown
		}
		return nil, notAlone(name)
	}
	return append(slices.Clip(mark), after...), nil
}

// encode is the value as JSON, nil for not set.
func (k *Key) encode(v any) (json.RawMessage, error) {
	raw, err := compact(v)
	switch _, ok := k.decode(raw); {
	case err == nil && string(raw) == "null":
		return nil, nil
	case err != nil || !ok:
		return nil, k.refusedChange()
	}
	return raw, nil
}

// same says whether two JSON texts are one value.
func (k *Key) same(a, b json.RawMessage) bool {
	first, ok := k.decode(a)
	second, also := k.decode(b)
	return ok && also && reflect.DeepEqual(first.Interface(), second.Interface())
}

// check refuses to hand out a text that does not say what it should. It fails
// only where Patch is wrong.
func (k *Key) check(before, after []byte, want json.RawMessage) error {
	now, _ := FromFile("", after)
	got := slices.IndexFunc(now.values, func(v value) bool { return v.key.Name == k.Name })
	ok := want == nil && got < 0
	if want != nil && got >= 0 {
		v, _ := k.decode(want)
		ok = reflect.DeepEqual(v.Interface(), now.values[got].data.Interface())
	}
	if !ok || !sameBut(k.Name, before, after) {
		return notAlone(k.Name)
	}
	return nil
}

func notAlone(name string) error {
	return problem(name, fmt.Sprintf("%q could not be changed in this file without changing more", short(name)), "edit the file by hand")
}

// sameBut says whether two texts set all but one name alike.
func sameBut(name string, before, after []byte) bool {
	old, _ := FromFile("", before)
	now, _ := FromFile("", after)
	return slices.EqualFunc(old.without(name), now.without(name), func(a, b value) bool {
		return a.key.Name == b.key.Name && reflect.DeepEqual(a.data.Interface(), b.data.Interface())
	})
}

// without are the values of other keys, in the order of their names.
func (l *Layer) without(name string) []value {
	list := slices.DeleteFunc(slices.Clone(l.values), func(v value) bool { return v.key.Name == name })
	slices.SortFunc(list, func(a, b value) int { return strings.Compare(a.key.Name, b.key.Name) })
	return list
}

// patcher collects changes to a text. Offsets are those of the old text.
type patcher struct {
	text []byte
	key  string
	root hujson.Value
	// braces are the offsets of the braces of each object.
	braces map[*hujson.Object][2]int
	// found are the members that set the key, in the order they are read.
	found []position
	// group is the last object of the key's group. dotted says that something
	// of the group is written with dots, or that its name has no braces.
	group  *hujson.Object
	dotted bool
	edits  []edit
	// parents tells as which member a group stands.
	parents map[*hujson.Object]position
}

// position is a member of an object.
type position struct {
	object *hujson.Object
	index  int
}

// edit puts text in the place of what is from start to end.
type edit struct {
	start, end int
	text       string
}

func newPatcher(text []byte, key string) (*patcher, error) {
	if len(text) > maxFile {
		return nil, cannotRead(text, 0, "it is larger than 1 MiB")
	}
	root, wrong := parse(text)
	if wrong != nil {
		return nil, cannotRead(text, wrong.offset, wrong.message)
	}
	p := &patcher{text: text, key: key, root: root, braces: map[*hujson.Object][2]int{}, parents: map[*hujson.Object]position{}}
	top, ok := root.Value.(*hujson.Object)
	if !ok {
		return nil, cannotRead(text, root.StartOffset, "it is not an object in braces")
	}
	p.find(top, root, "")
	return p, nil
}

func cannotRead(text []byte, offset int, message string) *Problem {
	p := problem("", "the file cannot be read: "+message, "mend it first: it was not changed")
	p.Line, p.Column = placeIn(lineStarts(text), min(offset, len(text)))
	return p
}

// find walks the objects that the reader walks.
func (p *patcher) find(o *hujson.Object, v hujson.Value, prefix string) {
	p.braces[o] = [2]int{v.StartOffset, v.EndOffset - 1}
	group, _ := p.split()
	if prefix == group {
		p.group = o
	}
	for i, m := range o.Members {
		name := prefix + nameOf(m)
		child, isObject := m.Value.Value.(*hujson.Object)
		switch {
		case name == p.key:
			p.found = append(p.found, position{o, i})
		case isObject && isGroup(name):
			p.parents[child] = position{o, i}
			p.find(child, m.Value, name+".")
		case group != "" && prefix == "" && (strings.HasPrefix(name, group) || name+"." == group):
			p.dotted = true
		}
	}
}

// split returns the prefix of the key's group, "" for none, and its last name.
func (p *patcher) split() (group, name string) {
	at := strings.LastIndexByte(p.key, '.') + 1
	return p.key[:at], p.key[at:]
}

// set gives the key a value.
func (p *patcher) set(k *Key, raw json.RawMessage) {
	top := p.root.Value.(*hujson.Object)
	group, name := p.split()
	switch {
	case len(p.found) > 0:
		last := p.found[len(p.found)-1]
		v := last.object.Members[last.index].Value
		if v.Value.Kind() != 'n' && k.same(plain(v), raw) { // as the user wrote it
			return
		}
		p.edits = append(p.edits, edit{v.StartOffset, v.EndOffset, p.format(raw, p.indentAt(v.StartOffset))})
	case p.root.StartOffset >= len(p.text): // there are no braces yet
		p.begin(entry{group: group, name: name, value: raw})
	case p.group != nil:
		p.insert(p.group, entry{name: name, value: raw})
	case p.dotted:
		p.insert(top, entry{name: p.key, value: raw})
	default:
		p.insert(top, entry{group: group, name: name, value: raw})
	}
}

// apply makes the new text.
func (p *patcher) apply() []byte {
	slices.SortStableFunc(p.edits, func(a, b edit) int { return a.start - b.start })
	var out bytes.Buffer
	at := 0
	for _, e := range p.edits {
		out.Write(p.text[at:max(at, e.start)])
		out.WriteString(e.text)
		at = max(at, e.end)
	}
	out.Write(p.text[at:])
	return out.Bytes()
}
