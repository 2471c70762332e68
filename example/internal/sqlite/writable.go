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

// probeSize is what a probe writes next to the database: more than a file system keeps without taking a block.
const probeSize = 16 << 10

// Writable returns nil if the database can be written, and what is in the way otherwise, such as a full disk. Nothing
// of what it tries stays, and the connection goes back to its pool as it was: if it was the last one, SQLite would
// remove the log and its index, for which a full disk has no room again.
func Writable(ctx context.Context, db *bun.DB) (err error) {
	conn, err := db.DB.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	var wait int64
	if err := conn.QueryRowContext(ctx, "PRAGMA busy_timeout").Scan(&wait); err != nil {
		return err
	}
	var number, name, file string
	if err := conn.QueryRowContext(ctx, "PRAGMA database_list").Scan(&number, &name, &file); err != nil {
		return err
	}
	defer restore(ctx, conn, wait)
	if _, err := conn.ExecContext(ctx, busyTimeout(probeWait.Milliseconds())); err != nil {
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

func busyTimeout(milliseconds int64) string {
	return fmt.Sprintf("PRAGMA busy_timeout = %d", milliseconds)
}

// restore gives a connection the waiting time that other users of the pool expect. One that does
// not take it is thrown away.
func restore(ctx context.Context, conn *sql.Conn, wait int64) {
	ctx = context.WithoutCancel(ctx)
	_, _ = conn.ExecContext(ctx, "ROLLBACK") // fails where there is nothing to undo, as it should
	if _, err := conn.ExecContext(ctx, busyTimeout(wait)); err != nil {
		_ = conn.Raw(func(any) error { return driver.ErrBadConn })
	}
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

// probeFile finds out whether the disk has room next to the file, for its log. The file itself must not be opened here:
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
