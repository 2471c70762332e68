// Package dberr classifies the errors of databases: of the drivers, of the servers and of proxies in front of them.
package dberr

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

// Fault is the category of a database error.
type Fault int

// Categories of errors.
const (
	NoFault Fault = iota // none of the others: the statement, a value or this program is wrong
	Passing              // temporary: the statement can succeed later
	TooSlow              // the server ended a statement at its time limit
	Broken               // lasting: a table or the login is unusable until somebody repairs it
)

// passing are the numbers of temporary errors.
var passing = []uint16{
	1040, 1203, 1226, // too many connections: to the server, of the user; another limit of the user
	1041, 1135, 1021, 1114, // out of memory, of threads, of disk; a table is full
	1047, 1053, 1927, 1317, // not ready in its cluster, shutting down, connection killed, statement killed
	1043, 1152, 1158, 1159, 1160, 1161, 1184, // the network between client and server
	1077, 1078, 1079, 1080, // the server is shutting down
	2002, 2003, 2006, 2013, // sent by proxies that cannot reach a server, or lost the connection to it
	1223, 1290, 1792, 1836, // locked for a backup, read-only in several ways
	3032, 6400, 3168, 3169, // offline, with a reason or without; not available; a killed session
	3100,             // a member of a group that cannot commit
	3781, 3782, 3783, // a group member that has not caught up with the former primary
	3796, 3797, 3798, 3799, // a group member that cannot wait for the others, or is leaving
	3572, 4031, // a row locked by others, a connection that was idle for too long
}

// unknownError is the number of errors without a number of their own: proxies of several servers, such as vtgate of
// Vitess, use it for errors of the servers.
const unknownError = 1105

// passingOfProxies are substrings of the messages that such a proxy sends while the primary changes, or if it reaches
// none of its servers: all those of vtgate and vttablet whose code is UNAVAILABLE or CLUSTER_EVENT (17). The code itself
// is only in messages that one of them passes on from the other.
var passingOfProxies = []string{
	"code = unavailable", "code = code(17)",
	"is not serving", "not allowed in state not_serving", "not allowed in state shutting_down",
	"no healthy tablet", "no available tablet", "inconsistent state detected",
	"no available connection", "no connection for tablet", "connection closed", "vt14001", // VT14001: connection error
	"primary buffer is full", "request evicted for newer request", "before failover finished",
	"is being resharded", "after a resharding operation",
	"tx engine can't accept new connections", "tabletserver is shutdown", "server isn't available",
	"previous transaction failed", // after one of the others, until the transaction is rolled back
}

// rowCountExceeded is a substring of the message that such a proxy sends, with the number for a killed statement, if a
// result has more rows than it allows. Trying again would have the same result.
const rowCountExceeded = "row count exceeded"

// tooSlow are the error numbers for a statement at its time limit: of MariaDB, of MySQL.
var tooSlow = []uint16{1969, 3024}

// broken are the numbers of lasting errors.
var broken = []uint16{
	1044, 1045, 1049, 1130, 1142, 1143, 1227, 1370, 1698, // permissions, the login, the database
	1251, 3159, // a login method that this program does not support, a connection without TLS
	1016, 1017, 1033, 1034, 1035, 1146, 1194, 1195, 1356, 1932, // a table is missing or damaged
	1030, // the storage engine, except if the disk is full
}

// conflicts are the error numbers after which a transaction can succeed when it is retried: a deadlock, a lock wait
// timeout, a row that changed in the meantime, a node that left its cluster, a cluster or group that chose another
// writer, a duplicate key.
var conflicts = []uint16{1213, 1205, 1020, 1047, 1180, 3101, 1062}

// rolledBack are the conflicts after which the transaction can be retried immediately: a deadlock, a row that changed
// in the meantime, a failed certification in a group.
var rolledBack = []uint16{1213, 1020, 3101}

// Has reports whether a MySQL or MariaDB server, or a proxy, sent one of some error numbers.
func Has(err error, numbers ...uint16) bool {
	var answer *mysql.MySQLError
	return errors.As(err, &answer) && slices.Contains(numbers, answer.Number)
}

// isConflict reports whether a transaction failed because of another one.
func isConflict(number uint16) bool { return number != 1062 && slices.Contains(conflicts, number) }

// RolledBack reports whether a transaction was ended by another one and can be retried immediately.
func RolledBack(err error) bool { return Has(err, rolledBack...) }

// RolledBackByGroup reports whether a group rolled back a transaction at its commit: because of another transaction, or
// because the server left the group during the commit. In the latter case the other members may have committed it.
func RolledBackByGroup(err error) bool { return Has(err, 3101) }

// unknownAtCommit are the error numbers after which a commit may have succeeded: the server's group did not answer, a
// proxy sent an unknown error, or the statement was ended from outside, perhaps after its work was done. vtgate sends the
// number of a killed statement if a tablet does not answer in time.
var unknownAtCommit = []uint16{3100, unknownError, 1317, 1053, 1927, 3169}

// OutcomeUnknown reports whether a transaction may have been committed although its commit returned an error: that of a
// lost connection, or one of unknownAtCommit.
func OutcomeUnknown(err error) bool {
	return lost(err) || Has(err, unknownAtCommit...)
}

// CutOff reports whether a node was cut off from its cluster.
func CutOff(err error) bool { return Has(err, 1047) }

