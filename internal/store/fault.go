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

// Fault is the kind of a failure of the database.
type Fault int

// Kinds of failures.
const (
	NoFault Fault = iota // none of the others: a statement, a value or this program is wrong
	Passing              // temporary: the database will take the statement again
	TooSlow              // the server ended a statement at its time limit
	Broken               // lasting: a table or the login is unusable until somebody repairs it
)

// passing are the error numbers of temporary failures.
var passing = []uint16{
	1040, 1203, 1226, // too many connections: of all, of the user; another limit of the user
	1041, 1135, 1021, 1114, // out of memory, of threads, of disk, a full table
	1047, 1053, 1927, 1317, // not ready in its cluster, shutting down, connection killed, statement killed
	1043, 1152, 1158, 1159, 1160, 1161, 1184, // the network between client and server
	1077, 1078, 1079, 1080, // a server that ends
	2002, 2003, 2006, 2013, // what proxies say when they reach no server, or no longer
	1223, 1290, 1792, 1836, // locked for a backup, read-only in several ways
	3032, 6400, 3168, 3169, // offline, with a reason or without, not available, a killed session
	3100,             // a member of a group that cannot commit
	3781, 3782, 3783, // one that does not yet have what the former primary had
	3796, 3797, 3798, 3799, // one that cannot wait for the others, or that leaves
	3572, 4031, // a row that is locked by others, a connection that was idle for too long
}

// unknownError is the number of errors that have none: what a proxy of several servers, such as vtgate of Vitess, answers in their
// place.
const unknownError = 1105

// passingOfProxies are parts of what such a proxy says while it changes the primary, or reaches none of its servers.
var passingOfProxies = []string{
	"code = unavailable", "code = code(17)", "is not serving", "no available tablet", "no available connection",
	"inconsistent state detected",
}

// rowCountExceeded is what such a proxy says, with the number of a statement that was killed, of an answer with more rows than it
// lets through: it will say so again.
const rowCountExceeded = "row count exceeded"

// tooSlow are the error numbers for a statement at its time limit: of MariaDB, of MySQL.
var tooSlow = []uint16{1969, 3024}

// broken are the error numbers of lasting failures.
var broken = []uint16{
	1044, 1045, 1049, 1130, 1142, 1143, 1227, 1370, 1698, // rights, the login, the database
	1251, 3159, // a way to log in that this program lacks, a connection without TLS
	1016, 1017, 1033, 1034, 1035, 1146, 1194, 1195, 1356, 1932, // a table is missing or damaged
	1030, // the storage engine, except when the disk is full
}

// conflicts are the error numbers after which a transaction can succeed when it is
// run again: deadlock, lock wait, a row that changed meanwhile, a node that left its
// cluster, a cluster or a group that chose another writer, a key that someone else took.
var conflicts = []uint16{1213, 1205, 1020, 1047, 1180, 3101, 1062}

// rolledBack are those of them after which it can succeed at once: deadlock, a row that
// changed meanwhile, the certification of a group.
var rolledBack = []uint16{1213, 1020, 3101}

// isConflict reports whether a transaction failed because of another one.
func isConflict(number uint16) bool { return number != 1062 && slices.Contains(conflicts, number) }

// ended reports whether another transaction ended one that can succeed at once when it is
// run again.
func ended(err error) bool {
	var answer *mysql.MySQLError
	return errors.As(err, &answer) && slices.Contains(rolledBack, answer.Number)
}

// rolledBackByGroup reports whether a group rolled back a transaction at its commit: because of another one, or since the
// server left the group while the commit waited for it. Then the other members may have it all the same.
func rolledBackByGroup(err error) bool {
	var answer *mysql.MySQLError
	return errors.As(err, &answer) && answer.Number == 3101
}

// outcomeUnknown reports whether a transaction may be committed after an error of its commit: the connection was lost,
// the server's group did not answer, or a proxy says what has no number.
func outcomeUnknown(err error) bool {
	var answer *mysql.MySQLError
	return lost(err) || errors.As(err, &answer) && (answer.Number == 3100 || answer.Number == unknownError)
}

// cutOff reports whether a node of a cluster has left it.
func cutOff(err error) bool {
	var answer *mysql.MySQLError
	return errors.As(err, &answer) && answer.Number == 1047
}

// serverReadOnly reports whether a server takes no writes from anybody.
func serverReadOnly(err error) bool {
	var answer *mysql.MySQLError
	return errors.As(err, &answer) && (answer.Number == 1290 || answer.Number == 1836)
}

// isLockWait reports whether a statement gave up waiting for a row that others lock.
func isLockWait(err error) bool {
	var answer *mysql.MySQLError
	return errors.As(err, &answer) && answer.Number == 1205
}

