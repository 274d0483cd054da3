//go:build !cgo

package codedefs

import (
	"context"
	"errors"

	"clined/internal/tools"
)

// available tells whether the parsers are in this build.
const available = false

// Languages returns the languages that are known: none in this build.
func Languages() []string { return nil }

func outline(context.Context, string, []byte) ([]tools.Definition, error) {
	return nil, errors.ErrUnsupported
}
