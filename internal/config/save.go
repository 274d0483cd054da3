package config

import (
	"context"
	"errors"
	"time"

	"clined/internal/safefile"
)

// lockTime is how long a change waits for those of other processes.
const lockTime = 10 * time.Second

// Save sets a key in a settings file, or takes it out for nil: see Patch. The
// file is replaced as a whole and keeps its mode; a missing one is made. Changes
// by several processes at once all hold. The error is a *Problem where the
// value, the key or the file's text is at fault.
func Save(ctx context.Context, path, key string, v any) error {
	ctx, cancel := context.WithTimeout(ctx, lockTime)
	defer cancel()
	err := safefile.Update(ctx, path, func(old []byte) ([]byte, error) { return Patch(old, key, v) })
	var p *Problem
	switch {
	case err == nil:
		return nil
	case errors.As(err, &p):
	case errors.Is(err, context.DeadlineExceeded):
		p = problem(key, "the settings cannot be changed: another process has been changing them for "+lockTime.String(), "try again")
	default:
		p = problem(key, "the settings cannot be changed: "+reason(err), "see to the permissions of the file and its folder, and to the space on the disk")
	}
	p.Source = path
	return p
}
