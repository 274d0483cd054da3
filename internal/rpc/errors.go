package rpc

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Codes of JSON-RPC 2.0, and of LSP 3.17 for `$/cancelRequest`.
const (
	CodeParseError      = -32700
	CodeInvalidRequest  = -32600
	CodeMethodNotFound  = -32601
	CodeInvalidParams   = -32602
	CodeInternalError   = -32603
	CodeCancelled       = -32800
	CodeServerCancelled = -32802
)

// ErrMethodNotFound, returned by a Handler, answers a request with -32601 and
// lets a notification be ignored.
var ErrMethodNotFound = errors.New("method not found")

// ErrClosed says that the connection is closed, or that its input has ended
// so that no answer can come.
var ErrClosed = errors.New("connection closed")

// ErrStalled says that the connection was given up because the peer did not read.
var ErrStalled = errors.New("the peer does not read")

// Error is a JSON-RPC error object. A Handler returns one to choose the code;
// Call returns one when the peer answered with an error.
type Error struct {
	Code    int64           `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

func (e *Error) Error() string { return fmt.Sprintf("%s (code %d)", e.Message, e.Code) }

// Errorf makes an Error.
func Errorf(code int64, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// WithData returns a copy of e that carries v as its data.
func (e *Error) WithData(v any) *Error {
	data, err := encode(v)
	if err != nil {
		data = nil
	}
	return &Error{Code: e.Code, Message: e.Message, Data: data}
}

// asError turns what a Handler returned into an error object.
func asError(method string, err error) *Error {
	var e *Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, ErrMethodNotFound):
		return Errorf(CodeMethodNotFound, "method not found: %s", method)
	}
	return Errorf(CodeInternalError, "%v", err)
}
