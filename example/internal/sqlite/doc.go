// Package sqlite opens the embedded database: one SQLite file that compares texts as MariaDB does.
//
// Text columns are declared COLLATE site_ci. Under it two texts are equal, and sorted, exactly as under MariaDB's utf8mb4_unicode_520_ci:
// letter case, accents, width and trailing spaces do not count. LIKE follows the same rules for one character at a time, so 'ß' = 'ss'
// holds while LIKE '%ss%' does not find 'ß', as on MariaDB.
//
// A collation belongs to a column: LOWER(title), COALESCE(title, name) and other expressions compare by bytes.
package sqlite
