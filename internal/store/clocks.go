package store

import (
	"database/sql"
	"fmt"
	"sync"
	"time"
	"weak"

	"github.com/uptrace/bun/dialect"

	"github.com/agendahq/agenda/internal/change"
)

// A clock holds a connection, so the stores of one site that share a pool share one.

// clocks are those that are in use.
var clocks = struct {
	sync.Mutex
	of map[clockKey]*sharedClock
}{of: map[clockKey]*sharedClock{}}

type clockKey struct {
	pool           weak.Pointer[sql.DB]
	prefix         string
	settle, maxAge time.Duration
}

type sharedClock struct {
	clock weak.Pointer[change.Clock] // which refers to the pool
	users int                        // stores that were not closed
}

// connectionsBesides is how many connections a pool must have besides those of clocks.
const connectionsBesides = 2

// Watch makes the Store cache what it computes of tables for as long as nothing was
// committed to them, and returns the clock that reports changes. options are the names
// of the options that answers depend on. Where the database cannot report changes, the
// clock is nil and why says so. On MySQL, where this is not tested, it has to be asked
// for.
func (s *Store) Watch(options []string, settle, maxAge time.Duration, asked bool) (clock *change.Clock, why string) {
	s.longestWrite = settle / 2
	switch {
	case hasResolver(s.db.DB):
		return nil, "reads may go to several servers"
	case s.isMySQL() && s.db.limits != setStatement && !asked:
		return nil, "the server is not MariaDB"
	}
	clocks.Lock()
	defer clocks.Unlock()
	key := clockKey{weak.Make(s.db.DB.DB), s.prefix, settle, maxAge}
	if shared := clocks.of[key]; shared != nil {
		if s.clock = shared.clock.Value(); s.clock != nil {
			shared.users++
			return s.clock, ""
		}
	}
	used := connectionsBesides + 1
	for k, shared := range clocks.of {
		switch {
		case shared.clock.Value() == nil:
			delete(clocks.of, k)
		case k.pool == key.pool:
			used++
		}
	}
	if most := s.db.DB.DB.Stats().MaxOpenConnections; most > 0 && most < used {
		return nil, fmt.Sprintf("the pool has %d connections, and %d are needed", most, used)
	}
	v := versions{store: s, names: options}
	var source change.Source = &mysqlVersions{versions: v}
	if s.db.Dialect().Name() == dialect.SQLite {
		source = &sqliteVersions{versions: v}
	}
	s.clock = change.New(source, settle, maxAge, s.logger)
	clocks.of[key] = &sharedClock{weak.Make(s.clock), 1}
	return s.clock, ""
}

// unwatch closes the clock of the store, unless others use it.
func (s *Store) unwatch() {
	clocks.Lock()
	defer clocks.Unlock()
	for key, shared := range clocks.of {
		if s.clock == nil || shared.clock.Value() != s.clock {
			continue
		}
		if shared.users--; shared.users == 0 {
			delete(clocks.of, key)
			s.clock.Close()
		}
	}
}
