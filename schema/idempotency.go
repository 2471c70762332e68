package schema

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"
)

// InstallIdempotency creates the table that keeps answers to requests with an Idempotency-Key header for a day, if it
// does not exist. Install does so for a site that it creates; any other database gets the table only if its owner calls
// this function. Nothing else is changed. A calendar looks for the table when it is created.
func InstallIdempotency(ctx context.Context, db *bun.DB, prefix string) error {
	return change(ctx, db, prefix, "install idempotency", func(ctx context.Context, conn bun.IDB) error {
		if err := requireOptions(ctx, conn, prefix); err != nil {
			return err
		}
		return createTables(ctx, conn, prefix, tableOf(idempotencyTable))
	})
}

// HasIdempotency reports whether the table of InstallIdempotency exists and the account may write to it. If the account
// may only read it, missing contains the privileges that it lacks, as MissingRights returns them. A table that the
// account may not read at all cannot be distinguished from one that does not exist.
func HasIdempotency(ctx context.Context, db *bun.DB, prefix string) (has bool, missing []string, err error) {
	bound, err := Bind(db, prefix)
	if err != nil {
		return false, nil, err
	}
	absent, denied, err := probe(ctx, bound, prefix, ownTables)
	switch {
	case err != nil:
		return false, nil, fmt.Errorf("schema: idempotency: %w", err)
	case len(absent)+len(denied) > 0:
		return false, nil, nil
	case isSQLite(db):
		return true, nil, nil
	}
	if missing, err = appendMissing(ctx, bound, prefix, nil, "INSERT UPDATE DELETE", idempotencyTable); err != nil {
		return false, nil, err
	}
	return len(missing) == 0, missing, nil
}
