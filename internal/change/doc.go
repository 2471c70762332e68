// Package change reports whether anything was committed to the tables of a site since
// a moment, by this program or by any other, so that what was computed from them can
// be cached as long as nothing was committed, and not for a time. It knows no SQL: a Source
// reads the versions of the tables.
//
// # How a change is noticed
//
// A Tracker asks its Source once for all callers that came before the question was sent
// (Tracker.Look). Each difference to the answer before grows the epoch of a table, a
// counter. What was computed after a look is cached with the epoch of the tables that it
// was computed from, and returned to later callers whose own look finds the same epoch.
//
// # Why a version must be settled
//
// MariaDB's UPDATE_TIME of a table is the second in which the transaction started that
// was committed last. Two commits can show the same second, and one that took long shows
// a second that has passed. So a version is settled when that second is over and Settle
// has passed since, by the server's own clock; before that nothing is cached. What a
// foreign transaction longer than Settle committed can stay hidden, until MaxAge at most.
//
// MySQL's UPDATE_TIME is the second of the commit, however long the transaction took, and can
// be there a moment before the rows: it is settled a second after that second is over.
//
// # Sets of transactions
//
// A MySQL that logs with global transaction identifiers tells the set of transactions that it
// has executed (Versions.Set). A transaction is in it once its rows can be read and before its
// client knows. So while the set and the times are the same nothing was committed, and nothing
// has to settle. The set also moves for other databases of the server: then a table is judged by
// its own time, if that had settled at the look before, and else counts as changed. The set
// has to be read before the times, so that a commit in the former shows in the latter.
//
// Commits that are not logged do not move the set. It is not used any more once the times of
// tables moved and looks two seconds later still find the set as it was, or once a commit of
// this program does not show in it.
//
// A table that does not exist has no time. If one is made and dropped again between two
// looks, what a request read of it meanwhile stays cached, until MaxAge at most.
//
// # What makes everything new
//
// Where the versions cannot show a change, all epochs grow: another server or another
// connection, a look that failed or took too long, more than a minute between two looks,
// a server whose clock jumped (then nothing is settled until Settle and a second later),
// before and after each commit of this program. A table whose time is unknown, since the
// server was restarted or forgot it, counts as changed when the last look is older than
// two seconds, or when the server opened any table since. Steps of a server's clock that
// sum up to less than a second do not show; where there are such, foreign transactions
// must be a second shorter than Settle.
package change
