package store

import (
	"errors"
	"fmt"
	"testing"

	"github.com/go-sql-driver/mysql"
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
			if got := FaultOf(fmt.Errorf("a statement: %w", answered(code))); got != want {
				t.Errorf("code %d is %d, want %d", code, got, want)
			}
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
		if got := FaultOf(fmt.Errorf("a statement: %w", errors.New(text))); got != Passing {
			t.Errorf("%s is %d", text, got)
		}
	}
}

// TestFaultsOfProxies checks that an error with the number that a proxy uses for all errors of its servers is
// classified by its message.
func TestFaultsOfProxies(t *testing.T) {
	for _, c := range []struct {
		number uint16
		text   string
		want   Fault
	}{
		{1105, "target: town.0.primary: vttablet: rpc error: code = Unavailable desc = connection refused", Passing},
		{1105, "target: town.0.primary: vttablet: rpc error: code = Code(17) desc = operation not allowed in state SHUTTING_DOWN", Passing},
		{1105, "target: town.0.primary: primary is not serving, there may be a reparent operation in progress", Passing},
		{1105, `target: town.0.primary: no available tablet: "zone1-0000000100"`, Passing},
		{1105, "target: town.0.primary: no available connection", Passing},
		{1105, "vtgate: inconsistent state detected, primary is serving but initially found no available tablet", Passing},
		{1105, "target: town.0.primary: no healthy tablet available for 'keyspace:\"town\" shard:\"0\" tablet_type:PRIMARY'", Passing},
		{1105, "target: town.0.primary: vttablet: operation not allowed in state NOT_SERVING", Passing},
		{1105, "target: town.0.primary: operation not allowed in state SHUTTING_DOWN", Passing},
		{1105, "target: town.0.primary: VT14001: connection error", Passing},
		{1105, "target: town.0.primary: VT14003: no connection for tablet alias:{cell:\"zone1\" uid:100}", Passing},
		{1105, "target: town.0.primary: vttablet: Connection Closed", Passing},
		{1105, "target: town.0.primary: primary buffer is full", Passing},
		{1105, "target: town.0.primary: buffer full: request evicted for newer request", Passing},
		{1105, "target: town.0.primary: context was canceled before failover finished", Passing},
		{1105, "target: town.0.primary: current keyspace is being resharded", Passing},
		{1105, "destination shard is missing after a resharding operation", Passing},
		{1105, "target: town.0.primary: vttablet: tx engine can't accept new connections in state NotServing", Passing},
		{1105, "target: town.0.primary: vttablet: tabletserver is shutdown", Passing},
		{1105, "target: town.0.primary: vttablet: Server isn't available", Passing},
		{1105, "VT15001: transaction error, issue ROLLBACK and retry the transaction: vttablet: rpc error: code = Unavailable", Passing},
		{1105, "VT09032: previous transaction failed. Issue a ROLLBACK to resolve the failure.", Passing},
		{1105, "VT12001: unsupported: a statement", NoFault},
		{1105, "unknown error", NoFault},
		{1317, "Query execution was interrupted", Passing},
		{1317, "target: town.0.primary: vttablet: Row count exceeded 10000 (errno 1317) (sqlstate 70100)", Broken},
	} {
		err := fmt.Errorf("a statement: %w", &mysql.MySQLError{Number: c.number, Message: c.text})
		if got := FaultOf(err); got != c.want {
			t.Errorf("%d %s is %d, want %d", c.number, c.text, got, c.want)
		}
		if !outcomeUnknown(err) {
			t.Errorf("%d %s: the outcome of a commit is known", c.number, c.text)
		}
	}
}

// TestUnknownAtCommit checks that a commit that was ended from outside may have succeeded, and that one that a deadlock
// or a read-only server ended did not.
func TestUnknownAtCommit(t *testing.T) {
	for _, number := range []uint16{1317, 1053, 1927, 3169, 3100, 1105, 2006, 2013} {
		if !outcomeUnknown(&mysql.MySQLError{Number: number}) {
			t.Errorf("after %d the outcome is known", number)
		}
	}
	for _, number := range []uint16{1213, 1205, 1047, 1180, 1290, 1836, 1062, 1114, 3101} {
		if outcomeUnknown(&mysql.MySQLError{Number: number}) {
			t.Errorf("after %d the outcome is unknown", number)
		}
	}
}
