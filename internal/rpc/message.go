package rpc

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
)

// message is an incoming JSON-RPC message, decoded once. Exactly one of
// request, notification (method set) and response (method "") is meant.
type message struct {
	method string
	params json.RawMessage
	// id is as it came; nil for a notification.
	id json.RawMessage
	// result and err of a response.
	result json.RawMessage
	err    *Error
}

// parse decodes and checks a body. bad is what to answer when it is no message.
func parse(body []byte) (m *message, bad *Error) {
	var e struct {
		ID, Method, Params, Result, Error json.RawMessage
	}
	if err := json.Unmarshal(body, &e); err != nil {
		var syntax *json.SyntaxError
		switch {
		case errors.As(err, &syntax):
			return nil, Errorf(CodeParseError, "parse error: %v", err)
		case bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")):
			return nil, Errorf(CodeInvalidRequest, "invalid request: batches are not supported")
		}
		return nil, Errorf(CodeInvalidRequest, "invalid request: a message is an object")
	}
	if e.ID != nil && !validID(e.ID) {
		return nil, Errorf(CodeInvalidRequest, "invalid request: id must be an integer or a string")
	}
	m = &message{id: e.ID, params: e.Params, result: e.Result}
	if e.Method == nil {
		if e.ID == nil {
			return nil, Errorf(CodeInvalidRequest, "invalid request: neither method nor id")
		}
		m.err = parseError(e.Error)
		return m, nil
	}
	if err := json.Unmarshal(e.Method, &m.method); err != nil || m.method == "" {
		return nil, Errorf(CodeInvalidRequest, "invalid request: method must be a string")
	}
	return m, nil
}

// validID tells an integer, string or null from everything else.
func validID(raw json.RawMessage) bool {
	switch raw[0] {
	case '"', 'n':
		return true
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return !bytes.ContainsAny(raw, ".eE")
	}
	return false
}

// idKey makes equal ids equal strings, however they are spelt.
func idKey(raw json.RawMessage) string {
	if len(raw) > 0 && raw[0] == '"' {
		var s string
		if json.Unmarshal(raw, &s) == nil {
			return strconv.Quote(s)
		}
	}
	return string(raw)
}

// parseError reads an error object; one of the wrong shape is still an error.
func parseError(raw json.RawMessage) *Error {
	if raw == nil || string(raw) == "null" {
		return nil
	}
	e := &Error{}
	if err := json.Unmarshal(raw, e); err != nil {
		return &Error{Code: CodeInternalError, Message: string(raw)}
	}
	return e
}

// encode is json.Marshal without the escaping of `<`, `>` and `&`.
func encode(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// encodeCall builds a request, or a notification when id is 0. Params of nil
// are left out.
func encodeCall(id uint64, method string, params json.RawMessage) []byte {
	name, _ := encode(method) // a string always encodes
	b := make([]byte, 0, len(params)+len(name)+64)
	b = append(b, `{"jsonrpc":"2.0"`...)
	if id != 0 {
		b = append(b, `,"id":`...)
		b = strconv.AppendUint(b, id, 10)
	}
	b = append(b, `,"method":`...)
	b = append(b, name...)
	if params != nil {
		b = append(b, `,"params":`...)
		b = append(b, params...)
	}
	return append(b, '}')
}

// encodeReply builds a response; the id is written as it came, nil as null.
func encodeReply(id json.RawMessage, result any, failure *Error) []byte {
	if id == nil {
		id = json.RawMessage("null")
	}
	key, value := "result", any(failure)
	if failure == nil {
		value = result
	} else {
		key = "error"
	}
	body, err := encode(value)
	if err != nil {
		key = "error"
		body, _ = encode(Errorf(CodeInternalError, "the result cannot be encoded: %v", err))
	}
	b := make([]byte, 0, len(body)+len(id)+48)
	b = append(b, `{"jsonrpc":"2.0","id":`...)
	b = append(b, id...)
	b = append(b, `,"`+key+`":`...)
	b = append(b, body...)
	return append(b, '}')
}
