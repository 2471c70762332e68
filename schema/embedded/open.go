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

// Memory is the path of a database in memory that exists as long as its pool.
const Memory = ":memory:"

// lockTimeout is how long a statement waits for another connection's write transaction.
const lockTimeout = 10 * time.Second

// memoryCount numbers the databases in memory, whose names must differ.
var memoryCount atomic.Int64

// Open opens the database in a file, and makes the file and its directory, accessible to the user alone, if they do not
// exist. The files of its log have the mode of the database. Memory as the path gives a new, empty database that all
// connections of the pool share and that ends with it.
//
// Open makes no tables in a new file; schema.Install does. It returns an error for a file that another program made, or
// a newer version of this package. One of an older version it updates, and leaves a copy of it as it was, named as the file
// with ".backup-" and the date after it. Its errors say what to do. Several processes may open one file.
func Open(ctx context.Context, path string) (*bun.DB, error) {
	return OpenLogged(ctx, path, slog.New(slog.DiscardHandler))
}

// OpenLogged is Open that says in a log that it has updated a file, and where the copy of it is.
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
	query := pragmas(wait, "journal_mode(WAL)", "synchronous(NORMAL)")
	db, err := openAt(ctx, location(path), query, path, log)
	if err == nil || !noRoom(err) {
		return db, err
	}
	// The index of the log is a separate file, for which a full disk has no room. With this option it is in the memory of the process,
	// which locks the database exclusively. That is enough for reads, and writes work as soon as there is room.
	query.Set("vfs", "unix-excl")
	db, alone := openAt(ctx, location(path), query, path, log)
	if alone != nil {
		return nil, err
	}
	return db, nil
}

// making is held while a file is made: closing a file releases the locks that SQLite has on it for the process.
var making sync.Mutex

// makeFile makes an empty file, which is a new database, for the user alone if there is none. SQLite itself would make it
// readable for everybody.
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

// location returns the address of a file, escaped, since ? and # would end the name.
func location(path string) string {
	return "file:" + (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath()
}

func openAt(ctx context.Context, location string, query url.Values, path string, log *slog.Logger) (*bun.DB, error) {
	connector := connector(location + "?" + query.Encode())
	// A pool closes a connection whose statement was interrupted. If that is its last one, SQLite removes the log and its index, which
	// cannot be made again on a full disk.
	anchor, err := connector.Connect(ctx)
	if err != nil {
		return nil, Explain(err, path)
	}
	if err := openLog(ctx, anchor); err != nil {
		return nil, errors.Join(Explain(err, path), anchor.Close())
	}
	return open(ctx, &anchored{Connector: connector, anchor: anchor}, path, log)
}

// openLog makes a connection open the log of its database, which it does at its first read.
func openLog(ctx context.Context, conn driver.Conn) error {
	rows, err := conn.(driver.QueryerContext).QueryContext(ctx, "SELECT count(*) FROM sqlite_schema", nil)
	if err != nil {
		return err
	}
	count := make([]driver.Value, 1)
	return errors.Join(rows.Next(count), rows.Close())
}

// openMemory uses SQLite's shared file system in memory and not its shared cache, whose locks have no timeout. A
// database there ends with its last connection, so one is kept open. Unless it is nil, fill is called with the address of
// the database before it is read.
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

// pragmas returns what every connection sets. Write transactions take their lock at once: if two began with a read, one
// of them would fail at its first write.
func pragmas(wait time.Duration, more ...string) url.Values {
	all := []string{fmt.Sprintf("busy_timeout(%d)", wait.Milliseconds()), "temp_store(MEMORY)"}
	return url.Values{"_pragma": append(all, more...), "_txlock": {"immediate"}}
}

// connector connects to the database at an address.
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

// open makes the pool and reads the file. The pool is large enough for many readers, which do not wait for each
// other; writers queue in SQLite. A database in memory needs no log.
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

// Close ends the connection; the pool calls it when it is closed itself.
func (a *anchored) Close() error { return a.anchor.Close() }
