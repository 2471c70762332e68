// Package embedded opens a calendar's database in a file or in memory, without a server. It is SQLite, compiled into
// the program, in a module of its own, so that hosts with a database server do not depend on it.
//
//	db, err := embedded.Open(ctx, "agenda.db")
//	err = schema.Install(ctx, db, schema.DefaultPrefix) // makes what is missing
//	events, err := calendar.New(ctx, calendar.Options{DB: db})
//
// Text columns are declared COLLATE site_ci (schema.Collation). Under it two texts are equal, and sorted, exactly as
// under MariaDB's utf8mb4_unicode_520_ci: letter case, accents, width and trailing spaces do not count. LIKE follows
// the same rules for one character at a time, so 'ß' = 'ss' holds while LIKE '%ss%' does not find 'ß', as on MariaDB. A
// collation belongs to a column: LOWER(title), COALESCE(title, name) and other expressions compare by bytes.
//
// The collation and LIKE belong to the connections of this package: other uses of SQLite in the process keep SQLite's
// own. So does the program sqlite3, which cannot compare texts of such a file, nor write them.
package embedded
