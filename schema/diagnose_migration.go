package schema

import (
	"context"
	"slices"

	"github.com/uptrace/bun"
)

// findMigration determines whether the tables of occurrences are to be ignored.
func (d *Diagnosis) findMigration(ctx context.Context, db *bun.DB, prefix string) error {
	if slices.Contains(slices.Concat(d.Report.Missing, d.Report.Denied), prefix+"options") {
		return nil
	}
	options, _, err := storedOptions(ctx, db, prefix, slices.Concat(DateFormOptions(), MigrationOptions()))
	if err != nil {
		return err
	}
	d.phase, d.unmigrated = Unmigrated(options)
	return nil
}

// askMigration reports whether the tables of occurrences are used (D92).
func askMigration(_ context.Context, p *examinedDB) ([]Finding, error) {
	switch {
	case !p.unmigrated:
		return []Finding{finding(OK, "", "", "lists read the tables of dates")}, nil
	case p.phase == "":
		return []Finding{finding(Note, "", "finish this on the page of The Events Calendar in the site's admin; lists are then faster",
			"The Events Calendar has not begun to move the events to its own tables: lists read post meta")}, nil
	}
	return []Finding{finding(Note, "", "finish this on the page of The Events Calendar in the site's admin; lists are then faster",
		"The Events Calendar has not moved all events to its own tables (phase %s): lists read post meta", p.phase)}, nil
}
