package config

import (
	"encoding/json"
	"fmt"
	"log/slog"
)

// Secret is a value that is used and never shown: whatever prints, logs or
// marshals it shows "[secret]", or "" when it is empty. The value is behind a
// pointer so that not even %#v of a struct around it shows it.
type Secret struct {
	value *string
	// Env is the environment variable it came from.
	Env string
}

// NewSecret keeps value, which came from the environment variable env.
func NewSecret(value, env string) Secret { return Secret{value: &value, Env: env} }

// Reveal returns the value itself: for the request's header and nothing else.
func (s Secret) Reveal() string {
	if s.value == nil {
		return ""
	}
	return *s.value
}

// IsZero reports whether there is no value.
func (s Secret) IsZero() bool { return s.Reveal() == "" }

// String shows whether there is a value.
func (s Secret) String() string {
	if s.IsZero() {
		return ""
	}
	return "[secret]"
}

// Format prints String for every verb.
func (s Secret) Format(f fmt.State, _ rune) { fmt.Fprint(f, s.String()) }

// MarshalJSON writes String.
func (s Secret) MarshalJSON() ([]byte, error) { return json.Marshal(s.String()) }

// LogValue logs String.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }
