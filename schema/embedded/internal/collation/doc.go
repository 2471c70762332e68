// Package collation gives SQLite the text order of the site: two texts are equal, and sorted, exactly as under MariaDB's
// utf8mb4_unicode_520_ci, and LIKE follows the same rules for one character at a time.
package collation
