package logins

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/schema"
)

// Open returns a counter in the table PREFIXagenda_logins, which it creates if it does not exist. If the database user
// may not create or write the table, the error states what to do.
func Open(ctx context.Context, db *bun.DB, prefix string) (*Counter, error) {
	bound, err := schema.Bind(db, prefix)
	if err != nil {
		return nil, err
	}
	c := &Counter{db: bound, now: time.Now}
	table := prefix + "agenda_logins"
	_, err = c.Counts(ctx, []string{trial})
	if isAbsent(err) {
		create := bound.NewCreateTable().Model((*count)(nil)).IfNotExists()
		if _, err := create.Exec(ctx); err != nil {
			return nil, fmt.Errorf("the table %s cannot be created (%w): let the owner of the database run %s", table, err, create)
		}
	} else if err != nil {
		return nil, fmt.Errorf("the table %s cannot be read: %w", table, err)
	}
	if err := c.try(ctx); err != nil {
		return nil, fmt.Errorf("the table %s needs the rights SELECT, INSERT, UPDATE, DELETE: %w", table, err)
	}
	return c, nil
}

// isAbsent reports whether a statement failed because the table does not exist.
func isAbsent(err error) bool {
	const noSuchTable = 1146
	var answer *mysql.MySQLError
	if errors.As(err, &answer) {
		return answer.Number == noSuchTable
	}
	return err != nil && strings.Contains(err.Error(), "no such table")
}

// trial is a key that no attempt has.
var trial = strings.Repeat("0", 64)

// errTried rolls back a trial.
var errTried = errors.New("tried")

// try inserts and deletes a row, and rolls that back, to check the privileges of the database user.
func (c *Counter) try(ctx context.Context) error {
	err := c.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		now := time.Now()
		if err := upsert(ctx, tx, []string{trial}, now, now); err != nil {
			return err
		}
		if _, err := tx.NewDelete().Model((*count)(nil)).Where("hash = ?", trial).Exec(ctx); err != nil {
			return err
		}
		return errTried
	})
	if errors.Is(err, errTried) {
		return nil
	}
	return err
}
