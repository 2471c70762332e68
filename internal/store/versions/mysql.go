package versions

import (
	"cmp"
	"context"
	"strings"
	"sync/atomic"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/schema"
)

// mysqlServer is what a tracker needs to know about a MySQL server besides the times of tables, which are those of
// commits: whether it is MySQL, whether its log identifies transactions, and whether all connections lead to it.
type mysqlServer struct {
	changes schema.Changes // as they were when the tracker's connection was opened
	sampled time.Time
	running atomic.Bool  // a sample is being taken
	several atomic.Int64 // when connections were last found to lead to other servers, in nanoseconds since 1970
}

// Parameters of samples of connections.
const (
	sampleEvery   = time.Second
	sampleTimeout = 200 * time.Millisecond
	severalFor    = 30 * time.Second // after this time, servers that connections no longer lead to are forgotten
	sampleSize    = 3                // number of connections that are queried when the tracker's own is opened
)

// recognize finds out what kind of server it is.
func (m *mysqlServer) recognize(ctx context.Context, conn bun.Conn) (err error) {
	m.changes, err = schema.MySQLChanges(ctx, conn)
	m.sampled = time.Time{}
	return err
}

// set returns an SQL expression whose value is "set " and the set of transactions that the server has executed. It is
// "" if the server does not log them, and "read-only" if the server is read-only. If the log is written, a transaction
// is in the set after its rows become visible and before its client gets the answer. A long set is replaced by its
// hash.
func (m *mysqlServer) set() string {
	copied := ""
	if m.changes.Vitess { // its primaries accept writes, and its other servers do not
		copied = " OR @@GLOBAL.super_read_only"
	}
	return `CASE WHEN @@GLOBAL.innodb_read_only` + copied + ` THEN 'read-only'
		WHEN @@GLOBAL.log_bin AND @@GLOBAL.gtid_mode = 'ON' THEN CONCAT('set ', @@server_uuid, ' ',
			IF(LENGTH(@@GLOBAL.gtid_executed) > 1024, SHA2(@@GLOBAL.gtid_executed, 256), @@GLOBAL.gtid_executed))
		ELSE '' END`
}

// separate reports whether the set has to be read by a separate statement.
func (m *mysqlServer) separate() bool { return m.changes.Vitess && m.changes.Unknown == "" }

// judge completes the versions of a poll by the value of set.
func (m *mysqlServer) judge(ctx context.Context, db *bun.DB, found *change.Versions, set string) {
	found.AtCommit = true
	executed, logged := strings.CutPrefix(set, "set ")
	if logged {
		found.Set = executed
	}
	why := m.changes.Unknown
	uuid, _, _ := strings.Cut(found.Server, "/")
	switch {
	case why != "":
	case logged && !strings.HasPrefix(executed, uuid+" "):
		why = "the primary changed"
	case set == "read-only":
		why = "the server became read-only"
	case !logged && !m.changes.Timed:
		why = "the server stopped logging global transaction identifiers"
	case m.elsewhere(ctx, db, uuid):
		why = "connections lead to several servers"
	}
	found.Unknown = cmp.Or(found.Unknown, why)
}

// elsewhere reports whether connections of a pool were found to lead to other servers than the tracker's own, as
// through a router. It queries a few connections the first time, and then one per second.
func (m *mysqlServer) elsewhere(ctx context.Context, db *bun.DB, uuid string) bool {
	switch {
	case m.sampled.IsZero():
		m.sampled = time.Now()
		m.sample(ctx, db, uuid, sampleSize)
	case time.Since(m.sampled) > sampleEvery && m.running.CompareAndSwap(false, true):
		m.sampled = time.Now()
		go func() {
			defer m.running.Store(false)
			m.sample(context.WithoutCancel(ctx), db, uuid, 1)
		}()
	}
	seen := m.several.Load()
	return seen != 0 && time.Since(time.Unix(0, seen)) < severalFor
}

// sample queries connections of a pool for their servers, outside of transactions and within one, since some routers
// use different servers for these. It does not wait for a free connection.
func (m *mysqlServer) sample(ctx context.Context, db *bun.DB, uuid string, size int) {
	ctx, cancel := context.WithTimeout(ctx, sampleTimeout)
	defer cancel()
	if m.changes.Vitess {
		if v, err := schema.AskVitess(ctx, db); err == nil && v.Unknown != "" {
			m.several.Store(time.Now().UnixNano())
		}
	}
	// A row of the site is read, since a proxy may send a statement without a table to another server.
	question := prefix + db.NewSelect().TableExpr("?(prefix)options").ColumnExpr("@@server_uuid").Limit(1).String()
	for range size {
		if s := db.DB.Stats(); s.MaxOpenConnections > 0 && s.InUse >= s.MaxOpenConnections {
			return
		}
		conn, err := db.DB.Conn(ctx)
		if err != nil {
			return
		}
		defer conn.Close() // at the end, so that the next one is another connection
		var outside, within string
		if conn.QueryRowContext(ctx, question).Scan(&outside) != nil {
			return
		}
		tx, err := conn.BeginTx(ctx, nil)
		if err != nil {
			return
		}
		err = tx.QueryRowContext(ctx, question).Scan(&within)
		if tx.Rollback() != nil {
			return
		}
		if err == nil && (outside != uuid || within != uuid) {
			m.several.Store(time.Now().UnixNano())
		}
	}
}
