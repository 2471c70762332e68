// Package schema describes the tables of a WordPress site with The Events Calendar: models for bun, the names that are
// stored in them, the table prefix, and operations on the tables themselves.
//
//	db, err := schema.Bind(db, "wp_")                 // models now name the tables of this site
//	report, err := schema.Check(ctx, db, "wp_")       // what a shared database lacks; changes nothing
//	err = schema.Install(ctx, db, "wp_")              // a new site: creates what is missing
//	n, err := schema.Backfill(ctx, db, "wp_", schema.DefaultNames()) // optional: fills tec_events and tec_occurrences
//
// The database is MySQL, MariaDB or SQLite, according to the dialect of the *bun.DB. SQLite needs the collation site_ci
// ([Collation]); open such a database with package schema/embedded, which is a module of its own.
//
// # Dates
//
// In Go, dates are strings in the format "2006-01-02 15:04:05", because the zero date is an ordinary value in these
// tables. A driver that parses times (parseTime=true) converts dates before bun reads them. So a query that has to work
// with any DSN selects a DATETIME column as CAST(… AS CHAR).
package schema

// Version is the version of the tables that Install creates. SQLite files store it in PRAGMA user_version. Files of
// version 1 have no columns for recurring events. A program that knows only version 1 rejects newer files, since it
// would replace the several rows of a recurring event by one.
const Version = 2

// Collation is the name of the collation of text columns on SQLite. It ignores case and accents.
const Collation = "site_ci"
