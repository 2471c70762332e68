// Package change reports whether anything was committed to the tables of a site since a given time, by this program or
// by any other. So values that were computed from the tables can be cached for as long as nothing is committed, instead
// of for a fixed duration. The package contains no SQL: a Source reads the versions of the tables.
//
// # How a change is noticed
//
// A Tracker polls its Source once for all callers that arrived before the query was sent (Tracker.Poll). A table whose
// version differs from that of the previous poll gets a new epoch, which is a counter. A value that is computed after a
// poll is cached with the epoch of the tables that it was computed from, and is returned to later callers whose own
// poll finds the same epoch.
//
// A SQLite database on Linux in WAL mode can be compared with the versions of the last poll in less time than callers
// would need to wait for each other (Versions.Unchanged). Each caller does, and a poll is needed only after a commit, and
// once a second.
//
// # Why a version must be settled
//
// In MariaDB the UPDATE_TIME of a table is the second in which the transaction that was committed last had started. Two
// commits can have the same second, and a long transaction has a second in the past. So a version is settled once that
// second is over and Settle has passed since, by the server's clock; until then nothing is cached. A commit of a
// transaction in another program that lasts longer than Settle can stay unnoticed, but for no longer than MaxAge.
//
// In MySQL UPDATE_TIME is the second of the commit, however long the transaction lasted, and can be visible shortly
// before the rows are. So a version is settled one second after that second is over.
//
// # Sets of transactions
//
// A MySQL server that logs with global transaction identifiers reports the set of transactions that it has executed
// (Versions.Set). A transaction is added to the set after its rows become visible and before its client gets the
// answer. So while the set and the times stay the same, nothing was committed, and nothing has to settle. The set also
// changes for other databases of the server: then a table is judged by its own time if that had settled at the previous
// poll, and otherwise counts as changed. The set has to be read before the times, so that every commit in the set is
// also visible in the times.
//
// Commits that are not logged do not change the set. It is ignored from then on if the times of tables changed and
// polls two seconds later still find the same set, or if a commit of this program is not in it.
//
// A table that does not exist has no time. If a table is created and dropped again between two polls, what a request
// read from it in between can stay cached, but for no longer than MaxAge.
//
// # What invalidates everything
//
// Where the versions cannot show a change, all tables get a new epoch: after a change of the server or the connection,
// a poll that failed or took too long, more than a minute between two polls, a jump of the server's clock (after which
// nothing is settled for Settle and one second), and before and after each commit of this program. A table whose time
// is unknown, because the server was restarted or has forgotten it, counts as changed if the last poll is older than
// two seconds, or if the server has opened any table since. Steps of a server's clock that add up to less than a second
// are not noticed; where they occur, transactions of other programs must be a second shorter than Settle.
package change
