package transfer

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/agendahq/agenda/schema"
	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect"
)

// session is a connection with a transaction. It does not use bun, which writes values into the text of a statement and
// drops NUL characters.
type session struct {
	conn   *sql.Conn
	mysql  bool
	prefix string
}

// mysqlSession contains the settings of a MySQL session that preserve text and dates, whatever the DSN and the server
// set: characters of four bytes, no time zone that shifts TIMESTAMP columns, zero and invalid dates unchanged, errors
// instead of truncated values, and an id of 0 stored as 0.
var mysqlSession = []string{
	"SET NAMES utf8mb4",
	"SET SESSION time_zone = '+00:00', SESSION sql_mode =" +
		" 'STRICT_ALL_TABLES,ALLOW_INVALID_DATES,NO_AUTO_VALUE_ON_ZERO,NO_ENGINE_SUBSTITUTION'",
}

// readSession begins a transaction that reads a snapshot of the database.
func readSession(ctx context.Context, db *bun.DB, prefix string) (*session, error) {
	return beginSession(ctx, db, prefix,
		[]string{"SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ", "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY"},
		// The second statement takes the snapshot, which BEGIN alone does not.
		[]string{"BEGIN DEFERRED", "SELECT count(*) FROM sqlite_schema"})
}

// writeSession begins a transaction that changes the database.
func writeSession(ctx context.Context, db *bun.DB, prefix string) (*session, error) {
	return beginSession(ctx, db, prefix, []string{"START TRANSACTION"}, []string{"BEGIN IMMEDIATE"})
}

func beginSession(ctx context.Context, db *bun.DB, prefix string, onMySQL, onSQLite []string) (*session, error) {
	if _, err := schema.Bind(db, prefix); err != nil {
		return nil, err
	}
	conn, err := db.DB.Conn(ctx)
	if err != nil {
		return nil, err
	}
	s := &session{conn: conn, mysql: db.Dialect().Name() == dialect.MySQL, prefix: prefix}
	statements := onSQLite
	if s.mysql {
		statements = append(mysqlSession[:len(mysqlSession):len(mysqlSession)], onMySQL...)
	}
	for _, statement := range statements {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			s.close()
			return nil, err
		}
	}
	return s, nil
}

// commit commits the transaction.
func (s *session) commit(ctx context.Context) error {
	_, err := s.conn.ExecContext(ctx, "COMMIT")
	return err
}

// close rolls back what was not committed. The connection does not return to its pool, since its settings were changed.
func (s *session) close() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_, _ = s.conn.ExecContext(ctx, "ROLLBACK") // after a COMMIT, SQLite returns an error, which is expected
	_ = s.conn.Raw(func(any) error { return driver.ErrBadConn })
	_ = s.conn.Close()
}

func (s *session) quoted(t table) string { return s.ident(s.prefix + t.name) }

// ident quotes a name. Names come from models and checked prefixes, so none contains a quote.
func (s *session) ident(name string) string {
	if s.mysql {
		return "`" + name + "`"
	}
	return `"` + name + `"`
}

// reading returns the expression that reads a column as text. MySQL sends numbers and text as text by itself; a date
// must not become a time.Time, as with some DSNs.
func (s *session) reading(name, databaseType string) string {
	switch {
	case !s.mysql:
		return "CAST(" + s.ident(name) + " AS TEXT)"
	case strings.Contains(databaseType, "DATE"), strings.Contains(databaseType, "TIME"):
		return "CAST(" + s.ident(name) + " AS CHAR)"
	}
	return s.ident(name)
}

func (s *session) failed(t table, err error) error {
	return fmt.Errorf("table %s%s: %w", s.prefix, t.name, err)
}

// isAbsent reports whether a statement failed because its table does not exist.
func isAbsent(err error) bool {
	var answer *mysql.MySQLError
	if errors.As(err, &answer) {
		return answer.Number == 1146
	}
	return err != nil && strings.Contains(err.Error(), "no such table")
}

// count returns the number of rows of a table that are copied, or 0 if it does not exist.
func (s *session) count(ctx context.Context, t table) (n int64, err error) {
	err = s.conn.QueryRowContext(ctx, "SELECT COUNT(*) FROM "+s.quoted(t)+where(s.copied(t))).Scan(&n)
	if isAbsent(err) {
		return 0, nil
	}
	if err != nil {
		return 0, s.failed(t, err)
	}
	return n, nil
}
