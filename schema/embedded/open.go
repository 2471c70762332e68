package embedded

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/sqlitedialect"

	"github.com/agendahq/agenda/schema/embedded/internal/collation"
	"github.com/agendahq/agenda/schema/embedded/internal/statements"
)

// Memory is the path that stands for a database in memory, which exists as long as its pool.
const Memory = ":memory:"

// lockTimeout is how long a statement waits for another connection's write transaction.
const lockTimeout = 10 * time.Second

// checkpointPages is the size of the write-ahead log, in pages of 4 KB, from which a commit copies it to the file and
// waits for the disk. SQLite's default of 1000 is about what an import of 64 events writes, so that each of its
// transactions would wait; the same pages are often written by the next one.
const checkpointPages = "4000"

// memoryCount makes the names of databases in memory unique.
var memoryCount atomic.Int64

// Open opens the database in a file. If the file or its directory does not exist, Open creates it, accessible only to
// the current user. The files of the write-ahead log get the mode of the database. With Memory as the path, Open
// creates an empty database that is shared by all connections of the pool and exists until the pool is closed.
//
// Open creates no tables in a new file; schema.Install does. It returns an error for a file that was created by another
// program or by a newer version of this package. It updates a file of an older version, and leaves a copy of the
// original, whose name is that of the file followed by ".backup-" and the date. Errors say what to do. Several
// processes may open the same file.
func Open(ctx context.Context, path string) (*bun.DB, error) {
	return OpenLogged(ctx, path, slog.New(slog.DiscardHandler))
}

// OpenLogged is like Open, and logs if it has updated a file, with the name of the copy.
func OpenLogged(ctx context.Context, path string, log *slog.Logger) (*bun.DB, error) {
	switch path {
	case Memory:
		return openMemory(ctx, nil)
	case "":
		return nil, errors.New("the database needs a path (or " + Memory + " for one that is not kept)")
	}
	return openFile(ctx, path, lockTimeout, log)
}

func openFile(ctx context.Context, path string, wait time.Duration, log *slog.Logger) (*bun.DB, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("the directory of the database cannot be created: %w", err)
	}
	if err := usable(path); err != nil {
		return nil, err
	}
	if err := makeFile(path); err != nil {
		return nil, fmt.Errorf("the database %s cannot be created: %w", path, err)
	}
	query := pragmas(wait, "journal_mode(WAL)", "synchronous(NORMAL)", "wal_autocheckpoint("+checkpointPages+")")
	db, err := openAt(ctx, location(path), query, path, log)
	if err == nil || !noRoom(err) {
		return db, err
	}
	// The index of the write-ahead log is a separate file, for which there is no space on a full disk. With this option
	// it is in the memory of the process, which locks the database exclusively. That is sufficient for reads, and
	// writes work as soon as there is space.
	query.Set("vfs", "unix-excl")
	db, alone := openAt(ctx, location(path), query, path, log)
	if alone != nil {
		return nil, err
	}
	return db, nil
}

// making is held while a file is created, because closing a file releases the locks that SQLite holds on it for this
// process.
var making sync.Mutex

// makeFile creates an empty file, which is a valid new database, accessible only to the current user, unless it exists.
// SQLite itself would make it readable for everybody.
func makeFile(path string) error {
	making.Lock()
	defer making.Unlock()
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Chmod(0o600), f.Close())
}

// location returns the URI of a file. It is escaped, because ? and # would end the name.
func location(path string) string {
	return "file:" + (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath()
}

func openAt(ctx context.Context, location string, query url.Values, path string, log *slog.Logger) (*bun.DB, error) {
	connector := connector(location + "?" + query.Encode())
	// A pool closes a connection whose statement was interrupted. If it is the last one, SQLite removes the write-ahead
	// log and its index, which cannot be created again on a full disk. Therefore one connection stays open.
	anchor, err := connector.Connect(ctx)
	if err != nil {
		return nil, Explain(err, path)
	}
	if err := openLog(ctx, anchor); err != nil {
		return nil, errors.Join(Explain(err, path), anchor.Close())
	}
	return open(ctx, &anchored{Connector: connector, anchor: anchor}, path, log)
}

// openLog makes a connection open the write-ahead log of its database, which SQLite does at the first read.
func openLog(ctx context.Context, conn driver.Conn) error {
	rows, err := conn.(driver.QueryerContext).QueryContext(ctx, "SELECT count(*) FROM sqlite_schema", nil)
	if err != nil {
		return err
	}
	count := make([]driver.Value, 1)
	return errors.Join(rows.Next(count), rows.Close())
}

// openMemory uses SQLite's memdb file system and not its shared cache, whose locks have no timeout. Such a database
// exists until its last connection is closed, so one is kept open. If fill is not nil, it is called with the location
// of the database before the database is read.
func openMemory(ctx context.Context, fill func(location string) error) (*bun.DB, error) {
	location := fmt.Sprintf("file:/agenda-%d-%d", os.Getpid(), memoryCount.Add(1))
	query := pragmas(lockTimeout, "journal_mode(MEMORY)", "synchronous(OFF)")
	query.Set("vfs", "memdb")
	connector := connector(location + "?" + query.Encode())
	anchor, err := connector.Connect(ctx)
	if err != nil {
		return nil, Explain(err, Memory)
	}
	if fill != nil {
		if err := fill(location + "?vfs=memdb"); err != nil {
			return nil, errors.Join(Explain(err, Memory), anchor.Close())
		}
	}
	return open(ctx, &anchored{Connector: connector, anchor: anchor}, Memory, nil)
}

// pragmas returns the settings of each connection. Write transactions take their lock when they begin: if two of them
// began with a read, one would fail at its first write.
func pragmas(wait time.Duration, more ...string) url.Values {
	all := []string{fmt.Sprintf("busy_timeout(%d)", wait.Milliseconds()), "temp_store(MEMORY)"}
	return url.Values{"_pragma": append(all, more...), "_txlock": {"immediate"}}
}

// connector connects to the database at a location.
type connector string

func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	conn, err := collation.Driver().Open(string(c))
	if err != nil {
		return nil, err
	}
	return statements.Keep(conn)
}

func (connector) Driver() driver.Driver { return collation.Driver() }

// open creates the pool and reads the file. The pool is large enough for many readers, which do not wait for each
// other; writers wait in SQLite. A database in memory needs no write-ahead log.
func open(ctx context.Context, connector driver.Connector, name string, log *slog.Logger) (*bun.DB, error) {
	pool := sql.OpenDB(connector)
	size := max(8, 2*runtime.GOMAXPROCS(0))
	pool.SetMaxOpenConns(size)
	pool.SetMaxIdleConns(size)
	db := bun.NewDB(pool, sqlitedialect.New())
	if err := prepare(ctx, db, name, log); err != nil {
		_ = db.Close()
		return nil, Explain(err, name)
	}
	return db, nil
}

// anchored keeps one connection open until the pool is closed.
type anchored struct {
	driver.Connector
	anchor driver.Conn
}

// Close closes the anchor. The pool calls it when it is closed itself.
func (a *anchored) Close() error { return a.anchor.Close() }
