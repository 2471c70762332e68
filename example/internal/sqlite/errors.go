package sqlite

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"
)

// usable finds out what SQLite would only call "unable to open": whether files can be made beside the database, which
// its log needs, and whether the database is a file.
func usable(path string) error {
	dir := filepath.Dir(path)
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("the database %s is not a file: name another place", path)
	}
	probe, err := os.CreateTemp(dir, probePattern)
	if err != nil {
		return fmt.Errorf("the data directory %s cannot be written: give the program's user the right to, or name another one: %w", dir, err)
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// explain says what to do about an error of the database called name.
func explain(err error, name string) error {
	var answer *sqlite.Error
	if !errors.As(err, &answer) {
		return fmt.Errorf("database %s: %w", name, err)
	}
	advice := ""
	switch answer.Code() & 0xFF { // the rest of the number is detail
	case codes.SQLITE_NOTADB:
		advice = "this is not a database file: name another place, or move the file away"
	case codes.SQLITE_CORRUPT:
		advice = "the file is damaged: restore a backup"
	case codes.SQLITE_BUSY, codes.SQLITE_LOCKED:
		advice = "another program holds the file: stop that program, or wait until it is done"
	case codes.SQLITE_READONLY, codes.SQLITE_PERM, codes.SQLITE_CANTOPEN, codes.SQLITE_AUTH:
		advice = "the file cannot be opened for writing: give the program's user the right to"
	case codes.SQLITE_FULL:
		advice = "the disk is full"
	default:
		return fmt.Errorf("database %s: %w", name, err)
	}
	return fmt.Errorf("database %s: %s (%w)", name, advice, err)
}
