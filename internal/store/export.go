package store

import (
	"context"
	"io"
)

func (s *Store) Export(ctx context.Context, id, format string, w io.Writer) error { return nil }
