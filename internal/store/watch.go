package store

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/store/stmtcount"
	"github.com/agendahq/agenda/internal/store/timelimit"
	"github.com/agendahq/agenda/internal/store/versions"
)

// leaveEvery is how often a process that only reads closes its connections to a server that became read-only.
const leaveEvery = 5 * time.Second

// watch returns the tracker that reports changes. If the database cannot report changes, the tracker is nil and why is
// the reason.
func (s *Transactions) watch(w *Watch) (clock *change.Tracker, why string) {
	if s.db.pool.limits != timelimit.Hint { // trackers of other processes would not notice longer transactions
		s.longestWrite = w.Settle / 2
	}
	switch {
	case s.db.pool.routed:
		return nil, "reads may go to several servers"
	case s.db.IsMySQL() && s.db.pool.limits == timelimit.None:
		return nil, "the server is neither MariaDB nor MySQL"
	}
	site := versions.Site{
		DB: s.db.pool.DB, Prefix: s.db.prefix, MariaDB: s.db.pool.limits == timelimit.SetStatement, Network: s.db.network,
		Tables: watched, Settle: w.Settle, MaxAge: w.MaxAge, Logger: s.db.config.Logger,
		Options: func(ctx context.Context, conn bun.Conn) (map[string]string, error) {
			query := func() *Query { return newQuery(s.db.pool.DB).Conn(conn).Comment(versions.Comment) }
			return s.options.ValuesBy(stmtcount.Without(ctx), query, w.Options)
		},
	}
	if !s.db.config.TermMeta { // then nothing depends on it
		site.Unread = TableTermMeta.String()
	}
	if !s.db.config.ReadOnly {
		site.ReadOnlyServer = func(ctx context.Context) {
			if s.queue.MayLeave(leaveEvery) {
				go s.leaveServer(ctx)
			}
		}
	}
	return versions.Share(site)
}
