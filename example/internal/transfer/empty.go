package transfer

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"
)

// mustBeEmpty fails when a table has a row.
func (s *session) mustBeEmpty(ctx context.Context, t table) error {
	var one int
	err := s.conn.QueryRowContext(ctx, "SELECT 1 FROM "+s.quoted(t)+" LIMIT 1").Scan(&one)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err != nil:
		return s.failed(t, err)
	}
	return fmt.Errorf("%s%s has rows already, and nothing is overwritten: name an empty database, a new file or another prefix", s.prefix, t.name)
}

// emptyTables returns the names of the tables that exist, all of which must be empty.
func emptyTables(ctx context.Context, db *bun.DB, prefix string) (there map[string]bool, err error) {
	s, err := read(ctx, db, prefix)
	if err != nil {
		return nil, err
	}
	defer s.close()
	there = map[string]bool{}
	for _, t := range tablesOf(db) {
		err := s.mustBeEmpty(ctx, t)
		if isAbsent(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		there[t.name] = true
	}
	return there, nil
}

// undo removes what schema.Install made, after the rows of the copy are gone: the tables that did not exist before, and
// the default settings. Should anything else be there, somebody else put it there (or the commit did succeed and only
// its answer was lost): then all stays.
func undo(ctx context.Context, db *bun.DB, prefix string, before map[string]bool) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	s, err := write(ctx, db, prefix)
	if err != nil {
		return fmt.Errorf("tidying up the target: %w", err)
	}
	defer s.close()
	tables := tablesOf(db)
	for _, t := range tables {
		if t.name == "options" {
			continue
		}
		if err := s.mustBeEmpty(ctx, t); err != nil && !isAbsent(err) {
			return fmt.Errorf("the target is left as it is: %w", err)
		}
	}
	for _, t := range tables {
		statement := "DROP TABLE IF EXISTS " + s.quoted(t)
		if before[t.name] {
			if t.name != "options" {
				continue
			}
			statement = "DELETE FROM " + s.quoted(t)
		}
		if _, err := s.conn.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("tidying up the target: %w", s.failed(t, err))
		}
	}
	return s.commit(ctx)
}