// ServerReadOnly reports whether a server accepts no writes from any client.
func ServerReadOnly(err error) bool { return Has(err, 1290, 1836) }

// IsLockWait reports whether a statement timed out waiting for a row that others lock.
func IsLockWait(err error) bool { return Has(err, 1205) }

// IsLocked reports whether a statement with NOWAIT found a row locked by others, by the error numbers of MariaDB and
// MySQL.
func IsLocked(err error) bool { return Has(err, 1205, 3572) }

// says reports whether the message of an error that is not MariaDB's or MySQL's contains one of the parts. SQLite tells
// conditions by messages for which the servers have numbers.
func says(err error, parts ...string) bool {
	var answer *mysql.MySQLError
	return err != nil && !errors.As(err, &answer) &&
		slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(err.Error(), part) })
}

// IsTaken reports whether a row was rejected because another one has its key.
func IsTaken(err error) bool { return Has(err, 1062) || says(err, "UNIQUE constraint failed") }

// IsDenied reports whether the account has no right to a table or column, or the table does not exist.
func IsDenied(err error) bool { return Has(err, 1044, 1142, 1143, 1146) }

// IsUnknown reports whether a statement names a table or column that does not exist.
func IsUnknown(err error) bool {
	return Has(err, 1054, 1146) || says(err, "no such table", "no such column", "has no column named")
}

// IsNoTable reports whether a statement failed because its table does not exist or the account has no right to it.
func IsNoTable(err error) bool { return Has(err, 1142, 1146) || says(err, "no such table") }

// IsSyntax reports whether a server does not understand a statement.
func IsSyntax(err error) bool { return Has(err, 1064) }

// ErrTooLong means that a transaction took so long that its commit could stay unnoticed by the trackers of other
// processes: see change.Tracker.
var ErrTooLong = errors.New("store: the transaction took too long")

// FaultOf classifies an error.
func FaultOf(err error) Fault {
	var answer *mysql.MySQLError
	var local interface{ Code() int }
	switch {
	case err == nil:
		return NoFault
	case errors.As(err, &answer):
		return faultOfMySQL(answer)
	case lost(err), errors.Is(err, ErrTooLong):
		return Passing
	case IsNoTable(err):
		return Broken
	case errors.As(err, &local):
		return faultOfSQLite(local.Code())
	case says(err, "database is locked"):
		return Passing
	}
	return NoFault
}

func faultOfMySQL(answer *mysql.MySQLError) Fault {
	text := strings.ToLower(answer.Message)
	switch n := answer.Number; {
	case strings.Contains(text, rowCountExceeded):
		return Broken
	case n == unknownError && slices.ContainsFunc(passingOfProxies, func(said string) bool { return strings.Contains(text, said) }):
		return Passing
	case slices.Contains(passing, n), isConflict(n), strings.Contains(answer.Message, "No space left on device"):
		return Passing
	case slices.Contains(tooSlow, n):
		return TooSlow
	case slices.Contains(broken, n):
		return Broken
	}
	return NoFault
}

// passingIO are the details of SQLite's I/O errors that are temporary, because they are caused by a lack of disk space
// or memory: failures to write, sync, truncate, delete or extend a file.
var passingIO = []int{
	3, 4, 5, 6, 10, // write, fsync, fsync of a directory, truncate, delete
	12, 15, 20, // memory, locks
	18, 19, 21, 24, // opening, extending and mapping the log's shared memory; mapping the file
	25, 29, 30, 31, // a directory for temporary files, atomic writes
	34, // a page of mapped memory
}

// faultOfSQLite classifies a result code: its lowest byte is the error, the rest the detail.
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

// lost reports whether the connection failed. For a connection that broke before anything was sent, such as during
// login, the driver returns an unexported error.
func lost(err error) bool {
	var network *net.OpError
	var answer *mysql.MySQLError
	if errors.As(err, &answer) { // sent by a proxy whose connection to the server failed
		return answer.Number == 2006 || answer.Number == 2013
	}
	return errors.As(err, &network) || strings.HasSuffix(err.Error(), "bad connection") || errors.Is(err, driver.ErrBadConn) ||
		errors.Is(err, mysql.ErrInvalidConn) || errors.Is(err, sql.ErrConnDone) || errors.Is(err, io.EOF)
}

// Retryable reports whether a transaction failed because of others and can be retried.
func Retryable(err error) bool {
	return Has(err, conflicts...) || errors.Is(err, ErrTooLong) || says(err, "database is locked", "UNIQUE constraint failed")
}

// refused are the error numbers for a value that a column cannot store: out of range, an invalid date, characters that
// its character set lacks, a text that is too long.
var refused = []uint16{1264, 1292, 1366, 1406}

// Unstorable reports whether a column could not store a value.
func Unstorable(err error) bool { return Has(err, refused...) }

// unmatchable are the error numbers for a text that cannot be compared with a column because the column's character set
// lacks some of its characters.
var unmatchable = []uint16{1267, 1270, 1271, 1366, 3854, 3988}

// UnlessUnmatchable returns nil instead of the error of a search for a text that no column can contain: the search
// finds nothing.
func UnlessUnmatchable(err error, searching bool) error {
	if searching && Has(err, unmatchable...) {
		return nil
	}
	return err
}
