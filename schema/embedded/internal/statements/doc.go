// Package statements keeps the statements of transactions prepared. SQLite parses and plans a statement each time that
// it is sent as text. Writes execute the same few statements with other values, thousands of times in an import.
package statements
