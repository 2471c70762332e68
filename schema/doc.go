// Package schema describes the tables of a WordPress site that holds events: models for bun, the names that are stored
// in them, the table prefix, and what can be done to the tables themselves.
//
//	db, err := schema.Bind(db, "wp_")                 // models now name the tables of this site
//	report, err := schema.Check(ctx, db, "wp_")       // what a shared database lacks; changes nothing
//	err = schema.Install(ctx, db, "wp_")              // a new site: creates what is missing
//	n, err := schema.Backfill(ctx, db, "wp_", schema.DefaultNames()) // optional: fills the date tables
//
// The database is MySQL or MariaDB, or SQLite; which of them is read from the dialect of the *bun.DB. SQLite needs the
// collation site_ci ([Collation]), with which package schema/embedded opens a database; it is a module of its own.
//
// # Dates
//
// Dates are text in Go, "2006-01-02 15:04:05", because a zero date is an ordinary stored value here. A driver that
// parses times (parseTime=true) converts them before bun reads them, so a query that must work with any DSN selects a
// DATETIME column as CAST(… AS CHAR).
package schema

// Version numbers the tables that Install creates. SQLite files have it in PRAGMA user_version. Those of version 1 have no
// columns for events with several dates, and programs that know only these would write one row over several: they refuse
// newer files.
const Version = 2

// Collation is the name of the comparison of text columns on SQLite, by which case and accents do not count.
const Collation = "site_ci"