// isLocked reports whether a statement that does not wait met a row that others lock, in
// the words of MariaDB or of MySQL.
func isLocked(err error) bool {
	var answer *mysql.MySQLError
	return errors.As(err, &answer) && (answer.Number == 1205 || answer.Number == 3572)
}

// isTaken reports whether a row was refused because another one has its key.
func isTaken(err error) bool {
	var answer *mysql.MySQLError
	if errors.As(err, &answer) {
		return answer.Number == 1062
	}
	return err != nil && strings.Contains(err.Error(), "UNIQUE constraint failed")
}

// isDenied reports whether the account lacks the right to a table or a column, or no longer has such a one.
func isDenied(err error) bool {
	var answer *mysql.MySQLError
	return errors.As(err, &answer) && slices.Contains([]uint16{1044, 1142, 1143, 1146}, answer.Number)
}

// isUnknown reports whether a statement names a table or a column that is not there.
func isUnknown(err error) bool {
	var answer *mysql.MySQLError
	if errors.As(err, &answer) {
		return answer.Number == 1054 || answer.Number == 1146
	}
	return err != nil && (strings.Contains(err.Error(), "no such table") || strings.Contains(err.Error(), "no such column") ||
		strings.Contains(err.Error(), "has no column named"))
}

// isSyntax reports whether a server does not know what a statement says.
func isSyntax(err error) bool {
	var answer *mysql.MySQLError
	return errors.As(err, &answer) && answer.Number == 1064
}

// FaultOf classifies an error.
func FaultOf(err error) Fault {
	var answer *mysql.MySQLError
	var local interface{ Code() int }
	switch {
	case err == nil:
		return NoFault
	case errors.As(err, &answer):
		return faultOfMySQL(answer)
	case lost(err), errors.Is(err, errTooLong):
		return Passing
	case IsNoTable(err):
		return Broken
	case errors.As(err, &local):
		return faultOfSQLite(local.Code())
	case strings.Contains(err.Error(), "database is locked"):
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

// passingIO are the details of I/O errors of SQLite that end when disk or memory is free again: what cannot be
// written, synchronised, cut, removed or made longer.
var passingIO = []int{
	3, 4, 5, 6, 10, // write, fsync, fsync of a directory, truncate, delete
	12, 15, 20, // memory, locks
	18, 19, 21, 24, // the shared memory of the log is opened, made larger, mapped; the file is mapped
	25, 29, 30, 31, // a place for temporary files, writes that are one to the file system
	34, // a page of mapped memory
}

// faultOfSQLite classifies a result code: its lower byte is the error, the rest the detail.
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

// lost reports whether the connection failed. The driver has an error of its own, without a
// name, for one that broke before anything was sent, such as while it logged in.
func lost(err error) bool {
	var network *net.OpError
	var answer *mysql.MySQLError
	if errors.As(err, &answer) { // of a proxy, whose connection to the server failed
		return answer.Number == 2006 || answer.Number == 2013
	}
	return errors.As(err, &network) || strings.HasSuffix(err.Error(), "bad connection") || errors.Is(err, driver.ErrBadConn) ||
		errors.Is(err, mysql.ErrInvalidConn) || errors.Is(err, sql.ErrConnDone) || errors.Is(err, io.EOF)
}

// Retryable reports whether a transaction failed because of others and can be run
// again.
func Retryable(err error) bool {
	var answer *mysql.MySQLError
	if errors.As(err, &answer) {
		return slices.Contains(conflicts, answer.Number)
	}
	if errors.Is(err, errTooLong) {
		return true
	}
	text := err.Error()
	return strings.Contains(text, "database is locked") || strings.Contains(text, "UNIQUE constraint failed")
}

// refused are the error numbers for a value that a column does not take: out of
// range, an invalid date, characters that its character set lacks, a text that is too
// long.
var refused = []uint16{1264, 1292, 1366, 1406}

// Unstorable reports whether a column did not take a value.
func Unstorable(err error) bool {
	var answer *mysql.MySQLError
	return errors.As(err, &answer) && slices.Contains(refused, answer.Number)
}

// unmatchable are the error numbers for a text that cannot be compared with a column,
// whose character set lacks some of its characters.
var unmatchable = []uint16{1267, 1270, 1271, 1366, 3854, 3988}

// UnlessUnmatchable drops the error of a search for a text that no column can hold:
// nothing is found.
func UnlessUnmatchable(err error, searching bool) error {
	var answer *mysql.MySQLError
	if searching && errors.As(err, &answer) && slices.Contains(unmatchable, answer.Number) {
		return nil
	}
	return err
}
