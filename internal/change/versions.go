package change

import (
	"context"
	"time"
)

// Source reads the versions of a database's tables. It opens one connection when it is first called and may share it
// with the sources of other trackers. A Tracker calls one method at a time.
type Source interface {
	// Versions reads the versions of all tables.
	Versions(ctx context.Context) (Versions, error)
	// Options reads the options on which answers depend.
	Options(ctx context.Context) (map[string]string, error)
	// Release closes the connection, even if others use it. Versions opens another one.
	Release()
	// Pause closes the connection, unless others use it, until Versions is called.
	Pause()
}

// Versions are the versions of all tables at one time.
type Versions struct {
	// Server identifies the server and the connection to it.
	Server string
	// Now is the time on the server's clock.
	Now time.Time
	// Tables are the versions of the tables, always in the same order.
	Tables []Version
	// Names are the names of the tables, for logs and statistics.
	Names []string
	// Options is the index of the table of options.
	Options int
	// Exact says that the versions differ after every commit, as SQLite's do: they contain no times and need not
	// settle.
	Exact bool
	// AtCommit says that the times are those of commits, as in MySQL, and not those at which the transactions began.
	AtCommit bool
	// Set is the set of transactions that the server has executed, as a string that also names the server. It differs
	// after every commit that the server logs, to any database, but not before the rows of that commit are visible. It
	// was read before the times of the tables. "" if the server does not report it.
	Set string
	// Columns differs after each change to the columns of one of the tables, also when a table is created or dropped.
	// "" if it is not known.
	Columns string
	// Unchanged, unless it is nil, reports whether nothing was committed since the versions were read. It is false once the
	// connection is closed. It is not a poll: it takes no connection, and any number of goroutines may call it at any time.
	Unchanged func() bool
	// Unknown, unless it is empty, is the reason why the versions show nothing, such as that a table is a view.
	Unknown string
}

// Version is the version of one table.
type Version struct {
	Identity         string    // identifies the table, "" if it does not exist
	Created, Updated time.Time // in whole seconds; zero if the server does not know
}

// unknown reports whether the server does not know when a table was changed.
func (v Version) unknown() bool { return v.Identity != "" && v.Updated.IsZero() }

// The ways in which changes are noticed, as Stats names them.
const (
	MethodExact  = "the database's version"
	MethodSet    = "global transaction identifiers"
	MethodCommit = "times of commits"
	MethodStart  = "times of transactions"
)

// method returns the way in which the versions show changes.
func (v *Versions) method() string {
	switch {
	case v.Exact:
		return MethodExact
	case v.Set != "":
		return MethodSet
	case v.AtCommit:
		return MethodCommit
	}
	return MethodStart
}
