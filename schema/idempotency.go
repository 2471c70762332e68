package schema

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"
)

// InstallIdempotency creates the table in which answers to requests with the header Idempotency-Key are kept for a
// day, if it does not exist. Install does it for a site of one's own; the database of another program gets this table
// only where its owner calls this. It changes nothing else. A calendar finds the table when it is made.
func InstallIdempotency(ctx context.Context, db *bun.DB, prefix string) error {
	db, err := Bind(db, prefix)
	if err != nil {
		return err
	}
	err = withDefinitionMode(ctx, db, func(ctx context.Context, conn bun.IDB) error {
		absent, denied, err := probe(ctx, conn, prefix, []string{"options"})
		if err != nil {
			return err
		}
		if len(absent)+len(denied) > 0 {
			return fmt.Errorf("there is no table %soptions that can be read: is this the site's database and table prefix?", prefix)
		}
		return createTables(ctx, conn, prefix, tables, ownTables)
	})
	if err != nil {
		return fmt.Errorf("schema: install idempotency: %w", err)
	}
	return nil
}

// HasIdempotency reports whether the table of InstallIdempotency exists and the account may write it. If the account may
// read the table and no more, missing names the rights that it lacks, as MissingRights does. Servers do not tell a table
// that may not be read from one that does not exist.
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
