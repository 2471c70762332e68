package store

import (
	"database/sql"
	"fmt"
	"sync"
	"time"
	"weak"

	"github.com/agendahq/agenda/internal/change"
)

// A clock needs a connection. So the stores of one site that share a pool share a clock, and the clocks of a pool share
// a few lines.

// clocks are the clocks in use.
var clocks = struct {
	sync.Mutex
	of map[clockKey]*sharedClock
}{of: map[clockKey]*sharedClock{}}

type clockKey struct {
	pool           weak.Pointer[sql.DB]
	prefix         string
	settle, maxAge time.Duration
	termMeta       bool
}

type sharedClock struct {
	clock weak.Pointer[change.Tracker] // refers to the pool
	users int                          // stores that are not closed
	line  weak.Pointer[line]           // the clock refers to it
}

// connectionsBesides is how many connections a pool must have in addition to those of clocks.
const connectionsBesides = 2

// watch returns the tracker that reports changes. If the database cannot report changes, the tracker is nil and why is
// the reason.
func (s *Transactions) watch(w *Watch) (clock *change.Tracker, why string) {
	mariadb := s.db.pool.limits == setStatement
	if s.db.pool.limits != hinted { // trackers of other processes would not notice longer transactions
		s.longestWrite = w.Settle / 2
	}
	switch {
	case s.db.pool.routed:
		return nil, "reads may go to several servers"
	case s.db.IsMySQL() && s.db.pool.limits == unlimited:
		return nil, "the server is neither MariaDB nor MySQL"
	}
	clocks.Lock()
	defer clocks.Unlock()
	key := clockKey{weak.Make(s.db.pool.DB.DB), s.db.prefix, w.Settle, w.MaxAge, s.db.config.TermMeta}
	if shared := clocks.of[key]; shared != nil {
		if clock = shared.clock.Value(); clock != nil {
			shared.users++
			return clock, ""
		}
	}
	most := s.db.pool.DB.DB.Stats().MaxOpenConnections
	if most > 0 && most <= connectionsBesides {
		return nil, fmt.Sprintf("the pool has %d connections, and %d are needed", most, connectionsBesides+1)
	}
	on := lineOf(key.pool, most)
	v := versions{db: s.db, options: s.options, transactions: s, names: w.Options, line: on}
	var source change.Source
	switch {
	case mariadb:
		source = &serverVersions{versions: v}
	case s.db.IsMySQL():
		source = &serverVersions{versions: v, mysql: &mysqlServer{}}
	default:
		source = &sqliteVersions{versions: v}
	}
	clock = change.New(source, w.Settle, w.MaxAge, s.db.config.Logger)
	clocks.of[key] = &sharedClock{weak.Make(clock), 1, weak.Make(on)}
	return clock, ""
}

// lineOf returns a line for one more clock of a pool with most connections, 0 for any number: a new one while more are
// allowed, otherwise the one with the fewest users. It forgets clocks that no longer exist.
func lineOf(pool weak.Pointer[sql.DB], most int) *line {
	users := map[*line]int{}
	for k, shared := range clocks.of {
		if shared.clock.Value() == nil {
			delete(clocks.of, k)
		} else if l := shared.line.Value(); l != nil && k.pool == pool {
			users[l]++
		}
	}
	limit := maxLines
	if most > 0 {
		limit = min(limit, most-connectionsBesides)
	}
	if len(users) < limit {
		return newLine()
	}
	var least *line
	for l, n := range users {
		if least == nil || n < users[least] {
			least = l
		}
	}
	return least
}

// unwatch closes a tracker, unless others use it.
func unwatch(clock *change.Tracker) {
	clocks.Lock()
	defer clocks.Unlock()
	for key, shared := range clocks.of {
		if clock == nil || shared.clock.Value() != clock {
			continue
		}
		if shared.users--; shared.users == 0 {
			delete(clocks.of, key)
			clock.Close()
		}
	}
}
