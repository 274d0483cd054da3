package config

import (
	"encoding/json"
	"reflect"
)

// Value returns the JSON value of a key and who set it, in words; "" is nobody.
// A key that is a reference to a secret is only that, and a URL is as Shown has it.
func (s *Settings) Value(k Key) (value json.RawMessage, source string) {
	field := reflect.ValueOf(s).Elem().FieldByIndex(k.index)
	switch {
	case k.Type == List && field.Len() == 0:
		return json.RawMessage("[]"), s.sources[k.Name]
	case k.Type == Costs && field.Len() == 0:
		return k.Default, s.sources[k.Name]
	}
	raw, _ := compact(field.Interface()) // of types that always marshal
	return k.Shown(raw), s.sources[k.Name]
}

// Shown is a JSON value of the key as it may be printed.
func (k *Key) Shown(value json.RawMessage) json.RawMessage {
	if k.kind != "url" {
		return value
	}
	var text string
	var list []string
	switch {
	case json.Unmarshal(value, &text) == nil:
		value, _ = compact(ShownURL(text)) // a string always marshals
	case json.Unmarshal(value, &list) == nil:
		for i := range list {
			list[i] = ShownURL(list[i])
		}
		value, _ = compact(list)
	}
	return value
}

// Find returns the key of a name, or those below the name of a group. The error
// is a *Problem with the nearest name.
func Find(name string) ([]Key, error) {
	if k, ok := findKey(name); ok {
		return []Key{k}, nil
	}
	var list []Key
	for _, k := range keys() {
		if len(k.Name) > len(name) && k.Name[:len(name)+1] == name+"." {
			list = append(list, k)
		}
	}
	if len(list) == 0 {
		_, err := keyFor(name)
		return nil, err
	}
	return list, nil
}
