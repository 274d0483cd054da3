package llm

import (
	"errors"
	"fmt"
	"time"
)

// Class groups failures by what the loop does about them. Providers' errors
// are classified once, in their dialect; nobody else looks at their text.
type Class string

// The classes.
const (
	// RateLimited (429) and Overloaded (5xx, "overloaded") are retried.
	RateLimited Class = "rate_limited"
	Overloaded  Class = "overloaded"
	// Network is a broken, idle or malformed connection or stream; retried.
	Network Class = "network"
	// Auth is a missing or refused key; never retried.
	Auth Class = "auth"
	// Quota is spent credit or a spending limit; never retried.
	Quota Class = "quota"
	// Overflow means that the request is longer than the model's context.
	Overflow Class = "context_overflow"
	// Refused is any other 4xx: the request is wrong; never retried.
	Refused Class = "refused"
)

// Error is a classified failure of a provider. Its text is for the user: it
// says what happened; Hint says what to do next.
type Error struct {
	Class Class
	// Status is the HTTP status, 0 when there was none.
	Status int
	// Message is the provider's own text without secrets.
	Message string
	// Hint tells the user what to do next, "" when there is nothing to say.
	Hint string
	// RetryAfter is what the provider asked for, 0 when it said nothing.
	RetryAfter time.Duration
	// Err is the cause below, if any.
	Err error
}

func (e *Error) Error() string {
	if e.Status != 0 {
		return fmt.Sprintf("%s (HTTP %d)", e.Message, e.Status)
	}
	return e.Message
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Retryable reports whether the same request may succeed later.
func (e *Error) Retryable() bool {
	switch e.Class {
	case RateLimited, Overloaded, Network:
		return true
	}
	return false
}

// AsError returns err as *Error, classing anything unknown as Network.
func AsError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{Class: Network, Message: err.Error(), Err: err}
}
