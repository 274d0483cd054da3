package openai

import (
	"bytes"
	"encoding/json"
	"slices"
)

// object is a JSON object with its fields in their written order, which models
// follow when they write arguments.
type object []field

type field struct {
	key   string
	value json.RawMessage
}

// parseObject returns false for anything but a JSON object.
func parseObject(raw json.RawMessage) (object, bool) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	o := object{}
	for dec.More() {
		t, err := dec.Token()
		key, ok := t.(string)
		var value json.RawMessage
		if err != nil || !ok || dec.Decode(&value) != nil {
			return nil, false
		}
		o.set(key, value)
	}
	return o, true
}

func (o object) get(key string) (json.RawMessage, bool) {
	for _, f := range o {
		if f.key == key {
			return f.value, true
		}
	}
	return nil, false
}

func (o object) has(key string) bool {
	_, ok := o.get(key)
	return ok
}

// set replaces a field where it stands, or appends it.
func (o *object) set(key string, value json.RawMessage) {
	for i := range *o {
		if (*o)[i].key == key {
			(*o)[i].value = value
			return
		}
	}
	*o = append(*o, field{key, value})
}

func (o *object) remove(keys ...string) {
	*o = slices.DeleteFunc(*o, func(f field) bool { return slices.Contains(keys, f.key) })
}

func (o object) raw() json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := marshal(f.key)
		if err != nil { // strings always encode
			continue
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(f.value)
	}
	b.WriteByte('}')
	return b.Bytes()
}
