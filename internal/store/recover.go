package store

import (
	"context"
)

func (s *Store) recover(ctx context.Context, why string) error { return nil }

func (s *Store) repair(ctx context.Context, d *database, why error) error { return why }
