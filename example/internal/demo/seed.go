package demo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect"

	"github.com/agendahq/agenda/schema"
)

// ErrNotEmpty is returned for a site that has posts, terms or users already.
var ErrNotEmpty = errors.New("demo: the site is not empty")

// batch is the number of rows that one statement inserts: large enough to be fast, small enough for any server's packet
// size.
const batch = 100

// Seed fills an empty site, as schema.Install leaves it, with the demo calendar as of now: users without passwords,
// venues, organizers, categories, tags, images and events, and the settings that follow from them. It writes everything
// or nothing, and always the same rows for the same now. The address of the site is read from its home option.
func Seed(ctx context.Context, db *bun.DB, prefix string, now time.Time) error {
	db, err := schema.Bind(db, prefix)
	if err != nil {
		return err
	}
	err = inTransaction(ctx, db, func(ctx context.Context, tx bun.Tx) error {
		home, err := checkEmpty(ctx, tx)
		if err != nil {
			return err
		}
		rows, err := compose(prefix, home, now)
		if err != nil {
			return err
		}
		return rows.insert(ctx, tx)
	})
	if err != nil {
		return fmt.Errorf("demo: seeding: %w", err)
	}
	return nil
}

// inTransaction runs fn in a transaction that can write zero dates, which drafts have: in its default mode MySQL
// rejects them.
func inTransaction(ctx context.Context, db *bun.DB, fn func(context.Context, bun.Tx) error) (err error) {
	if db.Dialect().Name() != dialect.MySQL {
		return db.RunInTx(ctx, nil, fn)
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	var mode string
	if err := conn.NewSelect().ColumnExpr("@@SESSION.sql_mode").Scan(ctx, &mode); err != nil {
		return err
	}
	if _, err := conn.ExecContext(ctx, "SET SESSION sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'"); err != nil {
		return err
	}
	defer func() {
		// The connection returns to a pool that others use, so its mode is restored even if ctx has ended.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		_, restore := conn.ExecContext(ctx, "SET SESSION sql_mode = ?", mode)
		err = errors.Join(err, restore)
	}()
	return conn.RunInTx(ctx, nil, fn)
}

// checkEmpty returns the address of the site, or ErrNotEmpty if it has content.
func checkEmpty(ctx context.Context, tx bun.Tx) (home string, err error) {
	for _, model := range []any{(*schema.Post)(nil), (*schema.Term)(nil), (*schema.User)(nil)} {
		filled, err := tx.NewSelect().Model(model).Exists(ctx)
		if err != nil {
			return "", err
		}
		if filled {
			return "", ErrNotEmpty
		}
	}
	err = tx.NewSelect().Model((*schema.Option)(nil)).Column("option_value").
		Where("option_name = ?", schema.OptionHome).Scan(ctx, &home)
	if err != nil {
		return "", fmt.Errorf("option %s: %w", schema.OptionHome, err)
	}
	return home, nil
}

// rows contains all rows that seeding writes, with the ids by which they refer to each other.
type rows struct {
	posts         []*schema.Post
	meta          []*schema.PostMeta
	terms         []*schema.Term
	taxonomies    []*schema.TermTaxonomy
	relationships []*schema.TermRelationship
	users         []*schema.User
	userMeta      []*schema.UserMeta
	events        []*schema.EventRow
	occurrences   []*schema.Occurrence
	severalEvents []*schema.EventDates // of recurring events
	severalDates  []*schema.OccurrenceDates
	options       [][2]string
}

func (r *rows) insert(ctx context.Context, tx bun.Tx) error {
	return errors.Join(
		insertAll(ctx, tx, r.users), insertAll(ctx, tx, r.userMeta),
		insertAll(ctx, tx, r.posts), insertAll(ctx, tx, r.meta),
		insertAll(ctx, tx, r.terms), insertAll(ctx, tx, r.taxonomies), insertAll(ctx, tx, r.relationships),
		insertAll(ctx, tx, r.events), insertAll(ctx, tx, r.occurrences),
		insertAll(ctx, tx, r.severalEvents), insertAll(ctx, tx, r.severalDates),
		r.setOptions(ctx, tx),
	)
}

func insertAll[T any](ctx context.Context, tx bun.Tx, all []*T) error {
	for len(all) > 0 {
		part := all[:min(batch, len(all))]
		if _, err := tx.NewInsert().Model(&part).Exec(ctx); err != nil {
			return err
		}
		all = all[len(part):]
	}
	return nil
}

// setOptions replaces the options that the installation has set and adds the others.
func (r *rows) setOptions(ctx context.Context, tx bun.Tx) error {
	for _, o := range r.options {
		there, err := tx.NewSelect().Model((*schema.Option)(nil)).Where("option_name = ?", o[0]).Exists(ctx)
		if err != nil {
			return err
		}
		if there {
			_, err = tx.NewUpdate().Model((*schema.Option)(nil)).Set("option_value = ?", o[1]).Where("option_name = ?", o[0]).Exec(ctx)
		} else {
			option := &schema.Option{Name: o[0], Value: o[1], Autoload: "on"}
			_, err = tx.NewInsert().Model(option).ExcludeColumn("option_id").Exec(ctx)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
