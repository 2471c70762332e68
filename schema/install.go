package schema

import (
	"context"
	"fmt"
	"slices"

	"github.com/uptrace/bun"
)

// Install creates whatever a new site still needs: the tables with their indexes, the roles and the necessary options.
// It does not change existing tables and options, so it can run at every start, and it completes an interrupted
// installation. It adds no indexes to existing tables, and columns only to those of an SQLite file of an older version:
// see Upgrade.
//
// A site that did not exist before is marked with OptionOwn as one that Agenda created. It gets the columns for
// recurring events. It also gets the journal (see InstallJournal), as do other sites with that mark.
//
// On MySQL and MariaDB, Install works with any sql_mode: on one connection it sets the mode that zero dates need, and
// restores it afterwards. On SQLite it is one transaction; it fails if the file is of a newer version.
//
// Do not run it on a database that belongs to another program, except to complete that program's site.
func Install(ctx context.Context, db *bun.DB, prefix string) error {
	return install(ctx, db, prefix, installing{original: true, journal: true})
}

// Upgrade brings the tables of all sites in an SQLite file to Version, each site in one transaction. It does what
// Install does and also adds the columns for recurring events to existing tables. The file gets the new version
// together with the last site, so an interrupted upgrade is repeated.
func Upgrade(ctx context.Context, db *bun.DB, prefixes ...string) error {
	for i, prefix := range prefixes {
		if err := install(ctx, db, prefix, installing{original: true, more: i < len(prefixes)-1}); err != nil {
			return err
		}
	}
	return nil
}

type installing struct {
	original bool // the site itself, not a copy of one
	journal  bool // also the journal, on a site that Agenda created
	more     bool // the file contains more sites of an older version
}

// InstallCopy is Install for a copy of a site. It does not mark the copy with OptionOwn and adds no columns for
// recurring events, since the copy gets both from the original.
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
		if err := createTables(ctx, conn, prefix, list...); err != nil {
			return err
		}
		if older && !what.more {
			if _, err := conn.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", Version)); err != nil {
				return err
			}
		}
		if older && version != 0 { // not a new file
			if err := addDateColumns(ctx, conn, prefix); err != nil {
				return err
			}
		}
		// Processes that install at the same time may deadlock.
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

// change runs fn, which changes the tables of a site. what is the subject of errors.
func change(ctx context.Context, db *bun.DB, prefix, what string, fn func(context.Context, bun.IDB) error) error {
	db, err := Bind(db, prefix)
	if err != nil {
		return err
	}
	if err := withDefinitionMode(ctx, db, fn); err != nil {
		return fmt.Errorf("schema: %s: %w", what, err)
	}
	return nil
}

// requireOptions returns an error if there is no site with the prefix.
func requireOptions(ctx context.Context, conn bun.IDB, prefix string) error {
	absent, denied, err := probe(ctx, conn, prefix, []string{"options"})
	if err == nil && len(absent)+len(denied) > 0 {
		err = fmt.Errorf("there is no table %soptions that can be read: is this the site's database and table prefix?", prefix)
	}
	return err
}

// createTables creates those of the tables that do not exist.
func createTables(ctx context.Context, conn bun.IDB, prefix string, tables ...table) error {
	absent, _, err := probe(ctx, conn, prefix, namesOf(tables))
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

// isOwn reports whether the site is marked as one that Agenda created, or will be because it does not exist yet (made):
// without options, no WordPress can be running.
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

// insertOptions inserts the options that do not exist.
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
	// IGNORE, since another process may have inserted some of them.
	_, err = conn.NewInsert().Model(&missing).ExcludeColumn("option_id").Ignore().Exec(ctx)
	return err
}

// fileVersion returns the version of an SQLite file, 0 for a new one and for other databases.
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

// withDefinitionMode runs fn in a mode in which tables with zero dates can be created: on SQLite in a transaction,
// otherwise on one connection with a suitable sql_mode.
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
	defer restoreSetting(ctx, conn, "SET SESSION sql_mode = ?", mode)
	return fn(ctx, conn)
}
