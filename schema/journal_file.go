package schema

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"github.com/uptrace/bun"
)

// JournalDB is the database that contains the tables of a site's journal.
type JournalDB struct {
	DB   *bun.DB // bound to the site's table prefix
	file string  // the separate SQLite file; "" if the tables are in the site's database
}

// journalSuffix is appended to the name of an SQLite file for the name of its journal.
const journalSuffix = ".changes"

// OpenJournal opens the database that contains the tables of a site's journal: the site's own database, or a separate
// file on SQLite. If the file does not exist, it is created if create is set, or else OpenJournal returns nil.
// OpenJournal does not check whether the tables exist. An SQLite database in memory contains the tables itself, since
// it ends with its pool.
func OpenJournal(ctx context.Context, db *bun.DB, prefix string, create bool) (*JournalDB, error) {
	bound, err := Bind(db, prefix)
	if err != nil || !isSQLite(db) {
		return &JournalDB{DB: bound}, err
	}
	main, err := mainFile(ctx, bound)
	if err != nil || main == "" {
		return &JournalDB{DB: bound}, err
	}
	file := main + journalSuffix
	if create {
		err = makePrivate(file)
	} else if _, err = os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	pool := sql.OpenDB(&connector{db.Driver(), "file:" + (&url.URL{Path: filepath.ToSlash(file)}).EscapedPath() + "?" + url.Values{
		"_pragma": {"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(NORMAL)", "temp_store(MEMORY)"}, "_txlock": {"immediate"},
	}.Encode()})
	pool.SetMaxOpenConns(4)
	bound, err = Bind(bun.NewDB(pool, db.Dialect()), prefix)
	return &JournalDB{DB: bound, file: file}, err
}

// InMemory reports whether a database is an SQLite database in memory.
func InMemory(ctx context.Context, db *bun.DB) (bool, error) {
	if !isSQLite(db) {
		return false, nil
	}
	file, err := mainFile(ctx, db)
	return file == "", err
}

// mainFile returns the path of an SQLite database, "" for one in memory.
func mainFile(ctx context.Context, db *bun.DB) (file string, err error) {
	err = db.NewRaw("SELECT file FROM pragma_database_list WHERE name = 'main'").Scan(ctx, &file)
	return file, err
}

// makePrivate creates a file that only its owner can read and write, unless it exists. An existing file is not opened,
// because closing it would release the locks that SQLite holds on it in this process (POSIX advisory locks).
func makePrivate(file string) error {
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// Separate reports whether the tables are in a separate file.
func (j *JournalDB) Separate() bool { return j.file != "" }

// Close closes the separate file, if there is one.
func (j *JournalDB) Close() error {
	if j.file == "" {
		return nil
	}
	return j.DB.Close()
}

// removeFile removes the separate file, which has to be closed.
func (j *JournalDB) removeFile() error {
	if j.file == "" {
		return nil
	}
	var errs []error
	for _, name := range []string{j.file, j.file + "-wal", j.file + "-shm"} {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// connector connects to a data source with the driver of another pool.
type connector struct {
	driver  driver.Driver
	address string
}

func (c *connector) Connect(ctx context.Context) (driver.Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return c.driver.Open(c.address)
}

func (c *connector) Driver() driver.Driver { return c.driver }
