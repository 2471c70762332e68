package fill

import (
	"context"
	"database/sql/driver"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect"
)

// session is the only connection on which anything is written.
type session struct {
	conn  bun.Conn
	mysql bool
}

// mysqlSession contains the settings of a MySQL session that store the rows unchanged: zero dates are allowed, and no
// time zone shifts timestamps.
var mysqlSession = []string{
	"SET NAMES utf8mb4",
	"SET SESSION time_zone = '+00:00', SESSION sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'",
}

func openSession(ctx context.Context, db *bun.DB) (*session, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	s := &session{conn: conn, mysql: db.Dialect().Name() == dialect.MySQL}
	if !s.mysql {
		return s, nil
	}
	for _, statement := range mysqlSession {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			s.close()
			return nil, err
		}
	}
	return s, nil
}

// close ends the session. A connection with these settings does not return to its pool.
func (s *session) close() {
	if s.mysql {
		_ = s.conn.Raw(func(any) error { return driver.ErrBadConn })
	}
	_ = s.conn.Close()
}

// analyze updates the statistics of the planner, which would otherwise be those of nearly empty tables.
func (s *session) analyze(ctx context.Context, prefix string) error {
	if !s.mysql {
		_, err := s.conn.ExecContext(ctx, "PRAGMA analysis_limit = 4000; ANALYZE") // a sample: an index is not read as a whole
		return err
	}
	for _, table := range []string{"posts", "postmeta", "terms", "term_taxonomy", "term_relationships", "options", "tec_events",
		"tec_occurrences"} {
		if _, err := s.conn.ExecContext(ctx, "ANALYZE TABLE ?", bun.Ident(prefix+table)); err != nil {
			return err
		}
	}
	return nil
}
