package cli

import (
	"context"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"
	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/schema"
	"github.com/agendahq/agenda/schema/embedded"
)

// Database contains the flags that select a command's database.
type Database struct {
	DSN        string // of a database server, or "" for the embedded database
	Prefix     string
	UserPrefix string // of the user tables, or "" to detect it: OpenSite sets it
	Data       string // directory of the embedded database, or embedded.Memory for one that is not stored
}

// FileName is the name of the embedded database in its directory.
const FileName = "agenda.db"

// DefaultData is the default directory of the embedded database.
const DefaultData = "agenda-data"

// Flags adds the flags.
func (d *Database) Flags(f *pflag.FlagSet) {
	f.StringVar(&d.DSN, "dsn", "", "MySQL or MariaDB database of the site, user:password@tcp(host:3306)/name (default: the embedded one)")
	f.StringVar(&d.Prefix, "prefix", schema.DefaultPrefix, PrefixUsage)
	f.StringVar(&d.UserPrefix, "users-prefix", "",
		"With --dsn: table prefix of the users (default: that of --prefix, on a network that of its first site)")
	f.StringVar(&d.Data, "data", DefaultData,
		"Directory of the embedded database, :memory: for one that is not kept (default ./agenda-data)")
}

// PrefixUsage describes the flag --prefix.
const PrefixUsage = "Table prefix (default " + schema.DefaultPrefix + ")"

// File returns the file of the embedded database.
func (d *Database) File() string {
	if d.Data == embedded.Memory {
		return d.Data
	}
	return filepath.Join(d.Data, FileName)
}

// Tables returns the prefixes of the site's tables.
func (d *Database) Tables() schema.SiteTables {
	return schema.SiteTables{Prefix: d.Prefix, UserPrefix: d.UserPrefix}
}

// CheckPrefix returns an error unless the prefixes are valid in names of tables.
func (d *Database) CheckPrefix() error {
	switch {
	case !schema.ValidPrefix(d.Prefix):
		return Usagef("--prefix %q: use 1 to 32 letters, digits or underscores", d.Prefix)
	case d.UserPrefix != "" && !schema.ValidPrefix(d.UserPrefix):
		return Usagef("--users-prefix %q: use 1 to 32 letters, digits or underscores", d.UserPrefix)
	case d.UserPrefix != "" && d.DSN == "":
		return Usagef("--users-prefix goes with --dsn: the embedded database has its users next to its items")
	}
	return nil
}

// Open opens an existing database, whatever its content.
func (d *Database) Open(ctx context.Context) (*bun.DB, error) {
	if err := d.CheckPrefix(); err != nil {
		return nil, err
	}
	if d.DSN != "" {
		return OpenMySQL(ctx, d.DSN, MySQL{})
	}
	if d.Data == embedded.Memory {
		return nil, Usagef("--data :memory: is always empty: name a directory, or a database with --dsn")
	}
	if _, err := os.Stat(d.File()); err != nil {
		return nil, Usagef("there is no database %s: start the server once, or name another with --data or --dsn", d.File())
	}
	db, err := embedded.Open(ctx, d.File())
	if err != nil {
		return nil, Usagef("--data %s: %w", d.Data, err)
	}
	return db, nil
}

// OpenSite opens a database that contains a site.
func (d *Database) OpenSite(ctx context.Context) (*bun.DB, error) {
	db, err := d.Open(ctx)
	if err != nil {
		return nil, err
	}
	report, err := schema.CheckSite(ctx, db, d.Tables())
	if err == nil {
		err = report.Err()
	}
	if err != nil {
		_ = db.Close()
		return nil, Usage(err)
	}
	if d.DSN != "" {
		d.UserPrefix = report.UserPrefix
	}
	return db, nil
}
