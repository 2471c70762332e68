package versions

import (
	"context"
	"os"
	"strconv"
	"time"

	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/store/scan"
	"github.com/agendahq/agenda/internal/store/stmtcount"
)

// sqliteVersions reads a value that differs after each commit to a SQLite database: the header of the index of its log
// or, if that cannot be read, the data_version of the connection, which changes with each commit of others.
type sqliteVersions struct {
	poller
	found   int // number of the connection for which the following fields are valid
	path    string
	file    os.FileInfo
	index   *walIndex       // nil if it cannot be read
	version string          // of the last poll
	columns string          // version of the tables' columns at that time
	last    change.Versions // of that poll
}

// Versions opens another connection if the database's file was replaced, because the old one would continue to use the
// file that it opened.
func (v *sqliteVersions) Versions(ctx context.Context) (found change.Versions, err error) {
	ctx = stmtcount.Without(ctx)
	if v.conn != nil && v.path != "" {
		if now, err := os.Stat(v.path); err != nil || !os.SameFile(now, v.file) {
			v.Release()
		}
	}
	give, err := v.takeTurn(ctx)
	if err != nil {
		return found, err
	}
	defer give()
	if v.found != v.opened {
		v.columns, v.index = "", nil
		if err := v.find(ctx); err != nil {
			return found, err
		}
		v.found = v.opened
	}
	version, known := v.index.version()
	if !known {
		if err := v.conn.Conn.QueryRowContext(ctx, prefix+"PRAGMA data_version").Scan(&version); err != nil {
			return found, err
		}
	}
	if v.columns == "" || version != v.version {
		if err := v.conn.Conn.QueryRowContext(ctx, prefix+"PRAGMA schema_version").Scan(&v.columns); err != nil {
			return found, err
		}
		if v.version, v.last = version, v.versionsOf(version); known {
			v.last.Unchanged = v.unchangedSince(version)
		}
	}
	found = v.last
	found.Now = time.Now()
	return found, nil
}

// versionsOf returns the versions of all tables for a version of the database.
func (v *sqliteVersions) versionsOf(version string) change.Versions {
	all := change.Versions{
		Server: strconv.Itoa(v.opened), Tables: make([]change.Version, len(v.site.Tables)), Options: len(v.site.Tables) - 1,
		Exact: true, Columns: v.columns,
	}
	identity := all.Server + "/" + version // the numbers of another connection are unrelated
	for i := range all.Tables {
		all.Tables[i].Identity = identity
	}
	return all
}

// unchangedSince returns a function that reports whether the database still has a version of the index. It compares what
// Versions compares before it uses the connection, in two system calls. While the connection is open, SQLite keeps the
// file of the index. That is asked last: a connection that is open then was open when the index was read.
func (v *sqliteVersions) unchangedSince(version string) func() bool {
	path, file, index, open := v.path, v.file, v.index, v.open
	return func() bool {
		now, err := os.Stat(path)
		return err == nil && os.SameFile(now, file) && index.is(version) && open.Load()
	}
}

// Release also forgets the columns, which may differ in another file.
func (v *sqliteVersions) Release() {
	v.poller.Release()
	v.found, v.columns, v.index = 0, "", nil
}

// Pause leaves the connection to other clocks.
func (v *sqliteVersions) Pause() { v.leave(false, nothing) }

// find finds the database's file, if it has one, and the index of its log.
func (v *sqliteVersions) find(ctx context.Context) error {
	type row struct {
		Number int    `bun:"seq"`
		Name   string `bun:"name"`
		File   string `bun:"file"`
	}
	found, err := scan.First[row](v.conn.Conn.QueryContext(ctx, prefix+"PRAGMA database_list"))
	if v.path = found.File; err == nil && v.path != "" {
		v.file, err = os.Stat(v.path)
	}
	if err != nil || v.path == "" {
		return err
	}
	var mode string // this query also makes SQLite open the index
	if err := v.conn.Conn.QueryRowContext(ctx, prefix+"PRAGMA journal_mode").Scan(&mode); err != nil {
		return err
	}
	if mode == "wal" {
		v.index = openWALIndex(v.path)
	}
	return nil
}
