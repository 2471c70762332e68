package transfer

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/schema"
)

// mustBeEmpty returns an error if a table has a row.
func (s *session) mustBeEmpty(ctx context.Context, t table) error {
	var one int
	err := s.conn.QueryRowContext(ctx, "SELECT 1 FROM "+s.quoted(t)+" LIMIT 1").Scan(&one)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err != nil:
		return s.failed(t, err)
	}
	return s.filled(t)
}

// UnusableError is the error of a database that cannot be the source or the target of a copy: nothing was copied.
type UnusableError struct{ error }

// Unwrap returns the wrapped error.
func (e UnusableError) Unwrap() error { return e.error }

func (s *session) filled(t table) error {
	return UnusableError{fmt.Errorf("%s%s already has rows, and nothing is overwritten: name an empty database, a new file or "+
		"another prefix", s.prefix, t.name)}
}

// mustBeNew returns an error if a table has a row that schema.Install does not create, and reports whether it has any.
// A copy that was killed leaves only rows of schema.Install, because its own rows were all in one transaction.
func (s *session) mustBeNew(ctx context.Context, t table) (installed bool, err error) {
	if t.name != "options" {
		return false, s.mustBeEmpty(ctx, t)
	}
	rows, err := s.conn.QueryContext(ctx, "SELECT option_name, option_value FROM "+s.quoted(t))
	if err != nil {
		return false, s.failed(t, err)
	}
	defer rows.Close()
	made := schema.InstalledOptions(s.prefix)
	for rows.Next() {
		var name, value sql.NullString
		if err := rows.Scan(&name, &value); err != nil {
			return false, s.failed(t, err)
		}
		if want, ok := made[name.String]; !ok || want != value.String {
			return false, s.filled(t)
		}
		installed = true
	}
	if err := rows.Err(); err != nil {
		return false, s.failed(t, err)
	}
	return installed, nil
}

// Empty returns an error if a table of a site has rows, besides those that schema.Install creates.
func Empty(ctx context.Context, db *bun.DB, prefix string) error {
	_, err := emptyTables(ctx, db, prefix)
	return err
}

// emptyTables returns which tables exist, by name, and for each whether it is empty. It returns an error unless all are
// new.
func emptyTables(ctx context.Context, db *bun.DB, prefix string) (there map[string]bool, err error) {
	s, err := readSession(ctx, db, prefix)
	if err != nil {
		return nil, err
	}
	defer s.close()
	there = map[string]bool{}
	for _, t := range installedTables(db) {
		installed, err := s.mustBeNew(ctx, t)
		if isAbsent(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		there[t.name] = !installed
	}
	return there, nil
}

// undoInstall removes what schema.Install created, after the rows of the copy were rolled back: the tables that did not exist
// before, and the default settings. If there is anything else, another program wrote it, or the commit succeeded and
// only its answer was lost; then everything stays.
func undoInstall(ctx context.Context, db *bun.DB, prefix string, before map[string]bool) error {
	return tidy(ctx, db, prefix, func(ctx context.Context, s *session) error {
		tables := installedTables(db)
		for _, t := range tables {
			if t.name == "options" {
				continue
			}
			if err := s.mustBeEmpty(ctx, t); err != nil && !isAbsent(err) {
				return fmt.Errorf("the target was left unchanged: %w", err)
			}
		}
		for _, t := range tables {
			statement := "DROP TABLE IF EXISTS " + s.quoted(t)
			if empty, there := before[t.name]; there {
				if t.name != "options" || !empty {
					continue
				}
				statement = "DELETE FROM " + s.quoted(t)
			}
			if _, err := s.conn.ExecContext(ctx, statement); err != nil {
				return fmt.Errorf("cleaning up the target: %w", s.failed(t, err))
			}
		}
		return nil
	})
}

// tidy calls f with a session that writes to the target of a copy, even if the copy was cancelled, and commits.
func tidy(ctx context.Context, db *bun.DB, prefix string, f func(context.Context, *session) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	s, err := writeSession(ctx, db, prefix)
	if err != nil {
		return fmt.Errorf("cleaning up the target: %w", err)
	}
	defer s.close()
	if err := f(ctx, s); err != nil {
		return err
	}
	return s.commit(ctx)
}
