package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"sync"
)

// Each file brings the database from the version before to that of its number.
// A file that was released never changes. Each changes the tables, by a column
// for nothing else if need be: they bear out the number of the version, which a
// flipped bit may change.
//
//go:embed migrations/*.sql
var migrations embed.FS

// schemaVersion returns the number of the newest migration.
var schemaVersion = sync.OnceValue(func() int {
	files, _ := fs.Glob(migrations, "migrations/*.sql")
	return len(files)
})

// errNewer says that a newer clined made the database.
type errNewer int

func (v errNewer) Error() string { return fmt.Sprintf("the database has version %d", int(v)) }

// version reads the version of the database; it may be that of no clined.
func version(ctx context.Context, q interface {
	QueryRowContext(context.Context, string, ...any) *sql.Row
}) (v int, err error) {
	err = q.QueryRowContext(ctx, "PRAGMA user_version").Scan(&v)
	return v, err
}

// migrate brings the database to a version, all or nothing.
func migrate(ctx context.Context, db *sql.DB, to int) (err error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	if err := migrateIn(ctx, conn, to); err != nil {
		_, _ = conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
		return err
	}
	if _, err := conn.ExecContext(ctx, "COMMIT"); err != nil {
		_, _ = conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
		return err
	}
	// A database whose -wal gets lost has its tables at least.
	_, err = conn.ExecContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)")
	return err
}

func migrateIn(ctx context.Context, conn *sql.Conn, to int) error {
	v, err := version(ctx, conn)
	if err != nil {
		return err
	}
	if v > to {
		return errNewer(v)
	}
	for v++; v <= to; v++ {
		text, err := migrations.ReadFile(fmt.Sprintf("migrations/%04d.sql", v))
		if err != nil {
			return err
		}
		if _, err := conn.ExecContext(ctx, string(text)); err != nil {
			return fmt.Errorf("migration %d: %w", v, err)
		}
	}
	_, err = conn.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d; PRAGMA application_id = %d", to, applicationID))
	return err
}
