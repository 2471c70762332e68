package embedded

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"

	"github.com/uptrace/bun"
	"modernc.org/sqlite"
)

// Offsets in the header of a file at which it says whether it is in WAL mode (2) or not (1). A snapshot never is.
const (
	writeMode = 18
	readMode  = 19
)

// Snapshot returns the content of a database that Open opened, at one point in time, as the bytes of a file. It is for
// backups while the database is in use, and for tests, which prepare a database once and start each test with
// OpenSnapshot.
func Snapshot(ctx context.Context, db *bun.DB) (data []byte, err error) {
	conn, err := db.DB.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	err = conn.Raw(func(c any) error {
		source, ok := c.(interface{ Serialize() ([]byte, error) })
		if !ok {
			return errNotOurs(c)
		}
		data, err = source.Serialize()
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(data) > readMode {
		data[writeMode], data[readMode] = 1, 1
	}
	return data, nil
}

// OpenSnapshot returns a new database in memory, like Open with Memory, with the content of a snapshot. Changes of the
// database do not affect the snapshot, so it can be opened several times.
func OpenSnapshot(ctx context.Context, snapshot []byte) (*bun.DB, error) {
	return openMemory(ctx, func(location string) error {
		from, err := connector(":memory:").Connect(ctx)
		if err != nil {
			return err
		}
		return errors.Join(restore(from, snapshot, location), from.Close())
	})
}

// restore copies a snapshot to the database at a location. The connection from must not be used for anything else.
func restore(from driver.Conn, snapshot []byte, location string) error {
	source, ok := from.(interface{ Deserialize(content []byte) error })
	if !ok {
		return errNotOurs(from)
	}
	if err := source.Deserialize(snapshot); err != nil {
		return err
	}
	return copyPages(from, location)
}

// copyPages copies the database of a connection to the one at a location, page by page. Collations of its indexes need
// not be registered.
func copyPages(from any, location string) error {
	source, ok := from.(interface {
		NewBackup(to string) (*sqlite.Backup, error)
	})
	if !ok {
		return errNotOurs(from)
	}
	backup, err := source.NewBackup(location)
	if err != nil {
		return err
	}
	_, err = backup.Step(-1) // all pages
	return errors.Join(err, backup.Finish())
}

func errNotOurs(conn any) error { return fmt.Errorf("a %T is not a connection of this package", conn) }
