package dberr

import (
	"errors"
	"fmt"
	"testing"

	"github.com/go-sql-driver/mysql"

	"github.com/agendahq/agenda/internal/test/golden"
)

// answered is an error with a result code, like those of SQLite's driver.
type answered int

func (a answered) Code() int     { return int(a) }
func (a answered) Error() string { return fmt.Sprintf("result %d", int(a)) }

// TestFaultsOfTheEmbeddedDatabase checks that a full disk is a temporary error and that unreadable data are a lasting
// one.
func TestFaultsOfTheEmbeddedDatabase(t *testing.T) {
	for want, codes := range map[Fault][]int{
		Passing: {
			5, 517, 6, 7, 8, 1032, 13, 15, // busy, locked, memory, read-only, full, protocol
			778, 1034, 1290, 1546, 2570, 3082, 3850, 4618, 4874, 5130, 5386, 6154, 6410, 7434, 7690, 7946, 8714,
		},
		Broken:  {10, 266, 522, 1802, 8202, 8458, 11, 267, 523, 779, 14, 270, 26}, // I/O while reading, corrupt, not opened, not a database
		NoFault: {1, 19, 2067, 20},
	} {
		for _, code := range codes {
			golden.Equal(t, code, FaultOf(fmt.Errorf("a statement: %w", answered(code))), want)
		}
	}
}

// TestFaultsOfGroups checks that a member of a group that is offline, leaving or waiting for others is a temporary
// error.
func TestFaultsOfGroups(t *testing.T) {
	for _, number := range []uint16{3032, 6400, 3100, 3101, 3781, 3782, 3783, 3796, 3797, 3798, 3799, 1290, 1836} {
		if got := FaultOf(fmt.Errorf("a statement: %w", &mysql.MySQLError{Number: number})); got != Passing {
			t.Errorf("error %d is %d", number, got)
		}
	}
}

// TestFaultsOfConnections checks the driver's unexported error for a connection that broke before anything was sent.
func TestFaultsOfConnections(t *testing.T) {
	for _, text := range []string{"bad connection", "driver: bad connection"} {
		golden.Equal(t, text, FaultOf(fmt.Errorf("a statement: %w", errors.New(text))), Passing)
	}
}

// TestFaultsOfProxies checks that an error with the number that a proxy uses for all errors of its servers is
// classified by its message.
func TestFaultsOfProxies(t *testing.T) {
	faults := map[string]Fault{"Passing": Passing, "Broken": Broken, "NoFault": NoFault}
	golden.Each(t, "proxy-faults.txt", func(number uint16, text, want string) {
		err := fmt.Errorf("a statement: %w", &mysql.MySQLError{Number: number, Message: text})
		if got := FaultOf(err); got != faults[want] {
			t.Errorf("%d %s is %d, want %s", number, text, got, want)
		}
		if !OutcomeUnknown(err) {
			t.Errorf("%d %s: the outcome of a commit is known", number, text)
		}
	})
}

// TestUnknownAtCommit checks that a commit that was ended from outside may have succeeded, and that one that a deadlock
// or a read-only server ended did not.
func TestUnknownAtCommit(t *testing.T) {
	for _, number := range []uint16{1317, 1053, 1927, 3169, 3100, 1105, 2006, 2013} {
		if !OutcomeUnknown(&mysql.MySQLError{Number: number}) {
			t.Errorf("after %d the outcome is known", number)
		}
	}
	for _, number := range []uint16{1213, 1205, 1047, 1180, 1290, 1836, 1062, 1114, 3101} {
		if OutcomeUnknown(&mysql.MySQLError{Number: number}) {
			t.Errorf("after %d the outcome is unknown", number)
		}
	}
}

func TestNoTable(t *testing.T) {
	for _, c := range []struct {
		err  error
		want bool
	}{
		{&mysql.MySQLError{Number: 1146}, true}, {fmt.Errorf("x: %w", &mysql.MySQLError{Number: 1142}), true},
		{&mysql.MySQLError{Number: 1213}, false},
		{errors.New("SQL logic error: no such table: wp_termmeta (1)"), true}, {errors.New("broken"), false},
	} {
		golden.Equal(t, c.err, IsNoTable(c.err), c.want)
	}
}
