package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"clined/internal/rpc"
)

// decodeParams reads params; none at all are an empty object.
func decodeParams[P any](raw json.RawMessage) (*P, error) {
	p := new(P)
	if len(raw) == 0 || string(raw) == "null" {
		return p, nil
	}
	if err := json.Unmarshal(raw, p); err != nil {
		return nil, badParams(err)
	}
	return p, nil
}

// badParams names the field that does not fit.
func badParams(err error) error {
	var already *rpc.Error
	var typ *json.UnmarshalTypeError
	switch {
	case errors.As(err, &already):
		return already
	case errors.As(err, &typ) && typ.Field == "":
		return InvalidParams("params", "must be %s, not %s", kindName(typ.Type), article(typ.Value))
	case errors.As(err, &typ):
		return InvalidParams(typ.Field, "must be %s, not %s", kindName(typ.Type), article(typ.Value))
	}
	return rpc.Errorf(rpc.CodeInvalidParams, "invalid params: %v", err)
}

// InvalidParams is the error -32602 for a field of the params.
func InvalidParams(field, format string, args ...any) *rpc.Error {
	return rpc.Errorf(rpc.CodeInvalidParams, "invalid params: %s %s", field, fmt.Sprintf(format, args...))
}

// kindName says in JSON's words what a Go type takes.
func kindName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a string"
	case reflect.Slice, reflect.Array:
		return "an array"
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint32, reflect.Uint64:
		return "an integer"
	case reflect.Float32, reflect.Float64:
		return "a number"
	}
	return "an object"
}

func article(value string) string {
	kind, rest, _ := strings.Cut(value, " ")
	switch kind {
	case "bool":
		return "true or false"
	case "array", "object":
		return "an " + kind
	case "number":
		return strings.TrimSpace("the number " + rest)
	}
	return "a " + kind
}

// UnmarshalJSON reads the parts that are understood. Capabilities are open:
// a part of another shape counts as absent, only clined's own must be right.
func (c *ClientCapabilities) UnmarshalJSON(data []byte) error {
	var parts struct{ General, Workspace, Window, Experimental json.RawMessage }
	if json.Unmarshal(data, &parts) != nil {
		return nil
	}
	lenient(parts.General, &c.General)
	lenient(parts.Workspace, &c.Workspace)
	lenient(parts.Window, &c.Window)
	var own struct{ Clined json.RawMessage }
	lenient(parts.Experimental, &own)
	if !isObject(own.Clined) {
		return nil
	}
	c.Experimental.Clined = &ClinedClient{}
	if err := json.Unmarshal(own.Clined, c.Experimental.Clined); err != nil {
		var typ *json.UnmarshalTypeError
		if errors.As(err, &typ) {
			typ.Field = strings.TrimSuffix("capabilities.experimental.clined."+typ.Field, ".")
			return badParams(typ)
		}
		return err
	}
	return nil
}

// lenient decodes what fits into v and nothing else.
func lenient[T any](raw json.RawMessage, v *T) {
	var read T
	if raw != nil && json.Unmarshal(raw, &read) == nil {
		*v = read
	}
}

func isObject(raw json.RawMessage) bool {
	return bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{"))
}

// UnmarshalJSON reads markers: an object means yes. So does any other value
// but null and false, for some languages write an empty table as [].
func (c *ClientCaps) UnmarshalJSON(data []byte) error {
	var m struct{ Approvals, Asks, EditorState, Transcript, DiffView, DiagnosticsPull json.RawMessage }
	if err := json.Unmarshal(data, &m); err != nil {
		if !isObject(data) {
			return nil
		}
		return err
	}
	c.Asks, c.EditorState, c.Transcript = marker(m.Asks), marker(m.EditorState), marker(m.Transcript)
	c.DiagnosticsPull = marker(m.DiagnosticsPull)
	if marker(m.Approvals) != nil {
		c.Approvals = &ApprovalCaps{}
		var in struct{ Feedback, EditedContent json.RawMessage }
		lenient(m.Approvals, &in)
		c.Approvals.Feedback, c.Approvals.EditedContent = marker(in.Feedback), marker(in.EditedContent)
	}
	if marker(m.DiffView) != nil {
		c.DiffView = &DiffViewCaps{}
		var in struct{ Streaming, UserEdits, SaveFormats json.RawMessage }
		lenient(m.DiffView, &in)
		c.DiffView.Streaming, c.DiffView.UserEdits, c.DiffView.SaveFormats = marker(in.Streaming), marker(in.UserEdits), marker(in.SaveFormats)
	}
	return nil
}

func marker(raw json.RawMessage) *Empty {
	switch string(bytes.TrimSpace(raw)) {
	case "", "null", "false":
		return nil
	}
	return &Empty{}
}

// UnmarshalJSON takes anything: an empty object has nothing to read.
func (*Empty) UnmarshalJSON([]byte) error { return nil }
