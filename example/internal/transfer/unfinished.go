package transfer

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"
)

// marker is a table of the target. It contains a row from before anything else is created there until the copy is
// complete: the transaction of the copy deletes the row.
var marker = table{name: "agenda_copy"}

// Unfinished reports whether a copy to this site was started and did not finish, for instance because its process was
// killed.
func Unfinished(ctx context.Context, db *bun.DB, prefix string) (bool, error) {
	s, err := readSession(ctx, db, prefix)
	if err != nil {
		return false, err
	}
	defer s.close()
	var one int
	err = s.conn.QueryRowContext(ctx, "SELECT 1 FROM "+s.quoted(marker)+" LIMIT 1").Scan(&one)
	switch {
	case err == nil:
		return true, nil
	case errors.Is(err, sql.ErrNoRows), isAbsent(err), isDenied(err):
		return false, nil
	}
	return false, s.failed(marker, err)
}

// isDenied reports whether a server denies access to a table, which may or may not exist, to an account that has
// privileges on single tables only.
func isDenied(err error) bool {
	var answer *mysql.MySQLError
	return errors.As(err, &answer) && answer.Number == 1142
}

// setMarker sets the marker.
func setMarker(ctx context.Context, db *bun.DB, prefix string) error {
	s, err := writeSession(ctx, db, prefix)
	if err != nil {
		return err
	}
	defer s.close()
	name := s.quoted(marker)
	for _, statement := range []string{"CREATE TABLE IF NOT EXISTS " + name + " (n INTEGER NOT NULL PRIMARY KEY)", "DELETE FROM " + name,
		"INSERT INTO " + name + " VALUES (1)"} {
		if _, err := s.conn.ExecContext(ctx, statement); err != nil {
			return s.failed(marker, err)
		}
	}
	return s.commit(ctx)
}

// unmark deletes the marker's row in the transaction of the copy.
func (s *session) unmark(ctx context.Context) error {
	if _, err := s.conn.ExecContext(ctx, "DELETE FROM "+s.quoted(marker)); err != nil {
		return s.failed(marker, err)
	}
	return nil
}

// dropMarker drops the table of the marker after the copy is complete or rolled back.
func dropMarker(ctx context.Context, db *bun.DB, prefix string) error {
	return tidy(ctx, db, prefix, func(ctx context.Context, s *session) error {
		if _, err := s.conn.ExecContext(ctx, "DROP TABLE IF EXISTS "+s.quoted(marker)); err != nil {
			return fmt.Errorf("cleaning up the target: %w", s.failed(marker, err))
		}
		return nil
	})
}
