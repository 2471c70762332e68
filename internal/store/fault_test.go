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

// What a full disk causes is a temporary failure; what cannot be read is a lasting one.
func TestFaultsOfTheEmbeddedDatabase(t *testing.T) {
	for want, codes := range map[Fault][]int{
		Passing: {
			5, 517, 6, 7, 8, 1032, 13, 15, // busy, locked, memory, read-only, full, protocol
			778, 1034, 1290, 1546, 2570, 3082, 3850, 4618, 4874, 5130, 5386, 6154, 6410, 7434, 7690, 7946, 8714,
		},
		Broken:  {10, 266, 522, 1802, 8202, 8458, 11, 267, 523, 779, 14, 270, 26}, // I/O while reading, corrupt, not opened, no database
		NoFault: {1, 19, 2067, 20},
	} {
		for _, code := range codes {
			if got := FaultOf(fmt.Errorf("a statement: %w", answered(code))); got != want {
				t.Errorf("code %d is %d, want %d", code, got, want)
			}
		}
	}
}

// A member of a group that is offline, leaves or waits for others is a temporary failure.
func TestFaultsOfGroups(t *testing.T) {
	for _, number := range []uint16{3032, 6400, 3100, 3101, 3781, 3782, 3783, 3796, 3797, 3798, 3799, 1290, 1836} {
		if got := FaultOf(fmt.Errorf("a statement: %w", &mysql.MySQLError{Number: number})); got != Passing {
			t.Errorf("error %d is %d", number, got)
		}
	}
}

// The driver's error for a connection that broke before anything was sent has no name.
func TestFaultsOfConnections(t *testing.T) {
	for _, text := range []string{"bad connection", "driver: bad connection"} {
		if got := FaultOf(fmt.Errorf("a statement: %w", errors.New(text))); got != Passing {
			t.Errorf("%s is %d", text, got)
		}
	}
}
