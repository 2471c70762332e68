package embedded

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

// probeWait is how long a probe waits for another writer. If a writer has the lock for longer, the file can evidently
// be written.
const probeWait = 200 * time.Millisecond

// probePattern is the pattern for the names of the temporary files of probes, which are removed at once.
const probePattern = ".agenda-*"

// probeSize is the number of bytes that a probe writes to a file next to the database: more than file systems store
// without allocating a block.
const probeSize = 16 << 10

// Writable returns nil if the database can be written, and the reason otherwise, such as a full disk. It leaves no
// changes, and returns the connection to its pool unchanged: closing the last one would make SQLite remove the
// write-ahead log and its index, which cannot be created again on a full disk.
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
	var file string
	if err := conn.QueryRowContext(ctx, "SELECT file FROM pragma_database_list WHERE name = 'main'").Scan(&file); err != nil {
		return err
	}
	defer resetTimeout(ctx, conn, wait)
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

// resetTimeout sets the busy timeout of a connection to that of the pool. If that fails, the connection
// is closed.
func resetTimeout(ctx context.Context, conn *sql.Conn, wait int64) {
	ctx = context.WithoutCancel(ctx)
	_, _ = conn.ExecContext(ctx, "ROLLBACK") // fails if there is no transaction, as it should
	if _, err := conn.ExecContext(ctx, busyTimeout(wait)); err != nil {
		_ = conn.Raw(func(any) error { return driver.ErrBadConn })
	}
}

// probeTable creates a table, so that a page is allocated, and rolls back, so that nothing is written to the disk.
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

// probeFile checks that the disk has space for the write-ahead log next to the file. The file itself must not be opened
// here: closing it would release the locks that SQLite holds on it for this process.
func probeFile(file string) error {
	probe, err := os.CreateTemp(filepath.Dir(file), probePattern)
	if err != nil {
		return err
	}
	_, err = probe.Write(make([]byte, probeSize))
	return errors.Join(err, probe.Close(), os.Remove(probe.Name()))
}

// is reports whether an error is one of SQLite with one of these primary codes.
func is(err error, any ...int) bool {
	var answer *sqlite.Error
	return errors.As(err, &answer) && slices.Contains(any, answer.Code()&0xFF)
}
