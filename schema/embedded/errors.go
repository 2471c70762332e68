package embedded

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"
)

// usable returns the cause of the error that SQLite only describes as "unable to open": whether files can be created
// next to the database, which the write-ahead log needs, and whether the database is a regular file.
func usable(path string) error {
	dir := filepath.Dir(path)
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("the database %s is not a file: name another place", path)
	}
	probe, err := os.CreateTemp(dir, probePattern)
	if errors.Is(err, syscall.ENOSPC) {
		return nil // the file exists and can be read
	}
	if err != nil {
		return fmt.Errorf("the directory %s cannot be written: give the program's user the right to, or name another one: %w", dir,
			err)
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// noRoom reports whether a file cannot be opened because the disk is full. SQLite returns different
// errors if it cannot create the index of its write-ahead log.
func noRoom(err error) bool {
	return is(err, codes.SQLITE_FULL, codes.SQLITE_IOERR, codes.SQLITE_CANTOPEN, codes.SQLITE_PROTOCOL)
}

// CannotWrite reports whether an error means that the database cannot be written at present, for example because the
// disk is full.
func CannotWrite(err error) bool {
	return is(err, codes.SQLITE_FULL, codes.SQLITE_READONLY, codes.SQLITE_IOERR)
}

// Explain adds to an error of the database at a path what to do about it: for example if the file is damaged, the disk
// is full or another program has locked the file. Errors of Open have this already.
func Explain(err error, path string) error {
	var answer *sqlite.Error
	if !errors.As(err, &answer) {
		return fmt.Errorf("database %s: %w", path, err)
	}
	advice := ""
	switch answer.Code() & 0xFF { // the other bits are details
	case codes.SQLITE_NOTADB:
		advice = "this is not a database file, or its beginning is damaged: restore a backup, name another place, or move the file away"
	case codes.SQLITE_CORRUPT:
		advice = "the file is damaged: stop the program, keep a copy of the file with its -wal file, and restore a backup, or save what " +
			"can be read with 'sqlite3 " + path + " .recover'"
	case codes.SQLITE_BUSY, codes.SQLITE_LOCKED:
		advice = "another program has locked the file: stop that program, or wait until it has finished"
	case codes.SQLITE_READONLY, codes.SQLITE_PERM, codes.SQLITE_CANTOPEN, codes.SQLITE_AUTH:
		advice = "the file cannot be opened for writing: give the program's user the right to"
	case codes.SQLITE_FULL:
		advice = "the disk is full: free some space and start again"
	default:
		return fmt.Errorf("database %s: %w", path, err)
	}
	return advised{fmt.Errorf("database %s: %s (%w)", path, advice, err)}
}

// advised is an error to which Explain has been applied.
type advised struct{ error }

func (a advised) Unwrap() error { return a.error }

// Explainable reports whether an error is one of SQLite to which Explain has not been applied.
func Explainable(err error) bool {
	var answer *sqlite.Error
	return errors.As(err, &answer) && !errors.As(err, new(advised))
}
