// Package collation makes SQLite compare and sort strings exactly like MariaDB with utf8mb4_unicode_520_ci. LIKE
// follows the same rules for one character at a time.
package collation
