// Package versions polls the versions of a site's tables, by which a change.Tracker notices what any program commits: the times
// of tables and the set of transactions of MariaDB and MySQL, the version of a SQLite database.
package versions

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"sync"
	"time"
	"weak"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect"

	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/schema"
)

// Site is what a tracker polls.
type Site struct {
	DB      *bun.DB // bound by schema.Bind to Prefix
	Prefix  string
	MariaDB bool           // the server is MariaDB and not MySQL
	Network schema.Network // to which the site belongs, if any

	// Tables are the names of the tables to poll, without the prefix: first the five that every site has, last that of
	// the options. No answer depends on the table Unread; it is "" if there is none.
	Tables []string
	Unread string

	Settle, MaxAge time.Duration // see change.Tracker
	Logger         *slog.Logger

	// Options reads the options on which answers depend.
	Options func(ctx context.Context, conn bun.Conn) (map[string]string, error)
	// ReadOnlyServer is called by each poll of a server that is read-only; it may be nil.
	ReadOnlyServer func(ctx context.Context)
}

// names returns the names of the tables.
func (s *Site) names() (names []string) {
	for _, name := range s.Tables {
		names = append(names, s.Prefix+name)
	}
	return names
}

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
	unread         string
}

type sharedClock struct {
	clock weak.Pointer[change.Tracker] // refers to the pool
	users int                          // stores that are not closed
	line  weak.Pointer[line]           // the clock refers to it
}

// connectionsBesides is how many connections a pool must have in addition to those of clocks.
const connectionsBesides = 2

// Share returns the tracker of a site, which all stores of the site that share a pool share. Each has to call Leave. If the pool
// has too few connections, the tracker is nil and why is the reason.
func Share(site Site) (clock *change.Tracker, why string) {
	clocks.Lock()
	defer clocks.Unlock()
	key := clockKey{weak.Make(site.DB.DB), site.Prefix, site.Settle, site.MaxAge, site.Unread}
	if shared := clocks.of[key]; shared != nil {
		if clock = shared.clock.Value(); clock != nil {
			shared.users++
			return clock, ""
		}
	}
	most := site.DB.DB.Stats().MaxOpenConnections
	if most > 0 && most <= connectionsBesides {
		return nil, fmt.Sprintf("the pool has %d connections, and %d are needed", most, connectionsBesides+1)
	}
	on := lineOf(key.pool, most)
	p := poller{site: &site, line: on}
	var source change.Source
	switch {
	case site.MariaDB:
		source = &serverVersions{poller: p}
	case site.DB.Dialect().Name() == dialect.MySQL:
		source = &serverVersions{poller: p, mysql: &mysqlServer{}}
	default:
		source = &sqliteVersions{poller: p}
	}
	clock = change.New(source, site.Settle, site.MaxAge, site.Logger)
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

// Leave closes a tracker, unless other stores use it. It may be nil.
func Leave(clock *change.Tracker) {
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
