package store

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/go-sql-driver/mysql"
)

// Fault is what kind of failure of the database an error is.
type Fault int

// Kinds of failures of a database.
const (
	NoFault Fault = iota // the error is another one: of a statement, of a value, of this program
	Passing              // the database takes no such statement at the moment, and will again
	TooSlow              // the server ended a statement at its limit of time
	Broken               // a table cannot be used, or the login: somebody has to see to it
)

// passing are the answers of a server in a state that passes.
var passing = []uint16{
	1040, 1203, 1226, // too many connections: of all, of the user; another limit of the user
	1041, 1135, 1021, 1114, // out of memory, of threads, of disk, a full table
	1047, 1053, 1927, 1317, // not ready in its cluster, shutting down, connection killed, statement killed
	1158, 1159, 1160, 1161, // the network between client and server
	1223, 1290, 1792, 1836, // locked for a backup, read-only in several ways
	3572, 4031, // a row that is locked by others, a connection that was idle for too long
}

// tooSlow are the answers for a statement that took longer than it may: on MariaDB, on MySQL.
var tooSlow = []uint16{1969, 3024}

// broken are the answers that stay as they are until somebody sees to it.
var broken = []uint16{
	1044, 1045, 1049, 1130, 1142, 1143, 1227, 1370, 1698, // rights, the login, the database
	1016, 1017, 1033, 1034, 1035, 1146, 1194, 1195, 1356, 1932, // a table is missing or damaged
	1030, // the storage engine; out of disk is told apart
}

// collisions are the answers after which a transaction can succeed when it is
// run again: deadlock, lock wait, a row that changed meanwhile, a node that left
// its cluster, a cluster that chose another writer, a key that someone else took.
var collisions = []uint16{1213, 1205, 1020, 1047, 1180, 1062}

// collided reports whether others were in the way.
func collided(number uint16) bool { return number != 1062 && slices.Contains(collisions, number) }

// FaultOf classifies an error.
func FaultOf(err error) Fault {
	var answer *mysql.MySQLError
	var local interface{ Code() int }
	switch {
	case err == nil:
		return NoFault
	case errors.As(err, &answer):
		return faultOfMySQL(answer)
	case lost(err):
		return Passing
	case noTable(err):
		return Broken
	case errors.As(err, &local):
		return faultOfSQLite(local.Code())
	case strings.Contains(err.Error(), "database is locked"):
		return Passing
	}
	return NoFault
}

func faultOfMySQL(answer *mysql.MySQLError) Fault {
	switch n := answer.Number; {
	case slices.Contains(passing, n), collided(n), strings.Contains(answer.Message, "No space left on device"):
		return Passing
	case slices.Contains(tooSlow, n):
		return TooSlow
	case slices.Contains(broken, n):
		return Broken
	}
	return NoFault
}

// passingIO are the details of an I/O error of SQLite that a disk without room, or a system without memory, causes and
// that end with it: what cannot be written, synchronised, cut, removed or made longer. The page of a file that is
// mapped into memory is one that the disk has no room for.
var passingIO = []int{
	3, 4, 5, 6, 10, // write, fsync, fsync of a directory, truncate, delete
	12, 15, 20, // memory, locks
	18, 19, 21, 24, // the shared memory of the log is opened, made larger, mapped; the file is mapped
	25, 29, 30, 31, // a place for temporary files, writes that are one to the file system
	34, // a page of mapped memory
}

// faultOfSQLite classifies a result code, whose lower byte says what it is and whose rest is the detail.
func faultOfSQLite(code int) Fault {
	const busy, locked, noMemory, readOnly, ioError, corrupt, full, cannotOpen, protocol, notADatabase = 5, 6, 7, 8, 10, 11, 13, 14, 15, 26
	switch code & 0xFF {
	case busy, locked, noMemory, readOnly, full, protocol:
		return Passing
	case ioError:
		if slices.Contains(passingIO, code>>8) {
			return Passing
		}
		return Broken
	case corrupt, cannotOpen, notADatabase:
		return Broken
	}
	return NoFault
}

// lost reports whether an error is one of the way to the database.
func lost(err error) bool {
	var network *net.OpError
	return errors.As(err, &network) || errors.Is(err, driver.ErrBadConn) || errors.Is(err, mysql.ErrInvalidConn) ||
		errors.Is(err, sql.ErrConnDone) || errors.Is(err, io.EOF)
}

// inTheWay reports whether a transaction failed because of others.
func inTheWay(err error) bool {
	var answer *mysql.MySQLError
	if errors.As(err, &answer) {
		return slices.Contains(collisions, answer.Number)
	}
	text := err.Error()
	return strings.Contains(text, "database is locked") || strings.Contains(text, "UNIQUE constraint failed")
}

// refused are the answers of a server to a value that a column does not take:
// out of range, a date that is none, characters that its character set lacks, a
// text that is too long.
var refused = []uint16{1264, 1292, 1366, 1406}

// Unstorable reports whether a column does not take a value of a write.
func Unstorable(err error) bool {
	var answer *mysql.MySQLError
	return errors.As(err, &answer) && slices.Contains(refused, answer.Number)
}

// unmatchable are the answers to a text that has characters which the character set
// of a column lacks, so that the two cannot be compared.
var unmatchable = []uint16{1267, 1270, 1271, 1366, 3854, 3988}

// UnlessUnmatchable drops the error of a search for a text that no column can hold:
// it finds nothing.
func UnlessUnmatchable(err error, searching bool) error {
	var answer *mysql.MySQLError
	if searching && errors.As(err, &answer) && slices.Contains(unmatchable, answer.Number) {
		return nil
	}
	return err
}
