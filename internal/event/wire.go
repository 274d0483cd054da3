package event

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
)

// variants by wire name; a new variant is added here and nowhere else.
var variants = func() map[string]reflect.Type {
	m := map[string]reflect.Type{}
	for _, e := range All() {
		m[e.Type()] = reflect.TypeOf(e)
	}
	return m
}()

// All returns a zero value of each variant, for schemas and tests.
func All() []Event {
	return []Event{State{}, Message{}, MessageDelta{}, ToolCall{}, ToolCallDelta{}, Plan{}, Usage{}, Config{}, Notice{}, Info{}, Rewind{}, Terminal{}, TerminalDelta{}}
}

// Envelope carries an Event on the wire as one object with a `type` key.
type Envelope struct{ Event }

// MarshalJSON writes the variant's fields after its type, without escaping
// `<`, `>` and `&`.
func (e Envelope) MarshalJSON() ([]byte, error) {
	if p, ok := e.Event.(Plan); ok && p.Entries == nil { // a list without entries is a list
		p.Entries = []PlanEntry{}
		e.Event = p
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"type":%q`, e.Type())
	start := b.Len()
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e.Event); err != nil {
		return nil, err
	}
	out := bytes.TrimRight(b.Bytes(), "\n")
	if bytes.Equal(out[start:], []byte("{}")) {
		return append(out[:start], '}'), nil
	}
	out[start] = ','
	return out, nil
}

// UnmarshalJSON reads any known variant. An unknown type is kept as Unknown,
// which a front skips.
func (e *Envelope) UnmarshalJSON(data []byte) error {
	var head struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return err
	}
	t, ok := variants[head.Type]
	if !ok {
		e.Event = Unknown{Name: head.Type, Raw: bytes.Clone(data)}
		return nil
	}
	v := reflect.New(t)
	if err := json.Unmarshal(data, v.Interface()); err != nil {
		return err
	}
	e.Event = v.Elem().Interface().(Event)
	return nil
}

// Unknown is an event of a newer daemon.
type Unknown struct {
	Name string
	Raw  json.RawMessage
}

// Type returns the name on the wire.
func (u Unknown) Type() string { return u.Name }
