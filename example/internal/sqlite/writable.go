package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/uptrace/bun"
	"modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"
)

// probeWait is how long a probe waits for a writer. One that holds the lock for longer proves that the file can be
// written.
const probeWait = 200 * time.Millisecond

// probePattern names the files that are made to find out whether they can be, and removed at once.
const probePattern = ".agenda-*"

// probeSize is what a probe writes beside the database: more than a file system keeps without taking a block.
const probeSize = 16 << 10

// Writable returns nil if the database can be written, and what is in the way otherwise, such as a full disk. Nothing
// of what it tries stays.
func Writable(ctx context.Context, db *bun.DB) (err error) {
	conn, err := db.DB.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() {
		// Other users of the pool expect the usual waiting time, so the connection is not given back.
		_ = conn.Raw(func(any) error { return driver.ErrBadConn })
		_ = conn.Close()
	}()
	var number, name, file string
	if err := conn.QueryRowContext(ctx, "PRAGMA database_list").Scan(&number, &name, &file); err != nil {
		return err
	}
	if _, err := conn.ExecContext(ctx, fmt.Sprintf("PRAGMA busy_timeout = %d", probeWait.Milliseconds())); err != nil {
		return err
	}
	err = probeTable(ctx, conn)
	if is(err, codes.SQLITE_BUSY, codes.SQLITE_LOCKED) {
		err = nil
	}
	if err != nil || file == "" { // in memory
		return err
	}
	return probeFile(file)
}

// probeTable takes a page for a new table and gives it back: a transaction that is rolled back never gets to the disk.
func probeTable(ctx context.Context, conn *sql.Conn) error {
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	_, err := conn.ExecContext(ctx, "CREATE TABLE agenda_probe (n INTEGER)")
	_, end := conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
	if err != nil {
		return err
	}
	return end
}

// probeFile finds out whether the disk has room beside the file, for its log. The file itself must not be opened here:
// closing it again would drop the locks that SQLite holds on it for the process.
func probeFile(file string) error {
	probe, err := os.CreateTemp(filepath.Dir(file), probePattern)
	if err != nil {
		return err
	}
	_, err = probe.Write(make([]byte, probeSize))
	return errors.Join(err, probe.Close(), os.Remove(probe.Name()))
}

// is reports whether an error is an answer of SQLite with one of these codes, whatever its detail.
func is(err error, any ...int) bool {
	var answer *sqlite.Error
	return errors.As(err, &answer) && slices.Contains(any, answer.Code()&0xFF)
}
