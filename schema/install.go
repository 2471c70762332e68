package schema

import (
	"context"
	"database/sql/driver"
	"fmt"
	"slices"
	"time"

	"github.com/uptrace/bun"
)

// Install creates what a site of one's own needs and lacks: the tables with their indexes, the roles, and the
// necessary settings. Existing tables and options are not changed, so it may run at every start and completes an
// interrupted installation. It adds no index to existing tables, and no column but to those of an SQLite file of an older
// version: see Upgrade.
//
// A site that it makes from nothing is our own: it gets OptionOwn, the columns for events with several dates, and the journal
// (see InstallJournal), which others of our own get too.
//
// On MySQL and MariaDB it works under any sql_mode: it pins one connection, sets the mode that zero dates need and
// restores it. On SQLite it is one transaction; it fails if a newer version of this package made the file.
//
// Do not run it on a database that belongs to another program, except to complete that program's site.
func Install(ctx context.Context, db *bun.DB, prefix string) error {
	return install(ctx, db, prefix, installing{original: true, journal: true})
}

// Upgrade brings the tables of all sites in an SQLite file up to Version, those of each site in one transaction: it is
// Install, and gives existing tables the columns for events with several dates. The file has the new version with the last
// of them, so that one that was interrupted is upgraded again.
func Upgrade(ctx context.Context, db *bun.DB, prefixes ...string) error {
	for i, prefix := range prefixes {
		if err := install(ctx, db, prefix, installing{original: true, more: i < len(prefixes)-1}); err != nil {
			return err
		}
	}
	return nil
}

// installing says what is installed.
type installing struct {
	original bool // a site, and no copy of one
	journal  bool // of a site of our own
	more     bool // the file has more sites of an older version
}

// InstallCopy is Install for a copy of a site, which is our own if the site is: it adds neither OptionOwn nor the columns.
func InstallCopy(ctx context.Context, db *bun.DB, prefix string) error {
	return install(ctx, db, prefix, installing{})
}

func install(ctx context.Context, db *bun.DB, prefix string, what installing) error {
	db, err := Bind(db, prefix)
	if err != nil {
		return err
	}
	var own, made bool
	err = withDefinitionMode(ctx, db, func(ctx context.Context, conn bun.IDB) error {
		if err := checkCollation(ctx, conn); err != nil {
			return err
		}
		version, err := fileVersion(ctx, conn)
		if err != nil {
			return err
		}
		if version > Version {
			return errNewer(version)
		}
		older := isSQLite(conn) && version < Version
		if own, made, err = isOwn(ctx, conn); err != nil {
			return err
		}
		own = own && what.original
		options, list := defaultOptions(prefix), tables
		if own {
			list = withDateColumns(tables)
		} else {
			options = slices.DeleteFunc(options, func(o *Option) bool { return o.Name == OptionOwn })
		}
		if err := createTables(ctx, conn, prefix, list, slices.Concat(requiredTables, optionalTables, ownTables)); err != nil {
			return err
		}
		if older && !what.more {
			if _, err := conn.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", Version)); err != nil {
				return err
			}
		}
		if older && version != 0 { // and no new file
			if err := addDateColumns(ctx, conn, prefix); err != nil {
				return err
			}
		}
		// Processes that install at the same time can deadlock.
		return repeated(func() error { return insertOptions(ctx, conn, options) })
	})
	if err == nil && own && what.journal {
		err = installOwnJournal(ctx, db, prefix, made)
	}
	if err != nil {
		return fmt.Errorf("schema: install: %w", err)
	}
	return nil
}

// createTables creates those of the named tables that do not exist.
func createTables(ctx context.Context, conn bun.IDB, prefix string, tables []table, names []string) error {
	absent, _, err := probe(ctx, conn, prefix, names)
	if err != nil {
		return err
	}
	for _, t := range tables {
		if !slices.Contains(absent, t.name) {
			continue
		}
		if err := createTable(ctx, conn, prefix, t); err != nil {
			return err
		}
	}
	return nil
}

func createTable(ctx context.Context, conn bun.IDB, prefix string, t table) error {
	statements := []string{createMySQL(t, prefix)}
	if isSQLite(conn) {
		statements = createSQLite(t, prefix)
	}
	for _, statement := range statements {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("table %s%s: %w", prefix, t.name, err)
		}
	}
	return nil
}

// isOwn reports whether the site is marked as our own, or will be, since it is made now: nothing has been stored there, and no
// other software runs without options.
func isOwn(ctx context.Context, conn bun.IDB) (own, made bool, err error) {
	var options, marks int
	err = conn.NewSelect().Model((*Option)(nil)).ColumnExpr("COUNT(*)").
		ColumnExpr("COUNT(CASE WHEN option_name = ? THEN 1 END)", OptionOwn).Scan(ctx, &options, &marks)
	if err != nil {
		if absent, _ := tableError(err); absent {
			return true, true, nil
		}
	}
	return err == nil && (options == 0 || marks > 0), options == 0, err
}

// insertOptions adds the options whose names do not exist.
func insertOptions(ctx context.Context, conn bun.IDB, options []*Option) error {
	names := make([]string, len(options))
	for i, o := range options {
		names[i] = o.Name
	}
	var there []string
	err := conn.NewSelect().Model((*Option)(nil)).Column("option_name").Where("option_name IN (?)", bun.List(names)).Scan(ctx, &there)
	if err != nil {
		return err
	}
	missing := slices.DeleteFunc(options, func(o *Option) bool { return slices.Contains(there, o.Name) })
	if len(missing) == 0 {
		return nil
	}
	// Ignore: another process may have added some of them.
	_, err = conn.NewInsert().Model(&missing).ExcludeColumn("option_id").Ignore().Exec(ctx)
	return err
}

// fileVersion returns the version of an SQLite file, 0 for a new one; elsewhere 0.
func fileVersion(ctx context.Context, conn bun.IDB) (version int, err error) {
	if !isSQLite(conn) {
		return 0, nil
	}
	err = conn.NewRaw("PRAGMA user_version").Scan(ctx, &version)
	return version, err
}

func errNewer(version int) error {
	return fmt.Errorf("the file has schema version %d, this program knows %d: use a newer program", version, Version)
}

// withDefinitionMode runs fn where tables with zero dates can be created: on SQLite in a transaction, elsewhere on one
// connection with a fixed sql_mode.
func withDefinitionMode(ctx context.Context, db *bun.DB, fn func(context.Context, bun.IDB) error) error {
	if isSQLite(db) {
		return db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error { return fn(ctx, tx) })
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	var mode string
	if err := conn.NewRaw("SELECT @@SESSION.sql_mode").Scan(ctx, &mode); err != nil {
		return err
	}
	if _, err := conn.ExecContext(ctx, "SET SESSION sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'"); err != nil {
		return err
	}
	defer restoreMode(ctx, conn, mode)
	return fn(ctx, conn)
}

// restoreMode restores the mode even if ctx has ended. A connection on which that fails is closed, so that nobody else
// gets it.
func restoreMode(ctx context.Context, conn bun.Conn, mode string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if _, err := conn.ExecContext(ctx, "SET SESSION sql_mode = ?", mode); err != nil {
		_ = conn.Raw(func(any) error { return driver.ErrBadConn })
	}
}
