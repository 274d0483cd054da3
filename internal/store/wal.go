package store

import (
	"context"
	"database/sql/driver"
	"encoding/binary"
	"io"
	"os"
)

// applicationID in the header of a database says that it always has a -wal beside
// it: "clnd". See the section "The Database Header" of SQLite's file format.
const applicationID = 0x636c6e64

// lastingWAL has the last connection that closes leave an empty -wal, which SQLite
// would delete. So one that is missing was lost, and with it what was not moved to
// the main file yet: noticing that costs a look when the database is opened, and
// nothing for what is written.
type lastingWAL struct{ driver.Connector }

// Connect implements driver.Connector.
func (c lastingWAL) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	if f, ok := conn.(interface {
		FileControlPersistWAL(db string, mode int) (int, error)
	}); ok {
		if _, err := f.FileControlPersistWAL("main", 1); err != nil {
			_ = conn.Close()
			return nil, err
		}
	}
	return conn, nil
}

// lostWAL tells that the -wal of a database is missing. The caller holds the guard.
func lostWAL(path string) bool {
	if exists(path + "-wal") {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, headerSize)
	_, err = io.ReadFull(f, head)
	return err == nil && binary.BigEndian.Uint32(head[68:]) == applicationID
}
