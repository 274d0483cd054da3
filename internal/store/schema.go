package store

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"strings"

	"modernc.org/sqlite"
)

// errMisnumbered says that the version number of a database is not that of its
// tables, as after a flipped bit.
var errMisnumbered = errors.New("its version number is not that of its tables")

// judge tells what a database is whose number is not that of the newest version:
// errUnready when it is to be made or migrated, an errNewer, or errMisnumbered.
// The number alone is not believed, for every version has tables of its own.
func judge(ctx context.Context, conn *sql.Conn, number int) error {
	tables, err := schemaOf(ctx, conn)
	if err != nil {
		return err
	}
	known, err := versionOf(ctx, tables)
	switch {
	case err != nil:
		return err
	case known != 0 && known != number, number < 0, number == 0 && tables != "":
		return errMisnumbered
	case number > schemaVersion():
		return errNewer(number)
	}
	return errUnready
}

// versionOf returns the version that has such tables, 0 if none has that is known here.
func versionOf(ctx context.Context, tables string) (int, error) {
	if tables == "" {
		return 0, nil
	}
	for v := schemaVersion(); v > 0; v-- {
		known, err := tablesOf(ctx, v)
		if known == tables || err != nil {
			return v, err
		}
	}
	return 0, nil
}

// tablesOf makes the tables of a version in memory.
func tablesOf(ctx context.Context, version int) (_ string, err error) {
	c, err := sqlite.NewConnector(":memory:")
	if err != nil {
		return "", err
	}
	db := sql.OpenDB(c)
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1) // each connection has a memory of its own
	if err := migrate(ctx, db, version); err != nil {
		return "", err
	}
	return schemaOf(ctx, db)
}

// schemaOf writes down the tables and indexes of a database, "" if it has none.
// What SQLite makes by itself for the full-text index depends on its version.
func schemaOf(ctx context.Context, q interface {
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
}) (string, error) {
	rows, err := q.QueryContext(ctx, `SELECT type, name, coalesce(sql, '') FROM sqlite_schema
		WHERE name NOT LIKE 'sqlite\_%' ESCAPE '\' AND name NOT LIKE 'said\_%' ESCAPE '\' ORDER BY type, name`)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	var b strings.Builder
	for rows.Next() {
		var kind, name, text string
		if err := rows.Scan(&kind, &name, &text); err != nil {
			return "", err
		}
		b.WriteString(kind + " " + name + "\n" + text + "\n")
	}
	return b.String(), rows.Err()
}

// copyVersion returns the version of a copy of a damaged database: that of its
// tables where they can be read, else what the file says; 0 if it says nothing.
func copyVersion(ctx context.Context, path string) int {
	// SQLite would delete the -wal of an empty file.
	if file, err := os.Stat(path); err == nil && file.Size() >= smallest {
		if db, err := openDamaged(path); err == nil {
			tables, err := schemaOf(ctx, db)
			_ = db.Close() // it may fail where there is damage
			if err == nil {
				if v, err := versionOf(ctx, tables); err == nil && v != 0 {
					return v
				}
			}
		}
	}
	return headerVersion(path)
}
