package store

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

// mysqlServer is what a tracker has to know of a MySQL besides the times of tables, which are
// those of commits there: whether it is one, whether its log tells the transactions, and
// whether all connections lead to it.
type mysqlServer struct {
	changes schema.Changes // as the tracker's connection was opened
	sampled time.Time
	running atomic.Bool  // a sample is taken
	several atomic.Int64 // when connections were last seen to lead elsewhere, in nanoseconds since 1970
}

// Times of samples of connections.
const (
	sampleEvery   = time.Second
	sampleTimeout = 200 * time.Millisecond
	severalFor    = 30 * time.Second // after which servers that nothing leads to any more are forgotten
	sampleSize    = 3                // connections that are asked when the tracker's own is opened
)

// recognize finds out what a server is.
func (m *mysqlServer) recognize(ctx context.Context, conn bun.Conn) (err error) {
	m.changes, err = schema.MySQLChanges(ctx, conn)
	m.sampled = time.Time{}
	return err
}

// set returns the expression of the transactions that the server has executed, with why it
// may not be used: "" where it may. Where the log is written, a transaction is among them
// once its rows can be read, and before its client knows. A long set is told by its
// fingerprint.
func (m *mysqlServer) set() string {
	copied := ""
	if m.changes.Vitess { // whose primaries take writes, and whose other servers do not
		copied = " OR @@GLOBAL.super_read_only"
	}
	return `CASE WHEN @@GLOBAL.innodb_read_only` + copied + ` THEN 'read-only'
		WHEN @@GLOBAL.log_bin AND @@GLOBAL.gtid_mode = 'ON' THEN CONCAT('set ', @@server_uuid, ' ',
			IF(LENGTH(@@GLOBAL.gtid_executed) > 1024, SHA2(@@GLOBAL.gtid_executed, 256), @@GLOBAL.gtid_executed))
		ELSE '' END`
}

// separate reports whether the set has to be read by a statement of its own.
func (m *mysqlServer) separate() bool { return m.changes.Vitess && m.changes.Unknown == "" }

// judge completes the versions of a look by the value of set.
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
		why = "the server ceased to log global transaction identifiers"
	case m.elsewhere(ctx, db, uuid):
		why = "connections lead to several servers"
	}
	found.Unknown = cmp.Or(found.Unknown, why)
}

// elsewhere reports whether connections of a pool were seen to lead to other servers than
// the tracker's own, as through a router. It asks some when that is new, and one each second.
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

// sample asks connections of a pool for their servers, outside of transactions and within
// one, which some routers send to different ones. It does not wait for a pool that is used up.
func (m *mysqlServer) sample(ctx context.Context, db *bun.DB, uuid string, size int) {
	ctx, cancel := context.WithTimeout(ctx, sampleTimeout)
	defer cancel()
	if m.changes.Vitess {
		if v, err := schema.AskVitess(ctx, db); err == nil && v.Unknown != "" {
			m.several.Store(time.Now().UnixNano())
		}
	}
	// A row of the site is read, since a proxy may send what names no table to another server.
	question := clockPrefix + db.NewSelect().TableExpr("?(prefix)options").ColumnExpr("@@server_uuid").Limit(1).String()
	for range size {
		if s := db.DB.Stats(); s.MaxOpenConnections > 0 && s.InUse >= s.MaxOpenConnections {
			return
		}
		conn, err := db.DB.Conn(ctx)
		if err != nil {
			return
		}
		defer conn.Close() // at the end: the next one is another
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
