package schema

import (
	"context"

	"github.com/uptrace/bun"
)

// installOwnJournal creates the journal of a site that Agenda created, unless it was removed (OptionNoJournal). An
// SQLite database in memory gets none, since only this process can use it. If the site existed before (made is false),
// errors are ignored: the site is then served without a journal rather than not at all.
func installOwnJournal(ctx context.Context, db *bun.DB, prefix string, made bool) error {
	if isSQLite(db) {
		if file, err := mainFile(ctx, db); err != nil || file == "" {
			return err
		}
	}
	removed, err := db.NewSelect().Model((*Option)(nil)).Where("option_name = ?", OptionNoJournal).Count(ctx)
	if err != nil || removed > 0 {
		return err
	}
	if err = installJournal(ctx, db, prefix); made || ctx.Err() != nil {
		return err
	}
	return nil
}

// markJournal stores whether the journal of a site that Agenda created was removed, so that Install does not create it
// again.
func markJournal(ctx context.Context, db *bun.DB, prefix string, removed bool) error {
	site, err := Bind(db, prefix)
	if err != nil {
		return err
	}
	if !removed {
		return unmarkJournal(ctx, site)
	}
	var options []*Option
	err = site.NewSelect().Model(&options).Column("option_name").Where("option_name IN (?)",
		bun.List([]string{OptionOwn, OptionNoJournal})).Scan(ctx)
	if err != nil || len(options) != 1 || options[0].Name != OptionOwn {
		return absentIsFine(err)
	}
	_, err = site.NewInsert().Model(&Option{Name: OptionNoJournal, Value: "1", Autoload: "off"}).ExcludeColumn("option_id").
		Ignore().Exec(ctx)
	return err
}

func unmarkJournal(ctx context.Context, site *bun.DB) error {
	marks, err := site.NewSelect().Model((*Option)(nil)).Where("option_name = ?", OptionNoJournal).Count(ctx)
	if err != nil || marks == 0 {
		return absentIsFine(err)
	}
	_, err = site.NewDelete().Model((*Option)(nil)).Where("option_name = ?", OptionNoJournal).Exec(ctx)
	return err
}

// absentIsFine returns nil for the error that a table does not exist: a database without a site is not one that Agenda
// created.
func absentIsFine(err error) error {
	if err == nil {
		return nil
	}
	if absent, _ := tableError(err); absent {
		return nil
	}
	return err
}
